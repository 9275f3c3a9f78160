/**
 * Stores an access that was tried: the secrets encrypted, the limits as the source states them. Workers use it from
 * their next poll on.
 */

import { join } from 'node:path'
import { type Db, inTransaction } from '../../db/database.ts'
import { clearCooldown } from '../../pipeline/polling/cooldowns-sql.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import type { Context } from '../access/context.ts'
import { saveCredential } from '../accounts/save-credential.ts'
import { type Change, recordChange } from '../audit/record-change.ts'
import { changeChannel, createChannel, findChannel } from '../channels/channels.ts'
import { refusedAt } from '../errors.ts'
import { readCarriers } from '../installation/read-carriers.ts'
import { realNow, type Service } from '../service.ts'
import { markAccessVerified } from '../sources/polled-access-sql.ts'
import { type ConnectionTarget, readSpeaker } from './connection-target.ts'
import { isWorking } from './diagnose-access.ts'
import type { AccessTrial } from './try-access.ts'

export interface SavedAccess {
  readonly channelId: string
  /** Name of the channel of a facility; null for a carrier. */
  readonly channel: string | null
  /** The limits of the channel. */
  readonly rate: Readonly<Record<string, number>>
  /** The source states these limits; otherwise they come from the profile. */
  readonly isRateStated: boolean
}

/**
 * `owner` null: the access is for all accounts of the installation; not for facilities, whose containers belong to one
 * account.
 */
export async function saveAccess(
  service: Service,
  target: ConnectionTarget,
  of: {
    readonly trial: AccessTrial
    readonly secrets: Readonly<Record<string, string>>
    readonly owner: Context | null
  },
): Promise<SavedAccess> {
  const { trial, secrets, owner } = of
  if (!isWorking(trial.finding.cause))
    throw refusedAt('/target', 'An access that does not work is not saved. Correct it, and try it again.')
  if (owner?.account.isSandbox === true)
    throw refusedAt(
      '/account',
      'The carriers of a sandbox account are simulated. Choose an account with real carriers.',
    )
  const isRateStated = Object.keys(trial.limits.rate).length > 0
  const rate = { ...(target.profile['rate'] as Readonly<Record<string, number>>), ...trial.limits.rate }
  const profile = { ...target.profile, rate }
  const saved = { rate, isRateStated }
  if (target.kind === 'facility')
    return { ...(await saveFacility(service, target, { profile, secrets, owner })), ...saved }
  if (owner === null) refuseWhatTheFileSets(service, target.id)
  const at = realNow(service)
  const channelId = await inTransaction(service.pool, async (db) => {
    const id = await saveCredential(db, service, {
      id: uuidV5(LANDFALL_NAMESPACE, `credential:${target.id}:${owner?.account.id ?? 'operator'}`),
      accountId: owner?.account.id ?? null,
      scac: target.id,
      source: target.source,
      profile,
      secrets,
      isSandbox: false,
      createdAt: at,
    })
    await clearCooldown(db, id)
    if (trial.finding.cause === 'works') await markAccessVerified(db, { id, profile, at })
    if (owner !== null) await recordConnection(db, service, owner, { scac: [null, target.id] })
    return id
  })
  return { channelId, channel: null, ...saved }
}

/** At the next start the file would replace what is saved here. */
function refuseWhatTheFileSets({ config }: Service, scac: string): void {
  const file = join(config.data.folder, 'carriers.json')
  if (readCarriers(file).some((carrier) => carrier.scac === scac))
    throw refusedAt(
      '/target',
      `${file} has an entry for ${scac}. Change it there, or remove the entry and connect again.`,
    )
}

export function facilityChannelName(id: string, accountId: string): string {
  return `${id}-${accountId.slice(-12)}`
}

/** One channel for each account and facility: connecting again replaces secrets and settings. */
async function saveFacility(
  service: Service,
  { id, answer, speaker }: Extract<ConnectionTarget, { readonly kind: 'facility' }>,
  of: {
    readonly profile: ConnectionTarget['profile']
    readonly secrets: Readonly<Record<string, string>>
    readonly owner: Context | null
  },
): Promise<Pick<SavedAccess, 'channelId' | 'channel'>> {
  const { profile, secrets, owner } = of
  if (owner === null)
    throw refusedAt(
      '/account',
      'A terminal or railroad is connected for one account, because it is asked about its containers.',
    )
  const name = facilityChannelName(id, owner.account.id)
  const pollConfig = { profile, secrets }
  const known = await findChannel(service, name)
  const channel =
    known === null
      ? (
          await createChannel(service, {
            name,
            account: owner.account,
            speaker: readSpeaker(speaker),
            source: 'facility',
            profile: answer,
            isFirstHand: true,
            keyKind: 'bearer',
            pollConfig,
          })
        ).channel
      : await changeChannel(service, { name, profile: answer, pollConfig })
  await recordConnection(service.pool, service, owner, { channel: [null, channel.name] })
  return { channelId: channel.id, channel: channel.name }
}

function recordConnection(db: Db, service: Service, owner: Context, diff: Change['diff']): Promise<void> {
  const target = { type: 'account', id: owner.account.id } as const
  return recordChange(db, service, owner, { action: 'account.carrier_connected', target, diff })
}
