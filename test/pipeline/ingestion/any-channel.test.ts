// The law of the intake on a small scale. `npm run qa -- intake` checks it on a thousand journeys and states what
// is compared.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { languages } from '../../../qa/intake/carries.ts'
import { expectedEnd } from '../../../qa/intake/expected.ts'
import { fuzzReaders } from '../../../qa/intake/fuzz.ts'
import { inventJourneys, type Journey, type Saying } from '../../../qa/intake/journeys.ts'
import { proveLaw } from '../../../qa/intake/law.ts'
import { readThrough } from '../../../qa/intake/read-through.ts'
import { sendBy, shuffled, type Way, ways } from '../../../qa/intake/sendings.ts'
import { chance } from '../../../qa/kill/chance.ts'
import { nowhere } from '../../../src/domain/statements/observation.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { readConfig } from '../../../src/platform/config.ts'
import { findPlaceByCode } from '../../../src/reference/places.ts'

const nowMs = Date.UTC(2026, 10, 1)
const now = new Date(nowMs).toISOString()
const fold = foldBy(readRules(readConfig({})))

/** Only the readers are tested here, with messages in any order and repeated. */
function assertOneEnd(journey: Journey, seed: number, through: readonly Way[] = ways): void {
  const random = chance(seed)
  let sent = 0
  for (const way of through) {
    const { sendings, sayings } = sendBy(way, journey, { number: () => ++sent, random })
    const again = sendings.filter(() => random() < 0.3)
    const { end, faults } = readThrough(fold, journey, shuffled([...sendings, ...again], random), now)
    assert.deepEqual(faults, [], way)
    assert.deepEqual(end, expectedEnd(fold, journey, sayings, now), `${way}: ${journey.name}`)
  }
}

test('sandbox journeys have the expected result through each kind of channel and through all at once', () => {
  // The written stories come first, then others.
  const journeys = inventJourneys({ count: 45, seed: 3, nowMs })
  assert.ok(journeys.some(({ scenario }) => scenario === 'story_same_port_twice'))
  for (const [seed, journey] of journeys.entries()) assertOneEnd(journey, seed)
})

const moves = [
  ['ACT', 'GTOT', 'EMPTY', 'TRUCK'],
  ['ACT', 'GTIN', 'LADEN', 'TRUCK'],
  ['ACT', 'LOAD', 'LADEN', 'VESSEL'],
  ['ACT', 'DEPA', null, 'VESSEL'],
  ['ACT', 'ARRI', null, 'VESSEL'],
  ['EST', 'DEPA', null, 'VESSEL'],
  ['EST', 'ARRI', null, 'VESSEL'],
  ['ACT', 'DISC', 'LADEN', 'VESSEL'],
  ['ACT', 'LOAD', 'LADEN', 'RAIL'],
  ['ACT', 'DISC', 'LADEN', 'RAIL'],
  ['ACT', 'GTOT', 'LADEN', 'TRUCK'],
  ['ACT', 'GTIN', 'EMPTY', 'TRUCK'],
] as const
const ships = fc.constantFrom(
  { vessel: { imo: '9321483', name: 'KING OF THE SEAS' }, voyage: '601E' },
  { vessel: { imo: '9456757', name: 'QUEEN OF THE SEAS' }, voyage: '044W' },
)
const minutes = fc.integer({ min: 0, max: 60 * 24 * 80 })
const at = (minute: number) => new Date(Date.UTC(2026, 7, 1) + minute * 60_000).toISOString()

/** One event has one id; if it is stated again under this id, it is corrected. */
const sayings: fc.Arbitrary<Saying> = fc
  .record({
    move: fc.constantFrom(...moves),
    ship: ships,
    place: fc.constantFrom('CNNGB', 'KRPUS', 'USLAX', 'USCHI'),
    box: fc.constantFrom('TCNU1234565', 'TEMU5550108'),
    happens: minutes,
    written: minutes,
  })
  .map(({ move: [classifier, code, load, mode], ship, place, box, happens, written }) => {
    const isShips = mode === 'VESSEL'
    const which = isShips && classifier === 'ACT' ? ship.voyage : '-'
    const timeZone = findPlaceByCode(place)?.timeZone ?? null
    return {
      by: 'line',
      writtenAt: at(written),
      bill: 'HLCUSHA260100091',
      booking: null,
      observation: {
        kind: 'event',
        key: [classifier, code, load, mode, place, which, box].join(' '),
        equipment: box,
        statedAt: at(written),
        isRetracted: false,
        classifier,
        code,
        load,
        mode,
        time: { kind: 'instant', at: at(happens) },
        place: { ...nowhere, unlocode: place, timeZone },
        vessel: isShips ? ship.vessel : null,
        voyage: isShips ? ship.voyage : null,
        callId: null,
        callSequence: null,
        original: code,
      },
    }
  })

test('a random journey has the expected result in each message format', () => {
  // Not for all languages at once: a correction in another language has another key, so it does not replace what it
  // corrects. For one moment a sender makes one statement.
  const statements = fc.uniqueArray(sayings, { maxLength: 14, selector: ({ writtenAt }) => writtenAt })
  fc.assert(
    fc.property(statements, fc.nat(), (some, seed) => {
      const asked = { type: 'bill_of_lading', number: 'HLCUSHA260100091' } as const
      const inOrder = some.toSorted((a, b) => (a.writtenAt < b.writtenAt ? -1 : 1))
      assertOneEnd({ name: 'any', scenario: 'any', scac: 'HLCU', asked, sayings: inOrder }, seed, languages)
    }),
    { numRuns: 25 },
  )
})

test('a journey has the expected result, whether its messages come before or after the tracking request', async () => {
  const reports = await proveLaw({ journeys: 5, seed: 3, only: ['all'], say: () => {} })
  assert.deepEqual(
    reports.flatMap(({ problems }) => problems),
    [],
  )
})

test('no message reader fails on fuzzed messages within two seconds', async () => {
  assert.deepEqual((await fuzzReaders({ forMs: 2_000, seed: 5, say: () => {} })).problems, [])
})
