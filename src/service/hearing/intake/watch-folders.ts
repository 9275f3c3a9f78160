/**
 * Takes in files that are put into the folders of channels, in the same way as deliveries over HTTP. Each file is a
 * delivery under the id that it gets when it is claimed. So it is heard once, also when the process ends between the
 * commit and the move, and when several processes watch one folder. Only the folder says which channel a file is for.
 */

import { join, resolve } from 'node:path'
import type { Config } from '../../../platform/config.ts'
import { uuidV7 } from '../../../platform/ids.ts'
import { listToldChannels, type ToldChannel } from '../../../store/channels/channels.ts'
import { ServiceError } from '../../errors.ts'
import { deliveryBytesMax } from '../../ground/delivery-size.ts'
import { keptBeside } from '../../ground/kept-beside.ts'
import type { Service } from '../../service.ts'
import {
  type ClaimedFile,
  claimFile,
  listStanding,
  openFolder,
  readClaimed,
  readClaimedFile,
  type StandingFile,
  settleFile,
  writeWhole,
} from './folder-files.ts'
import { takeIn } from './take-in.ts'

/** Maximum files of one folder in one round, so that every partner has a turn. */
const filesAtOnce = 50
/** A file that another process claimed and did not finish is taken over after this time. */
const takenOverMs = 60_000
/** A folder that could not be read is not tried again for this long. */
const restMs = 60_000

interface Watched {
  /** Since when each file is unchanged, by its place and name. */
  seen: ReadonlyMap<string, { readonly mark: string; readonly sinceMs: number }>
  restsUntilMs: number
}

const watchedOf = keptBeside<Service, Map<string, Watched>>(() => new Map())

export function inboundFolder({ inbound, data }: Config): string {
  return resolve(inbound.folder ?? join(data.folder, 'inbound'))
}

/** Does one round over all folders. Returns how many files were taken in or refused. */
export async function watchFolders(service: Service): Promise<number> {
  const channels = await listToldChannels(service.pool)
  const watched = watchedOf(service)
  let done = 0
  for (const channel of channels) {
    if (channel.folder === null || !channel.isEnabled) continue
    const of = watched.get(channel.id) ?? { seen: new Map(), restsUntilMs: 0 }
    watched.set(channel.id, of)
    if (service.clock.now() < of.restsUntilMs) continue
    try {
      done += await workFolder(
        service,
        channel,
        of,
        await openFolder(inboundFolder(service.config), channel.folder),
      )
    } catch (error) {
      of.restsUntilMs = service.clock.now() + restMs
      service.metrics.fileFailed({ channel: channel.name, error })
    }
  }
  return done
}

async function workFolder(
  service: Service,
  channel: ToldChannel,
  watched: Watched,
  folder: string,
): Promise<number> {
  const quietMs = service.config.inbound.folderQuietSeconds * 1_000
  const [standing, left] = [await listStanding(folder), await listStanding(join(folder, 'taking'))]
  const since = noteSeen(service, watched, [
    ...standing.map((file) => [keyOf('', file), file] as const),
    ...left.map((file) => [keyOf('taking/', file), file] as const),
  ])
  const over = left.filter((file) => since(keyOf('taking/', file)) >= takenOverMs)
  const ready = standing.filter((file) => since(keyOf('', file)) >= quietMs)
  const claims: (() => Promise<ClaimedFile | null>)[] = [
    ...over.map((file) => async () => readClaimed(file.name)),
    ...ready.map((file) => () => claimFile(folder, file, uuidV7(service.clock.now()))),
  ]
  let done = 0
  for (const claim of claims.slice(0, filesAtOnce)) {
    const file = await claim()
    if (file !== null && (await workFile(service, channel, folder, file))) done += 1
  }
  return done
}

function keyOf(place: '' | 'taking/', { name }: StandingFile): string {
  return place + name.toString('latin1')
}

/** Remembers what is there now. Returns a function that says for how many milliseconds a file is unchanged. */
function noteSeen(
  { clock }: Service,
  watched: Watched,
  files: readonly (readonly [string, StandingFile])[],
): (key: string) => number {
  const nowMs = clock.now()
  const before = watched.seen
  watched.seen = new Map(
    files.map(([key, { mark }]) => {
      const known = before.get(key)
      return [key, known?.mark === mark ? known : { mark, sinceMs: nowMs }]
    }),
  )
  return (key) => nowMs - (watched.seen.get(key)?.sinceMs ?? nowMs)
}

/** False when the file stays where it is and is tried again. One file never blocks others. */
async function workFile(
  service: Service,
  channel: ToldChannel,
  folder: string,
  file: ClaimedFile,
): Promise<boolean> {
  const startedMs = performance.now()
  const tell = (outcome: 'taken' | 'repeated' | 'refused', fields: object): true => {
    const durationMs = Math.round(performance.now() - startedMs)
    service.metrics.fileTaken({ outcome, channel: channel.name, file: file.id, durationMs, ...fields })
    return true
  }
  try {
    const content = await readClaimedFile(folder, file, deliveryBytesMax)
    if (content === null || content.kind === 'changing') return false
    if (content.kind === 'refused') {
      await refuse(folder, file, content.reason)
      return tell('refused', { reason: content.reason })
    }
    const { body } = content
    const taken = await takeIn(service, channel, {
      body,
      contentType: null,
      idempotencyKey: `file:${file.id}`,
    })
    if (taken.acknowledgement !== null)
      await writeWhole(folder, {
        room: 'answers',
        id: file.id,
        fileName: `${file.fileName}.${channel.acknowledges}`,
        content: taken.acknowledgement,
      })
    await settleFile(folder, file, 'taken')
    return tell(taken.isRepeated ? 'repeated' : 'taken', {
      messageId: taken.messageId,
      bytes: body.byteLength,
    })
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'invalid') {
      service.metrics.fileFailed({ channel: channel.name, file: file.id, error })
      return false
    }
    await refuse(folder, file, error.detail)
    return tell('refused', { reason: error.detail })
  }
}

/** Writes the reason first, so that a refused file is never there without its reason. */
async function refuse(folder: string, file: ClaimedFile, reason: string): Promise<void> {
  const content = Buffer.from(`${reason}\n`)
  const fileName = `${file.fileName}.reason.txt`
  await writeWhole(folder, { room: 'refused', id: file.id, fileName, content })
  await settleFile(folder, file, 'refused')
}
