/** The itinerary of a container, planned stops too, from statements in the notation. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBill } from '../../../src/domain/shipment/container-trips.ts'
import { readItinerary, type Stop } from '../../../src/domain/shipment/itinerary.ts'
import { rampAreaOf } from '../../../src/reference/ramps.ts'
import { box, claimsOf } from '../../support/told-in-text.ts'

function itineraryOf(text: string): readonly Stop[] {
  return readItinerary({
    bill: readBill(claimsOf(text), { knownNumbers: [box], now: '2026-06-01T00:00:00.000Z' }),
    number: box,
    trip: 1,
    rows: [],
    areaOf: rampAreaOf,
    request: { kind: 'bill_of_lading', number: 'HLCU1' },
  })
}

const briefly = (stops: readonly Stop[]) =>
  stops.map(
    ({ place, inbound, outbound, isReached, hasDeparted: isLeft }) =>
      `${inbound?.mode ?? '-'} ${place.unlocode} ${outbound?.mode ?? '-'} ${isLeft ? 'left' : isReached ? 'reached' : 'ahead'}`,
  )

test('lists a planned transshipment as a stop before any event', () => {
  const stops = itineraryOf(`
    PLN DEPA - CNSHG 2026-01-05T20:00Z carrier:MAEU vessel=9321483/"First" voyage=1
    PLN ARRI - KRPUS 2026-01-08T04:00Z carrier:MAEU vessel=9321483/"First" voyage=1
    PLN DISC LADEN KRPUS 2026-01-08T11:00Z carrier:MAEU vessel=9321483/"First" voyage=1
    PLN LOAD LADEN KRPUS 2026-01-13T02:00Z carrier:MAEU vessel=9359052/"Second" voyage=7
    PLN DEPA - KRPUS 2026-01-13T20:00Z carrier:MAEU vessel=9359052/"Second" voyage=7
    EST ARRI - USLAX 2026-01-25T15:00Z carrier:MAEU vessel=9359052/"Second" voyage=7
  `)
  assert.deepEqual(briefly(stops), ['- CNSHG VESSEL ahead', 'VESSEL KRPUS VESSEL ahead', 'VESSEL USLAX - ahead'])
  assert.equal(stops[1]?.inbound?.vessel?.imo, '9321483')
  assert.equal(stops[1]?.outbound?.vessel?.imo, '9359052')
  assert.equal(stops[1]?.outbound?.voyage, '7')
})

test('does not list a port where the ship calls with the container on board', () => {
  const stops = itineraryOf(`
    ACT LOAD LADEN CNSHG 2026-01-05T02:00Z carrier:MAEU vessel=9321483/"First" voyage=1
    ACT DEPA - CNSHG 2026-01-05T20:00Z carrier:MAEU vessel=9321483/"First" voyage=1
    ACT ARRI - CNNGB 2026-01-06T06:00Z carrier:MAEU vessel=9321483/"First" voyage=1
    ACT DEPA - CNNGB 2026-01-06T23:00Z carrier:MAEU vessel=9321483/"First" voyage=1
    EST ARRI - USLAX 2026-01-25T15:00Z carrier:MAEU vessel=9321483/"First" voyage=1
  `)
  assert.deepEqual(briefly(stops), ['- CNSHG VESSEL left', 'VESSEL USLAX - ahead'])
})

test('lists past and expected stops together; the train continues from the port', () => {
  const stops = itineraryOf(`
    ACT LOAD LADEN HKHKG 2026-01-08T10:00Z carrier:HLCU
    ACT DEPA - HKHKG 2026-01-08T20:00Z carrier:HLCU
    EST ARRI - USLAX 2026-01-23T12:00Z carrier:HLCU
    ACT ARRI - USLAX 2026-01-23T20:00Z carrier:HLCU
    ACT DISC LADEN USLAX 2026-01-24T02:00Z carrier:HLCU
    ACT LOAD LADEN USLAX 2026-01-26T02:00Z rail:UP via=RAIL
    ACT DEPA - USLAX 2026-01-26T10:00Z rail:UP via=RAIL
    EST ARRI - USCHI 2026-01-31T12:00Z carrier:HLCU via=RAIL
    FACT place_of_delivery USCHI carrier:HLCU
  `)
  assert.deepEqual(briefly(stops), ['- HKHKG VESSEL left', 'VESSEL USLAX RAIL left', 'RAIL USCHI - ahead'])
  const arrival = stops[1]?.inbound
  assert.deepEqual(arrival?.estimatedAt, { kind: 'instant', at: '2026-01-23T12:00:00.000Z' })
  assert.deepEqual(arrival?.actualAt, { kind: 'instant', at: '2026-01-23T20:00:00.000Z' })
})

test('the itinerary without a ship lists places that documents name, but not the place of a gate move alone', () => {
  const named = itineraryOf(`
    FACT port_of_loading CNSHG carrier:HLCU
    FACT port_of_discharge USLAX carrier:HLCU
    FACT place_of_delivery USCHI carrier:HLCU
  `)
  assert.deepEqual(briefly(named), ['- CNSHG VESSEL ahead', 'VESSEL USLAX - ahead', '- USCHI - ahead'])
  assert.deepEqual(itineraryOf('ACT GTOT EMPTY CNSHG 2026-01-02T00:00Z carrier:HLCU'), [])
})
