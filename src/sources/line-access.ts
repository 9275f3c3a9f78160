/** How each line is known to be asked: in which language, with which profile, and what an operator has to bring. */

import { coscoProfile } from './cosco/profile.ts'
import { standardProfile } from './dcsa/profile.ts'
import { lineProfiles } from './dcsa/profiles/lines.ts'
import type { SourceName } from './registry.ts'

export interface LineAccess {
  readonly source: SourceName
  /** As it ships; an operator's own members replace its members, each as a whole. */
  readonly profile: Readonly<Record<string, unknown>>
  /** What the line gives each customer and the operator has to put in: fields of the profile. */
  readonly operatorSets: readonly string[]
  /** What else an operator should know before the first call. */
  readonly remarks: string
}

/** Null for a line of which no interface is known. */
export function findLineAccess(scac: string): LineAccess | null {
  return byScac.get(scac) ?? null
}

/** DCSA Track & Trace as the standard has it, for a line whose access somebody brings: its address is theirs to say. */
export function standardAccess(scac: string): LineAccess {
  const profile = { ...standardProfile, scac }
  return { source: 'dcsa', profile, operatorSets: ['base', 'auth'], remarks: '' }
}

const cosco: LineAccess = {
  source: 'cosco',
  profile: coscoProfile,
  operatorSets: [],
  remarks:
    'Its own interface, signed with the key. Keys are given on application, within 15 working days; the line calls it a trial. At most 1,000 questions a day and 30,000 a month; asked by bill and booking. Of each box its last move is told, so what happens between two questions is not seen. Times bear no zone; ships have names and no IMO numbers.',
}

const byScac: ReadonlyMap<string, LineAccess> = new Map([
  ['COSU', cosco],
  ...lineProfiles.map(
    ({ profile, operatorSets, remarks }) =>
      [profile.scac, { source: 'dcsa', profile, operatorSets, remarks }] as const,
  ),
])
