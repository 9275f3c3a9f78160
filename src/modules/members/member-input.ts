/** Bodies of members: who is invited, and which role a member gets. */

import { closed } from '../../api/request-body/attributes.ts'
import { camelNames, defineChangeBody, defineCreateBody } from '../../api/request-body/resource-body.ts'
import { Type } from '../../platform/json-schema.ts'
import { type Role, roles } from '../access/roles.ts'
import { member } from './member-resource.ts'

const role = Type.Unsafe<Role>({
  type: 'string',
  enum: roles,
  description: 'A role below your own. Only owners can appoint admins and owners.',
})
const attributes = Type.Object({ email: Type.String({ minLength: 3, maxLength: 254 }), role }, closed)

export const newMember = defineCreateBody(member, attributes, camelNames)
export const memberChanges = defineChangeBody(member, Type.Object({ role: Type.Optional(role) }, closed), camelNames)
