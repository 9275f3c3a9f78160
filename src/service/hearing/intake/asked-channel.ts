/**
 * Takes an operator's settings for asking a channel that also sends by itself: checks them, encrypts the secrets, and
 * plans questions about what is already tracked.
 */

import type { Asking } from '../../../sources/told.ts'
import { findToldSource } from '../../../sources/told-registry.ts'
import {
  type AskingState,
  askingStates,
  type ChannelAsking,
  findAsking,
  putAsking,
} from '../../../store/channels/asked-channels.ts'
import { askAbout, askFailedAgain, keepKinds, trackedPage } from '../../../store/channels/asked-numbers.ts'
import type { ToldChannel } from '../../../store/channels/channels.ts'
import { type Db, inTransaction } from '../../../store/database.ts'
import { refusedAt } from '../../errors.ts'
import { realNow, type Service } from '../../service.ts'
import { openSecrets } from '../../vault.ts'
import { askAtFacilities, standsOf } from './at-facilities.ts'

/** Secrets that are not given stay as they were. */
export interface AskingInput {
  readonly profile: Readonly<Record<string, unknown>>
  readonly secrets?: Readonly<Record<string, string>>
}

export type AskedOf = Pick<ToldChannel, 'id' | 'source' | 'accountId' | 'speakerKind' | 'profile'>

/**
 * `input` null: from now on the channel only sends and is not asked. Runs in the transaction that changes the channel.
 */
export async function keepAsking(
  db: Db,
  service: Service,
  channel: AskedOf,
  input: AskingInput | null,
): Promise<void> {
  const channelId = channel.id
  const before = await findAsking(db, channelId)
  const asking = input === null ? null : checked(service, channel, input, before)
  await putAsking(db, channelId, asking)
  await keepKinds(db, { channelId, asksBy: asking?.asksBy ?? [] })
  await askFailedAgain(db, { channelId, at: realNow(service) })
}

function checked(
  service: Service,
  channel: AskedOf,
  input: AskingInput,
  before: ChannelAsking | null,
): ChannelAsking {
  const { source, accountId, speakerKind } = channel
  const asking = findToldSource(source)?.asking
  if (asking === undefined)
    throw refusedAt('/asking', `A channel that speaks ${source} cannot be asked: leave \`asking\` out.`)
  const parsed = asking.parseProfile(input.profile)
  if (!parsed.ok)
    throw refusedAt('/asking/profile', `The profile for asking cannot be read: ${parsed.reason}.`)
  const isAtFacility = speakerKind === 'terminal' || speakerKind === 'rail'
  if (isAtFacility && standsOf(channel) === null)
    throw refusedAt(
      '/profile/stands',
      'The profile must say where the facility is (`stands`), or, for a railway, by which codes it is named (`scacs`).',
    )
  const profile = parsed.value as Readonly<Record<string, unknown>>
  const secrets = input.secrets ?? openSecrets(service.vault, before?.secretSealed ?? null)
  const missing = asking.secretNames(profile).filter((name) => typeof secrets[name] !== 'string')
  if (missing.length > 0)
    throw refusedAt('/asking/secrets', `This profile for asking needs the secrets ${missing.join(', ')}.`)
  const { ceiling, isCeilingSupposed } = asking.limitsOf(profile)
  if (isCeilingSupposed === true)
    service.log.warn('credential.without_ceiling', { channel: channel.id, ...ceiling })
  const secretSealed = service.vault.seal(JSON.stringify(secrets))
  return { profile, asksBy: kindsFor(asking, profile, accountId), secretSealed }
}

/**
 * The kinds of number that the channel is asked about. A channel of the whole installation reaches shipments by their
 * documents only, so it is not asked about containers.
 */
function kindsFor(
  asking: Asking<unknown>,
  profile: unknown,
  accountId: string | null,
): ChannelAsking['asksBy'] {
  const kinds = asking.asksBy(profile).filter((kind) => accountId !== null || kind !== 'container')
  if (kinds.length === 0)
    throw refusedAt(
      '/asking/profile',
      'This profile allows no question by number. A channel of the whole installation must be asked by bill or booking.',
    )
  return kinds
}

const trackedAtOnce = 1_000

/**
 * Has the channel asked about everything that is tracked already, page after page. If this is cut off, doing it again
 * does the rest. What is tracked from now on is noted together with its shipment or request.
 */
export async function askAboutTracked(service: Service, { accountId }: AskedOf): Promise<void> {
  for (let after: Parameters<typeof trackedPage>[1]['after'] = null; ; ) {
    const of = { accountId, after, limit: trackedAtOnce }
    const known = await trackedPage(service.pool, of)
    await inTransaction(service.pool, async (db) => {
      await askAbout(db, { known, at: realNow(service) })
      await askAtFacilities(service, db, known)
    })
    const last = known.at(-1)
    if (last === undefined || known.length < trackedAtOnce) return
    after = last
  }
}

/** The state of all channels that are asked, by the channel's id. */
export function listAskings(service: Service): Promise<ReadonlyMap<string, AskingState>> {
  return askingStates(service.pool, realNow(service))
}
