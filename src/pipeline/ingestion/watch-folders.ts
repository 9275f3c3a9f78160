/**
 * Ingests files that are put into the folders of channels, in the same way as deliveries over HTTP. Each file is a
 * delivery under the id that it gets when it is claimed. So it is ingested once, also when the process ends between the
 * commit and the move, and when several processes watch one folder. Only the folder decides which channel a file is
 * for.
 */

import { join, resolve } from 'node:path'
import { type InboundChannel, listInboundChannels } from '../../modules/channels/inbound-channels-sql.ts'
import { ServiceError } from '../../modules/errors.ts'
import type { Service } from '../../modules/service.ts'
import type { Config } from '../../platform/config.ts'
import { deliveryBytesMax } from '../../platform/delivery-size.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { memoizePerOwner } from '../../platform/memoize-per-owner.ts'
import {
  type ClaimedFile,
  claimFile,
  listWaitingFiles,
  moveFile,
  openFolder,
  readClaimed,
  readClaimedFile,
  type WaitingFile,
  writeWhole,
} from './folder-files.ts'
import { ingestDelivery } from './ingest-delivery.ts'

/** Maximum files of one folder in one round, so that every partner is served. */
const filesAtOnce = 50
/** A file that another process claimed and did not finish is taken over after this time. */
const takeoverMs = 60_000
/** A folder that could not be read is not tried again for this long. */
const cooldownMs = 60_000

interface WatchedFolder {
  /** Since when each file is unchanged, by its place and name. */
  seen: ReadonlyMap<string, { readonly mark: string; readonly sinceMs: number }>
  cooldownUntilMs: number
}

const watchedOf = memoizePerOwner<Service, Map<string, WatchedFolder>>(() => new Map())

export function inboundFolder({ inbound, data }: Config): string {
  return resolve(inbound.folder ?? join(data.folder, 'inbound'))
}

/** Does one round over all folders. Returns how many files were ingested or refused. */
export async function watchFolders(service: Service): Promise<number> {
  const channels = await listInboundChannels(service.pool)
  const watched = watchedOf(service)
  let done = 0
  for (const channel of channels) {
    if (channel.folder === null || !channel.isEnabled) continue
    const of = watched.get(channel.id) ?? { seen: new Map(), cooldownUntilMs: 0 }
    watched.set(channel.id, of)
    if (service.clock.now() < of.cooldownUntilMs) continue
    try {
      done += await processFolder(service, channel, of, await openFolder(inboundFolder(service.config), channel.folder))
    } catch (error) {
      of.cooldownUntilMs = service.clock.now() + cooldownMs
      service.metrics.fileFailed({ channel: channel.name, error })
    }
  }
  return done
}

async function processFolder(
  service: Service,
  channel: InboundChannel,
  watched: WatchedFolder,
  folder: string,
): Promise<number> {
  const quietMs = service.config.inbound.folderQuietSeconds * 1_000
  const [waitingFiles, claimedFiles] = [await listWaitingFiles(folder), await listWaitingFiles(join(folder, 'taking'))]
  const since = noteSeen(service, watched, [
    ...waitingFiles.map((file) => [keyOf('', file), file] as const),
    ...claimedFiles.map((file) => [keyOf('taking/', file), file] as const),
  ])
  const over = claimedFiles.filter((file) => since(keyOf('taking/', file)) >= takeoverMs)
  const ready = waitingFiles.filter((file) => since(keyOf('', file)) >= quietMs)
  const claims: (() => Promise<ClaimedFile | null>)[] = [
    ...over.map((file) => async () => readClaimed(file.name)),
    ...ready.map((file) => () => claimFile(folder, file, uuidV7(service.clock.now()))),
  ]
  let done = 0
  for (const claim of claims.slice(0, filesAtOnce)) {
    const file = await claim()
    if (file !== null && (await processFile(service, channel, folder, file))) done += 1
  }
  return done
}

function keyOf(place: '' | 'taking/', { name }: WaitingFile): string {
  return place + name.toString('latin1')
}

/** Remembers what is there now. Returns a function that returns for how many milliseconds a file is unchanged. */
function noteSeen(
  { clock }: Service,
  watched: WatchedFolder,
  files: readonly (readonly [string, WaitingFile])[],
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
async function processFile(
  service: Service,
  channel: InboundChannel,
  folder: string,
  file: ClaimedFile,
): Promise<boolean> {
  const startedMs = performance.now()
  const reportOutcome = (outcome: 'taken' | 'repeated' | 'refused', fields: object): true => {
    const durationMs = Math.round(performance.now() - startedMs)
    service.metrics.fileTaken({ outcome, channel: channel.name, file: file.id, durationMs, ...fields })
    return true
  }
  try {
    const content = await readClaimedFile(folder, file, deliveryBytesMax)
    if (content === null || content.kind === 'changing') return false
    if (content.kind === 'refused') {
      await refuseFile(folder, file, content.reason)
      return reportOutcome('refused', { reason: content.reason })
    }
    const { body } = content
    const ingestResult = await ingestDelivery(service, channel, {
      body,
      contentType: null,
      idempotencyKey: `file:${file.id}`,
    })
    if (ingestResult.acknowledgement !== null)
      await writeWhole(folder, {
        subfolder: 'answers',
        id: file.id,
        fileName: `${file.fileName}.${channel.acknowledges}`,
        content: ingestResult.acknowledgement,
      })
    await moveFile(folder, file, 'taken')
    return reportOutcome(ingestResult.isRepeated ? 'repeated' : 'taken', {
      messageId: ingestResult.messageId,
      bytes: body.byteLength,
    })
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'invalid') {
      service.metrics.fileFailed({ channel: channel.name, file: file.id, error })
      return false
    }
    await refuseFile(folder, file, error.detail)
    return reportOutcome('refused', { reason: error.detail })
  }
}

/** Writes the reason first, so that a refused file is never there without its reason. */
async function refuseFile(folder: string, file: ClaimedFile, reason: string): Promise<void> {
  const content = Buffer.from(`${reason}\n`)
  const fileName = `${file.fileName}.reason.txt`
  await writeWhole(folder, { subfolder: 'refused', id: file.id, fileName, content })
  await moveFile(folder, file, 'refused')
}
