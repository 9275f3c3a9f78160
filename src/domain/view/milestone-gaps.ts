/** Which milestones a journey from gate to gate should have by its end, and which of them nobody reported. */

import type { ContainerProjection, MilestoneName } from './projection.ts'

/** Every container that a ship carried should have these, whatever its way to the port and from it. */
export const expectedMilestones = [
  'empty_out',
  'full_in',
  'vessel_loaded',
  'vessel_departed',
  'vessel_arrived',
  'vessel_discharged',
  'full_out',
  'empty_in',
] as const satisfies readonly MilestoneName[]

/** The milestones that nobody reported, in the order of a journey. */
export function unreportedMilestones({
  milestones,
}: Pick<ContainerProjection, 'milestones'>): readonly (typeof expectedMilestones)[number][] {
  const reported = new Set(milestones.filter(({ kind }) => kind === 'actual').map(({ name }) => name))
  return expectedMilestones.filter((name) => !reported.has(name))
}
