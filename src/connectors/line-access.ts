/**
 * How each carrier can be polled, as far as known: in which language, with which profile, and what an operator must
 * supply.
 */

import { coscoProfile } from './cosco/profile.ts'
import { standardProfile } from './dcsa/profile.ts'
import { lineProfiles } from './dcsa/profiles/lines.ts'
import type { SourceName } from './source-registry.ts'

export interface LineAccess {
  readonly source: SourceName
  /** The built-in profile. Each member that an operator sets replaces the complete member here. */
  readonly profile: Readonly<Record<string, unknown>>
  /** Fields of the profile that the line gives to each customer and that the operator must set. */
  readonly operatorSets: readonly string[]
  /** Other information that an operator needs before the first call. */
  readonly remarks: string
}

/** Null for a line without a known interface. */
export function findLineAccess(scac: string): LineAccess | null {
  return byScac.get(scac) ?? null
}

/** Standard DCSA Track & Trace, for a line to which the operator has access. The operator supplies the address. */
export function standardAccess(scac: string): LineAccess {
  const profile = { ...standardProfile, scac }
  return { source: 'dcsa', profile, operatorSets: ['base', 'auth'], remarks: '' }
}

const cosco: LineAccess = {
  source: 'cosco',
  profile: coscoProfile,
  operatorSets: [],
  remarks:
    'Its own interface, signed with the key. The line gives keys on application, within 15 working days, and calls this a trial. At most 1,000 requests a day and 30,000 a month, by bill and booking. It reports only the last move of each box, so moves between two polls are missed. Times have no zone; ships have names and no IMO numbers.',
}

const byScac: ReadonlyMap<string, LineAccess> = new Map([
  ['COSU', cosco],
  ...lineProfiles.map(
    ({ profile, operatorSets, remarks }) => [profile.scac, { source: 'dcsa', profile, operatorSets, remarks }] as const,
  ),
])
