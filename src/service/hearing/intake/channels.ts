/**
 * Channels that send to us. The operator makes, opens and closes them. Each has keys of its own, which rotate with an
 * overlap.
 */

import { randomBytes } from 'node:crypto'
import type { SourceKind } from '../../../core/statements/observation.ts'
import { addMs } from '../../../core/values/time.ts'
import { uuidV7 } from '../../../platform/ids.ts'
import { findShippingLine } from '../../../reference/shipping-lines.ts'
import { findToldSource, toldSourceNames } from '../../../sources/told-registry.ts'
import { findAsking } from '../../../store/channels/asked-channels.ts'
import {
  type Acknowledging,
  changeToldChannel,
  endChannelKeys,
  findToldChannel,
  insertChannelKey,
  insertToldChannel,
  listToldChannels,
  type ToldChannel,
} from '../../../store/channels/channels.ts'
import { inTransaction } from '../../../store/database.ts'
import { refusedAt, ServiceError } from '../../errors.ts'
import { realNow, type Service } from '../../service.ts'
import { makeSecret } from '../../telling/webhooks/signatures.ts'
import { type AskingInput, askAboutTracked, keepAsking } from './asked-channel.ts'

export type KeyKind = 'bearer' | 'hmac'

export interface NewChannel {
  readonly name: string
  /** Null: the channel is for the whole installation. */
  readonly account: { readonly id: string; readonly isFiction: boolean } | null
  readonly speaker: { readonly kind: SourceKind; readonly code: string }
  readonly source: string
  readonly profile: Readonly<Record<string, unknown>>
  readonly isFirstHand: boolean
  readonly acknowledges?: Acknowledging
  readonly keyKind: KeyKind
  /** Numbers that the account does not know become its tracking requests; off when left out. */
  readonly createsRequests?: boolean
  /** Maximum requests that the channel may make in any 24 hours. */
  readonly createsPerDay?: number
  readonly folder?: string | null
  /** How the channel is asked as well; it only sends when this is left out. */
  readonly asking?: AskingInput | null
}

const createsPerDayDefault = 1_000

/** The key is returned here and never again. */
export async function createChannel(
  service: Service,
  wanted: NewChannel,
): Promise<{ readonly channel: ToldChannel; readonly key: string }> {
  const channel = checked(service, wanted)
  const { asking = null } = wanted
  const made = await inTransaction(service.pool, async (db) => {
    const createdAt = realNow(service)
    if (!(await insertToldChannel(db, { ...channel, createdAt })))
      throw (await findToldChannel(db, channel.name)) === null
        ? folderTaken(channel.folder)
        : refusedAt('/name', `There is a channel ${wanted.name} already.`)
    const { key, row } = makeKey(service, wanted.keyKind)
    await insertChannelKey(db, { ...row, channelId: channel.id, createdAt })
    if (asking !== null) await keepAsking(db, service, channel, asking)
    return { channel, key }
  })
  if (asking !== null) await askAboutTracked(service, channel)
  return made
}

const namePattern = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/

function checked(
  service: Service,
  { name, account, speaker, source: language, ...wanted }: NewChannel,
): ToldChannel {
  if (!namePattern.test(name))
    throw refusedAt(
      '/name',
      'The name of a channel is part of its address: use small letters, digits and hyphens.',
    )
  if (!/^[A-Z0-9]{2,9}$/.test(speaker.code))
    throw refusedAt('/speaker/code', 'The speaker must be named by its SCAC, FIRMS or SMDG code.')
  const source = toldSourceNames.includes(language) ? findToldSource(language) : null
  if (source === null)
    throw refusedAt(
      '/language',
      `No channel can speak ${language}: use one of ${toldSourceNames.join(', ')}.`,
    )
  const parsed = source.parseProfile(wanted.profile)
  if (!parsed.ok) throw refusedAt('/profile', `The profile cannot be read: ${parsed.reason}.`)
  const { createsRequests = false, createsPerDay = createsPerDayDefault } = wanted
  requireCreating({ accountId: account?.id ?? null, createsRequests, createsPerDay })
  return {
    id: uuidV7(service.clock.now()),
    accountId: account?.id ?? null,
    name,
    speakerKind: speaker.kind,
    speakerCode: canonicalCode(speaker),
    source: language,
    profile: wanted.profile,
    isFirstHand: wanted.isFirstHand,
    acknowledges: acknowledging(language, wanted.acknowledges ?? 'off'),
    isFiction: account?.isFiction ?? false,
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
function requireCreating({
  accountId,
  createsRequests,
  createsPerDay,
}: Pick<ToldChannel, 'accountId' | 'createsRequests' | 'createsPerDay'>): void {
  if (createsRequests && accountId === null)
    throw refusedAt(
      '/creates_requests',
      'Only a channel of one account makes tracking requests: one of the installation has no account to make them for.',
    )
  if (!Number.isInteger(createsPerDay) || createsPerDay < 1 || createsPerDay > 1_000_000)
    throw refusedAt(
      '/creates_per_day',
      'The number of requests a day must be a whole number from 1 to 1000000.',
    )
}

/** Allows one folder directly below the operator's base folder, and no path that leads out of it. */
function checkedFolder(folder: string | null): string | null {
  if (folder !== null && !namePattern.test(folder))
    throw refusedAt('/folder', 'The name of the folder must have only small letters, digits and hyphens.')
  return folder
}

function folderTaken(folder: string | null): ServiceError {
  return refusedAt('/folder', `Another channel has the folder ${folder}.`)
}

const languageOf: Readonly<Record<Acknowledging, string | null>> = {
  off: null,
  '997': 'x12',
  '999': 'x12',
  contrl: 'edifact',
}

function acknowledging(language: string, wanted: Acknowledging): Acknowledging {
  const wants = languageOf[wanted]
  if (wants !== null && wants !== language)
    throw refusedAt('/acknowledges', `${wanted} answers only ${wants}, but this channel speaks ${language}.`)
  return wanted
}

/**
 * Opens or closes the channel, or changes how it is asked or read. What could not be mapped before is read again when
 * it is replayed.
 */
export async function changeChannel(
  service: Service,
  of: { readonly name: string } & Partial<
    Pick<ToldChannel, 'isEnabled' | 'profile' | 'createsRequests' | 'createsPerDay' | 'folder'>
  > & { readonly asking?: AskingInput | null },
): Promise<ToldChannel> {
  const channel = await getChannel(service, of.name)
  const { isEnabled = channel.isEnabled, profile = channel.profile } = of
  const { createsRequests = channel.createsRequests, createsPerDay = channel.createsPerDay } = of
  requireCreating({ ...channel, createsRequests, createsPerDay })
  const folder = checkedFolder(of.folder === undefined ? channel.folder : of.folder)
  const parsed = findToldSource(channel.source)?.parseProfile(profile)
  if (parsed?.ok === false) throw refusedAt('/profile', `The profile cannot be read: ${parsed.reason}.`)
  const changed = { ...channel, isEnabled, profile, createsRequests, createsPerDay, folder }
  const { asking } = of
  await inTransaction(service.pool, async (db) => {
    if (!(await changeToldChannel(db, changed))) throw folderTaken(folder)
    if (asking !== undefined) await keepAsking(db, service, changed, asking)
  })
  // The profile says where a facility stands. Other boxes may concern it from now on.
  const isToldAlone = asking === undefined && (await findAsking(service.pool, channel.id)) === null
  if (asking !== null && !isToldAlone && (asking !== undefined || of.profile !== undefined))
    await askAboutTracked(service, changed)
  return changed
}

export async function getChannel(service: Service, name: string): Promise<ToldChannel> {
  const channel = await findToldChannel(service.pool, name)
  if (channel === null) throw new ServiceError('not_found', `There is no channel ${name}.`)
  return channel
}

export function listChannels(service: Service): Promise<readonly ToldChannel[]> {
  return listToldChannels(service.pool)
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

function makeKey({ vault, clock }: Service, kind: KeyKind) {
  const id = uuidV7(clock.now())
  if (kind === 'hmac') {
    const key = makeSecret()
    return { key, row: { id, kind, tokenHmac: null, secretSealed: vault.seal(key) } }
  }
  const key = `lf_in_${randomBytes(keyBytes).toString('base64url')}`
  return { key, row: { id, kind, tokenHmac: vault.hmac(key), secretSealed: null } }
}
