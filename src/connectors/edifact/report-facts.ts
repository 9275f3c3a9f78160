/** The statements of gate and quay reports besides the move: ports, chassis, and transshipment of a container. */

import type { ObservedPlace } from '../../domain/statements/observation.ts'
import type { EmptyIndicator, EventCode } from '../../domain/values/codes.ts'
import type { ReadContext } from './context.ts'
import { chassisOf } from './equipment.ts'
import { segmentsOf } from './fields.ts'
import { readPlace } from './place.ts'
import type { StatedFact } from './statements.ts'
import type { ContainerUnit } from './unit.ts'

export type MoveCode = Extract<EventCode, 'GTIN' | 'GTOT' | 'LOAD' | 'DISC'>

export interface ReportedContainer {
  readonly number: string
  readonly load: EmptyIndicator | null
  readonly status: string
}

/**
 * The port of loading is read only for export containers (status 2), the port of discharge only for import containers
 * (3): the ports of a container that is transshipped may belong only to its next ship.
 */
export function gateFacts(
  code: MoveCode | null,
  { ownSegments, chassis }: ContainerUnit,
  { number, load, status }: ReportedContainer,
  context: ReadContext,
): readonly StatedFact[] {
  const roles = [
    ['port_of_loading', '9', status === '2'],
    ['port_of_discharge', '11', status === '3'],
    ['place_of_delivery', '7', true],
    ['empty_return_place', '99', true],
  ] as const
  const places = roles.flatMap(([fact, qualifier, isStated]): readonly StatedFact[] => {
    const [segment] = isStated && load !== 'EMPTY' ? segmentsOf(ownSegments, 'LOC', [qualifier]) : []
    const value = segment === undefined ? null : readPlace(segment, context)
    return value === null || value.unlocode === null ? [] : [{ fact, value, equipment: number }]
  })
  const wheels = code === 'GTOT' && load === 'LADEN' ? chassisOf(ownSegments, chassis) : null
  return wheels === null ? places : [...places, { fact: 'chassis_number', value: wheels, equipment: number }]
}

/**
 * A transshipped container came with another ship or will leave with another ship, at a time that this report does not
 * state.
 */
export function undatedCallFacts(
  code: MoveCode | null,
  { number, load, status }: ReportedContainer,
  place: ObservedPlace,
): readonly StatedFact[] {
  if (!isTransshipped(status) || load === 'EMPTY' || place.unlocode === null) return []
  if (code === 'DISC') return [{ fact: 'undated_departure', value: place, equipment: number }]
  if (code === 'LOAD') return [{ fact: 'undated_arrival', value: place, equipment: number }]
  return []
}

export function isTransshipped(status: string): boolean {
  return status === '6' || status === '17'
}
