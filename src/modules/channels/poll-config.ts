/**
 * Checks an operator's settings for polling a channel that also sends by itself, encrypts the secrets, and plans polls
 * about what is already tracked.
 */

import type { SourcePolling } from '../../connectors/pushed-source.ts'
import { findPushedSource } from '../../connectors/pushed-source-registry.ts'
import { type Db, inTransaction } from '../../db/database.ts'
import {
  deleteOtherKinds,
  listTrackedPage,
  planNumberPolls,
  retryFailedNumbers,
} from '../../pipeline/terminal-polling/polled-numbers-sql.ts'
import { decryptSecrets } from '../../platform/encryption.ts'
import { refusedAt } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { facilitySitesOf, planFacilityPolls } from './facility-polls.ts'
import type { InboundChannel } from './inbound-channels-sql.ts'
import {
  type ChannelPollConfig,
  findPollConfig,
  getPollStates,
  type PollState,
  putPollConfig,
} from './polled-channels-sql.ts'

/** Secrets that are not given stay as they were. */
export interface PollConfigInput {
  readonly profile: Readonly<Record<string, unknown>>
  readonly secrets?: Readonly<Record<string, string>>
}

export type PollableChannel = Pick<InboundChannel, 'id' | 'source' | 'accountId' | 'speakerKind' | 'profile'>

/**
 * `input` null: from now on the channel only sends and is not polled. Runs in the transaction that changes the channel.
 */
export async function storePollConfig(
  db: Db,
  service: Service,
  channel: PollableChannel,
  input: PollConfigInput | null,
): Promise<void> {
  const channelId = channel.id
  const before = await findPollConfig(db, channelId)
  const pollConfig = input === null ? null : checkPollConfig(service, channel, input, before)
  await putPollConfig(db, channelId, pollConfig)
  await deleteOtherKinds(db, { channelId, pollNumberKinds: pollConfig?.pollNumberKinds ?? [] })
  await retryFailedNumbers(db, { channelId, at: realNow(service) })
}

/** How the channel is polled, with its secrets; null where it is not polled. */
export async function readPollConfig(
  { pool, encryption }: Service,
  { id }: Pick<InboundChannel, 'id'>,
): Promise<Required<PollConfigInput> | null> {
  const stored = await findPollConfig(pool, id)
  return stored && { profile: stored.profile, secrets: decryptSecrets(encryption, stored.encryptedSecret) }
}

function checkPollConfig(
  service: Service,
  channel: PollableChannel,
  input: PollConfigInput,
  before: ChannelPollConfig | null,
): ChannelPollConfig {
  const { source, accountId, speakerKind } = channel
  const pollProtocol = findPushedSource(source)?.polling
  if (pollProtocol === undefined)
    throw refusedAt('/asking', `A channel that speaks ${source} cannot be polled: leave \`asking\` out.`)
  const parsed = pollProtocol.parseProfile(input.profile)
  if (!parsed.ok) throw refusedAt('/asking/profile', `The profile for asking cannot be read: ${parsed.reason}.`)
  const isAtFacility = speakerKind === 'terminal' || speakerKind === 'rail'
  if (isAtFacility && facilitySitesOf(channel) === null)
    throw refusedAt(
      '/profile/stands',
      'The profile must say where the facility is (`stands`), or, for a railway, by which codes it is named (`scacs`).',
    )
  const profile = parsed.value as Readonly<Record<string, unknown>>
  const secrets = input.secrets ?? decryptSecrets(service.encryption, before?.encryptedSecret ?? null)
  const missing = pollProtocol.secretNames(profile).filter((name) => typeof secrets[name] !== 'string')
  if (missing.length > 0)
    throw refusedAt('/asking/secrets', `This profile for asking needs the secrets ${missing.join(', ')}.`)
  const { quota, isQuotaDefault } = pollProtocol.limitsOf(profile)
  if (isQuotaDefault === true) service.log.warn('credential.without_ceiling', { channel: channel.id, ...quota })
  const encryptedSecret = service.encryption.encrypt(JSON.stringify(secrets))
  return { profile, pollNumberKinds: choosePollNumberKinds(pollProtocol, profile, accountId), encryptedSecret }
}

/**
 * The kinds of number that the channel is polled about. A channel of the whole installation reaches shipments by their
 * documents only, so it is not polled about containers.
 */
function choosePollNumberKinds(
  pollProtocol: SourcePolling<unknown>,
  profile: unknown,
  accountId: string | null,
): ChannelPollConfig['pollNumberKinds'] {
  const kinds = pollProtocol.supportedKinds(profile).filter((kind) => accountId !== null || kind !== 'container')
  if (kinds.length === 0)
    throw refusedAt(
      '/asking/profile',
      'This profile allows no request by number. A channel of the whole installation must be polled by bill or booking.',
    )
  return kinds
}

const trackedAtOnce = 1_000

/**
 * Plans polls of the channel about everything that is tracked already, page after page. If this is interrupted, running
 * it again does the rest. What is tracked from now on is noted together with its shipment or request.
 */
export async function planTrackedPolls(service: Service, { accountId }: PollableChannel): Promise<void> {
  for (let after: Parameters<typeof listTrackedPage>[1]['after'] = null; ; ) {
    const of = { accountId, after, limit: trackedAtOnce }
    const known = await listTrackedPage(service.pool, of)
    await inTransaction(service.pool, async (db) => {
      await planNumberPolls(db, { known, at: realNow(service) })
      await planFacilityPolls(service, db, known)
    })
    const last = known.at(-1)
    if (last === undefined || known.length < trackedAtOnce) return
    after = last
  }
}

/** The state of all channels that are polled, by the channel's id. */
export function listPollStates(service: Service): Promise<ReadonlyMap<string, PollState>> {
  return getPollStates(service.pool, realNow(service))
}
