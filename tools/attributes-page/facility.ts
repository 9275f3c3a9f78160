/**
 * A terminal or railway that is asked, with a description that uses every possible member: its answer at a step of a
 * journey.
 */

import type { EventObservation, Observation, SourceKind } from '../../src/domain/statements/observation.ts'
import type { EventTime } from '../../src/domain/values/time.ts'
import { sampleBox } from './journeys.ts'

const words = ['freight', 'customs', 'USDA', 'VACIS', 'TMF', 'other']
const types = ['demurrage', 'extended_dwell_time', 'exam', 'total', 'other']
const same = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]))
const texts = [
  'yard_location',
  'chassis_number',
  'seal_number',
  'pickup_number',
  'it_number',
  'size_type',
  'pod_rail_carrier',
  'destination_rail_carrier',
] as const
const times = [
  'pickup_lfd_terminal',
  'pickup_lfd_rail',
  'pickup_lfd_line',
  'pickup_appointment',
  'general_order_at',
  'empty_return_by',
] as const
const moves = [
  'DISC LADEN VESSEL',
  'GTOT LADEN',
  'GTOT EMPTY',
  'GTIN EMPTY',
  'GTIN LADEN',
  'LOAD LADEN VESSEL',
  'ARRI VESSEL',
]
const trains = ['LOAD LADEN RAIL', 'DEPA RAIL', 'ARRI RAIL', 'DISC LADEN RAIL', 'DEPA LADEN RAIL', 'ARRI LADEN RAIL']
const places = ['USLAX', 'USCHI', 'USLGB', 'CNSHG', 'KRPUS']

export function facilityProfile(kind: SourceKind): object {
  const event = (classifier: string) => ({
    list: '/moves/*',
    when: { at: '/classifier', is: [classifier] },
    classifier,
    code: '/code',
    codes: same([...moves, ...trains]),
    time: { at: '/at' },
    ...(kind === 'rail' && { place: { name: '/place', unlocodes: same(places) } }),
  })
  return {
    verified: false,
    ...(kind === 'rail'
      ? { scacs: ['UP'] }
      : { stands: [{ port: 'USLAX', terminal: { list: 'FIRMS', code: 'W185' } }] }),
    boxes: '',
    number: '/box',
    facts: {
      available: { at: '/available', yes: ['true'], no: ['false'] },
      weight_kg: { at: '/weight_kg', unit: 'kg' },
      ...(kind === 'rail' && { place_of_delivery: { name: '/ends', unlocodes: same(places) } }),
      ...Object.fromEntries([...texts, ...times].map((name) => [name, { at: `/${name}` }])),
    },
    holds: [
      {
        list: '/holds/*',
        word: '/name',
        names: same(words),
        description: '/description',
        status: { at: '/status', hold: ['hold'], pending: ['pending'], released: ['released'] },
      },
    ],
    fees: [
      {
        list: '/fees/*',
        word: '/type',
        names: same(types),
        amount: '/amount',
        currency: { at: '/currencyCode' },
      },
    ],
    events: [event('ACT'), event('EST')],
  }
}

/** Null when the facility has nothing to report at this step. */
export function writeFacilityAnswer(said: readonly Observation[]): object | null {
  // Statements about a train or ship without a box are reported for each box.
  const ofBox = said.filter(({ equipment }) => equipment === null || equipment === sampleBox)
  if (ofBox.length === 0) return null
  const facts = ofBox.flatMap((each) => (each.kind === 'fact' ? [each] : []))
  const values = facts.flatMap(({ fact, value }) =>
    fact === 'hold' || fact === 'fee' || fact === 'holds' || fact === 'fees' ? [] : [[fact, written(value)]],
  )
  const holds = facts.flatMap((each): readonly object[] =>
    each.fact === 'hold' ? [each.value] : each.fact === 'holds' ? each.value : [],
  )
  const fees = facts.flatMap((each): readonly object[] =>
    each.fact === 'fee' ? [each.value] : each.fact === 'fees' ? each.value : [],
  )
  return {
    box: sampleBox,
    ends: 'USCHI',
    ...Object.fromEntries(values),
    ...(holds.length > 0 && { holds }),
    ...(fees.length > 0 && { fees }),
    moves: ofBox.flatMap((each) => (each.kind === 'event' ? [moveOf(each)] : [])),
  }
}

function written(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'kind' in value ? writeTime(value as EventTime) : value
}

function moveOf({ classifier, code, load, mode, time, place }: EventObservation) {
  const words = [code, load, mode].filter((word) => word !== null).join(' ')
  return { classifier, code: words, at: writeTime(time), place: place.unlocode }
}

function writeTime(time: EventTime): string {
  return time.kind === 'day' ? time.on : time.kind === 'instant' ? time.at : time.local
}
