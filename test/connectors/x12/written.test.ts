// A journey in the notation, written as X12, reads back as the part that X12 can carry.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { syntheticSender, writeX12 } from '../../../sandbox/edi/x12.ts'
import type { X12Journey } from '../../../sandbox/edi/x12-journey.ts'
import { parseJourneyLine } from '../../../src/domain/notation/notation.ts'
import type { FactObservation, Observation } from '../../../src/domain/statements/observation.ts'
import { containerCheckDigit } from '../../../src/domain/values/identifiers.ts'
import { carriedByX12 } from '../../../tools/edi-samples/x12-carries.ts'
import { line, readPart, x12, zoneOf } from './fixtures.ts'

const speakers = { line: 'shipping_line', terminal: 'terminal', rail: 'rail' } as const
const allWords = ['line', 'terminal', 'rail'] as const

/** By key, as one statement replaces another. */
function readBack(journey: X12Journey<Observation>): readonly string[] {
  const delivered = x12.splitDelivery(writeX12(journey), {})
  assert.deepEqual(delivered.faults, [])
  const byKey = new Map<string, Observation>()
  for (const part of delivered.parts) {
    const reading = readPart(part, { speaker: speakers[journey.words] })
    // A railway writes no check digit.
    assert.deepEqual(
      reading.issues.filter(({ kind }) => kind !== 'check_digit'),
      [],
    )
    for (const stated of reading.observations) byKey.set(stated.key, stated)
  }
  return [...byKey.values()].map(plain).sort()
}

function expected(journey: X12Journey<Observation>): readonly string[] {
  const { bill, booking, box: container } = journey
  if (!journey.said.some(isToldAlone)) return []
  const documents = [
    ...(bill === null ? [] : [fact('bill_of_lading_number', bill, null)]),
    ...(booking === null ? [] : [fact('booking_number', booking, null)]),
  ]
  const byWhat = new Map<string, Observation>()
  for (const stated of journey.said) byWhat.set(whatOf(stated), stated)
  // Available as an event is available as a fact.
  const last = journey.said.findLast(
    (stated) =>
      (stated.kind === 'event' && stated.code === 'AVPU') || (stated.kind === 'fact' && stated.fact === 'available'),
  )
  if (last?.kind === 'event') byWhat.set('available', fact('available', true, container))
  return [...documents, ...byWhat.values()].map(plain).sort()
}

function isToldAlone(stated: Observation): boolean {
  return (
    stated.kind === 'event' ||
    ['hold', 'available', 'pickup_lfd_line', 'pickup_lfd_terminal', 'pickup_lfd_rail', 'pickup_appointment'].includes(
      stated.fact,
    )
  )
}

function whatOf(stated: Observation): string {
  if (stated.kind === 'fact') return stated.fact === 'hold' ? `hold ${stated.value.name}` : stated.fact
  return [stated.classifier, stated.code, stated.load, stated.mode, stated.place.unlocode].join(' ')
}

function fact(name: string, value: unknown, equipment: string | null): FactObservation {
  const stated = { kind: 'fact', key: name, fact: name, value, equipment, statedAt: null, isRetracted: false }
  return stated as FactObservation
}

function plain(stated: Observation): string {
  return line({ ...stated, key: '', statedAt: null })
}

test('each golden story is read back from X12 with everything that X12 can state', () => {
  const stories = new URL('../../journey-stories/', import.meta.url)
  let carriedCount = 0
  for (const entry of readdirSync(stories, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    const text = readFileSync(new URL(`${entry.name}/story.txt`, stories), 'utf8')
    const container = /^box (\S+)$/m.exec(text)?.[1] ?? 'TCNU1234565'
    const stated = text.split('\n').flatMap((each) => {
      const read = parseJourneyLine(each, { equipment: container, timeZoneOf: zoneOf })
      return read.kind === 'said' && read.observation.equipment === container ? [read.observation] : []
    })
    for (const words of allWords) {
      const journey = carriedByX12({
        words,
        box: container,
        bill: 'HLCUNGB260101',
        booking: null,
        said: stated,
      })
      carriedCount += journey.said.length
      assert.deepEqual(readBack(journey), expected(journey), `${entry.name} in the words of a ${words}`)
    }
  }
  assert.ok(carriedCount > 200, `${carriedCount} statements were carried`)
})

const twoDigits = (min: number, max: number) =>
  fc.integer({ min, max }).map((number) => String(number).padStart(2, '0'))
const day = fc.tuple(twoDigits(1, 12), twoDigits(1, 28)).map(([month, date]) => `2026-${month}-${date}`)
const clockTime = fc.tuple(twoDigits(0, 23), twoDigits(0, 59), twoDigits(0, 59))
const time = fc
  .tuple(day, fc.option(fc.oneof(fc.constant(['00', '00', '00']), clockTime), { nil: null }), fc.boolean())
  .map(([on, clock, isInstant]) => `${on}${clock === null ? '' : `T${clock.join(':')}${isInstant ? 'Z' : ''}`}`)
const place = fc.constantFrom('CNNGB', 'USLAX', 'DEHAM', 'SGSIN', 'USCHI', 'KRPUS')
const happening = fc.constantFrom(
  ['GTOT EMPTY', ''],
  ['GTOT LADEN', ''],
  ['GTOT -', ''],
  ['GTIN LADEN', ''],
  ['GTIN EMPTY', ''],
  ['LOAD LADEN', 'via=VESSEL vessel=9321483/"King of the Seas" voyage=012E'],
  ['DISC LADEN', 'via=VESSEL vessel=-/"FEEDER 1"'],
  ['DEPA -', 'via=VESSEL'],
  ['ARRI -', 'via=VESSEL'],
  ['LOAD LADEN', 'via=BARGE'],
  ['LOAD LADEN', 'via=RAIL'],
  ['DEPA -', 'via=RAIL'],
  ['ARRI -', 'via=RAIL'],
  ['DISC LADEN', 'via=RAIL'],
  ['AVPU -', ''],
)
const eventLine = fc
  .tuple(happening, place, time)
  .map(([[what, more], where, at]) => `ACT ${what} ${where} ${at} carrier:HLCU ${more}`)
const estimateLine = fc
  .tuple(fc.constantFrom('ARRI', 'DEPA'), place, time)
  .map(([what, where, at]) => `EST ${what} - ${where} ${at} carrier:HLCU via=VESSEL`)
const factLine = fc.oneof(
  day.map((on) => `FACT pickup_lfd_line ${on} carrier:HLCU`),
  day.map((on) => `FACT pickup_lfd_terminal ${on} carrier:HLCU`),
  day.map((on) => `FACT pickup_lfd_rail ${on} carrier:HLCU`),
  time.map((at) => `FACT pickup_appointment ${at} carrier:HLCU`),
  place.map((where) => `FACT port_of_discharge ${where} carrier:HLCU`),
  place.map((where) => `FACT port_of_loading ${where} carrier:HLCU`),
  fc.constantFrom(
    'FACT hold freight:hold:"freight is due" carrier:HLCU',
    'FACT hold freight:released:"released by the carrier" carrier:HLCU',
    'FACT hold customs:hold:"intensive customs examination" carrier:HLCU',
    'FACT hold customs:released:"released by customs" carrier:HLCU',
    'FACT available false carrier:HLCU',
    'FACT fee exam:due:120:-:"exam fee" carrier:HLCU',
    'FACT size_type 45G1 carrier:HLCU',
    'FACT seal_number SEAL77 carrier:HLCU',
    'FACT yard_location "B 12-3" carrier:HLCU',
    'FACT pickup_number 4711 carrier:HLCU',
    'FACT weight_kg 18250.5 carrier:HLCU',
    'FACT chassis_number TSXZ123456 carrier:HLCU',
  ),
)

test('any journey is read back from X12 with everything that X12 can state', () => {
  const container = fc.integer({ min: 100000, max: 999999 }).map((serial) => {
    const ten = `TCNU${serial}`
    return `${ten}${containerCheckDigit(ten)}`
  })
  const lines = fc.array(fc.oneof(eventLine, eventLine, estimateLine, factLine), { maxLength: 12 })
  const document = fc.option(fc.constantFrom('HLCUNGB260101', '6PHLSA1234'), { nil: null })
  fc.assert(
    fc.property(
      fc.constantFrom(...allWords),
      container,
      lines,
      document,
      document,
      (words, container, lines, bill, booking) => {
        const stated = lines.map((text) => {
          const read = parseJourneyLine(text, { equipment: container, timeZoneOf: zoneOf })
          assert.equal(read.kind, 'said', text)
          return read.kind === 'said' ? read.observation : ([] as never)
        })
        // Without a document the day is of the key: the same happening on two days is two.
        const journey = carriedByX12({
          words,
          box: container,
          bill: bill ?? 'ABCD1234',
          booking,
          said: stated,
        })
        assert.deepEqual(readBack(journey), expected(journey))
      },
    ),
    { numRuns: 300 },
  )
})

test('a written sample states that it is synthetic and a test', () => {
  const text = writeX12({ words: 'line', box: 'TCNU1234565', bill: null, booking: null, said: [] }).toString()
  assert.match(text, new RegExp(`^ISA\\*.*\\*ZZ\\*${syntheticSender} .*\\*T\\*>~`))
})
