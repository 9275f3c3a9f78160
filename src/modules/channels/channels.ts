/**
 * Channels that send to us. The operator makes, opens and closes them. Each has keys of its own, which rotate with an
 * overlap.
 */

import { randomBytes } from 'node:crypto'
import { findPushedSource, pushedSourceNames } from '../../connectors/pushed-source-registry.ts'
import { inTransaction } from '../../db/database.ts'
import type { SourceKind } from '../../domain/statements/observation.ts'
import { addMs } from '../../domain/values/time.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'
import { refusedAt, ServiceError } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { makeSecret } from '../webhooks/signatures.ts'
import {
  type AcknowledgementType,
  endChannelKeys,
  findInboundChannel,
  type InboundChannel,
  insertChannelKey,
  insertInboundChannel,
  listInboundChannels,
  updateInboundChannel,
} from './inbound-channels-sql.ts'
import { type PollConfigInput, planTrackedPolls, storePollConfig } from './poll-config.ts'
import { findPollConfig } from './polled-channels-sql.ts'

export type KeyKind = 'bearer' | 'hmac'

export interface NewChannel {
  readonly name: string
  /** Null: the channel is for the whole installation. */
  readonly account: { readonly id: string; readonly isSandbox: boolean } | null
  readonly speaker: { readonly kind: SourceKind; readonly code: string }
  readonly source: string
  readonly profile: Readonly<Record<string, unknown>>
  readonly isFirstHand: boolean
  readonly acknowledges?: AcknowledgementType
  readonly keyKind: KeyKind
  /** Numbers that the account does not know become its tracking requests; off when left out. */
  readonly createsRequests?: boolean
  /** Maximum requests that the channel may make in any 24 hours. */
  readonly createsPerDay?: number
  readonly folder?: string | null
  /** How the channel is also polled; it only sends when this is left out. */
  readonly pollConfig?: PollConfigInput | null
}

const createsPerDayDefault = 1_000

/** The key is returned here and never again. */
export async function createChannel(
  service: Service,
  wanted: NewChannel,
): Promise<{ readonly channel: InboundChannel; readonly key: string }> {
  const channel = buildChannel(service, wanted)
  const { pollConfig = null } = wanted
  const made = await inTransaction(service.pool, async (db) => {
    const createdAt = realNow(service)
    if (!(await insertInboundChannel(db, { ...channel, createdAt })))
      throw (await findInboundChannel(db, channel.name)) === null
        ? folderInUseError(channel.folder)
        : refusedAt('/name', `There is a channel ${wanted.name} already.`)
    const { key, row } = makeKey(service, wanted.keyKind)
    await insertChannelKey(db, { ...row, channelId: channel.id, createdAt })
    if (pollConfig !== null) await storePollConfig(db, service, channel, pollConfig)
    return { channel, key }
  })
  if (pollConfig !== null) await planTrackedPolls(service, channel)
  return made
}

const namePattern = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/

function buildChannel(
  service: Service,
  { name, account, speaker, source: language, ...wanted }: NewChannel,
): InboundChannel {
  if (!namePattern.test(name))
    throw refusedAt('/name', 'The name of a channel is part of its address: use small letters, digits and hyphens.')
  if (!/^[A-Z0-9]{2,9}$/.test(speaker.code))
    throw refusedAt('/speaker/code', 'The speaker must be named by its SCAC, FIRMS or SMDG code.')
  const source = pushedSourceNames.includes(language) ? findPushedSource(language) : null
  if (source === null)
    throw refusedAt('/language', `No channel can speak ${language}: use one of ${pushedSourceNames.join(', ')}.`)
  const parsed = source.parseProfile(wanted.profile)
  if (!parsed.ok) throw refusedAt('/profile', `The profile cannot be read: ${parsed.reason}.`)
  const { createsRequests = false, createsPerDay = createsPerDayDefault } = wanted
  checkRequestCreation({ accountId: account?.id ?? null, createsRequests, createsPerDay })
  return {
    id: uuidV7(service.clock.now()),
    accountId: account?.id ?? null,
    name,
    speakerKind: speaker.kind,
    speakerCode: canonicalCode(speaker),
    source: language,
    profile: wanted.profile,
    isFirstHand: wanted.isFirstHand,
    acknowledges: checkAcknowledgementType(language, wanted.acknowledges ?? 'off'),
    isSandbox: account?.isSandbox ?? false,
    isEnabled: true,
    createsRequests,
    createsPerDay,
    folder: checkedFolder(wanted.folder ?? null),
  }
}

/** The one code by which requests for a line are found, whichever of its codes is given. */
function canonicalCode({ kind, code }: NewChannel['speaker']): string {
  return kind === 'shipping_line' ? (findShippingLine(code)?.scac ?? code) : code
}

/** A channel of the whole installation has no account for which it could make requests. */
function checkRequestCreation({
  accountId,
  createsRequests,
  createsPerDay,
}: Pick<InboundChannel, 'accountId' | 'createsRequests' | 'createsPerDay'>): void {
  if (createsRequests && accountId === null)
    throw refusedAt(
      '/creates_requests',
      'Only a channel of one account makes tracking requests: one of the installation has no account to make them for.',
    )
  if (!Number.isInteger(createsPerDay) || createsPerDay < 1 || createsPerDay > 1_000_000)
    throw refusedAt('/creates_per_day', 'The number of requests a day must be a whole number from 1 to 1000000.')
}

/** Allows one folder directly below the operator's base folder, and no path that leads out of it. */
function checkedFolder(folder: string | null): string | null {
  if (folder !== null && !namePattern.test(folder))
    throw refusedAt('/folder', 'The name of the folder must have only small letters, digits and hyphens.')
  return folder
}

function folderInUseError(folder: string | null): ServiceError {
  return refusedAt('/folder', `Another channel has the folder ${folder}.`)
}

const languageOf: Readonly<Record<AcknowledgementType, string | null>> = {
  off: null,
  '997': 'x12',
  '999': 'x12',
  contrl: 'edifact',
}

function checkAcknowledgementType(language: string, wanted: AcknowledgementType): AcknowledgementType {
  const wants = languageOf[wanted]
  if (wants !== null && wants !== language)
    throw refusedAt('/acknowledges', `${wanted} answers only ${wants}, but this channel speaks ${language}.`)
  return wanted
}

/**
 * Opens or closes the channel, or changes how it is polled or read. What could not be mapped before is read again when
 * it is replayed.
 */
export async function changeChannel(
  service: Service,
  of: { readonly name: string } & Partial<
    Pick<InboundChannel, 'isEnabled' | 'profile' | 'createsRequests' | 'createsPerDay' | 'folder'>
  > & { readonly pollConfig?: PollConfigInput | null },
): Promise<InboundChannel> {
  const channel = await getChannel(service, of.name)
  const { isEnabled = channel.isEnabled, profile = channel.profile } = of
  const { createsRequests = channel.createsRequests, createsPerDay = channel.createsPerDay } = of
  checkRequestCreation({ ...channel, createsRequests, createsPerDay })
  const folder = checkedFolder(of.folder === undefined ? channel.folder : of.folder)
  const parsed = findPushedSource(channel.source)?.parseProfile(profile)
  if (parsed?.ok === false) throw refusedAt('/profile', `The profile cannot be read: ${parsed.reason}.`)
  const changed = { ...channel, isEnabled, profile, createsRequests, createsPerDay, folder }
  const { pollConfig } = of
  await inTransaction(service.pool, async (db) => {
    if (!(await updateInboundChannel(db, changed))) throw folderInUseError(folder)
    if (pollConfig !== undefined) await storePollConfig(db, service, changed, pollConfig)
  })
  // The profile states where a facility is located. Other containers may concern it from now on.
  const isPushOnly = pollConfig === undefined && (await findPollConfig(service.pool, channel.id)) === null
  if (pollConfig !== null && !isPushOnly && (pollConfig !== undefined || of.profile !== undefined))
    await planTrackedPolls(service, changed)
  return changed
}

/** Null for an unknown name. */
export function findChannel({ pool }: Service, name: string): Promise<InboundChannel | null> {
  return findInboundChannel(pool, name)
}

export async function getChannel(service: Service, name: string): Promise<InboundChannel> {
  const channel = await findInboundChannel(service.pool, name)
  if (channel === null) throw new ServiceError('not_found', `There is no channel ${name}.`)
  return channel
}

export function listChannels(service: Service): Promise<readonly InboundChannel[]> {
  return listInboundChannels(service.pool)
}

/** Makes a new key. The keys before it stay valid for `overlapHours`. */
export async function rotateChannelKey(
  service: Service,
  of: { readonly name: string; readonly kind: KeyKind; readonly overlapHours: number },
): Promise<string> {
  const channel = await getChannel(service, of.name)
  const { key, row } = makeKey(service, of.kind)
  const now = realNow(service)
  await inTransaction(service.pool, async (db) => {
    await insertChannelKey(db, { ...row, channelId: channel.id, createdAt: now })
    const at = addMs(now, of.overlapHours * 3_600_000)
    await endChannelKeys(db, { channelId: channel.id, at, except: row.id })
  })
  return key
}

const keyBytes = 32

function makeKey({ encryption, clock }: Service, kind: KeyKind) {
  const id = uuidV7(clock.now())
  if (kind === 'hmac') {
    const key = makeSecret()
    return { key, row: { id, kind, tokenHmac: null, encryptedSecret: encryption.encrypt(key) } }
  }
  const key = `lf_in_${randomBytes(keyBytes).toString('base64url')}`
  return { key, row: { id, kind, tokenHmac: encryption.hmac(key), encryptedSecret: null } }
}
