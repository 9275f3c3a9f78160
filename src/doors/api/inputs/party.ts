/** Bodies of parties. */

import { Type } from '../../../platform/json-schema.ts'
import { readAttributes } from '../bodies/body.ts'
import { bodyOf } from '../description/operation.ts'
import { closed, readOnlyOf } from './attributes.ts'

const name = Type.String({ minLength: 1, maxLength: 200 })
const newParty = Type.Object({ company_name: name }, closed)
export const partyBody = bodyOf('party', newParty)
const changes = Type.Object({ company_name: Type.Optional(name) }, closed)
export const partyChangesBody = bodyOf('party', changes)
const readOnly = readOnlyOf('party', newParty)

export function readNewParty(body: unknown): { readonly companyName: string } {
  const expected = { type: 'party', id: null, attributes: newParty, readOnly }
  return { companyName: readAttributes(body, expected).company_name }
}

/** Attributes that the body does not name are not changed. */
export function readPartyChanges(body: unknown, id: string): { readonly companyName?: string } {
  const given = readAttributes(body, {
    type: 'party',
    id,
    attributes: changes,
    readOnly,
  })
  return given.company_name === undefined ? {} : { companyName: given.company_name }
}
