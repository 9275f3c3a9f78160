/** The body of a statement that a person makes about a container. */

import type { FactName } from '../../../core/statements/observation.ts'
import { personsFacts } from '../../../core/statements/trust.ts'
import { Type } from '../../../platform/json-schema.ts'
import type { StatedFact } from '../../../service/tracking/containers/state-fact.ts'
import { statedValueSchema } from '../../documents/resources/journeys/statement.ts'
import { readAttributes } from '../bodies/body.ts'
import { bodyOf } from '../description/operation.ts'
import { closed, readOnlyOf } from './attributes.ts'

const stated = Type.Object(
  {
    says: Type.Unsafe<FactName>({ type: 'string', enum: personsFacts }),
    value: statedValueSchema,
    reason: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 1_000 })),
  },
  closed,
)
export const statementBody = bodyOf('statement', stated)
const readOnly = readOnlyOf('statement', stated)

export function readNewStatement(body: unknown, containerId: string): StatedFact {
  const { says, value, reason } = readAttributes(body, {
    type: 'statement',
    id: null,
    attributes: stated,
    readOnly,
  })
  const why = reason?.trim() ?? ''
  return { containerId, says, value, reason: why === '' ? null : why }
}
