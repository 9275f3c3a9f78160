/** The body of a statement that a person makes about a container. */

import { bodyOf } from '../../api/openapi/operation.ts'
import { closed, readOnlyOf } from '../../api/request-body/attributes.ts'
import { readAttributes } from '../../api/request-body/body.ts'
import type { FactName } from '../../domain/statements/observation.ts'
import { personsFacts } from '../../domain/statements/trust.ts'
import { Type } from '../../platform/json-schema.ts'
import type { FactInput } from '../containers/state-fact.ts'
import { statedValueSchema, statement } from './statement-resource.ts'

const stated = Type.Object(
  {
    says: Type.Unsafe<FactName>({ type: 'string', enum: personsFacts }),
    value: statedValueSchema,
    reason: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 1_000 })),
  },
  closed,
)
export const statementBody = bodyOf('statement', stated)
const readOnly = readOnlyOf(statement, stated)

export function readNewStatement(body: unknown, containerId: string): FactInput {
  const { says, value, reason } = readAttributes(body, {
    type: 'statement',
    id: null,
    attributes: stated,
    readOnly,
  })
  const why = reason?.trim() ?? ''
  return { containerId, factName: says, value, reason: why === '' ? null : why }
}
