/** DCSA's own samples, the good and the deliberately wrong. What must be found in each is written here by hand. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { LookRequest } from '../../../src/sources/source.ts'
import { bookingRequest, eventsOf, factsOf, readBody } from './events.ts'

const request: LookRequest = { ...bookingRequest, number: 'ABC123123123' }

function readSample(name: string, asked = request) {
  const text = readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8')
  return readBody(text, asked, { body: 'any' })
}

/** The form of an expected issue: `kind path (what is lost)`. */
function issuesIn(reading: ReturnType<typeof readSample>): readonly string[] {
  return reading.issues.map(({ kind, path, lost }) => `${kind} ${path} (${lost})`)
}

describe('The official 2.2 sample', () => {
  const reading = readSample('tnt-220-response')

  it('is read whole, with one issue: no terminal list has a facility ADT in Paris, which is no sea port', () => {
    // SMDG's ADT is in Abu Dhabi; the sample puts it under FRPAR. Its IMO number 9321483 has a right check digit.
    assert.equal(reading.verdict, 'found')
    assert.deepEqual(issuesIn(reading), ['unknown_facility /0/transportCall/facilityCode (nothing)'])
    assert.equal(eventsOf(reading).length, 7)
  })

  it('becomes arrivals, loadings and document events, in the words of the core', () => {
    const said = eventsOf(reading).map(({ classifier, code, original, equipment, load, place }) =>
      [classifier, code, original, equipment ?? '-', load ?? '-', place.unlocode ?? '-'].join(' '),
    )
    assert.deepEqual(said.sort(), [
      'ACT ARRI ARRI APZU4812090 - FRPAR',
      'ACT ARRI ARRI APZU4812090 - FRPAR',
      'ACT DRFT DRFT BKG - - -',
      'ACT DRFT DRFT SHI - - -',
      'ACT DRFT DRFT TRD - - -',
      'EST LOAD LOAD APZU4812090 EMPTY FRPAR',
      'EST LOAD LOAD APZU4812090 EMPTY FRPAR',
    ])
  })

  it('gives the numbers, the size and the seal besides', () => {
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

  it('takes the voyage by which the ship arrives for an arrival and the one it leaves by for a loading', () => {
    const voyages = eventsOf(reading).flatMap(({ code, voyage }) =>
      voyage === null ? [] : [`${code} ${voyage}`],
    )
    assert.deepEqual([...new Set(voyages)].sort(), ['ARRI 2103N', 'LOAD 2103S'])
  })

  it('keeps a moment as a moment, whatever offset it was written with', () => {
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
      // Event 0: XYABC and XYBCD are both no places, and they are not one place either.
      'unknown_place /0/transportCall/location/UNLocationCode (field)',
      'unknown_place /0/transportCall/UNLocationCode (field)',
      'conflicting_location /0/transportCall/UNLocationCode (nothing)',
      // Event 2: XYCDE is a third one. XYABC and XYBCD have been named already.
      'unknown_place /2/transportCall/location/UNLocationCode (field)',
      'conflicting_location /2/transportCall/location/UNLocationCode (nothing)',
      // APZU2134567 would have to end in 4. The vessel 1234567 is a right IMO number, by chance.
      'bad_equipment /2/equipmentReference (event)',
    ])
    const [first, second, ...others] = eventsOf(reading)
    assert.deepEqual(others, [])
    assert.equal(first?.original, 'VOID ARN')
    assert.equal(second?.code, 'DEPA')
    assert.equal(second?.place.unlocode, null)
    assert.equal(second?.place.timeZone, null)
  })

  it('wrong date-times: an event without a readable time is refused, a wrong time of creation is dropped', () => {
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
    const said = eventsOf(reading)
    assert.deepEqual(
      said.map(({ original, statedAt }) => `${original} ${statedAt}`),
      ['DRFT SHI 2021-01-01T14:12:56.000Z'],
    )
    assert.equal(reading.verdict, 'known_without_data')
  })

  it('wrong event ids: a number is no id, a word is one, an id twice is said', () => {
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

  it('wrong structure: lists within a list are no events, and nothing of it is believed', () => {
    const reading = readSample('tnt-220-response-wrong-structure')
    assert.deepEqual(issuesIn(reading), ['wrong_structure /0 (event)', 'wrong_structure /1 (event)'])
    assert.equal(reading.verdict, 'unrecognized')
    assert.deepEqual(reading.observations, [])
  })
})

describe('The official 3.0 samples', () => {
  const sensors = [
    'unsupported_event /events/3/eventClassification/eventTypeCode (event)', // IOT moves no container
    'unsupported_event /events/4/eventClassification/eventTypeCode (event)', // nor does REEFER
  ]
  const imo = '/events/1/transportDetails/transportCall/vesselTransport/vesselIMONumber'

  it('the answer is read, but for what sensors say and a made-up IMO number (7654321 would end in 9)', () => {
    const reading = readSample('tnt-300-response', bookingRequest)
    assert.deepEqual(issuesIn(reading), [`bad_imo ${imo} (field)`, ...sensors])
    const said = eventsOf(reading).map(({ code, equipment, place, vessel, voyage, callId }) =>
      [code, equipment, place.unlocode, place.facilityType, vessel?.imo, vessel?.name, voyage, callId]
        .map((each) => each ?? '-')
        .join(' '),
    )
    assert.deepEqual(said, [
      'GTIN APZU4812090 FRPAR DEPO - - - -',
      'CONF - - - - - - -',
      'DEPA - GBSOU POTE - Example Vessel Beta V002E tc-67890-def',
    ])
    assert.equal(factsOf(reading)['booking_cancelled -'], false)
  })

  it('so is the next page (2468135 would end in 9)', () => {
    const reading = readSample('tnt-300-response-nextpage', bookingRequest)
    assert.deepEqual(issuesIn(reading), [`bad_imo ${imo} (field)`, ...sensors])
    assert.deepEqual(
      eventsOf(reading).map(({ key }) => key),
      ['evt-resp-equip-002', 'evt-resp-ship-002', 'evt-resp-trans-002'],
    )
  })

  it('so are the bodies that a producer pushes', () => {
    const issues = ['equipment', 'shipment', 'transport', 'iot', 'reefer'].map((name) => {
      const reading = readSample(`tnt-300-request-${name}`, bookingRequest)
      return [name, reading.verdict, ...issuesIn(reading)].join(' ')
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
