import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { DcsaProfile } from '../../../src/sources/dcsa/profile.ts'
import { findDcsaProfile } from '../../../src/sources/dcsa/profiles/lines.ts'
import { isKeyOf } from '../../../src/sources/source.ts'
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

describe('What an answer is worth', () => {
  const verdictOf = (status: number, text: string, contentType = 'application/json') => {
    const { verdict, issues, observations } = readAnswer({ status, contentType, text })
    assert.deepEqual(observations, [])
    return [verdict, ...issues.map(({ kind }) => kind)].join(' ')
  }

  it('a login page with status 200 is an issue, never state', () => {
    const page = '<!DOCTYPE html><title>Sign in</title><form><input type="password"></form>'
    assert.equal(verdictOf(200, page, 'text/html'), 'unrecognized login_page')
    assert.equal(verdictOf(200, page), 'unrecognized login_page')
  })

  it('so are a web page that says it is JSON, broken JSON, JSON that breaks off, and no body', () => {
    assert.equal(verdictOf(200, '<html><h1>Maintenance</h1></html>'), 'unrecognized not_json')
    assert.equal(verdictOf(200, 'upstream connect error', 'text/plain'), 'unrecognized not_json')
    assert.equal(verdictOf(200, '[{"eventID": "1", "eventT'), 'unrecognized truncated_body')
    assert.equal(verdictOf(200, ''), 'unrecognized empty_answer')
    assert.equal(verdictOf(302, ''), 'unrecognized redirected')
    assert.equal(verdictOf(200, '{"hello": 1}'), 'unrecognized wrong_structure')
    assert.equal(verdictOf(200, '"events"'), 'unrecognized wrong_structure')
    assert.equal(
      verdictOf(200, '[null, 5, "x"]'),
      'unrecognized wrong_structure wrong_structure wrong_structure',
    )
  })

  it('not found is what the line says it is: 404, an empty list, a phrase; a web page with 404 is no such address', () => {
    assert.equal(verdictOf(404, '{"errors":[]}'), 'not_found')
    assert.equal(verdictOf(404, ''), 'not_found')
    assert.equal(verdictOf(404, '<html>no such page</html>'), 'unrecognized error_status')
    assert.equal(verdictOf(200, '[]'), 'not_found')
    assert.equal(verdictOf(204, ''), 'not_found')
    const known = { statuses: [404], emptyAnswer: 'known_without_data', phrases: [] } as const
    assert.equal(
      readBody([], billRequest, { notFound: { ...known, statuses: [404], phrases: [] } }).verdict,
      'known_without_data',
    )
    const notFound = { statuses: [404], emptyAnswer: 'not_found' as const, phrases: ['no data found'] }
    const text = '{"errors":[{"reason":"x","message":"No data found for B/L"}]}'
    assert.equal(
      readAnswer({ status: 500, contentType: null, text }, billRequest, { notFound }).verdict,
      'not_found',
    )
  })

  it('an error wrapped into a 200 is the error', () => {
    assert.equal(verdictOf(200, '{"statusCode":404,"errors":[]}'), 'not_found')
    assert.equal(verdictOf(200, '{"statusCode":503,"errors":[]}'), 'unreachable error_status')
  })

  it('500 and 429 say that the line cannot answer now, 401 that our access is not accepted, 400 that the question is not', () => {
    assert.equal(verdictOf(500, 'oops'), 'unreachable error_status')
    assert.equal(verdictOf(429, ''), 'unreachable error_status')
    assert.equal(verdictOf(401, '{}'), 'access_denied error_status')
    assert.equal(verdictOf(400, '{}'), 'question_refused error_status')
  })

  it('documents alone are no data, though the number is known', () => {
    assert.equal(readBody([shipmentEvent()]).verdict, 'known_without_data')
    assert.equal(readBody([shipmentEvent(), transportEvent()]).verdict, 'found')
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

  it('a body in the other shape is read, and it is said', () => {
    const reading = readBody({ events: [transportEvent()] })
    assert.equal(reading.verdict, 'found')
    assert.deepEqual(issuesOf(reading), ['other_body_shape '])
    assert.deepEqual(
      issuesOf(
        readBody({ events: [transportEvent()], feedbackElements: [] }, billRequest, { body: 'events' }),
      ),
      [],
    )
  })
})

describe('Which containers an event is about', () => {
  it('a transport event is about each container that it names, else about the whole shipment', () => {
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

  it('an equipment event without a container is refused, for it would be taken for all', () => {
    const reading = readBody([equipmentEvent({ equipmentReference: '' }), transportEvent()])
    assert.equal(onlyEventOf(reading).code, 'ARRI')
    assert.deepEqual(issuesOf(reading), ['missing_field /0/equipmentReference'])
  })

  it('a container is read wherever an event names it: in references of any shape, and when its own field holds none', () => {
    const bad = 'APZU2134567'
    const references = [{ type: 'EQ', value: box }]
    assert.equal(onlyEventOf(readBody([transportEvent({ references })])).equipment, box)
    for (const equipmentReference of [undefined, '', bad]) {
      const event = equipmentEvent({ equipmentReference, references: [eq(box)] })
      assert.equal(onlyEventOf(readBody([event])).equipment, box)
    }
    const { eventID, eventCreatedDateTime, eventType, ...payload } = transportEvent()
    const metadata = { eventID, eventCreatedDateTime, eventType, references: [eq(box)] }
    assert.equal(onlyEventOf(readBody([{ metadata, payload }])).equipment, box)
    assert.deepEqual(
      issuesOf(readBody([equipmentEvent({ equipmentReference: bad, references: [eq(bad)] })])),
      ['bad_equipment /0/equipmentReference', 'bad_equipment /0/references/0'],
    )
  })

  it('blanks and hyphens in a container number do not matter', () => {
    assert.equal(
      onlyEventOf(readBody([equipmentEvent({ equipmentReference: 'apzu 481209-0' })])).equipment,
      box,
    )
  })

  it('another container in the answer for one is an issue and never an observation', () => {
    const reading = readBody(
      [
        equipmentEvent(),
        equipmentEvent({ equipmentReference: otherBox, ISOEquipmentCode: '45G1' }),
        transportEvent(),
      ],
      boxRequest,
    )
    assert.deepEqual(
      eventsOf(reading).map(({ equipment }) => equipment),
      [box, null],
    )
    assert.deepEqual(factsOf(reading), {})
    assert.deepEqual(issuesOf(reading), ['other_container '])
    assert.equal(reading.verdict, 'found')
  })

  it('an answer that never names the container asked for is altogether another’s', () => {
    const events = [
      equipmentEvent({ equipmentReference: otherBox, documentReferences: [trd('B1234')] }),
      transportEvent(),
    ]
    const reading = readBody([...events, shipmentEvent()], boxRequest)
    assert.equal(reading.verdict, 'other_number')
    assert.deepEqual(reading.observations, [])
    assert.deepEqual(issuesOf(reading), ['other_container '])
  })

  it('of a sailing with several containers only the one asked for is observed', () => {
    const event = transportEvent({ references: [eq(otherBox), eq(box)] })
    assert.equal(onlyEventOf(readBody([event], boxRequest)).equipment, box)
  })

  it('an answer that speaks of another bill only is altogether another’s', () => {
    const other = [trd('XYZ99999'), { documentReferenceType: 'BKG', documentReferenceValue: 'K1' }]
    const reading = readBody([
      transportEvent({ documentReferences: other }),
      equipmentEvent({ documentReferences: other }),
      equipmentEvent({ equipmentReference: otherBox }),
    ])
    assert.equal(reading.verdict, 'other_number')
    assert.deepEqual(reading.observations, [])
    assert.deepEqual(issuesOf(reading), ['other_document '])
  })

  it('of an answer about several bills, what names the one asked for or none is read', () => {
    const reading = readBody([
      transportEvent({ documentReferences: [trd('HHL71800000')] }),
      equipmentEvent(),
      equipmentEvent({ equipmentReference: otherBox, documentReferences: [trd('XYZ99999')] }),
      transportEvent({ documentReferences: [trd('XYZ99999'), trd('HHL71800000')] }),
    ])
    assert.equal(reading.verdict, 'found')
    assert.deepEqual(new Set(eventsOf(reading).map(({ equipment }) => equipment)), new Set([null, box]))
    assert.deepEqual(issuesOf(reading), ['other_document '])
  })

  it('what is left out as another bill’s is no gap in a full picture', () => {
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
    it(`${told} is the bill ${number} of ${scac}: ${why}`, () => {
      const events = [transportEvent({ documentReferences: [trd(told)] })]
      const reading = readBody(events, { scac, kind: 'bill_of_lading', number })
      assert.equal(reading.verdict, 'found')
      assert.deepEqual(issuesOf(reading), [])
    })
  }

  it('another number of the same length is another bill, however alike', () => {
    const events = [transportEvent({ documentReferences: [trd('218765433')] })]
    const request = { scac: 'MAEU', kind: 'bill_of_lading', number: 'MAEU218765432' } as const
    assert.equal(readBody(events, request).verdict, 'other_number')
  })

  it('a bill asked for by its booking’s number, and a booking answered with its bills, are read', () => {
    const documentReferences = [
      trd('XYZ99999'),
      { documentReferenceType: 'BKG', documentReferenceValue: 'ABC709951' },
    ]
    for (const kind of ['bill_of_lading', 'booking'] as const) {
      const request = { ...bookingRequest, kind }
      assert.equal(readBody([transportEvent({ documentReferences })], request).verdict, 'found')
    }
  })

  it('a bill answered under its booking only is read', () => {
    const documentReferences = [{ documentReferenceType: 'BKG', documentReferenceValue: 'ABC709951' }]
    assert.equal(readBody([transportEvent({ documentReferences })]).verdict, 'found')
  })
})

describe('Where', () => {
  it('an alias is read as the place it stands for: CNSHA is Shanghai', () => {
    const { place } = onlyEventOf(
      readBody([transportEvent({ transportCall: callWith({ UNLocationCode: 'CNSHA' }) })]),
    )
    assert.equal(place.unlocode, 'CNSHG')
    assert.equal(place.timeZone, 'Asia/Shanghai')
  })

  it('an alias beside its place is no contradiction', () => {
    const transportCall = callWith({ UNLocationCode: 'CNSHA', location: { UNLocationCode: 'CNSHG' } })
    assert.deepEqual(issuesOf(readBody([transportEvent({ transportCall })])), [])
  })

  it('the event’s own location is believed before the transport call’s', () => {
    const reading = readBody([equipmentEvent({ eventLocation: { UNLocationCode: 'USLGB' } })])
    const { place } = onlyEventOf(reading)
    assert.equal(place.unlocode, 'USLGB')
    assert.equal(place.facilityType, null, 'the type is of the call’s place')
    assert.deepEqual(issuesOf(reading), ['conflicting_location /0/transportCall/UNLocationCode'])
  })

  it('a transport event’s fuller location is believed before the call’s bare code', () => {
    const reading = readBody([
      transportEvent({ transportCall: callWith({ location: { UNLocationCode: 'USLGB' } }) }),
    ])
    assert.equal(onlyEventOf(reading).place.unlocode, 'USLGB')
    assert.deepEqual(issuesOf(reading), ['conflicting_location /0/transportCall/UNLocationCode'])
  })

  it('an unknown code leaves the place unknown, and the text is kept', () => {
    const reading = readBody([
      equipmentEvent({ eventLocation: { UNLocationCode: 'XYABC', locationName: 'Nowhere' } }),
    ])
    const { place } = onlyEventOf(reading)
    assert.deepEqual([place.unlocode, place.name, place.timeZone], [null, 'Nowhere', null])
    assert.deepEqual(issuesOf(reading), [
      'unknown_place /0/eventLocation/UNLocationCode',
      'conflicting_location /0/transportCall/UNLocationCode',
    ])
  })

  it('a name without a country is not looked up, for too many places share it', () => {
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

  it('a name without a code is kept as a name; nothing that was said is lost', () => {
    const location = { locationName: 'Hamburg' }
    const { issues } = readBody([transportEvent({ transportCall: { modeOfTransport: 'RAIL', location } })])
    assert.deepEqual(
      issues.map(({ kind, lost }) => `${kind} ${lost}`),
      ['unknown_place nothing'],
    )
  })

  it('where an event says no place of its own, its transport call’s counts', () => {
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

  it('a name of its own that means another place of the country keeps the call’s code from it, save by ship', () => {
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

  it('an event without any place is read, and nothing is made up', () => {
    const { place } = onlyEventOf(
      readBody([transportEvent({ transportCall: { transportCallID: 'C', modeOfTransport: 'RAIL' } })]),
    )
    assert.deepEqual(new Set(Object.values(place)), new Set([null]))
  })
})

describe('When', () => {
  const timeOf = (eventDateTime: string, changes = {}) =>
    onlyEventOf(readBody([transportEvent({ eventDateTime })], billRequest, changes)).time

  it('a time without a zone stays local, and no zone is made up', () => {
    assert.deepEqual(timeOf('2026-01-09T14:00:00'), { kind: 'local', local: '2026-01-09T14:00:00' })
  })

  it('a ship’s call that is planned without a time says where the way leads, and nothing is an event of it', () => {
    for (const eventDateTime of [null, '']) {
      const plan = { eventDateTime, eventClassifierCode: 'PLN' }
      const reading = readBody([
        transportEvent({ ...plan, transportEventTypeCode: 'ARRI' }),
        transportEvent({ ...plan, transportEventTypeCode: 'DEPA' }),
      ])
      const facts = reading.observations.map((said) => (said.kind === 'fact' ? said.fact : said.kind))
      assert.deepEqual(facts.filter((fact) => fact === 'event' || fact.startsWith('undated_')).toSorted(), [
        'undated_arrival',
        'undated_departure',
      ])
      assert.equal(reading.verdict, 'found')
    }
    const actual = readBody([transportEvent({ eventDateTime: null, eventClassifierCode: 'ACT' })])
    assert.deepEqual(actual.observations, [])
    assert.equal(issuesOf(actual).length, 1)
  })

  it('a line known to write local times has them read at the place', () => {
    const changes = { zoneFallback: 'place' as const }
    assert.deepEqual(timeOf('2026-01-09T14:00:00', changes), {
      kind: 'instant',
      at: '2026-01-09T22:00:00.000Z',
    })
    const nowhere = transportEvent({ eventDateTime: '2026-01-09T14:00:00', transportCall: {} })
    assert.equal(onlyEventOf(readBody([nowhere], billRequest, changes)).time.kind, 'local')
  })

  it('a line that only knows days writes midnights, and they are days, whatever zone stands behind them', () => {
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

  it('when a statement was made needs a zone, because statements are ordered by it', () => {
    const reading = readBody([transportEvent({ eventCreatedDateTime: '2026-01-09T14:00:00' })])
    assert.equal(onlyEventOf(reading).statedAt, null)
    assert.deepEqual(issuesOf(reading), ['time_without_zone /0/eventCreatedDateTime'])
  })
})

describe('A line that states its transport events anew with each question', () => {
  const restatesTransport = findDcsaProfile('MAEU')?.restatesTransport === true
  const eta = transportEvent({ eventClassifierCode: 'EST' })
  const readOn = (day: string, changes: Json = {}, profile: Partial<DcsaProfile> = { restatesTransport }) =>
    readBody([{ ...eta, ...changes, eventCreatedDateTime: `2026-01-${day}T00:00:00Z` }], billRequest, profile)

  it('says nothing new by it: the answer of another day reads the same', () => {
    assert.equal(restatesTransport, true)
    assert.equal(onlyEventOf(readOn('10')).statedAt, null)
    assert.deepEqual(readOn('11'), readOn('10'))
    assert.deepEqual(issuesOf(readOn('10')), [])
    assert.notDeepEqual(readOn('11', { eventDateTime: '2026-01-09T18:00:00-08:00' }), readOn('10'))
  })

  it('is believed in the times of its other events, and other lines in all', () => {
    const move = equipmentEvent()
    assert.equal(
      onlyEventOf(readBody([move], billRequest, { restatesTransport })).statedAt,
      '2026-01-10T00:00:00.000Z',
    )
    for (const profile of [{}, { restatesTransport: false }])
      assert.equal(onlyEventOf(readOn('10', {}, profile)).statedAt, '2026-01-10T00:00:00.000Z')
  })
})

describe('Codes', () => {
  it('an unknown event code is kept in the line’s own words and is an issue', () => {
    const reading = readBody([equipmentEvent({ equipmentEventTypeCode: 'ZAPP' })])
    const { code, original } = onlyEventOf(reading)
    assert.deepEqual([code, original], [null, 'ZAPP'])
    assert.deepEqual(issuesOf(reading), ['unknown_code /0/equipmentEventTypeCode'])
  })

  it('an unknown classifier loses the event, because planned must never be taken for happened', () => {
    const reading = readBody([transportEvent({ eventClassifierCode: 'REQ' })])
    assert.deepEqual(reading.observations, [])
    assert.deepEqual(issuesOf(reading), ['unknown_code /0/eventClassifierCode'])
  })

  it('PLAN is an issue, save from Evergreen, where it is PLN', () => {
    const events = [transportEvent({ eventClassifierCode: 'PLAN' })]
    assert.deepEqual(readBody(events).observations, [])
    const enumAliases = findDcsaProfile('EGLV')?.enumAliases ?? {}
    assert.equal(onlyEventOf(readBody(events, billRequest, { enumAliases })).classifier, 'PLN')
  })

  it('ONE’s FEEDER is a barge', () => {
    const events = [transportEvent({ transportCall: callWith({ modeOfTransport: 'FEEDER' }) })]
    assert.deepEqual(issuesOf(readBody(events)), ['unknown_code /0/transportCall/modeOfTransport'])
    const enumAliases = findDcsaProfile('ONEY')?.enumAliases ?? {}
    assert.equal(onlyEventOf(readBody(events, billRequest, { enumAliases })).mode, 'BARGE')
  })

  it('a code may have its meaning in brackets behind it', () => {
    const documentReferences = [
      { documentReferenceType: 'BKG (Booking)', documentReferenceValue: 'ABC709951' },
    ]
    assert.deepEqual(readBody([transportEvent({ documentReferences })]).about.bookingNumbers, ['ABC709951'])
  })

  it('words that JavaScript knows are no codes', () => {
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

  it('empty fields say nothing', () => {
    const reading = vesselIn({ vesselIMONumber: '', vesselName: ' ' })
    assert.equal(onlyEventOf(reading).vessel, null)
    assert.deepEqual(issuesOf(reading), [])
  })

  it('a missing IMO number is an issue, unless the line is known for it', () => {
    assert.deepEqual(issuesOf(vesselIn({ vesselName: 'King' })), [
      'missing_field /0/transportCall/vessel/vesselIMONumber',
    ])
    const reading = vesselIn({ vesselName: 'King' }, { mayLack: ['vesselIMONumber'] })
    assert.deepEqual(issuesOf(reading), [])
    assert.deepEqual(onlyEventOf(reading).vessel, { imo: null, name: 'King' })
  })
})

describe('What is said besides', () => {
  const seals = [
    { sealNumber: 'C1', sealSource: 'CUS' },
    { sealNumber: 'L1', sealSource: 'CAR' },
  ]

  it('the carrier’s seal is the seal, and one that an inspector removed is none', () => {
    assert.equal(factsOf(readBody([equipmentEvent({ seals })]))[`seal_number ${box}`], 'L1')
    assert.deepEqual(factsOf(readBody([equipmentEvent({ seals, equipmentEventTypeCode: 'RMVD' })])), {})
  })

  it('what a line’s data lacks stays unknown, even where a field has something in it', () => {
    const events = [equipmentEvent({ seals, ISOEquipmentCode: '45G1' })]
    const factsOfLine = (scac: string) => Object.keys(factsOf(readBody(events, { ...billRequest, scac })))
    assert.deepEqual(factsOfLine('ACLU'), [`seal_number ${box}`, `size_type ${box}`])
    assert.deepEqual(factsOfLine('MSCU'), [`size_type ${box}`])
    assert.deepEqual(factsOfLine('HDMU'), [`seal_number ${box}`])
    const tank = [equipmentEvent({ ISOEquipmentCode: '22T6' })]
    assert.deepEqual(factsOf(readBody(tank, { ...billRequest, scac: 'ONEY' })), {})
  })

  it('of two statements about one thing the later is believed', () => {
    const early = equipmentEvent({ ISOEquipmentCode: '22G1', eventCreatedDateTime: '2026-01-01T00:00:00Z' })
    const late = equipmentEvent({ ISOEquipmentCode: '45G1', eventCreatedDateTime: '2026-01-02T00:00:00Z' })
    for (const events of [
      [early, late],
      [late, early],
    ]) {
      assert.deepEqual(factsOf(readBody(events)), { [`size_type ${box}`]: '45G1' })
    }
  })

  it('a line that says which port is which is believed', () => {
    const event = equipmentEvent({ carrierSpecificData: { shipmentLocationType: 'POD' } })
    const place = factsOf(readBody([event]))[`port_of_discharge ${box}`] as { readonly unlocode: string }
    assert.equal(place.unlocode, 'USLAX')
  })

  it('ids under which a line keeps documents inside are no numbers', () => {
    const event = transportEvent({ documentReferences: [trd('85943567-eedb-98d3-f4ed-aed697474ed4')] })
    assert.deepEqual(readBody([event]).about.billNumbers, [])
  })
})

describe('Bookings', () => {
  const said = (shipmentEventTypeCode: string, day: number, changes: Json = {}) =>
    shipmentEvent({ shipmentEventTypeCode, eventDateTime: `2026-01-0${day}T00:00:00Z`, ...changes })
  const verdictOf = (events: readonly Json[], request = bookingRequest) => {
    const reading = readBody(events, request)
    return [reading.verdict, factsOf(reading)['booking_cancelled -']]
  }

  it('a cancelled or voided booking is cancelled, in whichever order it is told', () => {
    assert.deepEqual(verdictOf([said('CONF', 1), said('CANC', 2)]), ['cancelled', true])
    assert.deepEqual(verdictOf([said('VOID', 2), said('CONF', 1)]), ['cancelled', true])
    assert.deepEqual(verdictOf([said('CANC', 2, { documentTypeCode: 'CBR', documentID: 'R-1' })]), [
      'cancelled',
      true,
    ])
  })

  it('a booking that is confirmed again stands', () => {
    assert.deepEqual(verdictOf([said('CANC', 1), said('CONF', 2)]), ['known_without_data', false])
  })

  it('a voided arrival notice cancels nothing', () => {
    assert.deepEqual(verdictOf([said('VOID', 2, { documentTypeCode: 'ARN' })]), [
      'known_without_data',
      undefined,
    ])
  })

  it('a bill stands while one of its bookings does', () => {
    const other = { documentID: 'ZZZ1111' }
    assert.deepEqual(verdictOf([said('CANC', 2), said('CONF', 1, other), transportEvent()], billRequest), [
      'found',
      false,
    ])
    assert.deepEqual(verdictOf([said('CANC', 2), said('CONF', 1, other)]), ['cancelled', true])
  })
})

describe('Keys', () => {
  it('an event without an id gets one that stays when its time moves', () => {
    const keyAt = (eventDateTime: string) =>
      onlyEventOf(
        readBody([transportEvent({ eventID: undefined, eventClassifierCode: 'EST', eventDateTime })]),
      ).key
    assert.equal(keyAt('2026-01-09T14:00:00Z'), keyAt('2026-01-11T02:00:00Z'))
  })

  it('two such statements at one call have two keys, the first stated keeping its own', () => {
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

  it('an id that stands for different things is no key for any of them', () => {
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

  it('the words of May 2026 mean the codes of 2.2', () => {
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

  it('a ship that approaches has not arrived: the word is kept without a code', () => {
    const event = nested(classification({ eventType: 'TRANSPORT', transportEventType: 'APPROACHING' }))
    assert.deepEqual(
      [onlyEventOf(read(event)).code, onlyEventOf(read(event)).original],
      [null, 'APPROACHING'],
    )
  })

  it('a later statement of one id replaces the earlier, in whichever order they come', () => {
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

  it('a retracted event takes back whatever was said under its id, though it says nothing else', () => {
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

  it('an id covers its own key and those of its containers, and no longer id', () => {
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

describe('The full picture', () => {
  const isStated = (events: readonly unknown[], request = billRequest, changes = {}) =>
    readBody(events, request, { isFullPicture: true, ...changes }).statedFullPicture

  it('is stated only by a valid answer of a line that always sends all', () => {
    assert.equal(isStated([transportEvent()]), true)
    assert.equal(isStated([transportEvent()], billRequest, { isFullPicture: false }), false)
    assert.equal(isStated([]), false)
    assert.equal(
      readAnswer({ status: 500, contentType: null, text: '' }, billRequest, { isFullPicture: true })
        .statedFullPicture,
      false,
    )
  })

  it('is not stated when an event could not be read, for it was said all the same', () => {
    assert.equal(isStated([transportEvent(), transportEvent({ eventDateTime: 'x' })]), false)
    assert.equal(isStated([transportEvent(), transportEvent({ eventType: 'IOT' })]), true)
  })

  it('is not stated when only what is new was asked for', () => {
    assert.equal(
      isStated([transportEvent()], { ...billRequest, createdSince: '2026-01-01T00:00:00Z' }),
      false,
    )
  })
})
