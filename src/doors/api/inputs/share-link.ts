/** Bodies of share links. */

import type { Static } from 'typebox'
import { Type } from '../../../platform/json-schema.ts'
import type { Shared, ShareLinkInput } from '../../../service/sharing/share-links.ts'
import * as schema from '../../documents/shape/schema.ts'
import { pointerFault } from '../../http/problem.ts'
import { readAttributes } from '../bodies/body.ts'
import { bodyOf } from '../description/operation.ts'
import { closed, readOnlyOf } from './attributes.ts'
import { readIdentifier } from './custom-field.ts'

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
const newLink = Type.Object({ ...optional, name: written.name }, closed)
const identifier = (type: string) =>
  schema.optional(schema.object({ data: schema.object({ type: schema.constant(type), id: schema.text() }) }))
export const shareLinkBody = bodyOf(
  'share_link',
  newLink,
  schema.object({ shipment: identifier('shipment'), saved_view: identifier('saved_view') }),
)
const changes = Type.Object(optional, closed)
export const shareLinkChangesBody = bodyOf('share_link', changes)
const readOnly = readOnlyOf('share_link', newLink)

export function readNewShareLink(body: unknown): ShareLinkInput & { readonly shared: Shared } {
  const given = readAttributes(body, {
    type: 'share_link',
    id: null,
    attributes: newLink,
    readOnly,
    relationships: ['shipment', 'saved_view'],
  })
  const shipment = readIdentifier(body, 'shipment', ['shipment'])
  const view = readIdentifier(body, 'saved_view', ['saved_view'])
  const shared = shipment ?? view
  if (shared === null || (shipment !== null && view !== null))
    throw pointerFault(
      'invalid',
      '/data/relationships',
      'A link is about one `shipment` or one `saved_view`: name it as a relationship.',
    )
  const kind = shipment === null ? 'saved_view' : 'shipment'
  return { ...readGiven(given), name: given.name, shared: { kind, id: shared.id } }
}

/** Attributes that the body does not name are not changed. */
export function readShareLinkChanges(body: unknown, id: string): Partial<ShareLinkInput> {
  return readGiven(readAttributes(body, { type: 'share_link', id, attributes: changes, readOnly }))
}

function readGiven(given: Static<typeof changes>): Partial<ShareLinkInput> {
  const { name, expires_at: expiresAt, company_name: companyName, color, allowed_origins: origins } = given
  return {
    ...(name === undefined ? {} : { name }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(companyName === undefined ? {} : { companyName }),
    ...(color === undefined ? {} : { color }),
    ...(origins === undefined ? {} : { allowedOrigins: origins }),
  }
}
