/** `party`: a company for which an account tracks. */

import type { Party } from '../../../../store/tracking/parties.ts'
import type { Identified, ResourceKind } from '../../shape/resource.ts'
import * as schema from '../../shape/schema.ts'
import { lastChangedBy } from '../parts/last-changed-by.ts'

export interface PartyReading extends Identified {
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
