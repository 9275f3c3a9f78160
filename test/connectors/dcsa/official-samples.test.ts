/** DCSA's own samples, the good and the deliberately wrong. What must be found in each is written here by hand. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { PollRequest } from '../../../src/connectors/source.ts'
import { bookingRequest, eventsOf, factsOf, readBody } from './events.ts'

const request: PollRequest = { ...bookingRequest, number: 'ABC123123123' }

function readSample(name: string, requested = request) {
  const text = readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8')
  return readBody(text, requested, { body: 'any' })
}

/** The form of an expected issue: `kind path (what is lost)`. */
function issuesIn(reading: ReturnType<typeof readSample>): readonly string[] {
  return reading.issues.map(({ kind, path, lost }) => `${kind} ${path} (${lost})`)
}

describe('The official 2.2 sample', () => {
  const reading = readSample('tnt-220-response')

  it('is read completely, with one issue: its facility code ADT is unknown in Paris', () => {
    // SMDG's ADT is in Abu Dhabi; the sample puts it under FRPAR. Its IMO number 9321483 has a right check digit.
    assert.equal(reading.outcome, 'found')
    assert.deepEqual(issuesIn(reading), ['unknown_facility /0/transportCall/facilityCode (nothing)'])
    assert.equal(eventsOf(reading).length, 7)
  })

  it('gives arrivals, loadings and document events with our event codes', () => {
    const stated = eventsOf(reading).map(({ classifier, code, original, equipment, load, place }) =>
      [classifier, code, original, equipment ?? '-', load ?? '-', place.unlocode ?? '-'].join(' '),
    )
    assert.deepEqual(stated.sort(), [
      'ACT ARRI ARRI APZU4812090 - FRPAR',
      'ACT ARRI ARRI APZU4812090 - FRPAR',
      'ACT DRFT DRFT BKG - - -',
      'ACT DRFT DRFT SHI - - -',
      'ACT DRFT DRFT TRD - - -',
      'EST LOAD LOAD APZU4812090 EMPTY FRPAR',
      'EST LOAD LOAD APZU4812090 EMPTY FRPAR',
    ])
  })

  it('gives also the numbers, the size and the seal', () => {
    assert.deepEqual(factsOf(reading), {
      'bill_of_lading_number -': 'RESERVED-HHL123',
      'booking_number -': 'ABC123123123',
      'seal_number APZU4812090': 'string',
      'size_type APZU4812090': '22GP',
    })
    assert.deepEqual(reading.about, {
      billNumbers: ['RESERVED-HHL123'],
      bookingNumbers: ['ABC123123123'],
      equipment: ['APZU4812090'],
    })
  })

  it('uses the arriving voyage for an arrival and the departing one for a loading', () => {
    const voyages = eventsOf(reading).flatMap(({ code, voyage }) => (voyage === null ? [] : [`${code} ${voyage}`]))
    assert.deepEqual([...new Set(voyages)].sort(), ['ARRI 2103N', 'LOAD 2103S'])
  })

  it('reads instants as the same instants, whatever their offset', () => {
    const times = eventsOf(reading).map(({ time }) => JSON.stringify(time))
    assert.deepEqual([...new Set(times)].sort(), [
      '{"kind":"instant","at":"2019-11-11T23:11:00.000Z"}',
      '{"kind":"instant","at":"2021-01-09T13:12:56.000Z"}',
    ])
  })
})

describe('The deliberately wrong 2.2 samples', () => {
  it('wrong attribute values: unknown and contradicting places, and a container with a wrong check digit', () => {
    const reading = readSample('tnt-220-response-wrong-attribute-values')
    assert.deepEqual(issuesIn(reading), [
      // Event 0: XYABC and XYBCD are both unknown places, and they are not the same place either.
      'unknown_place /0/transportCall/location/UNLocationCode (field)',
      'unknown_place /0/transportCall/UNLocationCode (field)',
      'conflicting_location /0/transportCall/UNLocationCode (nothing)',
      // Event 2: XYCDE is a third one. XYABC and XYBCD have been named already.
      'unknown_place /2/transportCall/location/UNLocationCode (field)',
      'conflicting_location /2/transportCall/location/UNLocationCode (nothing)',
      // APZU2134567 would have to end in 4. The vessel 1234567 is a right IMO number, by chance.
      'check_digit /2/equipmentReference (nothing)',
    ])
    const [ofBox] = eventsOf(reading).filter(({ equipment }) => equipment !== null)
    assert.equal(ofBox?.equipment, 'APZU2134567')
    const [first, second, ...others] = eventsOf(reading).filter((event) => event !== ofBox)
    assert.deepEqual(others, [])
    assert.equal(first?.original, 'VOID ARN')
    assert.equal(second?.code, 'DEPA')
    assert.equal(second?.place.unlocode, null)
    assert.equal(second?.place.timeZone, null)
  })

  it('wrong date-times: refuses an event without a readable time, drops a wrong creation time', () => {
    const reading = readSample('tnt-220-response-wrong-date-times')
    assert.deepEqual(issuesIn(reading), [
      'missing_field /1/eventCreatedDateTime (field)', // TEST_CASE missing eventCreatedDateTime
      'missing_field /2/eventDateTime (event)', // TEST_CASE missing eventDateTime
      'unreadable_time /3/eventCreatedDateTime (field)', // TEST_CASE wrong eventCreatedDateTime format
      'unreadable_time /4/eventDateTime (event)', // TEST_CASE wrong eventDateTime format
      'implausible_time /5/eventCreatedDateTime (field)', // TEST_CASE eventDateTime too early (it is the creation's)
      'implausible_time /6/eventCreatedDateTime (field)', // TEST_CASE eventDateTime too late (likewise)
    ])
    // The five readable events state the same thing, and none has an id: they are one statement, with the one valid
    // time of creation.
    const stated = eventsOf(reading)
    assert.deepEqual(
      stated.map(({ original, statedAt }) => `${original} ${statedAt}`),
      ['DRFT SHI 2021-01-01T14:12:56.000Z'],
    )
    assert.equal(reading.outcome, 'known_without_data')
  })

  it('wrong event ids: accepts any text as an id but no number, and reports a duplicate id', () => {
    const reading = readSample('tnt-220-response-wrong-event-ids')
    assert.deepEqual(issuesIn(reading), [
      'wrong_type /0/eventID (field)', // 123456789
      'duplicate_event_id /3/eventID (nothing)', // …e8, again
      'duplicate_event_id /6/eventID (nothing)', // af77…, again
    ])
    assert.deepEqual(
      eventsOf(reading)
        .map(({ key }) => key)
        .sort(),
      [
        '1ed826d0-3643-42e3-974b-eb88357c8e40',
        '3cecb101-7a1a-43a4-9d62-e88a131651e8',
        'ACT|DRFT SHI|-|-|-|-|-|-',
        'af7728dc-0e1e-42d2-ad78-61c5c0c25878',
        'incorrect',
      ],
    )
  })

  it('wrong structure: nested lists are unrecognized and give no observation', () => {
    const reading = readSample('tnt-220-response-wrong-structure')
    assert.deepEqual(issuesIn(reading), ['wrong_structure /0 (event)', 'wrong_structure /1 (event)'])
    assert.equal(reading.outcome, 'unrecognized')
    assert.deepEqual(reading.observations, [])
  })
})

describe('The official 3.0 samples', () => {
  const sensors = [
    'unsupported_event /events/3/eventClassification/eventTypeCode (event)', // IOT moves no container
    'unsupported_event /events/4/eventClassification/eventTypeCode (event)', // nor does REEFER
  ]
  const imo = '/events/1/transportDetails/transportCall/vesselTransport/vesselIMONumber'

  it('include an answer that is read except for sensor events and an invalid IMO number', () => {
    const reading = readSample('tnt-300-response', bookingRequest)
    assert.deepEqual(issuesIn(reading), [`bad_imo ${imo} (field)`, ...sensors])
    const stated = eventsOf(reading).map(({ code, equipment, place, vessel, voyage, callId }) =>
      [code, equipment, place.unlocode, place.facilityType, vessel?.imo, vessel?.name, voyage, callId]
        .map((each) => each ?? '-')
        .join(' '),
    )
    assert.deepEqual(stated, [
      'GTIN APZU4812090 FRPAR DEPO - - - -',
      'CONF - - - - - - -',
      'DEPA - GBSOU POTE - Example Vessel Beta V002E tc-67890-def',
    ])
    assert.equal(factsOf(reading)['booking_cancelled -'], false)
  })

  it('include a next page that is read except for sensor events and an invalid IMO number', () => {
    const reading = readSample('tnt-300-response-nextpage', bookingRequest)
    assert.deepEqual(issuesIn(reading), [`bad_imo ${imo} (field)`, ...sensors])
    assert.deepEqual(
      eventsOf(reading).map(({ key }) => key),
      ['evt-resp-equip-002', 'evt-resp-ship-002', 'evt-resp-trans-002'],
    )
  })

  it('include bodies that a producer pushes, which are read', () => {
    const issues = ['equipment', 'shipment', 'transport', 'iot', 'reefer'].map((name) => {
      const reading = readSample(`tnt-300-request-${name}`, bookingRequest)
      return [name, reading.outcome, ...issuesIn(reading)].join(' ')
    })
    assert.deepEqual(issues, [
      'equipment found',
      'shipment known_without_data',
      // 1234567 has a right check digit.
      'transport found',
      'iot known_without_data unsupported_event /events/0/eventClassification/eventTypeCode (event)',
      'reefer known_without_data unsupported_event /events/0/eventClassification/eventTypeCode (event)',
    ])
  })
})
