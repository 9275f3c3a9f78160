/** Bodies of members: who is invited, and which role a member gets. */

import { Type } from '../../../platform/json-schema.ts'
import { type Role, roles } from '../../../service/roles.ts'
import { readAttributes } from '../bodies/body.ts'
import { bodyOf } from '../description/operation.ts'
import { closed, readOnlyOf } from './attributes.ts'

const role = Type.Unsafe<Role>({
  type: 'string',
  enum: roles,
  description: 'A role below your own. Only owners can appoint admins and owners.',
})
const newMember = Type.Object({ email: Type.String({ minLength: 3, maxLength: 254 }), role }, closed)
export const memberBody = bodyOf('member', newMember)
const changes = Type.Object({ role: Type.Optional(role) }, closed)
export const memberChangesBody = bodyOf('member', changes)

export function readNewMember(body: unknown): { readonly email: string; readonly role: Role } {
  return readAttributes(body, {
    type: 'member',
    id: null,
    attributes: newMember,
    readOnly: readOnlyOf('member', newMember),
  })
}

/** Null when the body changes nothing. */
export function readMemberRole(body: unknown, id: string): Role | null {
  const readOnly = readOnlyOf('member', changes)
  return readAttributes(body, { type: 'member', id, attributes: changes, readOnly }).role ?? null
}
