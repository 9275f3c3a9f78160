// An endless number of deliveries that are almost X12: for any bytes, cutting and reading must not throw, must give the
// same result twice, and may give only values that the core and the database can store.
import assert from 'node:assert/strict'
import { answerOutcomes, type Reading } from '../../../src/connectors/source.ts'
import { type SourceIssue, sourceIssueKinds } from '../../../src/connectors/source-issue.ts'
import type { X12Profile } from '../../../src/connectors/x12/profile.ts'
import type { Observation } from '../../../src/domain/statements/observation.ts'
import { eventClassifiers, eventCodes, isOneOf } from '../../../src/domain/values/codes.ts'
import { isImoNumber } from '../../../src/domain/values/identifiers.ts'
import { parseEventTime } from '../../../src/domain/values/time.ts'
import { isTimeZone } from '../../../src/domain/values/time-zone.ts'
import { findPlaceByCode } from '../../../src/reference/places.ts'
import { isNamedContainer } from '../sound-reading.ts'
import { interchange, type Reader, readPart, sample, sampleNames, x12 } from './fixtures.ts'

const boldest: X12Profile = {
  dialect: 'terminal',
  codes: {
    VA: 'hold other:x, release terminal_charges, AVPU, available',
    A: 'ARRI RAIL at_end',
    UV: 'estimate',
  },
  references: { BM: 'it_number' },
  terminals: { X: 'Y258' },
  envelopeZone: 'Asia/Kolkata',
}
const readers: readonly Reader[] = [{}, { speaker: 'terminal' }, { speaker: 'rail', profile: boldest }]

/** All results of a delivery, checked. */
export function checkDelivery(delivery: Buffer): void {
  for (const reader of readers) {
    const { parts, faults } = x12.splitDelivery(delivery, reader.profile ?? {})
    faults.forEach(assertSoundIssue)
    let last = 0
    for (const part of parts) {
      assert.ok(part.about.length > 0 && part.ranges.length > 0)
      for (const { from, to } of part.ranges) assert.ok(from < to && to <= delivery.length)
      assert.ok((part.ranges[0]?.from ?? 0) >= 0 && last <= delivery.length)
      last = part.ranges.at(-1)?.to ?? last
      const reading = readPart(part, reader)
      assertSound(reading)
      assert.equal(JSON.stringify(readPart(part, reader)), JSON.stringify(reading))
    }
  }
  assertSound(
    readPart({
      about: [{ kind: 'container', number: 'TCNU1234565' }],
      deliveryKey: null,
      writtenAt: null,
      ranges: [],
      body: delivery,
    }),
  )
}

export function assertSound(reading: Reading): void {
  assert.ok(answerOutcomes.includes(reading.outcome))
  const keys = reading.observations.map(({ key }) => key)
  assert.equal(new Set(keys).size, keys.length, 'keys are unique')
  reading.observations.forEach(assertSoundObservation)
  reading.issues.forEach(assertSoundIssue)
  // What PostgreSQL can't keep as jsonb: NUL and broken surrogates.
  assert.ok(!/\\u0000|\\ud[89a-f]/i.test(JSON.stringify(reading)), 'no text that no database keeps')
}

function assertSoundIssue(issue: SourceIssue): void {
  assert.ok(sourceIssueKinds.includes(issue.kind))
  assert.ok(issue.detail.length > 0 && issue.detail.length < 200, issue.detail)
  assert.match(issue.path, /^(\/[0-9]+){0,2}$/)
}

function assertSoundObservation(observation: Observation): void {
  const { equipment, statedAt } = observation
  if (equipment !== null) assert.ok(isNamedContainer(equipment))
  if (statedAt !== null) assert.equal(statedAt, new Date(statedAt).toISOString())
  if (observation.kind === 'fact') return
  const { time, place, vessel, code, classifier } = observation
  assert.ok(isOneOf(eventClassifiers, classifier) && (code === null || isOneOf(eventCodes, code)))
  const text = time.kind === 'instant' ? time.at : time.kind === 'local' ? time.local : time.on
  assert.deepEqual(parseEventTime(text), time)
  // No zone is invented: it is that of the resolved place or none.
  const resolved = place.unlocode === null ? null : findPlaceByCode(place.unlocode)
  assert.equal(place.timeZone, resolved?.timeZone ?? null)
  assert.equal(place.unlocode, resolved?.unlocode ?? null)
  if (place.timeZone !== null) assert.ok(isTimeZone(place.timeZone))
  if (vessel !== null) {
    assert.ok(vessel.imo === null || isImoNumber(vessel.imo))
    assert.ok(vessel.imo !== null || vessel.name !== null)
  }
}

/** Those that X12 is made of, and what breaks it. */
const splinters = [
  '~',
  '*',
  '>',
  '^',
  '\n',
  '\r\n',
  '\u0000',
  '\u001d',
  '…',
  '\ud83d\udea2',
  'é',
  '',
  '-',
  '0',
  '9'.repeat(40),
  'A'.repeat(400),
  'ISA*',
  'GS*',
  'ST*315*1~',
  'ST*322*1~',
  'SE*3*1~',
  'GE*1*1~',
  'IEA*1*1~',
  'B4***PX*20260230*2561',
  'Q5*NF*20260625',
  'N7*HASU*431617',
  'N9*EQ*TCNU1234565~',
  'N9*TMF*1.5~',
  'SG*CT***20260101~',
  'R4*5*UN*USLAX~',
  'R4*7*CI*CHICAGO**US~',
  'DTM*371*20260401*0800*ET~',
  'Q2*9321483********1***L*X~',
  'M7*1~',
  'NA***TSXZ*1~',
  'N1*RR*X*2*BNSF~',
  'toString',
  '__proto__',
]

const seeds: readonly Buffer[] = [
  ...sampleNames.map(sample),
  interchange([
    '315',
    'B4***AV*20260301*1450**TCNU*123456*L*45G1*USLAX*UN*5',
    'N9*BM*HLCUNGB260101',
    'N9*TMF*78.23',
    'N9*GC*4711',
    'SG*PA***20260301',
    'R4*D*UN*USLAX*LA*US*PIER',
    'DTM*139*20260301*1450*LT',
  ]),
]

/** Runs until the time is up, and gives how many deliveries were tried; throws on the first that breaks a law. */
export function fuzzX12({ forMs, seed }: { readonly forMs: number; readonly seed: number }): number {
  const random = randomOf(seed)
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value
  const until = performance.now() + forMs
  let tried = 0
  for (; performance.now() < until; tried += 1) {
    let delivery = pick(seeds)
    for (let changes = 1 + Math.floor(random() * 6); changes > 0; changes -= 1) {
      const at = Math.floor(random() * (delivery.length + 1))
      const to = Math.min(delivery.length, at + Math.floor(random() ** 3 * 200))
      const put = random() < 0.3 ? Buffer.of(Math.floor(random() * 256)) : Buffer.from(pick(splinters))
      delivery = Buffer.concat([delivery.subarray(0, at), put, delivery.subarray(random() < 0.5 ? at : to)])
    }
    try {
      checkDelivery(delivery)
    } catch (error) {
      throw new Error(`Seed ${seed}, delivery ${tried}: ${JSON.stringify(delivery.toString('latin1'))}`, {
        cause: error,
      })
    }
  }
  return tried
}

/** Mulberry32: the same seed, the same deliveries. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
