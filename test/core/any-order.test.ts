/**
 * The promise of the intake: the same statements (with the time since when they stand, their keys, speakers, and first
 * hand or relayed) make the same journey in any order, repeated any number of times, and under any subjects. The
 * promise does not include answers and full pictures: they keep the order of receipt.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { writeObservation } from '../../src/core/notation/notation.ts'
import { projectShipment } from '../../src/core/shipment/shipment.ts'
import type { ShipmentProjection } from '../../src/core/shown/projection.ts'
import { defaultProjectionRules as rules } from '../../src/core/shown/projection-rules.ts'
import { naturalKeyOf } from '../../src/core/statements/natural-key.ts'
import type { FactObservation, Hand, Observation, Source } from '../../src/core/statements/observation.ts'
import { canonicalJson } from '../../src/core/values/json-value.ts'
import type { EventTime } from '../../src/core/values/time.ts'
import { rampAreaOf } from '../../src/reference/ramps.ts'
import { compareReading } from '../../src/service/ledger/absorb.ts'
import { standingClaims } from '../../src/service/ledger/state-rows.ts'
import { takeIn } from '../../src/service/ledger/take-in.ts'
import type { SaidClaims } from '../../src/store/journey-state/state.ts'
import { likelyEvents, likelySources, moments } from './likely.ts'
import { feeWords, holdWords } from './observation-arbitraries.ts'

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
  const said = fc.record({
    value: values,
    statedAt,
    equipment,
    isRetracted: fc.constantFrom(false, false, true),
  })
  return said.map((of) => keyed({ kind: 'fact', fact, key: '', ...of } as unknown as Observation))
}

function keyed(said: Observation): Observation {
  return { ...said, key: naturalKeyOf(said) }
}

const observations: fc.Arbitrary<Observation> = fc.oneof(
  likelyEvents.map(keyed),
  fc.tuple(likelyEvents, fc.boolean()).map(([said, isRetracted]) => keyed({ ...said, isRetracted })),
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
  /** Which of its speaker's subjects the message comes under. A channel speaks for one subject. */
  readonly subject: number
}

/** For each subject, what stands after all receipts have come, in this order. */
function hear(receipts: readonly Receipt[]): ReadonlyMap<string, SaidClaims> {
  const subjects = new Map<string, SaidClaims>()
  for (const [place, { message, subject }] of receipts.entries()) {
    const recordedAt = new Date(Date.parse(now) + place).toISOString()
    const { source, hand, writtenAt, observations: told } = message
    const subjectId = `${source.kind}:${source.code} ${subject}`
    const said = subjects.get(subjectId) ?? new Map()
    const change = compareReading(standingClaims(said), {
      accountId,
      subjectId,
      shipmentId: null,
      snapshotId: null,
      source,
      hand,
      message: { writtenAt, deliveryKey: null },
      observations: told,
      withdrawn: [],
      isFullPicture: false,
      recordedAt,
    })
    subjects.set(subjectId, takeIn(said, change, { at: recordedAt, snapshotId: null, reader: 'test/1' }))
  }
  return subjects
}

function journeyOf(receipts: readonly Receipt[]): unknown {
  const claims = [...hear(receipts).values()].flatMap(standingClaims)
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
    claims.map(({ id, source, observation, hand }) => [
      id,
      `${writeObservation(observation, source)} ${hand}`,
    ]),
  )
  const told = JSON.parse(
    JSON.stringify(projection),
    (_, value) => words.get(value) ?? value,
  ) as ShipmentProjection
  return { ...told, issues: told.issues.map(canonicalJson).toSorted() }
}

function shuffled<T>(all: readonly T[], chance: Iterator<number>): readonly T[] {
  return all
    .map((each) => ({ each, place: chance.next().value as number }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ each }) => each)
}

const runs = { numRuns: 400 }

test('the same messages make the same journey in any order, repeated any times, and split over any subjects', () => {
  fc.assert(
    fc.property(messages, fc.infiniteStream(fc.nat()), (told, chance) => {
      const once = told.map((message) => ({ message, subject: 0 }))
      const again = told.filter(() => (chance.next().value ?? 0) % 2 === 0)
      const split = [...told, ...again].map((message) => ({
        message,
        subject: (chance.next().value ?? 0) % 3,
      }))
      assert.deepEqual(journeyOf(shuffled(split, chance)), journeyOf(once))
    }),
    runs,
  )
})

function ids(subjects: ReadonlyMap<string, SaidClaims>): readonly string[] {
  return [...subjects.values()].flatMap((said) => [...said.keys()]).toSorted()
}

function standing(subjects: ReadonlyMap<string, SaidClaims>): readonly string[] {
  const claims = [...subjects.values()].flatMap(standingClaims)
  return claims.map(({ id, standsAt }) => `${id} ${standsAt}`).toSorted()
}

test('an overtaken statement is on record and does not stand, and nothing changes when it comes again', () => {
  fc.assert(
    fc.property(messages, (told) => {
      const receipts = told.map((message) => ({ message, subject: 0 }))
      const [said, twice] = [hear(receipts), hear([...receipts, ...receipts.toReversed()])]
      assert.deepEqual(ids(twice), ids(said), 'all of it is on record')
      assert.deepEqual(standing(twice), standing(said))
    }),
    runs,
  )
})
