/** `member`: a person of the account with their role. `invitation`: a person who may become one. */

import type { IdentifiedReading, ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { Type } from '../../platform/json-schema.ts'
import { roles } from '../access/roles.ts'
import type { Invitation } from './invitations-sql.ts'
import type { Member } from './memberships-sql.ts'

export interface MemberReading extends IdentifiedReading {
  readonly type: 'member'
  readonly member: Member
}

export function readMember(member: Member): MemberReading {
  return { type: 'member', id: member.userId, member }
}

export const member: ResourceKind<MemberReading> = {
  type: 'member',
  attributes: {
    name: schema.text(),
    email: schema.text(),
    role: schema.oneOf(roles),
    has_two_factor: Type.Boolean(),
    created_at: schema.instant({ description: 'When the person joined the account.' }),
  },
  relations: {},
  write: ({ member: { name, email, role, hasTotp, createdAt } }) => ({
    name,
    email,
    role,
    has_two_factor: hasTotp,
    created_at: createdAt,
  }),
  link: () => ({}),
  self: ({ id }) => `/members/${id}`,
}

export interface InvitationReading extends IdentifiedReading {
  readonly type: 'invitation'
  readonly invitation: Invitation
  /** Only where it has just been made, and no mail carries it. */
  readonly url: string | null
}

export function readInvitation(invitation: Invitation, url: string | null = null): InvitationReading {
  return { type: 'invitation', id: invitation.id, invitation, url }
}

export const invitation: ResourceKind<InvitationReading> = {
  type: 'invitation',
  attributes: {
    email: schema.text(),
    role: schema.oneOf(roles),
    url: schema.textOrNull({
      format: 'uri',
      description:
        'The link for the person. Only in the answer that creates the invitation, and only if Landfall sends no mail; otherwise null.',
    }),
    created_at: schema.instant(),
    expires_at: schema.instant(),
  },
  relations: {},
  write: ({ invitation: { email, role, createdAt, expiresAt }, url }) => ({
    email,
    role,
    url,
    created_at: createdAt,
    expires_at: expiresAt,
  }),
  link: () => ({}),
  self: ({ id }) => `/invitations/${id}`,
}
