/** Bodies of share links. */

import { pointerFault } from '../../api/errors/problem.ts'
import { closed } from '../../api/request-body/attributes.ts'
import { camelNames, defineChangeBody, defineCreateBody } from '../../api/request-body/resource-body.ts'
import * as schema from '../../api/shape/schema.ts'
import { Type } from '../../platform/json-schema.ts'
import { readIdentifier } from '../custom-fields/custom-field-input.ts'
import { shareLink } from './share-link-resource.ts'
import type { SharedTarget } from './share-links.ts'

const written = {
  name: Type.String({ minLength: 1, maxLength: 100 }),
  expires_at: Type.String({
    maxLength: 40,
    description: 'ISO 8601 with a zone. If it is missing: in 30 days. At most a year from now.',
  }),
  company_name: schema.textOrNull({
    maxLength: 100,
    description: 'The name that the page shows. If it is missing: the name of the account. Null: no name.',
  }),
  color: schema.textOrNull({ maxLength: 7, description: 'The colour of the page, as `#1f6feb`.' }),
  allowed_origins: Type.Unsafe<readonly string[]>({
    type: 'array',
    items: { type: 'string', maxLength: 300 },
    maxItems: 100,
    description: 'Sites that may show it in a frame or fetch it, for example `https://www.example.com`.',
  }),
}
const optional = Type.Partial(Type.Object(written)).properties
const attributes = Type.Object({ ...optional, name: written.name }, closed)
const identifier = (type: string) =>
  schema.optional(schema.object({ data: schema.object({ type: schema.constant(type), id: schema.text() }) }))

export const newShareLink = defineCreateBody(
  shareLink,
  attributes,
  (given, body) => ({ ...camelNames(given), shared: readSharedTarget(body) }),
  { shipment: identifier('shipment'), saved_view: identifier('saved_view') },
)
export const shareLinkChanges = defineChangeBody(shareLink, Type.Object(optional, closed), camelNames)

function readSharedTarget(body: unknown): SharedTarget {
  const shipment = readIdentifier(body, 'shipment', ['shipment'])
  const view = readIdentifier(body, 'saved_view', ['saved_view'])
  const shared = shipment ?? view
  if (shared === null || (shipment !== null && view !== null))
    throw pointerFault(
      'invalid',
      '/data/relationships',
      'A link is about one `shipment` or one `saved_view`: name it as a relationship.',
    )
  return { kind: shipment === null ? 'saved_view' : 'shipment', id: shared.id }
}
