/** `unmapped_code`: a code without a known meaning. `code_mapping`: the meaning of a sender's own code. */

import type { IdentifiedReading, ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { codeKinds } from '../../connectors/codes/code-fields.ts'
import { Type } from '../../platform/json-schema.ts'
import type { CodeMappingView, UnmappedCode } from './list-codes.ts'
import type { MappingResult } from './map-code.ts'
import type { CodeReach } from './stated-codes-sql.ts'

export interface UnmappedCodeReading extends IdentifiedReading {
  readonly type: 'unmapped_code'
  readonly code: UnmappedCode
}

export interface CodeMappingReading extends IdentifiedReading {
  readonly type: 'code_mapping'
  readonly mapping: CodeMappingView
  /** Of what is read again; null where no change was requested. */
  readonly reach: (CodeReach & { readonly isDryRun: boolean }) | null
}

export function readUnmappedCode(code: UnmappedCode): UnmappedCodeReading {
  return { type: 'unmapped_code', id: code.id, code }
}

export function readCodeMapping(mapping: CodeMappingView): CodeMappingReading {
  return { type: 'code_mapping', id: mapping.id, mapping, reach: null }
}

export function readMappingResult({ mapping, reach }: MappingResult, isDryRun: boolean): CodeMappingReading {
  return { ...readCodeMapping(mapping), reach: { ...reach, isDryRun } }
}

const wholeOrNull = Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0 })
const common = {
  channel: schema.text({ description: 'Name of the channel.' }),
  language: schema.text({
    description: 'Format of the messages of the channel: `x12`, `edifact`, `dcsa`, `facility`.',
  }),
  kind: schema.oneOf(codeKinds, { description: 'What the code is about.' }),
  field: schema.text({
    description: 'Place of the meaning in the profile of the channel.',
  }),
  code: schema.text(),
  reason: schema.text({ description: 'Of an EDIFACT status; empty else.' }),
  text: schema.text({ description: 'Of an EDIFACT status; empty else.' }),
}

export const unmappedCode: ResourceKind<UnmappedCodeReading> = {
  type: 'unmapped_code',
  attributes: {
    ...common,
    parts: Type.Integer({ minimum: 1, description: 'How many parts of messages contain it.' }),
    first_seen_at: schema.instant(),
    last_seen_at: schema.instant(),
    example: schema.object(
      {
        message_id: schema.text({ description: 'Id of an `inbound_message`.' }),
        part: Type.Integer({ minimum: 1 }),
        words: schema.textOrNull({
          description: 'Verbatim; null after the first 100 codes, and where the part is no longer stored.',
        }),
      },
      { description: 'The newest.' },
    ),
  },
  relations: {},
  link: () => ({}),
  write: ({ code: { firstSeenAt, lastSeenAt, messageId, part, words: rawText, ...code } }) => ({
    ...writeCodeFields(code),
    parts: code.parts,
    first_seen_at: firstSeenAt,
    last_seen_at: lastSeenAt,
    example: { message_id: messageId, part, words: rawText },
  }),
}

export const codeMapping: ResourceKind<CodeMappingReading> = {
  type: 'code_mapping',
  attributes: {
    ...common,
    means: schema.text({
      description:
        'For a `status` an event, a hold, a release and so on (`GTOT LADEN`, `hold customs`); for a `place` its UN/LOCODE, for a `terminal` its FIRMS code. `meta.meanings` of the unmapped codes lists them for the other kinds.',
    }),
    words: schema.textOrNull({ description: 'The meaning in words, where the list has it.' }),
  },
  relations: {},
  link: () => ({}),
  write: ({ mapping }) => ({ ...writeCodeFields(mapping), means: mapping.means, words: mapping.words }),
  meta: {
    properties: {
      dry_run: Type.Unsafe<boolean | null>({
        type: ['boolean', 'null'],
        description: 'True: nothing was changed. Null if no change was requested.',
      }),
      messages: { ...wholeOrNull, description: 'Messages that have the code: they are read again.' },
      shipments: {
        ...wholeOrNull,
        description: 'Shipments with data from these messages. What changes for them is announced once.',
      },
    },
    write: ({ reach }) => ({
      dry_run: reach?.isDryRun ?? null,
      messages: reach?.messages ?? null,
      shipments: reach?.shipments ?? null,
    }),
  },
}

function writeCodeFields(of: Pick<CodeMappingView, keyof typeof common>) {
  const { channel, language, kind, field, code, reason, text } = of
  return { channel, language, kind, field, code, reason, text }
}

export const meaningsMeta = {
  is_cut: Type.Boolean({ description: 'There are more codes than the 500 that are listed.' }),
  meanings: schema.list(
    schema.object({
      language: schema.text(),
      kind: schema.oneOf(codeKinds),
      meanings: schema.list(schema.object({ means: schema.text(), words: schema.text() })),
    }),
    {
      description:
        'What the listed codes can mean. A status can also have several meanings, separated by commas; places and terminals are those of the reference data.',
    },
  ),
}
