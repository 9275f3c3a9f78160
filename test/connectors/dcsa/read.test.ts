import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { DcsaProfile } from '../../../src/connectors/dcsa/profile.ts'
import { findDcsaProfile } from '../../../src/connectors/dcsa/profiles/lines.ts'
import { isKeyOf } from '../../../src/connectors/source.ts'
import {
  billRequest,
  bookingRequest,
  box,
  boxRequest,
  callWith,
  equipmentEvent,
  eventsOf,
  factsOf,
  issuesOf,
  type Json,
  onlyEventOf,
  otherBox,
  readAnswer,
  readBody,
  shipmentEvent,
  transportEvent,
} from './events.ts'

const trd = (number: string): Json => ({ documentReferenceType: 'TRD', documentReferenceValue: number })
const eq = (number: string): Json => ({ referenceType: 'EQ', referenceValue: number })

describe('The outcome of an answer', () => {
  const outcomeOf = (status: number, text: string, contentType = 'application/json') => {
    const { outcome, issues, observations } = readAnswer({ status, contentType, text })
    assert.deepEqual(observations, [])
    return [outcome, ...issues.map(({ kind }) => kind)].join(' ')
  }

  it('a login page with status 200 is an issue and gives no data', () => {
    const page = '<!DOCTYPE html><title>Sign in</title><form><input type="password"></form>'
    assert.equal(outcomeOf(200, page, 'text/html'), 'unrecognized login_page')
    assert.equal(outcomeOf(200, page), 'unrecognized login_page')
  })

  it('a web page labelled as JSON, broken or truncated JSON, and an empty body are issues, too', () => {
    assert.equal(outcomeOf(200, '<html><h1>Maintenance</h1></html>'), 'unrecognized not_json')
    assert.equal(outcomeOf(200, 'upstream connect error', 'text/plain'), 'unrecognized not_json')
    assert.equal(outcomeOf(200, '[{"eventID": "1", "eventT'), 'unrecognized truncated_body')
    assert.equal(outcomeOf(200, ''), 'unrecognized empty_answer')
    assert.equal(outcomeOf(302, ''), 'unrecognized redirected')
    assert.equal(outcomeOf(200, '{"hello": 1}'), 'unrecognized wrong_structure')
    assert.equal(outcomeOf(200, '"events"'), 'unrecognized wrong_structure')
    assert.equal(outcomeOf(200, '[null, 5, "x"]'), 'unrecognized wrong_structure wrong_structure wrong_structure')
  })

  it('an answer is not_found if it matches a status, an empty list or a phrase that the line defines so', () => {
    assert.equal(outcomeOf(404, '{"errors":[]}'), 'not_found')
    assert.equal(outcomeOf(404, ''), 'not_found')
    assert.equal(outcomeOf(404, '<html>no such page</html>'), 'unrecognized error_status')
    assert.equal(outcomeOf(200, '[]'), 'not_found')
    assert.equal(outcomeOf(204, ''), 'not_found')
    const known = { statuses: [404], emptyAnswer: 'known_without_data', phrases: [] } as const
    assert.equal(
      readBody([], billRequest, { notFound: { ...known, statuses: [404], phrases: [] } }).outcome,
      'known_without_data',
    )
    const notFound = { statuses: [404], emptyAnswer: 'not_found' as const, phrases: ['no data found'] }
    const text = '{"errors":[{"reason":"x","message":"No data found for B/L"}]}'
    assert.equal(readAnswer({ status: 500, contentType: null, text }, billRequest, { notFound }).outcome, 'not_found')
  })

  it('an error status inside the body of a 200 answer is treated as that error', () => {
    assert.equal(outcomeOf(200, '{"statusCode":404,"errors":[]}'), 'not_found')
    assert.equal(outcomeOf(200, '{"statusCode":503,"errors":[]}'), 'unreachable error_status')
  })

  it('500 and 429 mean unreachable, 401 access denied, 400 a refused request', () => {
    assert.equal(outcomeOf(500, 'oops'), 'unreachable error_status')
    assert.equal(outcomeOf(429, ''), 'unreachable error_status')
    assert.equal(outcomeOf(401, '{}'), 'access_denied error_status')
    assert.equal(outcomeOf(400, '{}'), 'question_refused error_status')
  })

  it('an answer with only document events has the outcome known_without_data', () => {
    assert.equal(readBody([shipmentEvent()]).outcome, 'known_without_data')
    assert.equal(readBody([shipmentEvent(), transportEvent()]).outcome, 'found')
  })

  it('one bad event never loses the others', () => {
    const reading = readBody([equipmentEvent({ eventDateTime: 'tomorrow' }), null, transportEvent(), 7])
    assert.equal(onlyEventOf(reading).code, 'ARRI')
    assert.deepEqual(issuesOf(reading), [
      'unreadable_time /0/eventDateTime',
      'wrong_structure /1',
      'wrong_structure /3',
    ])
  })

  it('an answer in another body shape than the profile states is read, with an issue', () => {
    const reading = readBody({ events: [transportEvent()] })
    assert.equal(reading.outcome, 'found')
    assert.deepEqual(issuesOf(reading), ['other_body_shape '])
    assert.deepEqual(
      issuesOf(readBody({ events: [transportEvent()], feedbackElements: [] }, billRequest, { body: 'events' })),
      [],
    )
  })
})

describe('The containers of an event', () => {
  it('a transport event applies to each container that it names, else to the whole shipment', () => {
    const event = transportEvent({
      references: [eq(otherBox), eq(box), { referenceType: 'PO', referenceValue: '7' }],
    })
    assert.deepEqual(
      eventsOf(readBody([event])).map(({ key, equipment }) => [key, equipment]),
      [
        [`${event['eventID']}#${box}`, box],
        [`${event['eventID']}#${otherBox}`, otherBox],
      ],
    )
    assert.equal(onlyEventOf(readBody([transportEvent()])).equipment, null)
  })

  it('an equipment event without a container is refused, because it would apply to all', () => {
    const reading = readBody([equipmentEvent({ equipmentReference: '' }), transportEvent()])
    assert.equal(onlyEventOf(reading).code, 'ARRI')
    assert.deepEqual(issuesOf(reading), ['missing_field /0/equipmentReference'])
  })

  it('a container is found in references of any shape, also when the field for its number is empty or invalid', () => {
    const bad = 'APZU21345'
    const references = [{ type: 'EQ', value: box }]
    assert.equal(onlyEventOf(readBody([transportEvent({ references })])).equipment, box)
    for (const equipmentReference of [undefined, '', bad]) {
      const event = equipmentEvent({ equipmentReference, references: [eq(box)] })
      assert.equal(onlyEventOf(readBody([event])).equipment, box)
    }
    const { eventID, eventCreatedDateTime, eventType, ...payload } = transportEvent()
    const metadata = { eventID, eventCreatedDateTime, eventType, references: [eq(box)] }
    assert.equal(onlyEventOf(readBody([{ metadata, payload }])).equipment, box)
    assert.deepEqual(issuesOf(readBody([equipmentEvent({ equipmentReference: bad, references: [eq(bad)] })])), [
      'bad_equipment /0/equipmentReference',
      'bad_equipment /0/references/0',
    ])
  })

  it('a wrong or missing check digit loses no container, and a number with a valid one is preferred', () => {
    const wrong = 'APZU2134567'
    const read = (equipmentReference: string, ...references: Json[]) =>
      readBody([equipmentEvent({ equipmentReference, references })])
    assert.equal(onlyEventOf(read(wrong)).equipment, wrong)
    assert.deepEqual(issuesOf(read(wrong)), ['check_digit /0/equipmentReference'])
    assert.equal(onlyEventOf(read(box.slice(0, 10))).equipment, box)
    assert.deepEqual(issuesOf(read(box.slice(0, 10))), ['check_digit /0/equipmentReference'])
    assert.equal(onlyEventOf(read(wrong, eq(box))).equipment, box)
    assert.equal(onlyEventOf(readBody([transportEvent({ references: [eq(wrong)] })])).equipment, wrong)
  })

  it('blanks and hyphens in a container number are ignored', () => {
    assert.equal(onlyEventOf(readBody([equipmentEvent({ equipmentReference: 'apzu 481209-0' })])).equipment, box)
  })

  it('an event about a container that was not requested is an issue and gives no observation', () => {
    const reading = readBody(
      [equipmentEvent(), equipmentEvent({ equipmentReference: otherBox, ISOEquipmentCode: '45G1' }), transportEvent()],
      boxRequest,
    )
    assert.deepEqual(
      eventsOf(reading).map(({ equipment }) => equipment),
      [box, null],
    )
    assert.deepEqual(factsOf(reading), {})
    assert.deepEqual(issuesOf(reading), ['other_container '])
    assert.equal(reading.outcome, 'found')
  })

  it('an answer that never names the requested container has the outcome other_number', () => {
    const events = [
      equipmentEvent({ equipmentReference: otherBox, documentReferences: [trd('B1234')] }),
      transportEvent(),
    ]
    const reading = readBody([...events, shipmentEvent()], boxRequest)
    assert.equal(reading.outcome, 'other_number')
    assert.deepEqual(reading.observations, [])
    assert.deepEqual(issuesOf(reading), ['other_container '])
  })

  it('a transport event of several containers is read only for the requested container', () => {
    const event = transportEvent({ references: [eq(otherBox), eq(box)] })
    assert.equal(onlyEventOf(readBody([event], boxRequest)).equipment, box)
  })

  it('an answer that names only another bill has the outcome other_number', () => {
    const other = [trd('XYZ99999'), { documentReferenceType: 'BKG', documentReferenceValue: 'K1' }]
    const reading = readBody([
      transportEvent({ documentReferences: other }),
      equipmentEvent({ documentReferences: other }),
      equipmentEvent({ equipmentReference: otherBox }),
    ])
    assert.equal(reading.outcome, 'other_number')
    assert.deepEqual(reading.observations, [])
    assert.deepEqual(issuesOf(reading), ['other_document '])
  })

  it('an answer about several bills gives only the events that name the requested bill or no bill', () => {
    const reading = readBody([
      transportEvent({ documentReferences: [trd('HHL71800000')] }),
      equipmentEvent(),
      equipmentEvent({ equipmentReference: otherBox, documentReferences: [trd('XYZ99999')] }),
      transportEvent({ documentReferences: [trd('XYZ99999'), trd('HHL71800000')] }),
    ])
    assert.equal(reading.outcome, 'found')
    assert.deepEqual(new Set(eventsOf(reading).map(({ equipment }) => equipment)), new Set([null, box]))
    assert.deepEqual(issuesOf(reading), ['other_document '])
  })

  it('an answer still counts as complete if events about another bill are ignored', () => {
    const events = [
      equipmentEvent({ documentReferences: [trd('HHL71800000')] }),
      equipmentEvent({ equipmentReference: otherBox, documentReferences: [trd('XYZ99999')] }),
    ]
    assert.equal(readBody(events, billRequest, { isFullPicture: true }).statedFullPicture, true)
  })

  const asAsked: readonly (readonly [scac: string, asked: string, told: string, why: string])[] = [
    ['ACLU', 'HHL71800000', '71800000', 'without the letters of whoever issued it'],
    ['MAEU', '218765432', 'MAEU218765432', 'with the line’s letters'],
    ['MAEU', 'MAEU218765432', '218765432', 'without them'],
    ['MSCU', 'MSCUZQ004310', 'MEDUZQ004310', 'with other letters of the line'],
    ['EGLV', 'EGLV003600123456', '003600123456', 'without the line’s letters'],
    ['HLCU', 'HLCUSHA2601ABCD1', 'SHA2601ABCD1', 'where they are part of the number'],
    ['COSU', '6123456780', '6123456780A', 'as one of its parts'],
  ]
  for (const [scac, number, told, why] of asAsked) {
    it(`${told} is accepted as the bill ${number} of ${scac}: ${why}`, () => {
      const events = [transportEvent({ documentReferences: [trd(told)] })]
      const reading = readBody(events, { scac, kind: 'bill_of_lading', number })
      assert.equal(reading.outcome, 'found')
      assert.deepEqual(issuesOf(reading), [])
    })
  }

  it('another number of the same length is another bill, however similar', () => {
    const events = [transportEvent({ documentReferences: [trd('218765433')] })]
    const request = { scac: 'MAEU', kind: 'bill_of_lading', number: 'MAEU218765432' } as const
    assert.equal(readBody(events, request).outcome, 'other_number')
  })

  it('an answer that names the requested number as its booking is read, even for a bill', () => {
    const documentReferences = [trd('XYZ99999'), { documentReferenceType: 'BKG', documentReferenceValue: 'ABC709951' }]
    for (const kind of ['bill_of_lading', 'booking'] as const) {
      const request = { ...bookingRequest, kind }
      assert.equal(readBody([transportEvent({ documentReferences })], request).outcome, 'found')
    }
  })

  it('an answer for a bill that names only its booking is read', () => {
    const documentReferences = [{ documentReferenceType: 'BKG', documentReferenceValue: 'ABC709951' }]
    assert.equal(readBody([transportEvent({ documentReferences })]).outcome, 'found')
  })
})

describe('Places', () => {
  it('an alias is read as its canonical place: CNSHA is Shanghai', () => {
    const { place } = onlyEventOf(readBody([transportEvent({ transportCall: callWith({ UNLocationCode: 'CNSHA' }) })]))
    assert.equal(place.unlocode, 'CNSHG')
    assert.equal(place.timeZone, 'Asia/Shanghai')
  })

  it('an alias beside its canonical place is no contradiction', () => {
    const transportCall = callWith({ UNLocationCode: 'CNSHA', location: { UNLocationCode: 'CNSHG' } })
    assert.deepEqual(issuesOf(readBody([transportEvent({ transportCall })])), [])
  })

  it('the event’s own location is preferred to the transport call’s', () => {
    const reading = readBody([equipmentEvent({ eventLocation: { UNLocationCode: 'USLGB' } })])
    const { place } = onlyEventOf(reading)
    assert.equal(place.unlocode, 'USLGB')
    assert.equal(place.facilityType, null, 'the type is of the call’s place')
    assert.deepEqual(issuesOf(reading), ['conflicting_location /0/transportCall/UNLocationCode'])
  })

  it('the full location of a transport call is preferred to its bare place code', () => {
    const reading = readBody([transportEvent({ transportCall: callWith({ location: { UNLocationCode: 'USLGB' } }) })])
    assert.equal(onlyEventOf(reading).place.unlocode, 'USLGB')
    assert.deepEqual(issuesOf(reading), ['conflicting_location /0/transportCall/UNLocationCode'])
  })

  it('an unknown code leaves the place unknown, and the text is stored', () => {
    const reading = readBody([equipmentEvent({ eventLocation: { UNLocationCode: 'XYABC', locationName: 'Nowhere' } })])
    const { place } = onlyEventOf(reading)
    assert.deepEqual([place.unlocode, place.name, place.timeZone], [null, 'Nowhere', null])
    assert.deepEqual(issuesOf(reading), [
      'unknown_place /0/eventLocation/UNLocationCode',
      'conflicting_location /0/transportCall/UNLocationCode',
    ])
  })

  it('a name without a country is not looked up, because many places share it', () => {
    const bare = { transportCallID: 'C', modeOfTransport: 'VESSEL', location: { locationName: 'Hamburg' } }
    const reading = readBody([transportEvent({ transportCall: bare })])
    assert.equal(onlyEventOf(reading).place.unlocode, null)
    assert.equal(onlyEventOf(reading).place.name, 'Hamburg')
    assert.deepEqual(issuesOf(reading), ['unknown_place /0/transportCall/location'])
    const location = { address: { city: 'Hamburg', country: 'Germany' } }
    assert.equal(
      onlyEventOf(readBody([transportEvent({ transportCall: { ...bare, location } })])).place.unlocode,
      'DEHAM',
    )
  })

  it('a name without a code is stored as a name, and nothing is lost', () => {
    const location = { locationName: 'Hamburg' }
    const { issues } = readBody([transportEvent({ transportCall: { modeOfTransport: 'RAIL', location } })])
    assert.deepEqual(
      issues.map(({ kind, lost }) => `${kind} ${lost}`),
      ['unknown_place nothing'],
    )
  })

  it('an event without its own place gets the place of its transport call', () => {
    for (const eventLocation of [undefined, null, {}, { UNLocationCode: null, locationName: ' ' }]) {
      const { place } = onlyEventOf(readBody([equipmentEvent({ eventLocation })]))
      assert.deepEqual([place.unlocode, place.facilityType], ['USLAX', 'POTE'])
    }
    const nested = {
      eventID: 'N-1',
      eventUpdatedDateTime: '2026-01-10T00:00:00Z',
      eventDateTime: '2026-01-09T14:00:00-08:00',
      eventClassification: {
        eventType: 'TRANSPORT',
        transportEventTypeCode: 'ARRI',
        eventClassifierCode: 'ACT',
      },
      transportDetails: {
        transportCall: { location: { UNLocationCode: 'USLAX' }, modeOfTransport: 'VESSEL' },
      },
    }
    assert.equal(onlyEventOf(readBody([nested])).place.unlocode, 'USLAX')
  })

  it('a land event that names another known place does not use the place code of its transport call', () => {
    const placeOf = (locationName: string, modeOfTransport: string) => {
      const transportCall = callWith({ UNLocationCode: 'DEHAM', modeOfTransport })
      const reading = readBody([equipmentEvent({ eventLocation: { locationName }, transportCall })])
      const { place } = onlyEventOf(reading)
      return [place.unlocode, place.name, place.timeZone, ...issuesOf(reading)]
    }
    const named = 'unknown_place /0/eventLocation'
    assert.deepEqual(placeOf('DUISBURG', 'TRUCK'), [null, 'DUISBURG', null, named])
    assert.deepEqual(placeOf('DUISBURG', 'VESSEL'), ['DEHAM', 'DUISBURG', 'Europe/Berlin', named])
    assert.deepEqual(placeOf('Hamburg', 'TRUCK'), ['DEHAM', 'Hamburg', 'Europe/Berlin', named])
    assert.deepEqual(placeOf('Yard of Meyer', 'TRUCK'), ['DEHAM', 'Yard of Meyer', 'Europe/Berlin', named])
  })

  it('an event without any place is read, and no place is made up', () => {
    const { place } = onlyEventOf(
      readBody([transportEvent({ transportCall: { transportCallID: 'C', modeOfTransport: 'RAIL' } })]),
    )
    assert.deepEqual(new Set(Object.values(place)), new Set([null]))
  })
})

describe('Times', () => {
  const timeOf = (eventDateTime: string, changes = {}) =>
    onlyEventOf(readBody([transportEvent({ eventDateTime })], billRequest, changes)).time

  it('a time without a zone stays local, and no zone is made up', () => {
    assert.deepEqual(timeOf('2026-01-09T14:00:00'), { kind: 'local', local: '2026-01-09T14:00:00' })
  })

  it('a planned call without a time adds a place to the route, and gives no event', () => {
    for (const eventDateTime of [null, '']) {
      const plan = { eventDateTime, eventClassifierCode: 'PLN' }
      const reading = readBody([
        transportEvent({ ...plan, transportEventTypeCode: 'ARRI' }),
        transportEvent({ ...plan, transportEventTypeCode: 'DEPA' }),
      ])
      const facts = reading.observations.map((stated) => (stated.kind === 'fact' ? stated.fact : stated.kind))
      assert.deepEqual(facts.filter((fact) => fact === 'event' || fact.startsWith('undated_')).toSorted(), [
        'undated_arrival',
        'undated_departure',
      ])
      assert.equal(reading.outcome, 'found')
    }
    const actual = readBody([transportEvent({ eventDateTime: null, eventClassifierCode: 'ACT' })])
    assert.deepEqual(actual.observations, [])
    assert.equal(issuesOf(actual).length, 1)
  })

  it('the times of a line known to write local times are read at the place', () => {
    const changes = { zoneFallback: 'place' as const }
    assert.deepEqual(timeOf('2026-01-09T14:00:00', changes), {
      kind: 'instant',
      at: '2026-01-09T22:00:00.000Z',
    })
    const nowhere = transportEvent({ eventDateTime: '2026-01-09T14:00:00', transportCall: {} })
    assert.equal(onlyEventOf(readBody([nowhere], billRequest, changes)).time.kind, 'local')
  })

  it('a midnight of a line with day-only times is read as a day, in any zone', () => {
    const changes = { hasDayOnlyTimes: true }
    for (const midnight of [
      '2026-01-09T00:00:00',
      '2026-01-09T00:00:00Z',
      '2026-01-09T00:00:00.000+08:00',
      '2026-01-09',
    ]) {
      assert.deepEqual(timeOf(midnight, changes), { kind: 'day', on: '2026-01-09' }, midnight)
    }
    assert.equal(timeOf('2026-01-09T00:00:01Z', changes).kind, 'instant')
    assert.equal(timeOf('2026-01-09T00:00:00Z').kind, 'instant')
    assert.deepEqual(timeOf('2026-01-09T24:00:00Z', changes), { kind: 'day', on: '2026-01-09' })
  })

  it('times are read as days if all times of an answer are midnight UTC', () => {
    const days = ['2026-01-09', '2026-01-10', '2026-01-28', '2026-01-29', '2026-02-03']
    const answer = (clock: string, places: readonly string[], count = days.length) =>
      readBody(
        days.slice(0, count).map((day, index) => {
          const UNLocationCode = places[index % places.length]
          const transportCall = callWith({ UNLocationCode, transportCallID: `CALL-${index}` })
          return transportEvent({ eventDateTime: `${day}T${clock}`, transportCall })
        }),
      )
    const kinds = (reading: ReturnType<typeof answer>) => [
      ...new Set(eventsOf(reading).map(({ time }) => time.kind)),
      ...issuesOf(reading),
    ]
    const ports = ['CNSHG', 'USLAX']
    assert.deepEqual(kinds(answer('00:00:00Z', ports)), ['day', 'day_only_times '])
    assert.deepEqual(
      eventsOf(answer('00:00:00.000+00:00', ports))
        .flatMap(({ time }) => (time.kind === 'day' ? time.on : []))
        .sort(),
      days,
    )
    assert.deepEqual(kinds(answer('00:00:00Z', ports, 4)), ['instant'], 'four may be chance')
    assert.deepEqual(kinds(answer('00:00:00Z', ['USLAX'])), ['instant'], 'one zone may be UTC')
    assert.deepEqual(kinds(answer('00:00:00+08:00', ports)), ['instant'])
    assert.deepEqual(kinds(answer('00:00:00', ports)), ['local'])
  })

  it('24:00, a second of 60 and an hour without minutes are valid times', () => {
    assert.deepEqual(timeOf('2026-01-09T24:00:00Z'), { kind: 'instant', at: '2026-01-10T00:00:00.000Z' })
    assert.deepEqual(timeOf('2026-01-09T23:59:60Z'), { kind: 'instant', at: '2026-01-10T00:00:00.000Z' })
    assert.deepEqual(timeOf('2026-01-09T14'), { kind: 'local', local: '2026-01-09T14:00:00' })
  })

  it('a placeholder for a time is no time', () => {
    for (const eventDateTime of [
      '1970-01-01T00:00:00Z',
      '2199-12-31T00:00:00Z',
      '9999-12-31',
      '0001-01-01T00:00:00Z',
    ]) {
      assert.deepEqual(readBody([transportEvent({ eventDateTime })]).observations, [], eventDateTime)
    }
  })

  it('a statement time without a zone is ignored, because statements are ordered by their times', () => {
    const reading = readBody([transportEvent({ eventCreatedDateTime: '2026-01-09T14:00:00' })])
    assert.equal(onlyEventOf(reading).statedAt, null)
    assert.deepEqual(issuesOf(reading), ['time_without_zone /0/eventCreatedDateTime'])
  })
})

describe('A line that dates its transport events anew at each poll', () => {
  const restatesTransport = findDcsaProfile('MAEU')?.restatesTransport === true
  const eta = transportEvent({ eventClassifierCode: 'EST' })
  const readOn = (day: string, changes: Json = {}, profile: Partial<DcsaProfile> = { restatesTransport }) =>
    readBody([{ ...eta, ...changes, eventCreatedDateTime: `2026-01-${day}T00:00:00Z` }], billRequest, profile)

  it('gives the same reading on another day, without a statement time for its transport events', () => {
    assert.equal(restatesTransport, true)
    assert.equal(onlyEventOf(readOn('10')).statedAt, null)
    assert.deepEqual(readOn('11'), readOn('10'))
    assert.deepEqual(issuesOf(readOn('10')), [])
    assert.notDeepEqual(readOn('11', { eventDateTime: '2026-01-09T18:00:00-08:00' }), readOn('10'))
  })

  it('keeps the statement time of its other events', () => {
    const move = equipmentEvent()
    assert.equal(onlyEventOf(readBody([move], billRequest, { restatesTransport })).statedAt, '2026-01-10T00:00:00.000Z')
    for (const profile of [{}, { restatesTransport: false }])
      assert.equal(onlyEventOf(readOn('10', {}, profile)).statedAt, '2026-01-10T00:00:00.000Z')
  })
})

describe('Codes', () => {
  it('an unknown event code is kept in the line’s own text and is an issue', () => {
    const reading = readBody([equipmentEvent({ equipmentEventTypeCode: 'ZAPP' })])
    const { code, original } = onlyEventOf(reading)
    assert.deepEqual([code, original], [null, 'ZAPP'])
    assert.deepEqual(issuesOf(reading), ['unknown_code /0/equipmentEventTypeCode'])
  })

  it('an event with an unknown classifier is refused, because a plan must never become an actual', () => {
    const reading = readBody([transportEvent({ eventClassifierCode: 'REQ' })])
    assert.deepEqual(reading.observations, [])
    assert.deepEqual(issuesOf(reading), ['unknown_code /0/eventClassifierCode'])
  })

  it('the classifier PLAN is read only from Evergreen, and is an issue from other lines', () => {
    const events = [transportEvent({ eventClassifierCode: 'PLAN' })]
    assert.deepEqual(readBody(events).observations, [])
    const enumAliases = findDcsaProfile('EGLV')?.enumAliases ?? {}
    assert.equal(onlyEventOf(readBody(events, billRequest, { enumAliases })).classifier, 'PLN')
  })

  it('FEEDER from ONE is a barge', () => {
    const events = [transportEvent({ transportCall: callWith({ modeOfTransport: 'FEEDER' }) })]
    assert.deepEqual(issuesOf(readBody(events)), ['unknown_code /0/transportCall/modeOfTransport'])
    const enumAliases = findDcsaProfile('ONEY')?.enumAliases ?? {}
    assert.equal(onlyEventOf(readBody(events, billRequest, { enumAliases })).mode, 'BARGE')
  })

  it('a code may have its meaning in brackets after it', () => {
    const documentReferences = [{ documentReferenceType: 'BKG (Booking)', documentReferenceValue: 'ABC709951' }]
    assert.deepEqual(readBody([transportEvent({ documentReferences })]).about.bookingNumbers, ['ABC709951'])
  })

  it('a JavaScript property name such as constructor is not read as a code', () => {
    for (const word of ['constructor', '__proto__', 'toString', 'CONSTRUCTOR']) {
      assert.deepEqual(readBody([transportEvent({ eventType: word })]).observations, [])
    }
  })
})

describe('Vessels', () => {
  const vesselIn = (vessel: Json, changes = {}) =>
    readBody([transportEvent({ transportCall: callWith({ vessel }) })], billRequest, changes)

  it('a wrong IMO number is an issue, and the name is kept', () => {
    const reading = vesselIn({ vesselIMONumber: '9321484', vesselName: 'King' })
    assert.deepEqual(onlyEventOf(reading).vessel, { imo: null, name: 'King' })
    assert.deepEqual(issuesOf(reading), ['bad_imo /0/transportCall/vessel/vesselIMONumber'])
  })

  it('empty fields are ignored', () => {
    const reading = vesselIn({ vesselIMONumber: '', vesselName: ' ' })
    assert.equal(onlyEventOf(reading).vessel, null)
    assert.deepEqual(issuesOf(reading), [])
  })

  it('a missing IMO number is an issue, unless the profile states that the line may lack it', () => {
    assert.deepEqual(issuesOf(vesselIn({ vesselName: 'King' })), [
      'missing_field /0/transportCall/vessel/vesselIMONumber',
    ])
    const reading = vesselIn({ vesselName: 'King' }, { mayLack: ['vesselIMONumber'] })
    assert.deepEqual(issuesOf(reading), [])
    assert.deepEqual(onlyEventOf(reading).vessel, { imo: null, name: 'King' })
  })
})

describe('Facts', () => {
  const seals = [
    { sealNumber: 'C1', sealSource: 'CUS' },
    { sealNumber: 'L1', sealSource: 'CAR' },
  ]

  it('the carrier’s seal is preferred, and one that an inspector removed is ignored', () => {
    assert.equal(factsOf(readBody([equipmentEvent({ seals })]))[`seal_number ${box}`], 'L1')
    assert.deepEqual(factsOf(readBody([equipmentEvent({ seals, equipmentEventTypeCode: 'RMVD' })])), {})
  })

  it('a placeholder for a seal is ignored when another seal is stated', () => {
    const stated = [
      { sealNumber: 'SI', sealSource: 'CAR' },
      { sealNumber: 'ML7', sealSource: 'SHI' },
    ]
    assert.equal(factsOf(readBody([equipmentEvent({ seals: stated })]))[`seal_number ${box}`], 'ML7')
  })

  it('a fact that the list of lines marks as missing for the line stays unknown, even if its field has a value', () => {
    const events = [equipmentEvent({ seals, ISOEquipmentCode: '45G1' })]
    const factsOfLine = (scac: string) => Object.keys(factsOf(readBody(events, { ...billRequest, scac })))
    assert.deepEqual(factsOfLine('ACLU'), [`seal_number ${box}`, `size_type ${box}`])
    assert.deepEqual(factsOfLine('MSCU'), [`size_type ${box}`])
    assert.deepEqual(factsOfLine('HDMU'), [`seal_number ${box}`])
    const tank = [equipmentEvent({ ISOEquipmentCode: '22T6' })]
    assert.deepEqual(factsOf(readBody(tank, { ...billRequest, scac: 'ONEY' })), {})
  })

  it('the later of two statements about one fact is believed', () => {
    const early = equipmentEvent({ ISOEquipmentCode: '22G1', eventCreatedDateTime: '2026-01-01T00:00:00Z' })
    const late = equipmentEvent({ ISOEquipmentCode: '45G1', eventCreatedDateTime: '2026-01-02T00:00:00Z' })
    for (const events of [
      [early, late],
      [late, early],
    ]) {
      assert.deepEqual(factsOf(readBody(events)), { [`size_type ${box}`]: '45G1' })
    }
  })

  it('the port that the line marks as the port of discharge is believed', () => {
    const event = equipmentEvent({ carrierSpecificData: { shipmentLocationType: 'POD' } })
    const place = factsOf(readBody([event]))[`port_of_discharge ${box}`] as { readonly unlocode: string }
    assert.equal(place.unlocode, 'USLAX')
  })

  it('internal document ids of a line are not read as numbers', () => {
    const event = transportEvent({ documentReferences: [trd('85943567-eedb-98d3-f4ed-aed697474ed4')] })
    assert.deepEqual(readBody([event]).about.billNumbers, [])
  })
})

describe('Bookings', () => {
  const stated = (shipmentEventTypeCode: string, day: number, changes: Json = {}) =>
    shipmentEvent({ shipmentEventTypeCode, eventDateTime: `2026-01-0${day}T00:00:00Z`, ...changes })
  const outcomeOf = (events: readonly Json[], request = bookingRequest) => {
    const reading = readBody(events, request)
    return [reading.outcome, factsOf(reading)['booking_cancelled -']]
  }

  it('a cancelled or voided booking is cancelled, in any order of events', () => {
    assert.deepEqual(outcomeOf([stated('CONF', 1), stated('CANC', 2)]), ['cancelled', true])
    assert.deepEqual(outcomeOf([stated('VOID', 2), stated('CONF', 1)]), ['cancelled', true])
    assert.deepEqual(outcomeOf([stated('CANC', 2, { documentTypeCode: 'CBR', documentID: 'R-1' })]), [
      'cancelled',
      true,
    ])
  })

  it('a booking that is confirmed again is not cancelled', () => {
    assert.deepEqual(outcomeOf([stated('CANC', 1), stated('CONF', 2)]), ['known_without_data', false])
  })

  it('a voided arrival notice cancels nothing', () => {
    assert.deepEqual(outcomeOf([stated('VOID', 2, { documentTypeCode: 'ARN' })]), ['known_without_data', undefined])
  })

  it('a bill is not cancelled while one of its bookings is active', () => {
    const other = { documentID: 'ZZZ1111' }
    assert.deepEqual(outcomeOf([stated('CANC', 2), stated('CONF', 1, other), transportEvent()], billRequest), [
      'found',
      false,
    ])
    assert.deepEqual(outcomeOf([stated('CANC', 2), stated('CONF', 1, other)]), ['cancelled', true])
  })
})

describe('Keys', () => {
  it('an event without an id gets a key that stays when its time changes', () => {
    const keyAt = (eventDateTime: string) =>
      onlyEventOf(readBody([transportEvent({ eventID: undefined, eventClassifierCode: 'EST', eventDateTime })])).key
    assert.equal(keyAt('2026-01-09T14:00:00Z'), keyAt('2026-01-11T02:00:00Z'))
  })

  it('two estimates of one call without ids get different keys', () => {
    const estimate = (day: number) =>
      transportEvent({
        eventID: undefined,
        eventClassifierCode: 'EST',
        eventDateTime: `2026-01-2${day}T00:00:00Z`,
        eventCreatedDateTime: `2026-01-0${day}T00:00:00Z`,
      })
    const [first] = eventsOf(readBody([estimate(1)]))
    const both = eventsOf(readBody([estimate(2), estimate(1)]))
    assert.deepEqual(
      both.map(({ key }) => key),
      [first?.key, `${first?.key}~2`],
    )
    assert.deepEqual(both[0], first)
  })

  it('an event id that several different events share is not used as a key', () => {
    const eventID = '3cecb101-7a1a-43a4-9d62-e88a131651e2'
    const reading = readBody([transportEvent({ eventID }), equipmentEvent({ eventID })])
    assert.ok(eventsOf(reading).every(({ key }) => key !== eventID))
    assert.equal(eventsOf(reading).length, 2)
    assert.deepEqual(issuesOf(reading), ['duplicate_event_id /1/eventID'])
  })
})

describe('Version 3', () => {
  const classification = (changes: Json) => ({
    eventClassification: {
      eventType: 'EQUIPMENT',
      eventClassifier: 'ACTUAL',
      equipmentEventType: 'LOADED',
      ...changes,
    },
  })
  const nested = (changes: Json = {}) => ({
    eventID: 'evt-1-2026-01-20T14:15:00Z',
    eventDateTime: '2026-01-20T14:15:00Z',
    eventUpdatedDateTime: '2026-01-20T14:20:00Z',
    eventLocation: {
      UNLocationCode: 'NLRTM',
      facilityType: 'PORT_TERMINAL',
      facility: { facilityCode: 'XYZ', facilityCodeListProvider: 'BIC' },
    },
    equipmentDetails: {
      equipmentReference: box,
      ISOEquipmentCode: '22G1',
      emptyIndicator: 'LADEN',
      seals: [{ number: 'S9', source: 'CARRIER' }],
    },
    shipmentDetails: {
      documentReference: { type: 'BOOKING', reference: 'ABC709951' },
      additionalDocumentReferences: [{ type: 'TRANSPORT_DOCUMENT', reference: 'HHL71800000' }],
      shipmentLocationType: 'PORT_OF_LOADING',
    },
    transportDetails: {
      transportCall: {
        transportCallReference: 'tc-1',
        modeOfTransport: 'VESSEL',
        exportVoyageNumberOrReference: { carrierVoyageNumber: '2103S' },
        vesselTransport: { vesselIMONumber: '9321483', vesselName: 'King' },
      },
    },
    ...classification({}),
    ...changes,
  })
  const read = (...events: readonly unknown[]) => readBody({ events }, billRequest, { body: 'any' })

  it('the codes of May 2026 have the same meanings as the codes of version 2.2', () => {
    const reading = read(nested())
    const event = onlyEventOf(reading)
    assert.deepEqual(
      [
        event.classifier,
        event.code,
        event.load,
        event.mode,
        event.place.facilityType,
        event.voyage,
        event.callId,
        event.original,
      ],
      ['ACT', 'LOAD', 'LADEN', 'VESSEL', 'POTE', '2103S', 'tc-1', 'LOADED'],
    )
    assert.deepEqual(event.vessel, { imo: '9321483', name: 'King' })
    assert.deepEqual(reading.about, {
      billNumbers: ['HHL71800000'],
      bookingNumbers: ['ABC709951'],
      equipment: [box],
    })
    assert.equal(factsOf(reading)[`seal_number ${box}`], 'S9')
    assert.deepEqual(issuesOf(reading), ['unknown_facility /events/0/eventLocation/facilityCode'])
  })

  it('a ship in the field of version 2.2 is read', () => {
    const transportCall = (vessel: Json) => ({ modeOfTransport: 'VESSEL', vessel })
    for (const vessel of [
      { vesselIMONumber: '9321483', vesselName: 'King' },
      { vesselIMONumber: '9321483', name: 'King' },
    ]) {
      const reading = read(nested({ transportDetails: { transportCall: transportCall(vessel) } }))
      assert.deepEqual(onlyEventOf(reading).vessel, { imo: '9321483', name: 'King' })
    }
  })

  it('an approaching ship has not arrived: the text is kept without a code', () => {
    const event = nested(classification({ eventType: 'TRANSPORT', transportEventType: 'APPROACHING' }))
    assert.deepEqual([onlyEventOf(read(event)).code, onlyEventOf(read(event)).original], [null, 'APPROACHING'])
  })

  it('a later statement under one id replaces the earlier, in any order', () => {
    const later = nested({
      eventDateTime: '2026-01-21T00:00:00Z',
      eventUpdatedDateTime: '2026-01-22T00:00:00Z',
    })
    for (const events of [
      [nested(), later],
      [later, nested()],
    ]) {
      const reading = read(...events)
      assert.deepEqual(onlyEventOf(reading).time, { kind: 'instant', at: '2026-01-21T00:00:00.000Z' })
      assert.ok(!issuesOf(reading).some((issue) => issue.startsWith('duplicate')))
    }
  })

  it('a retracted event withdraws everything stated under its id, even without other fields', () => {
    const reading = read({ eventID: 'evt-1-2026-01-20T14:15:00Z', isRetracted: true })
    assert.deepEqual(reading.withdrawn, ['evt-1-2026-01-20T14:15:00Z'])
    assert.deepEqual(reading.observations, [])
    assert.deepEqual(reading.issues, [])
    const whole = read(nested({ isRetracted: true }))
    assert.deepEqual(
      eventsOf(whole).map(({ isRetracted }) => isRetracted),
      [true],
    )
    assert.deepEqual(factsOf(whole), {})
  })

  it('a retracted event id does not retract a longer id that begins with it', () => {
    const id = 'evt-1'
    assert.deepEqual(
      [id, `${id}#${box}`, `${id}#x`, `${id}-2`, 'evt'].map((key) => isKeyOf(id, key)),
      [true, true, false, false, false],
    )
  })

  it('the draft of 2023 is read: metadata, payload and the id of a retracted event', () => {
    const event = {
      metadata: {
        eventID: '3cecb101-7a1a-43a4-9d62-e88a131651e2',
        eventCreatedDateTime: '2026-01-20T14:20:00Z',
        eventType: 'TRANSPORT',
        retractedEventID: '3cecb101-7a1a-43a4-9d62-e88a131651e1',
      },
      payload: {
        eventClassifierCode: 'EST',
        eventDateTime: '2026-01-20T14:15:00Z',
        transportEventTypeCode: 'ARRI',
        transportCall: {
          transportCallReference: 'tc',
          modeOfTransport: 'VESSEL',
          carrierImportVoyageNumber: '9W',
          location: { UNLocationCode: 'NLRTM' },
        },
        relatedDocumentReferences: [{ type: 'BKG', value: 'ABC709951' }],
      },
    }
    const reading = readBody([event])
    const { classifier, code, place, voyage, callId } = onlyEventOf(reading)
    assert.deepEqual([classifier, code, place.unlocode, voyage, callId], ['EST', 'ARRI', 'NLRTM', '9W', 'tc'])
    assert.deepEqual(reading.withdrawn, ['3cecb101-7a1a-43a4-9d62-e88a131651e1'])
    assert.deepEqual(reading.about.bookingNumbers, ['ABC709951'])
    assert.deepEqual(reading.issues, [])
  })
})

describe('An answer', () => {
  const isStated = (events: readonly unknown[], request = billRequest, changes = {}) =>
    readBody(events, request, { isFullPicture: true, ...changes }).statedFullPicture

  it('counts as complete only if it is valid and its line always sends everything', () => {
    assert.equal(isStated([transportEvent()]), true)
    assert.equal(isStated([transportEvent()], billRequest, { isFullPicture: false }), false)
    assert.equal(isStated([]), false)
    assert.equal(
      readAnswer({ status: 500, contentType: null, text: '' }, billRequest, { isFullPicture: true }).statedFullPicture,
      false,
    )
  })

  it('does not count as complete if an event could not be read', () => {
    assert.equal(isStated([transportEvent(), transportEvent({ eventDateTime: 'x' })]), false)
    assert.equal(isStated([transportEvent(), transportEvent({ eventType: 'IOT' })]), true)
  })

  it('does not count as complete if only new events were requested', () => {
    assert.equal(isStated([transportEvent()], { ...billRequest, createdSince: '2026-01-01T00:00:00Z' }), false)
  })
})

describe('An event about a document', () => {
  const holdsOf = (...events: readonly (readonly [code: string, type: string])[]) =>
    readBody(
      events.map(([shipmentEventTypeCode, documentTypeCode], at) =>
        shipmentEvent({
          eventID: `3f2504e0-4f89-41d3-9a0c-0305e82c330${at}`,
          shipmentEventTypeCode,
          documentTypeCode,
          ...(documentTypeCode === 'TRD' && { documentID: billRequest.number }),
          eventCreatedDateTime: `2026-01-0${at + 1}T10:00:00Z`,
        }),
      ),
    ).observations.flatMap((stated) =>
      stated.kind === 'fact' && stated.fact === 'hold'
        ? [[stated.value.name, stated.value.status, stated.value.description].join(' ').trim()]
        : [],
    )

  it('sets or releases a customs, freight or other hold by its document type', () => {
    assert.deepEqual(holdsOf(['HOLD', 'CUC']), ['customs hold'])
    assert.deepEqual(holdsOf(['HOLD', 'CUC'], ['RELS', 'CUC']), ['customs released'])
    assert.deepEqual(holdsOf(['RELS', 'CRO'], ['HOLD', 'ARN']), ['freight released', 'other hold arrival notice'])
    assert.deepEqual(holdsOf(['SURR', 'TRD']), ['other released transport document'])
  })

  it('of another type or code sets no hold', () => {
    assert.deepEqual(holdsOf(['HOLD', 'SHI'], ['ISSU', 'CUC'], ['RELS', 'BKG']), [])
  })
})
