/** Bodies of code mappings. */

import { closed } from '../../api/request-body/attributes.ts'
import { defineChangeBody, defineCreateBody } from '../../api/request-body/resource-body.ts'
import { type CodeKind, codeKinds } from '../../connectors/codes/code-fields.ts'
import { Type } from '../../platform/json-schema.ts'
import { codeMapping } from './code-mapping-resource.ts'

const means = Type.String({ minLength: 1, maxLength: 200 })
const attributes = Type.Object(
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
      Type.String({ maxLength: 100, description: 'EDIFACT: only with this reason; if it is missing, with any.' }),
    ),
    text: Type.Optional(
      Type.String({ maxLength: 200, description: 'EDIFACT: only with this text; if it is missing, with any.' }),
    ),
    means,
  },
  closed,
)

export const newCodeMapping = defineCreateBody(
  codeMapping,
  attributes,
  ({ field = null, reason = '', text = '', ...rest }) => ({ ...rest, field, reason, text }),
)
export const codeMappingChanges = defineChangeBody(codeMapping, Type.Object({ means }, closed), (given) => given)
