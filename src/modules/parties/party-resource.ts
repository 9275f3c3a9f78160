/** `party`: a company for which an account tracks. */

import type { IdentifiedReading, ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { lastChangedBy } from '../audit/last-changed-by-resource.ts'
import type { Party } from './parties-sql.ts'

export interface PartyReading extends IdentifiedReading {
  readonly type: 'party'
  readonly party: Party
}

export function readParty(party: Party): PartyReading {
  return { type: 'party', id: party.id, party }
}

export const party: ResourceKind<PartyReading> = {
  type: 'party',
  attributes: { company_name: schema.text() },
  relations: {},
  write: ({ party: { companyName } }) => ({ company_name: companyName }),
  link: () => ({}),
  meta: { properties: lastChangedBy.properties, write: ({ party: each }) => lastChangedBy.write(each) },
}
