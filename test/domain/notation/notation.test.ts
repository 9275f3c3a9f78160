import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type NotationContext,
  parseJourneyLine,
  writeClaim,
  writeMilestone,
  writeObservation,
} from '../../../src/domain/notation/notation.ts'
import { naturalKeyOf } from '../../../src/domain/statements/natural-key.ts'
import type { EventObservation, FactObservation } from '../../../src/domain/statements/observation.ts'
import type { Milestone } from '../../../src/domain/view/projection.ts'
import { claims, observations, sources } from '../statements/observation-arbitraries.ts'

const zones: Readonly<Record<string, string>> = { CNNGB: 'Asia/Shanghai', USLAX: 'America/Los_Angeles' }
const context: NotationContext = {
  timeZoneOf: (unlocode) => zones[unlocode] ?? null,
  equipment: 'TCNU1234565',
}
const noPlace = {
  unlocode: null,
  terminalId: null,
  facilityCode: null,
  facilityType: null,
  name: null,
  timeZone: null,
} as const

const loaded: EventObservation = {
  kind: 'event',
  key: 'ACT|LOAD|LADEN|-|CNNGB|-|-|TCNU1234565',
  equipment: 'TCNU1234565',
  statedAt: null,
  isRetracted: false,
  classifier: 'ACT',
  code: 'LOAD',
  load: 'LADEN',
  mode: null,
  time: { kind: 'instant', at: '2026-01-06T14:30:00.000Z' },
  place: { ...noPlace, unlocode: 'CNNGB', timeZone: 'Asia/Shanghai' },
  vessel: null,
  voyage: null,
  callId: null,
  callSequence: null,
  original: null,
}

test('writes and parses an event as one line of text', () => {
  const line = 'ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:EGLV'
  const source = { kind: 'shipping_line', code: 'EGLV' } as const
  assert.deepEqual(parseJourneyLine(line, context), {
    kind: 'said',
    observation: loaded,
    source,
    record: null,
  })
  assert.equal(writeObservation(loaded, source, context), line)
})

const canonical = [
  'EST ARRI LADEN USLAX 2026-01-29        carrier:EGLV',
  'PLN DEPA -     CNNGB 2026-01-06T14:30  carrier:HLCU via=VESSEL vessel=9321483/"King of the Seas" voyage=012E',
  'ACT ARRI LADEN USCHI 2026-02-03T08:15:30Z rail:BNSF via=RAIL at=SMDG:H572 site=RAMP name="Chicago, IL"',
  'ACT -    -     -     2026-01-06        terminal:W185 name="Somewhere" original="BERTH SHIFT"',
  'ACT GTOT EMPTY CNNGB 2026-01-02        carrier:MAEU box=MSKU0000006 call=A-1 seq=2 key=e-17 stated=2026-01-03T09:00Z retracted',
  'FACT pickup_lfd_line 2026-02-03 carrier:HLCU',
  'FACT holds [customs:hold:"exam, at the terminal", freight:pending] terminal:W185',
  'FACT holds [] terminal:W185',
  'FACT fees [demurrage:120.00USD, total:120.125USD, other:0.00EUR] terminal:W185',
  'FACT available true terminal:W185',
  'FACT size_type 45G1 carrier:HLCU',
  'FACT weight_kg 18250.5 carrier:HLCU',
  'FACT pod_terminal USLAX carrier:HLCU at=SMDG:PCT',
  'FACT bill_of_lading_number HLCUSHA2401 carrier:HLCU box=-',
  'FACT booking_cancelled false carrier:HLCU box=-',
  'FACT delivered 2026-02-09T18:00Z user:api',
  'FACT delivered - user:api',
]

test('each line of a story is written back as the same line', () => {
  for (const line of canonical) {
    const read = parseJourneyLine(line, context)
    assert.equal(read.kind, 'said', `${line}: ${JSON.stringify(read)}`)
    if (read.kind === 'said') assert.equal(writeObservation(read.observation, read.source, context), line)
  }
})

test('a parsed line ignores blanks, comments, and the order of the fields after the place and time', () => {
  const plain = parseJourneyLine('ACT LOAD LADEN CNNGB 2026-01-06 via=VESSEL voyage=1E carrier:EGLV')
  const other = parseJourneyLine('  ACT  LOAD LADEN\tCNNGB 2026-01-06 carrier:EGLV   voyage=1E via=VESSEL # as told')
  assert.equal(plain.kind, 'said')
  assert.deepEqual(plain, other)
  assert.deepEqual(parseJourneyLine('# only a comment'), { kind: 'blank' })
  assert.deepEqual(parseJourneyLine('   '), { kind: 'blank' })
})

const wrong: readonly (readonly [line: string, column: number, problem: RegExp])[] = [
  ['ACT LOAD LADN CNNGB 2026-01-06 carrier:EGLV', 10, /LADN is none of EMPTY, LADEN/],
  ['DID LOAD LADEN CNNGB 2026-01-06 carrier:EGLV', 1, /none of PLN, EST, ACT/],
  ['ACT LOAD LADEN NINGBO 2026-01-06 carrier:EGLV', 16, /NINGBO is not valid/],
  ['ACT LOAD LADEN CNNGB 2026-02-30 carrier:EGLV', 22, /not a time/],
  ['ACT LOAD LADEN CNNGB 2026-01-06 EGLV', 33, /EGLV is not a source/],
  ['ACT LOAD LADEN CNNGB 2026-01-06 carrier:', 41, /needs quotes|must be given/],
  ['ACT LOAD LADEN CNNGB 2026-01-06', 32, /an event is/],
  ['ACT LOAD LADEN CNNGB 2026-01-06 via=RAIL', 41, /a source is expected/],
  ['ACT LOAD LADEN CNNGB 2026-01-06 carrier:EGLV via=ROAD', 50, /ROAD is none of/],
  ['ACT LOAD LADEN CNNGB 2026-01-06 carrier:EGLV mode=RAIL', 46, /mode= has no meaning/],
  ['ACT LOAD LADEN CNNGB 2026-01-06 carrier:EGLV box=TCNU1234566', 50, /not valid/],
  ['ACT LOAD LADEN CNNGB 2026-01-06 carrier:EGLV vessel=9321484', 53, /not valid/],
  ['ACT LOAD LADEN CNNGB 2026-01-06 carrier:EGLV voyage=1 voyage=2', 55, /said twice/],
  ['ACT LOAD LADEN CNNGB 2026-01-06 carrier:EGLV name="open', 51, /does not end/],
  ['ACT LOAD LADEN CNNGB 2026-01-06 carrier:EGLV stated=2026-01-06T10:00', 53, /lacks its zone/],
  ['ACT LOAD LADEN CNNGB 2026-01-06 carrier:EGLV claim=c1', 52, /read= and recorded=/],
  ['FACT colour blue carrier:EGLV', 6, /colour is none of/],
  ['FACT available maybe carrier:EGLV', 16, /none of true, false/],
  ['FACT available true carrier:EGLV at=X1', 34, /at= has no meaning/],
  ['FACT holds none terminal:W185', 12, /list in \[brackets\]/],
  ['FACT holds [customs:held] terminal:W185', 21, /held is none of/],
  ['FACT holds [customs:hold terminal:W185', 12, /does not end/],
  ['FACT fees [demurrage:USD] terminal:W185', 12, /a fee is/],
  ['FACT weight_kg 18t carrier:HLCU', 16, /not a number/],
]

test('reports a mistake with its column', () => {
  for (const [line, column, problem] of wrong) {
    const read = parseJourneyLine(line)
    assert.equal(read.kind, 'error', line)
    if (read.kind !== 'error') continue
    assert.match(read.problem, problem, line)
    assert.equal(read.column, column, `${line}: ${read.problem}`)
  }
})

test('writes every observation as one line and reads it back exactly', () => {
  fc.assert(
    fc.property(observations, sources, (observation, source) => {
      for (const around of [{}, context]) {
        const line = writeObservation(observation, source, around)
        assert.equal(/[\n\r]/.test(line), false)
        assert.deepEqual(parseJourneyLine(line, around), { kind: 'said', observation, source, record: null }, line)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('writes every claim as one line and reads it back exactly', () => {
  fc.assert(
    fc.property(claims, (claim) => {
      const read = parseJourneyLine(writeClaim(claim, context), context)
      assert.equal(read.kind, 'said')
      if (read.kind !== 'said') return
      assert.deepEqual({ ...read.record, observation: read.observation, source: read.source }, claim)
    }),
    { numRuns: 1_000 },
  )
})

test('parsing never fails on arbitrary text, and each error names a column of the line', () => {
  const words = fc.constantFrom(
    'ACT',
    'FACT',
    'LOAD',
    'LADEN',
    'CNNGB',
    '2026-01-06',
    'carrier:X',
    'holds',
    '[',
    ']',
    '"',
    '\\',
    'a=b',
    '=',
    ':',
    '-',
    '#',
    'name="x"',
    'fees',
    '[total:1USD]',
  )
  const lines = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.array(words, { maxLength: 12 }).map((parts) => parts.join(' ')),
  )
  fc.assert(
    fc.property(lines, (line) => {
      const read = parseJourneyLine(line)
      return read.kind !== 'error' || (read.column >= 1 && read.column <= line.length + 1)
    }),
    { numRuns: 3_000 },
  )
})

test('a statement keeps its key when only its time changes', () => {
  const later: EventObservation = { ...loaded, time: { kind: 'day', on: '2026-01-08' } }
  assert.equal(naturalKeyOf(later), naturalKeyOf(loaded))
  assert.notEqual(naturalKeyOf({ ...loaded, voyage: '002W' }), naturalKeyOf(loaded))
  assert.notEqual(naturalKeyOf({ ...loaded, classifier: 'EST' }), naturalKeyOf(loaded))
  const fact: FactObservation = {
    kind: 'fact',
    key: '',
    equipment: null,
    statedAt: null,
    isRetracted: false,
    fact: 'available',
    value: true,
  }
  assert.equal(naturalKeyOf(fact), 'available|-')
})

test('writes a milestone as one line with its result', () => {
  const milestone: Milestone = {
    kind: 'actual',
    name: 'vessel_loaded',
    callKey: 'CNNGB#1',
    time: loaded.time,
    place: loaded.place,
    vessel: null,
    voyage: null,
    source: 'shipping_line',
    claimId: 'c1',
  }
  assert.equal(writeMilestone(milestone), 'ACT vessel_loaded CNNGB 2026-01-06T14:30Z (shipping_line)')
  const arrival: Milestone = {
    ...milestone,
    kind: 'estimated',
    name: 'vessel_arrived',
    time: { kind: 'day', on: '2026-01-29' },
    place: { ...noPlace, name: 'Los Angeles' },
    source: 'ais',
  }
  assert.equal(writeMilestone(arrival), 'EST vessel_arrived "Los Angeles" 2026-01-29 (ais)')
  assert.match(writeMilestone({ ...arrival, place: noPlace }), /^EST vessel_arrived - /)
})

test('the examples in the notation’s documentation are correct', () => {
  const page = readFileSync(new URL('../../../docs/notation.md', import.meta.url), 'utf8')
  const blocks = [...page.matchAll(/```journey\n([\s\S]*?)```/g)].map((match) => match[1] ?? '')
  assert.ok(blocks.length >= 3)
  for (const line of blocks.join('').split('\n')) {
    const read = parseJourneyLine(line)
    assert.notEqual(read.kind, 'error', `${line}: ${JSON.stringify(read)}`)
  }
})
