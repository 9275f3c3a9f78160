/** What a journey from gate to gate should have told by its end, and what of that nobody told. */

import type { ContainerProjection, MilestoneName } from './projection.ts'

/** Of every box that a ship carried, whatever its way to the port and from it. */
export const everyBoxTells = [
  'empty_out',
  'full_in',
  'vessel_loaded',
  'vessel_departed',
  'vessel_arrived',
  'vessel_discharged',
  'full_out',
  'empty_in',
] as const satisfies readonly MilestoneName[]

/** In the order of a journey. */
export function untoldOf({
  milestones,
}: Pick<ContainerProjection, 'milestones'>): readonly (typeof everyBoxTells)[number][] {
  const told = new Set(milestones.filter(({ kind }) => kind === 'actual').map(({ name }) => name))
  return everyBoxTells.filter((name) => !told.has(name))
}
