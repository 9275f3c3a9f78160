/**
 * Sets, changes or removes the meaning of a code of a channel's sender. The meaning is written into the profile of the
 * channel, and earlier statements with the code are read again in the background.
 */

import {
  type CodeField,
  type CodeKind,
  codeFieldsOf,
  type MappedCode,
  withMapping,
} from '../../connectors/codes/code-fields.ts'
import { findMeaningFault } from '../../connectors/codes/code-meanings.ts'
import { findPushedSource } from '../../connectors/pushed-source-registry.ts'
import { type Db, inTransaction } from '../../db/database.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { requireScope } from '../access/context.ts'
import { recordChange } from '../audit/record-change.ts'
import {
  type InboundChannel,
  listChannelsOfAccount,
  lockInboundChannel,
  updateInboundChannel,
} from '../channels/inbound-channels-sql.ts'
import { notFound, refusedAt, ServiceError } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import {
  type CodeMappingView,
  type CodesCaller,
  getCodeMapping,
  mappingsIn,
  normalizeCode,
  toMappingView,
} from './list-codes.ts'
import { type CodeReach, countReach, markMapped, requestReread } from './stated-codes-sql.ts'

export interface NewMapping extends MappedCode {
  readonly channel: string
  readonly kind: CodeKind
  /** Only where the profile of the channel has several places for codes of this kind. */
  readonly field: string | null
  readonly means: string
}

export interface MappingResult {
  readonly mapping: CodeMappingView
  /** What contains the code, and is read again. */
  readonly reach: CodeReach
}

const attributePointer = (name: string) => `/data/attributes/${name}`

interface DryRunOption {
  readonly isDryRun: boolean
}

export async function mapCode(
  service: Service,
  of: CodesCaller,
  { isDryRun, ...wanted }: NewMapping & DryRunOption,
): Promise<MappingResult> {
  if (of !== null) requireScope(of, 'write')
  const named = await listChannelsOfAccount(service.pool, of?.account.id ?? null)
  const known = named.find(({ name }) => name === wanted.channel)
  if (known === undefined) throw refusedAt(attributePointer('channel'), 'There is no such channel.')
  return inTransaction(service.pool, async (db) => {
    const channel = await lockInboundChannel(db, known.id)
    if (channel === null) throw refusedAt(attributePointer('channel'), 'There is no such channel.')
    const field = fieldFor(channel, wanted)
    const { means } = wanted
    const code = normalizeCode(field, wanted)
    const { kind, field: place } = field
    const mapping = toMappingView(channel, field, { kind, field: place, means, ...code })
    if (mappingsIn(channel).some(({ id }) => id === mapping.id))
      throw new ServiceError('conflict', 'The code has a meaning already. Change that mapping, or delete it.', {
        source: { pointer: attributePointer('code') },
        meta: { id: mapping.id },
      })
    const of_ = { channel, field, code, means, before: null }
    return storeMapping(db, service, of, { ...of_, mapping, isDryRun })
  })
}

/** Gives the code another meaning. */
export async function changeMapping(
  service: Service,
  of: CodesCaller,
  { id, means, isDryRun }: { readonly id: string; readonly means: string } & DryRunOption,
): Promise<MappingResult> {
  if (of !== null) requireScope(of, 'write')
  return replaceMeaning(service, of, { id, means, isDryRun })
}

/** The code has no meaning any more, as if nobody had given it one. Returns the mapping that ended. */
export async function unmapCode(
  service: Service,
  of: CodesCaller,
  { id, isDryRun }: { readonly id: string } & DryRunOption,
): Promise<MappingResult> {
  if (of !== null) requireScope(of, 'write')
  return replaceMeaning(service, of, { id, means: null, isDryRun })
}

async function replaceMeaning(
  service: Service,
  of: CodesCaller,
  { id, means, isDryRun }: { readonly id: string; readonly means: string | null } & DryRunOption,
): Promise<MappingResult> {
  const currentMapping = await getCodeMapping(service, of, { id })
  const known = (await listChannelsOfAccount(service.pool, of?.account.id ?? null)).find(
    ({ name }) => name === currentMapping.channel,
  )
  return inTransaction(service.pool, async (db) => {
    const channel = known === undefined ? null : await lockInboundChannel(db, known.id)
    const before = channel === null ? undefined : mappingsIn(channel).find((each) => each.id === id)
    const fields = channel === null ? [] : codeFieldsOf(channel.source, channel.profile)
    const field = fields.find((each) => each.field === before?.field)
    if (channel === null || before === undefined || field === undefined) throw notFound('code mapping')
    if (means !== null) requireMeaning(channel, field.kind, means)
    const mapping = means === null ? before : toMappingView(channel, field, { ...before, means })
    const changed = { channel, field, code: normalizeCode(field, before), means, before, mapping, isDryRun }
    return storeMapping(db, service, of, changed)
  })
}

/** The place of the profile where the code is written. */
function fieldFor(channel: InboundChannel, wanted: NewMapping): CodeField {
  const { kind, field: named, reason, text, code } = wanted
  const fields = codeFieldsOf(channel.source, channel.profile)
  const ofKind = fields.filter((each) => each.kind === kind)
  const kinds = [...new Set(fields.map((each) => each.kind))].join(', ')
  if (ofKind.length === 0)
    throw refusedAt(
      attributePointer('kind'),
      kinds === ''
        ? `A channel that speaks ${channel.source} has no codes of its own.`
        : `The channel has only codes of these kinds: ${kinds}.`,
    )
  const places = ofKind.map((each) => each.field).join(', ')
  const [only, second] = ofKind.filter(({ field }) => named === null || field === named)
  if (only === undefined)
    throw refusedAt(attributePointer('field'), `The channel has codes of this kind at: ${places}.`)
  if (second !== undefined)
    throw refusedAt(
      attributePointer('field'),
      `The channel has codes of this kind at several places. Name one of: ${places}.`,
    )
  if (only.shape !== 'entries' && reason !== '')
    throw refusedAt(attributePointer('reason'), 'Only codes of EDIFACT have a reason.')
  if (only.shape !== 'entries' && text !== '')
    throw refusedAt(attributePointer('text'), 'Only codes of EDIFACT have a text.')
  if (code.trim() === '' || /\p{Cc}/u.test(code))
    throw refusedAt(attributePointer('code'), 'A code must have at least one character and no control characters.')
  if (only.pattern?.test(normalizeCode(only, wanted).code) === false)
    throw refusedAt(attributePointer('code'), `This is not a valid code for ${kind} in ${channel.source}.`)
  requireMeaning(channel, kind, wanted.means)
  return only
}

function requireMeaning({ source }: InboundChannel, kind: CodeKind, means: string): void {
  const fault = findMeaningFault(kind, source, means)
  if (fault !== null) throw refusedAt(attributePointer('means'), fault)
}

async function storeMapping(
  db: Db,
  service: Service,
  of: CodesCaller,
  wanted: {
    readonly channel: InboundChannel
    readonly field: CodeField
    readonly code: MappedCode
    readonly means: string | null
    readonly before: CodeMappingView | null
    readonly mapping: CodeMappingView
    readonly isDryRun: boolean
  },
): Promise<MappingResult> {
  const { channel, field, code, means, before, mapping, isDryRun } = wanted
  const profile = withMapping(channel.profile, field, { ...code, means })
  const parsed = findPushedSource(channel.source)?.parseProfile(profile)
  if (parsed?.ok === false)
    throw refusedAt(
      attributePointer(means === before?.means ? 'means' : 'code'),
      `The channel cannot use this mapping: ${parsed.reason}.`,
    )
  const key = { channelId: channel.id, field: field.field, code: code.code }
  const reach = await countReach(db, key)
  if (isDryRun || means === (before?.means ?? null)) return { mapping, reach }
  await updateInboundChannel(db, { ...channel, profile })
  if (means !== null) await markMapped(db, { ...key, ...code })
  await requestReread(db, { ...key, id: uuidV7(service.clock.now()), at: realNow(service) })
  if (of !== null)
    await recordChange(db, service, of, {
      action: `code_mapping.${before === null ? 'created' : means === null ? 'deleted' : 'updated'}`,
      target: { type: 'code_mapping', id: mapping.id },
      diff: {
        channel: [before === null ? null : channel.name, means === null ? null : channel.name],
        code: [before === null ? null : code.code, means === null ? null : code.code],
        means: [before?.means ?? null, means],
      },
    })
  return { mapping, reach }
}
