// Data of a terminal or railway about a container is read by its description, and what the description does not know is
// shown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTerminalById } from '../../../src/reference/terminals.ts'
import { bytesOf, snapshotOf } from '../pushed-harness.ts'
import { answerOf, bnsfUnit, box, cnBox, factsOf, hear, issuesOf, lbctBox, otherBox, source } from './answers.ts'

const day = (on: string) => ({ kind: 'day', on })

/** Everything that a description can contain, for an invented facility. */
const pier = {
  verified: false,
  stands: [{ port: 'USLGB', terminal: { list: 'FIRMS', code: 'WAC8' }, code: 'P1', zone: 'America/Los_Angeles' }],
  boxes: '/units/*',
  number: '/nbr',
  facility: '/pier',
  isFullPicture: true,
  blanks: ['N/A'],
  facts: {
    available: { at: '/ready', yes: ['Y'], no: ['N'] },
    pickup_lfd_terminal: { at: '/lfd', format: 'MM/dd/yyyy' },
    pickup_appointment: { at: '/slot/day', timeAt: '/slot/time', format: 'M/d/yyyy h:mm a' },
    yard_location: { parts: ['/yard/block', '/yard/row', '/yard/tier'], join: '-' },
    chassis_number: { at: ['/chassis', '/genset'] },
    seal_number: { at: '/seal' },
    pickup_number: { at: '/pin' },
    weight_kg: { at: '/weight', unit: 'lb' },
  },
  holds: [
    {
      list: '/holds/*',
      word: '/code',
      names: { CUS: 'customs', LINE: 'freight', INFO: 'none' },
      status: { at: '/state', hold: ['A'], pending: ['P'], released: ['R'] },
    },
  ],
  fees: [
    {
      list: '/charges/*',
      word: '/name',
      names: { STORAGE: 'demurrage' },
      amount: '/sum',
      currency: { at: '/cur' },
    },
    { at: '/exam', type: 'exam', currency: 'USD' },
  ],
  events: [
    {
      says: 'GTOT LADEN',
      time: { at: '/out', format: 'yyyyMMdd HHmm' },
      when: { at: '/category', is: ['I'] },
    },
    {
      list: '/moves/*',
      code: '/c',
      codes: { D: 'DISC VESSEL', X: 'note', H: 'hold customs' },
      time: { at: '/t' },
    },
  ],
}
const parsed = source.parseProfile(pier)
assert.ok(parsed.ok, parsed.ok ? '' : parsed.reason)
const profile = parsed.value
const told = (unit: object, number = box) => hear(profile, { units: [{ nbr: number, pier: 'P1', ...unit }] }, number)

test('a terminal answer gives availability, last free day, appointment, yard place, seal and pick-up number', () => {
  const reading = told({
    ready: 'y',
    lfd: '02/07/2026',
    slot: { day: '2/6/2026', time: '1:30 PM' },
    yard: { block: 'A', row: 12, tier: '3' },
    chassis: 'N/A',
    genset: 'TSFZ1',
    seal: ' S1 ',
    pin: '4711',
    weight: '22,046.2',
  })
  assert.deepEqual(issuesOf(reading), [])
  assert.deepEqual(factsOf(reading), {
    available: true,
    pickup_lfd_terminal: day('2026-02-07'),
    pickup_appointment: { kind: 'instant', at: '2026-02-06T21:30:00.000Z' },
    yard_location: 'A-12-3',
    chassis_number: 'TSFZ1',
    seal_number: 'S1',
    pickup_number: '4711',
    weight_kg: 9999.988,
    pod_terminal: 'USLGB WAC8',
  })
  assert.equal(reading?.statedFullPicture, true)
})

test('reads a complete list of holds when every hold of the answer is known', () => {
  const holds = [
    { code: 'cus', state: 'A' },
    { code: 'LINE', state: 'R' },
    { code: 'INFO', state: 'A' },
  ]
  assert.deepEqual(factsOf(told({ holds })), {
    holds: [{ name: 'customs', status: 'hold', description: 'cus' }],
  })
  assert.deepEqual(factsOf(told({ holds: [] })), { holds: [] })
  assert.deepEqual(factsOf(told({})), {})
})

test('an unknown hold keeps the text of the terminal and reports an unmapped code', () => {
  const reading = told({ holds: [{ code: 'ZZ9', state: 'P' }] })
  assert.deepEqual(factsOf(reading), { holds: [{ name: 'other', status: 'pending', description: 'ZZ9' }] })
  assert.deepEqual(issuesOf(reading), ['unmapped_code /holds/0/code'])
})

test('a terminal answer releases no hold when one hold in its list cannot be read', () => {
  const reading = told({
    holds: [
      { code: 'CUS', state: 'A' },
      { code: 'LINE', state: '?' },
    ],
  })
  assert.deepEqual(factsOf(reading), { hold: { name: 'customs', status: 'hold', description: 'CUS' } })
  assert.deepEqual(issuesOf(reading), ['unmapped_code /holds/1/state'])
  assert.equal(reading?.statedFullPicture, false)
})

test('a fee is due or settled by its amount, and a missing currency is not made up', () => {
  const reading = told({
    charges: [
      { name: 'storage', sum: '$1,250.00', cur: 'USD' },
      { name: 'FLIP', sum: 40 },
    ],
    exam: 0,
  })
  const fees = (reading?.observations ?? []).flatMap((stated) =>
    stated.kind === 'fact' && stated.fact === 'fee' ? [stated.value] : [],
  )
  assert.deepEqual(
    fees.toSorted((a, b) => (a.type < b.type ? -1 : 1)),
    [
      { type: 'demurrage', status: 'due', amount: 1250, currencyCode: 'USD', description: 'storage' },
      { type: 'exam', status: 'settled', amount: 0, currencyCode: 'USD', description: null },
      { type: 'other', status: 'due', amount: 40, currencyCode: null, description: 'FLIP' },
    ],
  )
  assert.deepEqual(issuesOf(reading), ['unmapped_code /charges/1/name'])
})

test('reads events by fields and by codes, at the terminal that states them; an unknown code keeps its text', () => {
  const reading = told({
    category: 'I',
    out: '20260205 0830',
    moves: [
      { c: 'd', t: '2026-02-03T10:00' },
      { c: 'QQ', t: '2026-02-03T11:00:00Z' },
      { c: 'H', t: '2026-02-03T12:00' },
    ],
  })
  const events = (reading?.observations ?? []).flatMap((stated) => (stated.kind === 'event' ? [stated] : []))
  assert.deepEqual(
    events.map(({ code, load, mode, original, time }) => [code, load, mode, original, time]),
    [
      ['DISC', null, 'VESSEL', 'd', { kind: 'instant', at: '2026-02-03T18:00:00.000Z' }],
      ['GTOT', 'LADEN', null, null, { kind: 'instant', at: '2026-02-05T16:30:00.000Z' }],
      [null, null, null, 'QQ', { kind: 'instant', at: '2026-02-03T11:00:00.000Z' }],
    ],
  )
  for (const { place } of events) assert.deepEqual([place.unlocode, place.facilityCode], ['USLGB', 'WAC8'])
  assert.deepEqual(factsOf(reading), { hold: { name: 'customs', status: 'hold', description: 'H' } })
  assert.deepEqual(issuesOf(reading), ['unmapped_code /moves/1/c'])
  assert.equal(told({ category: 'E', out: '20260205 0830' })?.observations.length, 0)
})

test('an event time stays local when neither the time nor the facility states a time zone', () => {
  const nowhere = answerOf('lbct')
  const reading = hear(nowhere, { containers: [{ ...lbctBox, 'time-out': '2026-02-05T08:30:00' }] })
  const [out] = (reading?.observations ?? []).filter(({ kind }) => kind === 'event')
  assert.ok(out?.kind === 'event')
  assert.deepEqual(out.time, { kind: 'local', local: '2026-02-05T08:30:00' })
  assert.deepEqual(issuesOf(reading), ['time_without_zone /time-out'])
  const placed = hear(answerOf('lbct', { zone: 'place' }), {
    containers: [{ ...lbctBox, 'time-out': '2026-02-05T08:30:00' }],
  })
  assert.deepEqual(issuesOf(placed), [])
  const [there] = (placed?.observations ?? []).filter(({ kind }) => kind === 'event')
  assert.deepEqual(there?.kind === 'event' && there.time, { kind: 'instant', at: '2026-02-05T16:30:00.000Z' })
})

test('each unreadable value in a terminal answer is reported with its path, and the rest is read', () => {
  const reading = told({
    ready: 'perhaps',
    lfd: '31/02/2026',
    weight: 'heavy',
    seal: { a: 1 },
    chassis: 'C1',
  })
  assert.deepEqual(factsOf(reading), { chassis_number: 'C1' })
  assert.deepEqual(issuesOf(reading).toSorted(), [
    'unmapped_code /ready',
    'unreadable_time /lfd',
    'wrong_type /seal',
    'wrong_type /weight',
  ])
  assert.equal(reading?.statedFullPicture, false)
})

test('another container in the answer is never read for the requested one', () => {
  const both = {
    units: [
      { nbr: otherBox, ready: 'Y' },
      { nbr: box, ready: 'N' },
    ],
  }
  assert.deepEqual(factsOf(hear(profile, both)), { available: false })
  const { parts } = source.splitDelivery(bytesOf(both), profile)
  const [others] = parts
  const of = { speaker: 'terminal', messageSubject: { kind: 'container', number: box } } as const
  const reading = source.read(snapshotOf(others?.body ?? Buffer.from('')), of, profile)
  assert.deepEqual([reading.outcome, reading.observations], ['other_number', []])
})

test('finds a container whose number in the answer has no check digit', () => {
  const rail = answerOf('bnsf')
  assert.equal(hear(rail, { intermodalUnits: [bnsfUnit] }, box, 'rail')?.outcome, 'found')
  const small = { verified: false, boxes: '', number: '/id', hasCheckDigit: false }
  const { parts } = source.splitDelivery(bytesOf({ id: 'ABCU 23' }), small)
  assert.deepEqual(parts[0]?.about, [{ kind: 'container', number: 'ABCU0000233' }])
})

test('the shipped description of a railway reads the last free day, lot, seal, weight and destination', () => {
  const reading = hear(answerOf('bnsf'), { intermodalUnits: [bnsfUnit] }, box, 'rail')
  const { place_of_delivery: ends, ...facts } = factsOf(reading)
  assert.equal((ends as { readonly unlocode: string }).unlocode, 'USCHI')
  assert.deepEqual(facts, {
    pickup_lfd_rail: day('2026-02-08'),
    yard_location: 'A 12 2',
    seal_number: 'SEAL77',
    weight_kg: 4535.924,
  })
  const events = (reading?.observations ?? []).flatMap((stated) => (stated.kind === 'event' ? [stated] : []))
  assert.deepEqual(
    events.map(({ classifier, code, mode, original, place }) => [classifier, code ?? original, mode, place.unlocode]),
    [
      ['ACT', 'DR', null, 'USHXC'],
      ['EST', 'ARRI', 'RAIL', 'USCHI'],
    ],
  )
  assert.ok(issuesOf(reading).includes('unmapped_code /eventCode'))
})

const placesOf = (reading: ReturnType<typeof hear>) =>
  (reading?.observations ?? []).flatMap((stated) => {
    if (stated.kind !== 'event') return []
    const ramp = stated.place.terminalId === null ? null : findTerminalById(stated.place.terminalId)
    return [`${stated.code ?? '-'} ${stated.place.unlocode} ${ramp?.name ?? '-'}`]
  })

test('finds the ramp of an event by the station name, or as the only ramp of the town', () => {
  const rail = answerOf('bnsf', {
    events: [
      {
        code: '/eventCode',
        codes: { DR: 'DISC LADEN RAIL', AR: 'ARRI RAIL' },
        time: { at: '/eventDatetime' },
        place: {
          name: '/station333',
          subdivision: '/stationStateCode',
          country: 'US',
          ramps: { LGP: 'H572', CORW: 'Corwith' },
        },
      },
    ],
  })
  const at = (station333: string, stationStateCode: string, eventCode = 'DR') =>
    placesOf(
      hear(rail, { intermodalUnits: [{ ...bnsfUnit, station333, stationStateCode, eventCode }] }, box, 'rail'),
    ).join()
  assert.equal(at('ALLIANCE', 'TX'), 'DISC USHXC Alliance')
  assert.equal(at('ALLIANCE', 'NE'), 'DISC USAIA -', 'a town of that name')
  assert.equal(at('ALLIANCE', 'WY'), 'DISC null -', 'neither')
  assert.equal(at('DENVER', 'CO'), 'DISC USDEN Denver')
  assert.equal(at('DENVER', 'CO', 'AR'), 'ARRI USDEN -', 'a train that comes there may be anywhere in town')
  assert.equal(at('CHICAGO', 'IL'), 'DISC USCHI -', 'it has several there')
  assert.equal(at('LGP', 'IL', 'AR'), 'ARRI USEWI Logistics Park Chicago (LPC)')
  assert.equal(at('CORW', 'IL'), 'DISC USCHI Corwith')
})

test('finds the place of a station without a country in the description or among the ramps', () => {
  const rail = answerOf('cn', {
    events: [
      {
        code: '/Event/Description',
        codes: { 'ARRIVED SOMEWHERE': 'DISC LADEN RAIL' },
        time: { at: '/Event/Time' },
        place: { name: '/Event/Location/Station', unlocodes: { WINNIPEG: 'CAWNP' } },
      },
    ],
  })
  const at = (Station: string) => {
    const unit = { ...cnBox, Event: { ...cnBox.Event, Location: { Station } } }
    return placesOf(hear(rail, { ThirdPartyIntermodalShipment: { Equipment: [unit] } }, box, 'rail')).join()
  }
  assert.equal(at('WINNIPEG'), 'DISC CAWNP Winnipeg')
  assert.equal(at('TORONTO'), 'DISC null -')
})

test('reads a time in the zone that the answer names, and keeps a local time for an unknown zone', () => {
  const cn = answerOf('cn')
  const tracked = (of: object) =>
    hear(cn, { ThirdPartyIntermodalShipment: { Equipment: [{ ...cnBox, ...of }] } }, box, 'rail')
  const timesOf = (of: object) =>
    (tracked(of)?.observations ?? []).flatMap((stated) => (stated.kind === 'event' ? [stated.time] : []))
  assert.deepEqual(timesOf({}), [
    { kind: 'instant', at: '2026-02-03T19:30:00.000Z' },
    { kind: 'instant', at: '2026-02-05T12:00:00.000Z' },
  ])
  const unknown = { Event: { ...cnBox.Event, Time: '2026-02-03 14:30 XYZ' } }
  assert.deepEqual(timesOf(unknown)[0], { kind: 'local', local: '2026-02-03T14:30:00' })
  assert.ok(issuesOf(tracked(unknown)).includes('time_without_zone /Event/Time'))
  const out = tracked({
    Event: { ...cnBox.Event, Description: 'OUT-GATE' },
    CustomsHold: { Description: 'HELD?' },
  })
  assert.ok((out?.observations ?? []).some((stated) => stated.kind === 'event' && stated.code === 'GTOT'))
  assert.ok(issuesOf(out).includes('unmapped_code /CustomsHold/Description'))
})

test('reports a web page, broken JSON and an error answer as faults, and accepts an empty list', () => {
  const lbct = answerOf('lbct')
  const faults = (body: string, of = lbct) => source.splitDelivery(Buffer.from(body), of).faults.map(({ kind }) => kind)
  assert.deepEqual(
    faults('{"payload":{"containers":[],"search-results":{"not-found":1,"not-found-numbers":["X"]}}}'),
    [],
  )
  assert.deepEqual(faults('{"not-found":1,"containers":[]}'), [])
  assert.deepEqual(faults('<html>sign in</html>'), ['not_json'])
  assert.deepEqual(faults(''), ['empty_answer'])
  assert.deepEqual(faults('{"error":"no"}'), ['wrong_structure'])
  assert.deepEqual(
    faults('{"message":"NOT FOUND"}', answerOf('lbct', { notFound: { at: '/message', is: ['not found'] } })),
    [],
  )
  const cut = JSON.stringify({ payload: { containers: [lbctBox, { ...lbctBox, id: otherBox }] } }).slice(0, -20)
  const { parts, faults: lost } = source.splitDelivery(Buffer.from(cut), lbct)
  assert.deepEqual(
    parts.map(({ about }) => about[0]?.number),
    [box],
  )
  assert.deepEqual(
    lost.map(({ kind, path }) => `${kind} ${path}`),
    ['truncated_body /payload/containers/1'],
  )
})

test('reads Long Beach in the published shape, with the offset of its times, and in the older one', () => {
  const published = {
    messages: [],
    payload: {
      orders: [],
      containers: [
        {
          ...lbctBox,
          'freight-kind': 'Full',
          'visit-state': 'Departed',
          'time-in': '2026-02-01T21:05:11.204-08:00',
          'time-out': '2026-02-05T08:30:00.871-08:00',
          discharged: '02/01/2026 21:05 (ACTUAL)',
        },
      ],
      'search-results': { 'not-found': 0 },
    },
  }
  const reading = hear(answerOf('lbct'), published)
  const [out] = (reading?.observations ?? []).filter(({ kind }) => kind === 'event')
  assert.ok(out?.kind === 'event' && out.code === 'GTOT')
  assert.deepEqual(out.time, { kind: 'instant', at: '2026-02-05T16:30:00.871Z' })
  assert.deepEqual(issuesOf(reading), [])
  const { id: number, ...older } = lbctBox
  assert.equal(
    factsOf(hear(answerOf('lbct'), { containers: [{ 'container-id': number, ...older }] }))['available'],
    true,
  )
})

test('reads Houston in each of the shapes that its public clients have', () => {
  const shapes = [
    { stoppedRoad: true, ufvPosition: 'Y-12', timeOut: '2026-02-05T08:30:00Z', 'scope.facility_id': 'BCT' },
    {
      stopFlags: { stoppedRoad: true },
      lastKnownPosition: { posSlot: 'Y-12' },
      timestamps: { timeOut: '2026-02-05T08:30:00Z' },
      scope: { facility_id: 'BCT' },
    },
  ]
  const [flat, nested] = shapes.map((shape) =>
    hear(answerOf('port-houston'), { content: [{ unitId: box, category: 'IMPRT', ...shape }] }),
  )
  assert.deepEqual(factsOf(flat ?? null), {
    available: false,
    pod_terminal: 'USHOU S787',
    yard_location: 'Y-12',
  })
  assert.deepEqual(nested?.observations, flat?.observations)
  assert.deepEqual([issuesOf(flat ?? null), issuesOf(nested ?? null)], [[], []])
})

test('ignores the data of an export container', () => {
  const lbct = answerOf('lbct')
  assert.deepEqual(hear(lbct, { containers: [{ ...lbctBox, category: 'EXPRT' }] })?.observations, [])
  assert.equal(hear(lbct, { containers: [{ ...lbctBox, category: 'EXPRT' }] })?.outcome, 'known_without_data')
})
