/**
 * Writes one 315: the status (B4), its references (N9), the ship (Q2), and the places by their roles (R4) with their
 * dates (DTM).
 */

import type { Said } from './said.ts'
import type { Segments, X12Journey } from './x12-journey.ts'
import { lastOf, referencesOf, statusOf, writeClock, writePlace } from './x12-words.ts'

export function writeMessage315(told: Said, journey: X12Journey): Segments {
  const isEstimate = told.kind === 'event' && told.classifier === 'EST'
  const { code, time } = statusOf(told, journey.words)
  const clock = writeClock(time)
  const load = told.kind === 'event' && told.load !== null ? told.load.charAt(0) : ''
  const size = lastOf(journey, 'size_type') ?? ''
  const [initial, number, checkDigit] = [journey.box.slice(0, 4), journey.box.slice(4, 10), journey.box.slice(10)]
  const status = isEstimate ? 'E' : code
  const day = isEstimate ? { date: '20260101', time: '' } : clock
  return [
    ['B4', '', '', status, day.date, day.time, '', initial, number, load, size, '', '', checkDigit],
    ...referencesOf(journey),
    ...ownReferences(journey),
    ...shipOf(told),
    ...roles(journey),
    ...(told.kind !== 'event' && clock.time !== '' ? [['R4', '5'], dateOf('140', clock)] : []),
    ...(told.kind === 'event'
      ? [
          writePlace(isEstimate ? 'T' : '5', told.place),
          isEstimate ? dateOf(code.slice(2), clock) : dateOf('140', clock),
        ]
      : []),
  ]
}

function dateOf(code: string, { date, time, zone }: ReturnType<typeof writeClock>): readonly string[] {
  return ['DTM', code, date, time, zone]
}

function ownReferences(journey: X12Journey): Segments {
  const { words } = journey
  const [seal, yard, pin] = [
    lastOf(journey, 'seal_number'),
    lastOf(journey, 'yard_location'),
    lastOf(journey, 'pickup_number'),
  ]
  const fee = lastOf(journey, 'fee')
  return [
    ...(seal === null ? [] : [['N9', 'SN', seal]]),
    ...(yard === null ? [] : [['N9', 'YS', yard]]),
    ...(pin === null || words !== 'terminal' ? [] : [['N9', 'GC', pin]]),
    ...(fee === null || fee.amount === null ? [] : [['N9', '4IE', fee.amount.toFixed(2)]]),
  ]
}

function shipOf(told: Said): Segments {
  if (told.kind !== 'event' || (told.vessel === null && told.voyage === null)) return []
  const { imo, name } = told.vessel ?? { imo: null, name: null }
  return [['Q2', imo ?? '', '', '', '', '', '', '', '', told.voyage ?? '', '', '', imo === null ? '' : 'L', name ?? '']]
}

function roles(journey: X12Journey): Segments {
  const named = [
    ['L', lastOf(journey, 'port_of_loading')],
    ['D', lastOf(journey, 'port_of_discharge')],
    ['E', lastOf(journey, 'place_of_delivery')],
  ] as const
  return named.flatMap(([role, place]) => (place === null ? [] : [writePlace(role, place)]))
}
