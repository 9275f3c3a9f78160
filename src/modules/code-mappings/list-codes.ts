/** The codes that nobody has mapped yet, each with an example, and the mappings that there are. */

import {
  type CodeField,
  type CodeKind,
  type CodeMapping,
  codeFieldsOf,
  codeKinds,
  listMappings,
  type MappedCode,
} from '../../connectors/codes/code-fields.ts'
import { type CodeMeaning, meaningsOf } from '../../connectors/codes/code-meanings.ts'
import { findExcerpt } from '../../connectors/codes/find-excerpt.ts'
import { findPushedSource } from '../../connectors/pushed-source-registry.ts'
import { parseMessagePart } from '../../pipeline/ledger/parse-message-part.ts'
import { openWithAccess } from '../../pipeline/response-archive/open-snapshots.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { type Context, requireScope } from '../access/context.ts'
import { type InboundChannel, listChannelsOfAccount } from '../channels/inbound-channels-sql.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'
import { listUnmappedRows, type UnmappedRow } from './stated-codes-sql.ts'

/** Null: the operator, who sees the channels of the whole installation. */
export type CodesCaller = Context | null

export interface UnmappedCode extends MappedCode {
  readonly type: 'unmapped_code'
  readonly id: string
  readonly channel: string
  readonly language: string
  readonly kind: CodeKind
  readonly field: string
  readonly parts: number
  readonly firstSeenAt: string
  readonly lastSeenAt: string
  readonly messageId: string
  readonly part: number
  /** Verbatim; null where they are no longer stored, and for all but the first of a list. */
  readonly words: string | null
}

export interface CodeMappingView extends CodeMapping {
  readonly type: 'code_mapping'
  readonly id: string
  readonly channel: string
  readonly language: string
  /** What it means, as text; null for a meaning that is not in the list. */
  readonly words: string | null
}

export interface UnmappedCodes {
  readonly codes: readonly UnmappedCode[]
  readonly total: number
  /** For each language and kind that the list has: what a code can mean. */
  readonly meanings: readonly {
    readonly language: string
    readonly kind: CodeKind
    readonly meanings: readonly CodeMeaning[]
  }[]
}

const listedMax = 500
/** For these an example is read: each is a message to be opened. */
const examplesMax = 100

/** The most frequent first. */
export async function listUnmappedCodes(
  service: Service,
  of: CodesCaller,
  { channel = null }: { readonly channel?: string | null } = {},
): Promise<UnmappedCodes> {
  const channels = await channelsFor(service, of, channel)
  const channelIds = channels.map(({ id }) => id)
  const { rows, total } = await listUnmappedRows(service.pool, { channelIds, limit: listedMax })
  const examples = await findExamples(service, rows.slice(0, examplesMax))
  const codes = rows.flatMap((row, place): readonly UnmappedCode[] => {
    const inboundChannel = channels.find(({ id }) => id === row.channelId)
    const at =
      inboundChannel &&
      codeFieldsOf(inboundChannel.source, inboundChannel.profile).find(({ field }) => field === row.field)
    // The profile may have lost the place for the meaning.
    if (inboundChannel === undefined || at === undefined) return []
    const { code, reason, text, parts, firstSeenAt, lastSeenAt, messageId, part } = row
    const { field, kind } = at
    return [
      {
        type: 'unmapped_code',
        id: codeMappingId(inboundChannel, row),
        channel: inboundChannel.name,
        language: inboundChannel.source,
        kind,
        field,
        code,
        reason,
        text,
        parts,
        firstSeenAt,
        lastSeenAt,
        messageId,
        part,
        words: examples[place] ?? null,
      },
    ]
  })
  return { codes, total, meanings: meaningsFor(codes) }
}

function meaningsFor(codes: readonly UnmappedCode[]): UnmappedCodes['meanings'] {
  const languages = [...new Set(codes.map(({ language }) => language))]
  return languages.flatMap((language) =>
    codeKinds
      .filter((kind) => codes.some((code) => code.language === language && code.kind === kind))
      .map((kind) => ({ language, kind, meanings: meaningsOf(kind, language) })),
  )
}

async function findExamples(service: Service, rows: readonly UnmappedRow[]): Promise<readonly (string | null)[]> {
  const ids = rows.flatMap(({ snapshotId }) => snapshotId ?? [])
  const snapshots = await openWithAccess(service, service.pool, ids)
  return rows.map((row) => {
    const found = row.snapshotId === null ? undefined : snapshots.get(row.snapshotId)
    if (found === undefined) return null
    const { access, snapshot } = found
    const about = { speaker: access.speakerKind, messageSubject: access }
    const { codes = [] } = parseMessagePart({ findPushedSource }, snapshot, about, access).reading
    const matchingCode = codes.find(
      ({ field, code, reason, text }) =>
        field === row.field && code === row.code && reason === row.reason && text === row.text,
    )
    return matchingCode === undefined ? null : findExcerpt(access.source, snapshot.body, matchingCode.path)
  })
}

export async function listCodeMappings(
  service: Service,
  of: CodesCaller,
  { channel = null, kind = null }: { readonly channel?: string | null; readonly kind?: CodeKind | null } = {},
): Promise<readonly CodeMappingView[]> {
  const channels = await channelsFor(service, of, channel)
  return channels.flatMap((each) => mappingsIn(each)).filter((each) => kind === null || each.kind === kind)
}

export async function getCodeMapping(
  service: Service,
  of: CodesCaller,
  { id }: { readonly id: string },
): Promise<CodeMappingView> {
  const found = (await listCodeMappings(service, of)).find((mapping) => mapping.id === id)
  if (found === undefined) throw notFound('code mapping')
  return found
}

async function channelsFor(
  { pool }: Service,
  of: CodesCaller,
  named: string | null,
): Promise<readonly InboundChannel[]> {
  if (of !== null) requireScope(of, 'read')
  const channels = await listChannelsOfAccount(pool, of?.account.id ?? null)
  return channels.filter(({ name }) => named === null || name === named)
}

export function mappingsIn(
  channel: Pick<InboundChannel, 'id' | 'name' | 'source' | 'profile'>,
): readonly CodeMappingView[] {
  const fields = codeFieldsOf(channel.source, channel.profile)
  return listMappings(fields, channel.profile).flatMap((mapping) => {
    const field = fields.find((each) => each.field === mapping.field)
    return field === undefined ? [] : [toMappingView(channel, field, mapping)]
  })
}

export function toMappingView(
  channel: Pick<InboundChannel, 'id' | 'name' | 'source'>,
  field: CodeField,
  mapping: CodeMapping,
): CodeMappingView {
  const { words: label = null } =
    meaningsOf(mapping.kind, channel.source).find(({ means }) => means === mapping.means) ?? {}
  const id = codeMappingId(channel, { ...mapping, ...normalizeCode(field, mapping) })
  return {
    ...mapping,
    type: 'code_mapping',
    id,
    channel: channel.name,
    language: channel.source,
    words: label,
  }
}

/** As codes are noted: upper case where case does not count. */
export function normalizeCode({ ignoresCase, shape }: CodeField, { code, reason, text }: MappedCode): MappedCode {
  const upper = (value: string) => (ignoresCase ? value.trim().toUpperCase() : value)
  const normalize = (value: string) => (shape === 'entries' ? upper(value).replace(/\s+/g, ' ') : upper(value))
  return { code: normalize(code), reason: normalize(reason), text: normalize(text) }
}

/** The same for a code before it is mapped and after. */
function codeMappingId(
  { id }: Pick<InboundChannel, 'id'>,
  { field, code, reason, text }: MappedCode & { readonly field: string },
): string {
  return uuidV5(LANDFALL_NAMESPACE, `code:${JSON.stringify([id, field, code, reason, text])}`)
}
