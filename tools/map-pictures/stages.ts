/** The five stages of a journey at which its map is drawn, found from the map itself and the container's status. */

import type { MapDocument } from './features.ts'

export const stages = {
  booked: 'Booked: nothing has left yet',
  'first-leg': 'At sea on the first leg',
  transshipped: 'Transshipped: on the second ship',
  arrived: 'Arrived: discharged, or on the train inland',
  returned: 'Returned empty: the voyage is over',
} as const
export type Stage = keyof typeof stages

/** Null between two stages. */
export function stageOf({ features }: MapDocument, status: string): Stage | null {
  const ports = features.filter(({ properties }) => properties['feature_type'] === 'port')
  if (ports.length < 2) return null
  if (status === 'empty_returned') return 'returned'
  if (['grounded', 'available', 'on_rail', 'awaiting_inland_transfer'].includes(status)) return 'arrived'
  const ship = features.find(({ properties }) => properties['feature_type'] === 'current_vessel')
  if (ship !== undefined) return ship.properties['ports_sequence'] === 1 ? 'first-leg' : 'transshipped'
  const hasLeft = ports.some(({ properties }) => properties['outbound_atd_at'] !== null)
  return status === 'new' && !hasLeft ? 'booked' : null
}

/** A map that shows more has a higher score. For a ship at sea the score is highest in the middle of its leg. */
export function scoreOf({ features }: MapDocument): number {
  const countOf = (type: string) =>
    features
      .filter(({ properties }) => properties['feature_type'] === type)
      .reduce((sum, { properties }) => sum + Number(properties['point_count'] ?? 1), 0)
  const [ahead, all] = [countOf('estimated_partial_leg'), countOf('estimated_full_legs')]
  const middle = ahead === 0 ? 0 : 1 - Math.abs(0.5 - ahead / Math.max(ahead, all)) * 2
  return features.length + middle + (countOf('past_vessel_locations') > 0 ? 2 : 0)
}
