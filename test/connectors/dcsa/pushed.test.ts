import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { openDcsaSource } from '../../../src/connectors/dcsa/dcsa-source.ts'
import { openPushedDcsaSource } from '../../../src/connectors/dcsa/pushed-dcsa-source.ts'
import { isKeyOf, type PollRequest } from '../../../src/connectors/source.ts'
import { planJourney } from '../../support/journeys.ts'
import { bytesOf, readParts, settled, snapshotOf, textOf } from '../pushed-harness.ts'
import {
  billRequest,
  bookingRequest,
  box,
  boxRequest,
  equipmentEvent,
  type Json,
  otherBox,
  profile,
  shipmentEvent,
  transportEvent,
} from './events.ts'
import { readLineStories } from './line-story.ts'

const requested = openDcsaSource()
const pushed = openPushedDcsaSource()
const documents = [
  { documentReferenceType: 'BKG', documentReferenceValue: 'ABC709951' },
  { documentReferenceType: 'TRD', documentReferenceValue: 'HHL71800000' },
]

function polledFor(body: unknown, request: PollRequest) {
  return requested.read(snapshotOf(bytesOf(body)), request, { ...profile, body: 'any' })
}

function pushedFor(body: unknown, request: PollRequest) {
  const { parts, faults } = pushed.splitDelivery(bytesOf(body), profile)
  const { kind, number } = request
  return { readings: readParts(pushed, parts, profile, { kind, number }), parts, faults }
}

const samples = readdirSync(new URL('./fixtures/', import.meta.url)).filter((name) => name.startsWith('tnt-'))

describe('Pushed events are read like polled ones:', () => {
  it('the official DCSA samples give the same observations with the same keys', () => {
    for (const name of samples) {
      const body = readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8')
      for (const request of [billRequest, bookingRequest, boxRequest]) {
        const { readings, parts } = pushedFor(body, request)
        const received = new Set(readings.flatMap(({ observations }) => observations).map(textOf))
        for (const stated of polledFor(
          parts.map((part) => JSON.parse(part.body.toString())),
          request,
        ).observations) {
          // A booking is cancelled when all of them are: an answer is evaluated as a whole.
          if (stated.kind === 'fact' && stated.fact === 'booking_cancelled') continue
          assert.ok(received.has(textOf(stated)), `${name} ${request.kind}: ${textOf(stated)}`)
        }
      }
    }
  })

  it('answers of real lines give the same keys, except keys that depend on the position in the answer', () => {
    const compared: string[] = []
    for (const story of readLineStories()) {
      const own = { ...profile, scac: story.scac, body: 'any' } as const
      const { parts } = pushed.splitDelivery(story.answer, own)
      const answer = bytesOf(parts.map((part) => JSON.parse(part.body.toString())))
      const request = { scac: story.scac, ...story.asks }
      const received = new Set(
        readParts(pushed, parts, own, story.asks)
          .flatMap(({ observations }) => observations)
          .map(({ key, equipment }) => `${key} ${equipment}`),
      )
      const { observations } = requested.read(snapshotOf(answer), request, own)
      for (const { key, equipment } of observations)
        if (!/~\d+$/.test(key)) assert.ok(received.has(`${key} ${equipment}`), `${story.scac} ${key}`)
      if (observations.length > 0) compared.push(story.scac)
    }
    // One line has its events in separate lists; as far as we know it pushes no events.
    assert.equal(new Set(compared).size, 8)
  })

  it('law: all pushed parts together give the same result as the polled answer', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), fc.nat({ max: 20 }), fc.nat(3), (seed, poll, kind) => {
        const journey = planJourney({ seed, scac: 'ACLU', startAt: Date.UTC(2026, 0, 2), daysPerLook: 2 })
        const numbers = {
          documentReferences: [{ documentReferenceType: 'TRD', documentReferenceValue: journey.bill }],
        }
        const answer = journey.answerAt(poll).map((event) => ({ ...numbers, ...event }))
        const requests: readonly PollRequest[] = [
          { scac: 'ACLU', kind: 'bill_of_lading', number: journey.bill },
          { scac: 'ACLU', kind: 'booking', number: journey.booking },
          { scac: 'ACLU', kind: 'container', number: journey.containers[0] ?? '' },
          { scac: 'ACLU', kind: 'container', number: journey.containers.at(-1) ?? '' },
        ]
        const request = requests[kind] ?? billRequest
        const whole = polledFor(answer, request)
        const { readings, parts, faults } = pushedFor(answer, request)
        assert.deepEqual(faults, [])
        assert.equal(parts.length, answer.length)
        assert.deepEqual(settled(readings), settled([whole]))
        assert.deepEqual(readings.flatMap(({ withdrawn }) => withdrawn).sort(), [...whole.withdrawn].sort())
        assert.ok(readings.every(({ statedFullPicture }) => !statedFullPicture))
      }),
      { numRuns: 150 },
    )
  })
})

describe('A pushed delivery', () => {
  it('is split into one part for each event, with the original bytes of the event', () => {
    const events = [equipmentEvent({ documentReferences: documents }), shipmentEvent({ documentReferences: documents })]
    const text = ` \n[ ${JSON.stringify(events[0], null, 2)} ,\n${JSON.stringify(events[1])}]\n`
    const body = Buffer.from(`\ufeff${text}`)
    const { parts, faults } = pushed.splitDelivery(body, profile)
    assert.deepEqual(faults, [])
    assert.deepEqual(
      parts.map(({ about }) => about.map(({ kind, number }) => `${kind} ${number}`)),
      [
        ['bill_of_lading HHL71800000', 'booking ABC709951', `container ${box}`],
        ['bill_of_lading HHL71800000', 'booking ABC709951'],
      ],
    )
    for (const [index, part] of parts.entries()) {
      const [range] = part.ranges
      assert.deepEqual(body.subarray(range?.from, range?.to), part.body)
      assert.deepEqual(JSON.parse(part.body.toString()), JSON.parse(JSON.stringify(events[index])))
    }
  })

  it('may be one event alone, or an envelope with other members beside its events', () => {
    const event = equipmentEvent({ note: '"events": [{}] \\' })
    for (const body of [
      event,
      [event],
      { events: [event] },
      { feedbackElements: [{ events: [1, 2] }], Events: [event], events2: null },
    ])
      assert.equal(pushed.splitDelivery(bytesOf(body), profile).parts.length, 1)
  })

  it('that is truncated gives the complete events before the cut, and reports the cut', () => {
    const body = bytesOf([equipmentEvent(), equipmentEvent(), equipmentEvent()])
    const lengths = new Set<number>()
    for (let to = 1; to < body.length; to += 1) {
      const { parts, faults } = pushed.splitDelivery(body.subarray(0, to), profile)
      lengths.add(parts.length)
      assert.deepEqual(
        faults.map(({ kind }) => kind),
        ['truncated_body'],
        `cut at ${to}`,
      )
    }
    assert.deepEqual([...lengths].sort(), [0, 1, 2, 3])
  })

  it('gives one part for an event that it contains twice', () => {
    const event = equipmentEvent()
    assert.equal(pushed.splitDelivery(bytesOf([event, event]), profile).parts.length, 1)
    const other = { ...event, equipmentReference: otherBox }
    const { parts } = pushed.splitDelivery(bytesOf([event, other]), profile)
    assert.equal(new Set(parts.map(({ deliveryKey }) => deliveryKey)).size, 2)
  })

  it('gives each of two containers only its own events', () => {
    const references = [box, otherBox].map((referenceValue) => ({ referenceType: 'EQ', referenceValue }))
    const { parts } = pushed.splitDelivery(
      bytesOf([transportEvent({ references, documentReferences: documents })]),
      profile,
    )
    const heardBy = (number: string, kind: 'container' | 'bill_of_lading') =>
      readParts(pushed, parts, profile, { kind, number }).flatMap(({ observations }) =>
        observations.flatMap((each) => (each.kind === 'event' ? [each.equipment] : [])),
      )
    assert.deepEqual(heardBy(box, 'container'), [box])
    assert.deepEqual(heardBy(otherBox, 'container'), [otherBox])
    assert.deepEqual(heardBy('HHL71800000', 'bill_of_lading'), [box, otherBox])
    assert.deepEqual(heardBy('HHL99999999', 'bill_of_lading'), [])
  })

  it('has a time of writing and a delivery key only where the line states them', () => {
    const keyOf = (changes: Json) => pushed.splitDelivery(bytesOf(equipmentEvent(changes)), profile).parts[0]
    const plain = keyOf({ eventID: 'e-1', eventCreatedDateTime: '2026-01-10T01:00:00+01:00' })
    assert.equal(plain?.writtenAt, '2026-01-10T00:00:00.000Z')
    assert.match(plain?.deliveryKey ?? '', /^e-1 2026-01-10T01:00:00\+01:00 [0-9a-f]{16}$/)
    assert.equal(keyOf({ eventCreatedDateTime: '2026-01-10T01:00:00' })?.writtenAt, null)
    assert.equal(keyOf({ eventCreatedDateTime: undefined })?.writtenAt, null)
    assert.equal(keyOf({ eventID: undefined })?.deliveryKey, null)
    const both = {
      eventUpdatedDateTime: '2026-01-12T00:00:00Z',
      eventCreatedDateTime: '2026-01-10T00:00:00Z',
    }
    assert.equal(keyOf(both)?.writtenAt, '2026-01-12T00:00:00.000Z')
  })

  it('can retract a polled event by its event id, for each container that the event named', () => {
    const answer = [
      equipmentEvent({ eventID: 'e-17' }),
      transportEvent({ eventID: 'e-18', references: [{ referenceType: 'EQ', referenceValue: box }] }),
    ]
    const keys = polledFor(answer, boxRequest).observations.flatMap(({ kind, key }) => (kind === 'event' ? [key] : []))
    const retractions = answer.map(({ eventID }) => ({ eventID, isRetracted: true, equipmentReference: box }))
    const { readings } = pushedFor({ events: retractions }, boxRequest)
    const withdrawn = readings.flatMap((reading) => reading.withdrawn)
    assert.deepEqual(withdrawn, ['e-17', 'e-18'])
    assert.ok(keys.length === 2 && keys.every((key) => withdrawn.some((id) => isKeyOf(id, key))))
  })

  it('that names no number is reported', () => {
    const { parts, faults } = pushed.splitDelivery(
      bytesOf([{ eventID: 'e-1', isRetracted: true }, equipmentEvent({ equipmentReference: 'NOBOX' }), 7, { a: 1 }]),
      profile,
    )
    assert.deepEqual(parts, [])
    assert.deepEqual(
      faults.map(({ kind, path }) => `${kind} ${path}`),
      ['missing_field /0', 'missing_field /1', 'wrong_structure /2', 'wrong_structure /3'],
    )
  })

  it('that retracts an event without naming the event id is reported and not read', () => {
    const { parts, faults } = pushed.splitDelivery(
      bytesOf([equipmentEvent({ eventID: null, isRetracted: true })]),
      profile,
    )
    assert.deepEqual([parts.length, faults.map(({ kind }) => kind)], [0, ['missing_field']])
  })

  it('that cancels a booking cancels the request for this booking, and not the request for its bill', () => {
    const event = shipmentEvent({ shipmentEventTypeCode: 'CANC', documentReferences: documents })
    const outcomeOf = (request: PollRequest) => pushedFor([event], request).readings.map(({ outcome }) => outcome)
    assert.deepEqual(outcomeOf(bookingRequest), ['cancelled'])
    assert.deepEqual(outcomeOf(billRequest), ['known_without_data'])
  })

  it('has issues with paths relative to the part', () => {
    const { readings } = pushedFor([equipmentEvent(), equipmentEvent({ eventDateTime: 'soon' })], boxRequest)
    assert.deepEqual(
      readings[1]?.issues.map(({ kind, path }) => `${kind} ${path}`),
      ['unreadable_time /eventDateTime'],
    )
  })

  it('accepts the profile used for polling, or one with only the SCAC', () => {
    assert.equal(pushed.parseProfile(profile).ok, true)
    assert.equal(pushed.parseProfile({ scac: 'ACLU' }).ok, true)
    for (const wrong of [null, 7, [], {}, { scac: 'ACLU', unknown: 1 }])
      assert.equal(pushed.parseProfile(wrong).ok, false)
    assert.equal(pushed.version, requested.version)
  })
})
