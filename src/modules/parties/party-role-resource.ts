/** `party_role`: what a party is for a shipment, a container or a tracking request. */

import { type IdentifiedReading, type ResourceKind, toOne } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { partyRoleNames } from '../../domain/values/party-role.ts'
import type { PartyRole } from './party-roles-sql.ts'

export interface PartyRoleReading extends IdentifiedReading {
  readonly type: 'party_role'
  readonly role: PartyRole
}

export function readPartyRole(role: PartyRole): PartyRoleReading {
  return { type: 'party_role', id: role.id, role }
}

const roleableTypes = { shipment: 'Shipment', container: 'Cargo', tracking_request: 'TrackingRequest' } as const

export const partyRole: ResourceKind<PartyRoleReading> = {
  type: 'party_role',
  attributes: {
    role: schema.oneOf(partyRoleNames),
    roleable_type: schema.oneOf(Object.values(roleableTypes), { description: '`Cargo` is a container.' }),
    roleable_id: schema.id(),
    created_at: schema.instant(),
    updated_at: schema.instant(),
  },
  relations: { party: toOne('party') },
  write: ({ role }) => ({
    role: role.role,
    roleable_type: roleableTypes[role.recordType],
    roleable_id: role.recordId,
    created_at: role.createdAt,
    updated_at: role.createdAt,
  }),
  link: ({ role }) => ({ party: { type: 'party', id: role.partyId } }),
}
