import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { type EdiJourney, writeCoarri, writeCodeco, writeIftsta } from '../../../sandbox/edi/edifact.ts'
import { noDocuments } from '../../../src/connectors/edifact/documents.ts'
import type { CommonStatement } from '../../../src/connectors/edifact/statements.ts'
import { parseJourneyLine, writeObservation } from '../../../src/domain/notation/notation.ts'
import {
  type EventObservation,
  holdNames,
  nowhere,
  type Observation,
} from '../../../src/domain/statements/observation.ts'
import { emptyIndicators, transportModes } from '../../../src/domain/values/codes.ts'
import type { EventTime } from '../../../src/domain/values/time.ts'
import { parseStory } from '../../support/story.ts'
import { carriedByGate, carriedByIftsta, carriedByQuay } from './carried.ts'
import { cut, observationsIn } from './reading.ts'

const source = { kind: 'shipping_line', code: 'HLCU' } as const
const writtenAt = '2026-03-30T12:00:00.000Z'

function byOf({ bill, booking }: EdiJourney): CommonStatement {
  const documents = {
    ...noDocuments,
    bills: bill === null ? [] : [bill],
    bookings: booking === null ? [] : [booking],
  }
  return { documents, statedAt: writtenAt, isRetracted: false }
}

/** The law: from a written message, exactly that part of the journey is read that the message can carry. */
function holdsFor(journey: EdiJourney<Observation>, transshipped: ReadonlySet<string>): void {
  const by = byOf(journey)
  const { observations } = journey
  const status = writeIftsta(journey)
  assert.deepEqual(
    cut(status).faults.filter(({ kind }) => kind !== 'missing_field'),
    [],
  )
  assertSame(observationsIn(status), carriedByIftsta(observations, by))
  const events = observations.filter((stated) => stated.kind === 'event')
  const moves = events.filter(({ classifier, equipment }) => classifier === 'ACT' && equipment !== null)
  const gates = moves.filter(({ code }) => code === 'GTIN' || code === 'GTOT')
  for (const [index, report] of writeCodeco(journey).entries())
    assertSame(observationsIn(report), carriedByGate(gates[index] as EventObservation, observations, by))
  const quays = moves.filter(
    ({ code, mode }) => (code === 'LOAD' || code === 'DISC') && mode !== 'RAIL' && mode !== 'TRUCK',
  )
  for (const [index, report] of writeCoarri(journey, transshipped).entries()) {
    const move = quays[index] as EventObservation
    assertSame(observationsIn(report), carriedByQuay(move, transshipped.has(move.place.unlocode ?? ''), by))
  }
}

function assertSame(read: readonly Observation[], carried: readonly Observation[]): void {
  const lines = (stated: readonly Observation[]) => stated.map((each) => writeObservation(each, source)).sort()
  assert.deepEqual(lines(read), lines(carried))
}

test('the golden stories, written as EDIFACT, are read back as far as a message can carry them', () => {
  const folder = new URL('../../journey-stories/', import.meta.url)
  const names = readdirSync(folder, { withFileTypes: true }).filter((each) => each.isDirectory())
  let statements = 0
  for (const { name } of names) {
    const story = parseStory(readFileSync(new URL(`${name}/story.txt`, folder), 'utf8'))
    const observations = story.looks.flatMap(({ said: stated }) => stated.map(({ line }) => line.observation))
    // Of several versions in a story, one message states one.
    const unique = [...new Map(observations.map((each) => [whatOf(each), each])).values()]
    statements += unique.length
    const { number } = story.request
    const isBox = story.request.kind === 'container'
    const journey = {
      bill: isBox ? null : number,
      booking: null,
      observations: unique,
      writtenAt,
      reference: '1',
    }
    // If a statement of a story is about all containers, a message without a document does not state which are meant.
    const stated = isBox ? unique.filter(({ equipment }) => equipment !== null) : unique
    holdsFor({ ...journey, observations: stated }, new Set(['KRPUS']))
  }
  assert.ok(statements > 200)
})

function whatOf(stated: Observation): string {
  return stated.kind === 'fact' ? `${stated.fact} ${stated.equipment}` : JSON.stringify(stated)
}

const times = fc
  .tuple(fc.constantFrom('instant', 'local', 'day'), fc.integer({ min: 1_767_225_600, max: 1_774_000_000 }))
  .map(([kind, seconds]): EventTime => {
    const at = new Date(seconds * 1_000).toISOString()
    if (kind === 'instant') return { kind, at }
    return kind === 'day' ? { kind: 'day', on: at.slice(0, 10) } : { kind: 'local', local: at.slice(0, 19) }
  })
const words = fc.stringMatching(/^[A-Z][A-Z0-9 ?'+:]{0,10}[A-Z0-9?'+:]$/)
const places = fc.record({
  unlocode: fc.constantFrom('CNNGB', 'USLAX', 'KRPUS', 'NLRTM', null),
  facilityCode: fc.option(fc.stringMatching(/^[A-Z0-9]{2,6}$/)),
  name: fc.option(words.map((name) => `QX ${name}`)),
})
const containers = fc.constantFrom('TRHU1000010', 'CAIU2000017')
const events = fc
  .record({
    classifier: fc.constantFrom('ACT', 'ACT', 'EST', 'PLN'),
    code: fc.constantFrom('ARRI', 'DEPA', 'LOAD', 'DISC', 'GTIN', 'GTOT', 'STUF', 'STRP', 'WAYP', 'AVPU', null),
    load: fc.option(fc.constantFrom(...emptyIndicators)),
    mode: fc.option(fc.constantFrom(...transportModes)),
    time: times,
    place: places.map((place) => ({ ...nowhere, ...place })),
    vessel: fc.option(
      fc.constantFrom(
        { imo: '9321483', name: "KING O' THE SEAS" },
        { imo: null, name: 'A+B' },
        { imo: '9321483', name: null },
      ),
    ),
    voyage: fc.option(fc.stringMatching(/^[A-Z0-9]{1,6}$/)),
    equipment: fc.option(containers),
  })
  .map(
    (stated) =>
      ({
        kind: 'event',
        key: '',
        statedAt: null,
        isRetracted: false,
        callId: null,
        callSequence: null,
        original: null,
        ...stated,
      }) as EventObservation,
  )
const facts = fc
  .oneof(
    fc.record({
      fact: fc.constant('hold'),
      value: fc.record({
        name: fc.constantFrom(...holdNames),
        status: fc.constantFrom('hold', 'pending', 'released'),
        description: fc.constant(null),
      }),
      equipment: containers,
    }),
    fc.record({
      fact: fc.constant('weight_kg'),
      value: fc.integer({ min: 1, max: 40_000 }),
      equipment: containers,
    }),
    fc.record({
      fact: fc.constantFrom('seal_number', 'chassis_number'),
      value: fc.stringMatching(/^[A-Z0-9]{3,8}$/),
      equipment: containers,
    }),
  )
  .map((stated) => ({ kind: 'fact', key: '', statedAt: null, isRetracted: false, ...stated }) as Observation)

test('any journey with a document, written as EDIFACT, is read back as far as a message can carry it', () => {
  const documents = fc.constantFrom(
    { bill: 'BILLONE001', booking: null },
    { bill: null, booking: 'BOOKING77' },
    { bill: 'BILLONE001', booking: 'BOOKING77' },
  )
  // Each fact once for a container, because of two different statements the later one counts.
  const stated = fc.tuple(
    fc.array(events, { maxLength: 6 }),
    fc.uniqueArray(facts, {
      maxLength: 3,
      selector: (fact) => JSON.stringify([fact.equipment, fact.kind === 'fact' ? fact.fact : '']),
    }),
  )
  fc.assert(
    fc.property(documents, stated, ({ bill, booking }, [told, besides]) => {
      const observations = [...new Map([...told, ...besides].map((each) => [JSON.stringify(each), each])).values()]
      holdsFor({ bill, booking, observations, writtenAt, reference: 'R-1' }, new Set(['KRPUS']))
    }),
    { numRuns: 200 },
  )
})

test('each sample states that it is synthetic and from no partner', () => {
  const line = 'ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:HLCU via=VESSEL box=TRHU1000010'
  const stated = parseJourneyLine(line)
  assert.ok(stated.kind === 'said')
  const journey = {
    bill: 'B0001',
    booking: null,
    observations: [stated.observation],
    writtenAt,
    reference: '7',
  }
  for (const sample of [writeIftsta(journey), ...writeCoarri(journey)]) {
    assert.match(sample.toString(), /UNB\+UNOC:3\+SYNTHETIC\+/)
    assert.match(sample.toString(), /BGM\+[0-9]+\+SYNTHETIC-7/)
  }
})
