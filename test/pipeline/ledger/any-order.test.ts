/**
 * The promise of the intake: the same statements (with the time since when they are effective, their keys, speakers, and
 * first hand or relayed) make the same journey in any order, repeated any number of times, and under any poll targets.
 * The promise does not include polled answers and complete answers: they keep the order of receipt.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { writeObservation } from '../../../src/domain/notation/notation.ts'
import { projectShipment } from '../../../src/domain/shipment/shipment.ts'
import { naturalKeyOf } from '../../../src/domain/statements/natural-key.ts'
import type { FactObservation, Hand, Observation, Source } from '../../../src/domain/statements/observation.ts'
import { canonicalJson } from '../../../src/domain/values/json-value.ts'
import type { EventTime } from '../../../src/domain/values/time.ts'
import type { ShipmentProjection } from '../../../src/domain/view/projection.ts'
import { defaultProjectionRules as rules } from '../../../src/domain/view/projection-rules.ts'
import { applyStatements } from '../../../src/pipeline/ledger/apply-statements.ts'
import { compareReading } from '../../../src/pipeline/ledger/compare-reading.ts'
import { findActiveClaims } from '../../../src/pipeline/ledger/state-rows.ts'
import type { ClaimsById } from '../../../src/pipeline/projection/journey-state-sql.ts'
import { rampAreaOf } from '../../../src/reference/ramps.ts'
import { likelyEvents, likelySources, moments } from '../../domain/statements/likely-events.ts'
import { feeWords, holdWords } from '../../domain/statements/observation-arbitraries.ts'

interface Message {
  readonly source: Source
  readonly hand: Hand
  readonly writtenAt: string
  readonly observations: readonly Observation[]
}

const now = '2026-03-10T00:00:00.000Z'
const accountId = '00000000-0000-4000-8000-000000000001'
const speakers = fc.oneof(likelySources, fc.constant<Source>({ kind: 'user', code: 'u1' }))
const days: fc.Arbitrary<EventTime> = moments.map((ms) => ({
  kind: 'day',
  on: new Date(ms).toISOString().slice(0, 10),
}))
const written = moments.map((ms) => new Date(ms).toISOString())
/**
 * Many messages do not say when each of their statements was made. Those that do use few moments, so moments repeat.
 */
const statedAt = fc.option(written, { nil: null, freq: 2 })
const equipment = fc.constantFrom('TCNU1234565', 'TCNU1234565', 'TEMU5550108', null)

function factOf<Name extends FactObservation['fact']>(
  fact: Name,
  values: fc.Arbitrary<Extract<FactObservation, { fact: Name }>['value']>,
): fc.Arbitrary<Observation> {
  const stated = fc.record({
    value: values,
    statedAt,
    equipment,
    isRetracted: fc.constantFrom(false, false, true),
  })
  return stated.map((of) => keyed({ kind: 'fact', fact, key: '', ...of } as unknown as Observation))
}

function keyed(stated: Observation): Observation {
  return { ...stated, key: naturalKeyOf(stated) }
}

const observations: fc.Arbitrary<Observation> = fc.oneof(
  likelyEvents.map(keyed),
  fc.tuple(likelyEvents, fc.boolean()).map(([stated, isRetracted]) => keyed({ ...stated, isRetracted })),
  factOf('pickup_lfd_terminal', days),
  factOf('available', fc.boolean()),
  factOf('weight_kg', fc.constantFrom(9_000, 18_000)),
  factOf('bill_of_lading_number', fc.constantFrom('A1', 'B2')),
  factOf('hold', holdWords),
  factOf('fee', feeWords),
  factOf('holds', fc.constantFrom([], [{ name: 'customs', status: 'hold', description: null }])),
  factOf('fees', fc.constantFrom([], [{ type: 'exam', amount: 120, currencyCode: 'USD' }])),
)
const messages: fc.Arbitrary<readonly Message[]> = fc.array(
  fc.record({
    source: speakers,
    hand: fc.constantFrom<Hand>('first', 'first', 'relayed'),
    writtenAt: written,
    observations: fc.array(observations, { minLength: 1, maxLength: 3 }),
  }),
  { maxLength: 14 },
)

interface Receipt {
  readonly message: Message
  /** Which of its speaker's poll targets the message comes under. A channel speaks for one poll target. */
  readonly subject: number
}

/** For each poll target, the active claims after all receipts have come, in this order. */
function hear(receipts: readonly Receipt[]): ReadonlyMap<string, ClaimsById> {
  const subjects = new Map<string, ClaimsById>()
  for (const [place, { message, subject }] of receipts.entries()) {
    const recordedAt = new Date(Date.parse(now) + place).toISOString()
    const { source, hand, writtenAt, observations: given } = message
    const subjectId = `${source.kind}:${source.code} ${subject}`
    const stated = subjects.get(subjectId) ?? new Map()
    const change = compareReading(findActiveClaims(stated), {
      accountId,
      subjectId,
      shipmentId: null,
      snapshotId: null,
      source,
      hand,
      message: { writtenAt, deliveryKey: null },
      observations: given,
      withdrawn: [],
      isFullPicture: false,
      recordedAt,
    })
    subjects.set(subjectId, applyStatements(stated, change, { at: recordedAt, snapshotId: null, reader: 'test/1' }))
  }
  return subjects
}

function journeyOf(receipts: readonly Receipt[]): unknown {
  const claims = [...hear(receipts).values()].flatMap(findActiveClaims)
  const projection = projectShipment({
    claims,
    line: { scac: 'HLCU', isAverageWeight: true },
    request: { kind: 'container', number: 'TCNU1234565' },
    now,
    previous: null,
    rules,
    areaOf: rampAreaOf,
  })
  const words = new Map(
    claims.map(({ id, source, observation, hand }) => [id, `${writeObservation(observation, source)} ${hand}`]),
  )
  const parsed = JSON.parse(JSON.stringify(projection), (_, value) => words.get(value) ?? value) as ShipmentProjection
  return { ...parsed, issues: parsed.issues.map(canonicalJson).toSorted() }
}

function shuffled<T>(all: readonly T[], chance: Iterator<number>): readonly T[] {
  return all
    .map((each) => ({ each, place: chance.next().value as number }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ each }) => each)
}

const runs = { numRuns: 400 }

test('the same messages give the same journey in any order, repeated, and split over any poll targets', () => {
  fc.assert(
    fc.property(messages, fc.infiniteStream(fc.nat()), (given, chance) => {
      const once = given.map((message) => ({ message, subject: 0 }))
      const again = given.filter(() => (chance.next().value ?? 0) % 2 === 0)
      const split = [...given, ...again].map((message) => ({
        message,
        subject: (chance.next().value ?? 0) % 3,
      }))
      assert.deepEqual(journeyOf(shuffled(split, chance)), journeyOf(once))
    }),
    runs,
  )
})

function ids(subjects: ReadonlyMap<string, ClaimsById>): readonly string[] {
  return [...subjects.values()].flatMap((stated) => [...stated.keys()]).toSorted()
}

function activeClaims(subjects: ReadonlyMap<string, ClaimsById>): readonly string[] {
  const claims = [...subjects.values()].flatMap(findActiveClaims)
  return claims.map(({ id, standsAt }) => `${id} ${standsAt}`).toSorted()
}

test('receiving messages again changes neither the recorded claims nor the active claims', () => {
  fc.assert(
    fc.property(messages, (given) => {
      const receipts = given.map((message) => ({ message, subject: 0 }))
      const [stated, twice] = [hear(receipts), hear([...receipts, ...receipts.toReversed()])]
      assert.deepEqual(ids(twice), ids(stated), 'all of it is on record')
      assert.deepEqual(activeClaims(twice), activeClaims(stated))
    }),
    runs,
  )
})
