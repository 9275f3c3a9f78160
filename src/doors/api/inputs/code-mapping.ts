/** Bodies of code mappings. */

import { Type } from '../../../platform/json-schema.ts'
import type { NewMapping } from '../../../service/hearing/codes/map-code.ts'
import { type CodeKind, codeKinds } from '../../../sources/codes/code-fields.ts'
import { readAttributes } from '../bodies/body.ts'
import { bodyOf } from '../description/operation.ts'
import { closed, readOnlyOf } from './attributes.ts'

const means = Type.String({ minLength: 1, maxLength: 200 })
const newMapping = Type.Object(
  {
    channel: Type.String({ minLength: 1, maxLength: 64, description: 'Name of a channel of the account.' }),
    kind: Type.Unsafe<CodeKind>({ type: 'string', enum: codeKinds }),
    field: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Only where the channel has codes of this kind at several places.',
      }),
    ),
    code: Type.String({ minLength: 1, maxLength: 100 }),
    reason: Type.Optional(
      Type.String({ maxLength: 100, description: 'EDIFACT: only with this reason; with any when left out.' }),
    ),
    text: Type.Optional(
      Type.String({ maxLength: 200, description: 'EDIFACT: only with this text; with any when left out.' }),
    ),
    means,
  },
  closed,
)
const changes = Type.Object({ means }, closed)
export const codeMappingBody = bodyOf('code_mapping', newMapping)
export const codeMappingChangesBody = bodyOf('code_mapping', changes)
const readOnly = readOnlyOf('code_mapping', newMapping)
const readOnlyInChanges = readOnlyOf('code_mapping', changes)

export function readNewCodeMapping(body: unknown): NewMapping {
  const given = readAttributes(body, { type: 'code_mapping', id: null, attributes: newMapping, readOnly })
  const { field = null, reason = '', text = '', ...rest } = given
  return { ...rest, field, reason, text }
}

export function readCodeMappingChanges(body: unknown, id: string): { readonly means: string } {
  const of = { type: 'code_mapping', id, attributes: changes, readOnly: readOnlyInChanges } as const
  return readAttributes(body, of)
}
