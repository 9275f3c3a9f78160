/** What gate and quay reports say besides the move: ports, chassis, and that a box changes ships. */

import type { ObservedPlace } from '../../core/statements/observation.ts'
import type { EmptyIndicator, EventCode } from '../../core/values/codes.ts'
import type { ReadContext } from './context.ts'
import { chassisOf } from './equipment.ts'
import { segmentsOf } from './fields.ts'
import { readPlace } from './place.ts'
import type { SaidFact } from './statements.ts'
import type { BoxUnit } from './unit.ts'

export type MoveCode = Extract<EventCode, 'GTIN' | 'GTOT' | 'LOAD' | 'DISC'>

export interface ReportedBox {
  readonly number: string
  readonly load: EmptyIndicator | null
  readonly status: string
}

/**
 * The port of loading is read only for export boxes (status 2), the port of discharge only for import boxes (3): the
 * ports of a box that changes ships may belong only to its next ship.
 */
export function gateFacts(
  code: MoveCode | null,
  { own, chassis }: BoxUnit,
  { number, load, status }: ReportedBox,
  context: ReadContext,
): readonly SaidFact[] {
  const roles = [
    ['port_of_loading', '9', status === '2'],
    ['port_of_discharge', '11', status === '3'],
    ['place_of_delivery', '7', true],
    ['empty_return_place', '99', true],
  ] as const
  const places = roles.flatMap(([fact, qualifier, isSaid]): readonly SaidFact[] => {
    const [segment] = isSaid && load !== 'EMPTY' ? segmentsOf(own, 'LOC', [qualifier]) : []
    const value = segment === undefined ? null : readPlace(segment, context)
    return value === null || value.unlocode === null ? [] : [{ fact, value, equipment: number }]
  })
  const wheels = code === 'GTOT' && load === 'LADEN' ? chassisOf(own, chassis) : null
  return wheels === null ? places : [...places, { fact: 'chassis_number', value: wheels, equipment: number }]
}

/**
 * A box that changes ships will be carried on by another ship, or was brought by one, at a time that this report does
 * not give.
 */
export function quayFacts(
  code: MoveCode | null,
  { number, load, status }: ReportedBox,
  place: ObservedPlace,
): readonly SaidFact[] {
  if (!isTransshipped(status) || load === 'EMPTY' || place.unlocode === null) return []
  if (code === 'DISC') return [{ fact: 'undated_departure', value: place, equipment: number }]
  if (code === 'LOAD') return [{ fact: 'undated_arrival', value: place, equipment: number }]
  return []
}

export function isTransshipped(status: string): boolean {
  return status === '6' || status === '17'
}
