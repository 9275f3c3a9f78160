/**
 * Writes one 322: the activity (Q5), the box (N7) with its seal (M7), load (W2) and chassis (NA), the place (R4), and
 * the references.
 */

import type { Said } from './said.ts'
import type { Segments, X12Journey } from './x12-journey.ts'
import { lastOf, referencesOf, statusOf, writeClock, writePlace } from './x12-words.ts'

export function writeMessage322(told: Said, journey: X12Journey): Segments {
  const { code, time } = statusOf(told, journey.words)
  const clock = writeClock(time)
  const [initial, number] = [journey.box.slice(0, 4), journey.box.slice(4, 10)]
  const weight = lastOf(journey, 'weight_kg')
  const [seal, chassis] = [lastOf(journey, 'seal_number'), lastOf(journey, 'chassis_number')]
  const load = told.kind === 'event' && told.load !== null ? told.load.charAt(0) : ''
  const box = Array.from({ length: 23 }, () => '')
  const set = (element: number, value: string): void => {
    box[element] = value
  }
  set(0, 'N7')
  set(1, initial)
  set(2, number)
  set(11, 'CN')
  set(22, lastOf(journey, 'size_type') ?? '')
  if (weight !== null) {
    set(3, String(weight))
    set(4, 'G')
    set(17, 'K')
  }
  return [
    ['Q5', code, clock.date, clock.time, clock.zone],
    box,
    ...(seal === null ? [] : [['M7', seal]]),
    ...(chassis === null ? [] : [['NA', '', '', chassis.slice(0, 4), chassis.slice(4)]]),
    ['W2', initial, number, '', 'CC', load],
    ...(told.kind === 'event' ? [writePlace('5', told.place)] : []),
    ...referencesOf(journey),
  ]
}
