/**
 * Forms that lines really send although the standard has another: how a place is written, and how events are listed.
 */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ObservedPlace } from '../../../src/domain/statements/observation.ts'
import { findTerminal, findTerminalById } from '../../../src/reference/terminals.ts'
import {
  callWith,
  equipmentEvent,
  eventsOf,
  issuesOf,
  type Json,
  onlyEventOf,
  readBody,
  transportEvent,
} from './events.ts'

function placeOf(eventLocation: unknown, call: Json = {}): ObservedPlace {
  const transportCall = { modeOfTransport: 'TRUCK', ...call }
  return onlyEventOf(readBody([equipmentEvent({ eventLocation, transportCall })])).place
}

describe('A terminal in a port', () => {
  const shengdong = findTerminal({ provider: 'SMDG', code: 'SHENG', unlocode: 'CNSHG' })?.id
  const spelled = 'YANGSHAN DEEP WATER PORT PHASE1 TER'

  it('is found by its code, or by a carrier’s spelling in any field, under any code of the port', () => {
    const facility = { facilityCode: 'SHENG', facilityCodeListProvider: 'SMDG' }
    for (const location of [
      { UNLocationCode: 'CNSHG', ...facility },
      { UNLocationCode: 'CNSHA', locationName: spelled },
      { UNLocationCode: 'CNSHA', locationName: 'SHENG' },
      { UNLocationCode: 'CNSHG', locationName: 'Shanghai', address: { name: spelled } },
      { UNLocationCode: 'CNSHG', locationName: 'Shanghai', facility: { facilityName: spelled } },
      // The facility's code is of the line's own list.
      { UNLocationCode: 'CNSHG', facilityCode: 'YS01', otherFacility: spelled },
      { locationName: spelled, address: { city: 'Shanghai', country: 'CN' } },
    ]) {
      const { unlocode, terminalId } = placeOf(location)
      assert.deepEqual([unlocode, terminalId], ['CNSHG', shengdong], JSON.stringify(location))
    }
  })

  it('is not found without the port, in another port, or by a colloquial name', () => {
    assert.deepEqual([placeOf({ locationName: spelled }).terminalId], [null])
    for (const location of [
      { UNLocationCode: 'CNNGB', locationName: spelled },
      { UNLocationCode: 'CNSHG', locationName: 'Hudong' },
      { UNLocationCode: 'CNSHG', locationName: 'Waigaoqiao' },
      { UNLocationCode: 'CNSHG', locationName: 'SHANGHAI' },
    ])
      assert.equal(placeOf(location).terminalId, null, JSON.stringify(location))
  })

  it('keeps the name that the source wrote', () => {
    assert.equal(placeOf({ UNLocationCode: 'CNSHG', locationName: spelled }).name, spelled)
  })
})

describe('The name of a terminal in an address', () => {
  const address = { name: 'GARDEN CITY TERMINAL' }

  it('is used as the name of a place that is found by its code', () => {
    const facility = { facilityCode: 'USSAVGCTA', facilityCodeListProvider: 'BIC' }
    const { unlocode, name, facilityCode, terminalId } = placeOf(
      { UNLocationCode: 'USSAV', locationName: 'SAVANNAH, GA', address },
      facility,
    )
    assert.deepEqual(
      [unlocode, name, facilityCode, findTerminalById(terminalId ?? '')?.name],
      ['USSAV', 'GARDEN CITY TERMINAL', 'USSAVGCTA', 'Garden City Terminals'],
    )
  })

  it('is used as the name of a place that is found by its city and country', () => {
    const known = placeOf({ address: { ...address, city: 'Savannah', stateRegion: 'GA', country: 'US' } })
    assert.deepEqual([known.unlocode, known.name], ['USSAV', 'GARDEN CITY TERMINAL'])
    const unknown = placeOf({ address: { ...address, city: 'Savanna-la-Nulle', country: 'US' } })
    assert.deepEqual([unknown.unlocode, unknown.name], [null, 'Savanna-la-Nulle'])
  })

  it('does not hide the name of an unknown place', () => {
    const { unlocode, name } = placeOf({ locationName: 'NOWHERE', address })
    assert.deepEqual([unlocode, name], [null, 'NOWHERE'])
    assert.equal(placeOf({ address }).name, 'GARDEN CITY TERMINAL')
  })

  it('is preferred to the address in one line (otherFacility)', () => {
    const call = { UNLocationCode: 'USSAV', otherFacility: 'GARDEN CITY TERMINAL 2 MAIN STREET SAVANNAH' }
    assert.equal(placeOf(undefined, { ...call, location: { locationName: 'Garden City' } }).name, 'Garden City')
    assert.equal(placeOf(undefined, { ...call, location: { address } }).name, address.name)
    assert.equal(placeOf(undefined, call).name, call.otherFacility)
  })
})

describe('A location that is a plain text', () => {
  it('is read as a code if the code is known', () => {
    const { unlocode, timeZone } = placeOf('KRPUS', { location: 'KRPUS' })
    assert.deepEqual([unlocode, timeZone], ['KRPUS', 'Asia/Seoul'])
  })

  it('is otherwise a name, and resolves to no place', () => {
    for (const text of ['QQQQQ', 'BUSAN NEW PORT']) {
      const { unlocode, name, timeZone } = placeOf(text)
      assert.deepEqual([unlocode, name, timeZone], [null, text, null])
    }
    assert.deepEqual(Object.values(placeOf('')), [null, null, null, null, null, null])
  })
})

describe('An answer with a separate list for each type of event', () => {
  const call = { transportCallID: 'C-1', modeOfTransport: 'VESSEL' }
  const listed = callWith({ transportCallID: 'C-1', modeOfTransport: 'BARGE', UNLocationCode: 'USLAX' })
  const parts = {
    transportEvent: [transportEvent({ transportCall: call })],
    equipmentEvent: [],
    transportCall: [listed, callWith({ transportCallID: 'C-2', UNLocationCode: 'USLGB' })],
  }

  it('has its events joined with their transport calls by id', () => {
    const { place, mode, vessel, callId } = onlyEventOf(readBody(parts, undefined, { body: 'parts' }))
    assert.deepEqual([place.unlocode, mode, vessel?.imo, callId], ['USLAX', 'VESSEL', '9321483', 'C-1'])
    const nameless = {
      ...parts,
      transportEvent: [transportEvent({ transportCall: { modeOfTransport: 'VESSEL' } })],
    }
    assert.equal(onlyEventOf(readBody(nameless, undefined, { body: 'parts' })).place.unlocode, null)
  })

  it('may be one of several in a list, and issues point into it', () => {
    const wrong = { equipmentEvent: [equipmentEvent({ equipmentReference: undefined })] }
    const reading = readBody([parts, wrong], undefined, { body: 'parts' })
    assert.equal(eventsOf(reading).length, 1)
    assert.deepEqual(issuesOf(reading), ['missing_field /1/equipmentEvent/0/equipmentReference'])
  })

  it('gives the booking of its shipment', () => {
    const reading = readBody({ ...parts, shipment: { carrierBookingReference: 'SELM61273900' } })
    assert.deepEqual(reading.about.bookingNumbers, ['SELM61273900'])
  })

  it('means that the number is unknown if all its lists are empty', () => {
    const empty = { shipmentEvent: [], transportEvent: [], equipmentEvent: [] }
    assert.equal(readBody(empty, undefined, { body: 'parts' }).outcome, 'not_found')
  })

  it('is reported where another shape was expected, and read anyway', () => {
    const reading = readBody(parts)
    assert.equal(reading.outcome, 'found')
    assert.deepEqual(issuesOf(reading), ['other_body_shape '])
  })
})
