/** Containers that continue by rail: where they wait, who carries them, where they end, and what reverses it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimsOf, happenedIn, onlyBox, projectText } from '../../support/told-in-text.ts'

const landed = `
  ACT LOAD LADEN HKHKG 2026-01-08T10:00Z carrier:HLCU
  ACT DISC LADEN USLAX 2026-01-24T02:00Z carrier:HLCU`
const stated = (text: string) => projectText(text, { claims: claimsOf(text, '2026-02-20T00:00:00.000Z') })
const told = (text: string) => onlyBox(stated(`${landed}\n${text}`))
const atEnd = (text: string) => happenedIn(told(text)).slice(2).join(' ')

test('a container with an inland place of delivery awaits its transfer, although no train was reported', () => {
  const container = told('FACT place_of_delivery USCHI carrier:HLCU')
  assert.equal(container.status, 'awaiting_inland_transfer')
  assert.equal(container.destination?.place?.unlocode, 'USCHI')
})

test('knows the destination as soon as the documents name it and the port of discharge', () => {
  const projection = stated(`FACT place_of_delivery USCHI carrier:HLCU
    FACT port_of_discharge USLAX carrier:HLCU`)
  assert.equal(projection.destination?.place?.unlocode, 'USCHI')
  assert.equal(onlyBox(projection).destination?.place?.unlocode, 'USCHI')
})

test('a place of delivery beside the port is not an inland destination', () => {
  const container = told('FACT place_of_delivery USLGB carrier:HLCU')
  assert.equal(container.status, 'grounded')
  assert.equal(container.destination, null)
})

test('a container with a named railway awaits its train, until a terminal states that it is available', () => {
  assert.equal(told('FACT pod_rail_carrier BNSF terminal:Y258').status, 'awaiting_inland_transfer')
  const released = `FACT pod_rail_carrier BNSF terminal:Y258
    FACT available true terminal:Y258`
  assert.equal(told(released).status, 'available')
})

test('a container that a truck takes from the port despite a planned train is picked up, and no train is expected', () => {
  const container = told(`FACT place_of_delivery USCHI carrier:HLCU
    EST ARRI - USCHI 2026-02-28T12:00Z carrier:HLCU via=RAIL
    FACT pod_terminal USLAX terminal:Y258 at=Y258
    ACT GTOT LADEN USLAX 2026-01-28T10:00Z terminal:Y258`)
  assert.equal(container.status, 'picked_up')
  assert.equal(container.pickupFacility?.facilityCode, 'Y258')
  assert.deepEqual(
    container.milestones.filter(({ kind }) => kind === 'estimated'),
    [],
  )
})

test('a truck move to the railway beside the port is not a pick-up', () => {
  const out = 'ACT GTOT LADEN USLAX 2026-01-25T10:00Z terminal:Y258'
  const route = 'FACT place_of_delivery USCHI carrier:HLCU'
  assert.equal(told(`${route}\n${out}`).status, 'picked_up')
  const atRamp = `${route}\n${out}\nACT GTIN LADEN USLGB 2026-01-25T14:00Z rail:UP at=Y381`
  assert.equal(told(atRamp).status, 'awaiting_inland_transfer')
  assert.equal(atEnd(atRamp), '')
  const onTrain = `${atRamp}\nACT LOAD LADEN USLGB 2026-01-26T02:00Z rail:UP via=RAIL`
  assert.equal(told(onTrain).status, 'on_rail')
  assert.equal(atEnd(onTrain), 'rail_loaded')
  assert.equal(told(onTrain).podRailCarrier, 'UP')
  assert.deepEqual(stated(`${landed}\n${onTrain}`).issues, [])
})

test('a truck move between the yards of two railways is neither a pick-up nor the delivery', () => {
  const toChicago = `FACT place_of_delivery USATL carrier:HLCU
    ACT DEPA - USLAX 2026-01-26T02:00Z rail:UP via=RAIL
    ACT ARRI - USNTI 2026-01-29T02:00Z rail:UP via=RAIL site=RAMP
    ACT DISC LADEN USNTI 2026-01-29T06:00Z rail:UP via=RAIL site=RAMP`
  assert.equal(told(toChicago).status, 'awaiting_inland_transfer')
  assert.equal(told(toChicago).destinationRailCarrier, null)
  const across = `${toChicago}
    ACT GTOT LADEN USNTI 2026-01-29T10:00Z rail:UP via=TRUCK site=RAMP
    ACT GTIN LADEN USCHI 2026-01-29T12:00Z rail:NS via=TRUCK site=RAMP
    ACT LOAD LADEN USCHI 2026-01-29T20:00Z rail:NS via=RAIL
    ACT DEPA - USCHI 2026-01-30T02:00Z rail:NS via=RAIL`
  assert.equal(told(across).status, 'on_rail')
  const ended = `${across}
    ACT ARRI - USATL 2026-02-01T02:00Z rail:NS via=RAIL site=RAMP`
  assert.equal(
    atEnd(ended),
    'rail_departed rail_arrived rail_unloaded rail_loaded rail_departed rail_arrived arrived_at_inland_destination',
  )
  const container = told(ended)
  assert.deepEqual([container.podRailCarrier, container.destinationRailCarrier], ['UP', 'NS'])
  assert.equal(container.destination?.ata?.kind, 'instant')
})

test('at an interchange, the arrival is taken from the first railway and the departure from the second', () => {
  const container = told(`FACT place_of_delivery USATL carrier:HLCU
    ACT ARRI - USMEM 2026-01-28T10:00Z rail:UP via=RAIL
    ACT ARRI - USMEM 2026-01-28T16:00Z rail:NS via=RAIL stated=2026-01-28T17:00Z
    ACT DEPA - USMEM 2026-01-28T12:00Z rail:UP via=RAIL stated=2026-01-29T12:00Z
    ACT DEPA - USMEM 2026-01-28T20:00Z rail:NS via=RAIL`)
  const at = (name: string) => container.milestones.find((each) => each.name === name)?.time
  assert.deepEqual(at('rail_arrived'), { kind: 'instant', at: '2026-01-28T10:00:00.000Z' })
  assert.deepEqual(at('rail_departed'), { kind: 'instant', at: '2026-01-28T20:00:00.000Z' })
})

test('uses a correction by the railway that reported the arrival first, not the time of another railway', () => {
  const container = told(`ACT ARRI - USMEM 2026-01-28T10:00Z rail:UP via=RAIL
    ACT ARRI - USMEM 2026-01-28T11:00Z rail:UP via=RAIL stated=2026-02-21T00:00Z
    ACT ARRI - USMEM 2026-01-28T16:00Z rail:NS via=RAIL stated=2026-02-22T00:00Z`)
  assert.deepEqual(container.milestones.find(({ name }) => name === 'rail_arrived')?.time, {
    kind: 'instant',
    at: '2026-01-28T11:00:00.000Z',
  })
})

test('a container for Chicago has arrived when the train unloads it in a town of that area', () => {
  const onTheWay = `FACT place_of_delivery USCHI carrier:HLCU
    ACT DEPA - USLAX 2026-01-26T02:00Z rail:BNSF via=RAIL
    EST ARRI - USEWI 2026-01-30T02:00Z rail:BNSF via=RAIL`
  assert.equal(told(onTheWay).destination?.eta?.kind, 'instant')
  const arrived = `${onTheWay}
    ACT ARRI - USEWI 2026-01-30T06:00Z rail:BNSF via=RAIL site=RAMP at=H572
    ACT DISC LADEN USEWI 2026-01-30T09:00Z rail:BNSF via=RAIL site=RAMP at=H572`
  const container = told(arrived)
  assert.equal(container.status, 'grounded')
  assert.equal(container.destination?.place?.unlocode, 'USCHI')
  assert.equal(container.destination?.ata?.kind, 'instant')
  assert.equal(container.pickupFacility?.facilityCode, 'H572')
  assert.deepEqual([container.podRailCarrier, container.destinationRailCarrier], ['BNSF', 'BNSF'])
  assert.equal(atEnd(arrived), 'rail_departed rail_arrived arrived_at_inland_destination rail_unloaded')
})

test('the ramp that the documents name is the pick-up facility, before and after the train', () => {
  const papers = 'FACT place_of_delivery USCHI carrier:HLCU at=J791 site=RAMP'
  assert.equal(told(papers).pickupFacility?.facilityCode, 'J791')
  const arrived = `${papers}
    ACT ARRI - USCHI 2026-01-30T06:00Z rail:BNSF via=RAIL`
  assert.equal(told(arrived).pickupFacility?.facilityCode, 'J791')
})

test('free time at a ramp with an unknown time zone does not use the time zone of the port', () => {
  const container = told(`FACT place_of_delivery "SOMEWHERE INLAND" carrier:HLCU
    ACT DEPA - USLAX 2026-01-26T02:00Z rail:BNSF via=RAIL
    FACT pickup_lfd_rail 2026-02-22 rail:BNSF`)
  assert.equal(container.pickupTimeZone, null)
})

test('a train that brings the container to the ship does not affect the port of discharge', () => {
  const toShip = `ACT GTOT EMPTY USCHI 2026-01-02T08:00Z carrier:HLCU
    ACT GTIN LADEN USCHI 2026-01-04T08:00Z rail:BNSF
    ACT LOAD LADEN USCHI 2026-01-05T08:00Z rail:BNSF via=RAIL
    FACT place_of_delivery USLAX rail:BNSF stated=2026-01-05T08:00Z
    FACT destination_rail_carrier BNSF rail:BNSF stated=2026-01-05T08:00Z
    FACT pickup_lfd_rail 2026-01-14 rail:BNSF stated=2026-01-09T08:00Z
    FACT available true rail:BNSF stated=2026-01-09T08:00Z
    ACT ARRI - USLAX 2026-01-09T08:00Z rail:BNSF via=RAIL site=RAMP
    ACT DISC LADEN USLAX 2026-01-09T12:00Z rail:BNSF via=RAIL site=RAMP`
  const planned = `${toShip}
    PLN DEPA - USLAX 2026-01-15T18:00Z carrier:HLCU vessel=9321483/"Mother"
    EST ARRI - CNSHG 2026-02-05T18:00Z carrier:HLCU vessel=9321483/"Mother"`
  for (const text of [toShip, planned]) {
    const container = onlyBox(stated(text))
    assert.equal(container.status, 'new')
    assert.deepEqual(
      [container.destination, container.podRailCarrier, container.destinationRailCarrier],
      [null, null, null],
    )
    assert.deepEqual([container.freeTime.rail, container.available], [null, null])
    assert.equal(happenedIn(container).includes('arrived_at_inland_destination'), false)
  }
  const sailed = onlyBox(
    stated(`${toShip}
      ACT LOAD LADEN USLAX 2026-01-15T10:00Z carrier:HLCU vessel=9321483/"Mother"
      ACT DISC LADEN CNSHG 2026-02-05T18:00Z carrier:HLCU vessel=9321483/"Mother"`),
  )
  assert.equal(sailed.status, 'grounded')
  assert.deepEqual([sailed.destination, sailed.podRailCarrier], [null, null])
})

test('a railway alone can report the train, its arrival and the unloading', () => {
  const container = onlyBox(
    stated(`FACT place_of_delivery USCHI rail:BNSF
      ACT DEPA - USLAX 2026-01-26T02:00Z rail:BNSF via=RAIL
      ACT ARRI - USCHI 2026-01-30T06:00Z rail:BNSF via=RAIL site=RAMP
      ACT DISC LADEN USCHI 2026-01-30T09:00Z rail:BNSF via=RAIL site=RAMP
      FACT pickup_lfd_rail 2026-02-22 rail:BNSF`),
  )
  assert.equal(container.status, 'grounded')
  assert.equal(container.destinationRailCarrier, 'BNSF')
  assert.equal(container.destination?.place?.unlocode, 'USCHI')
  assert.equal(container.pickupTimeZone, 'America/Chicago')
  assert.equal(happenedIn(container).includes('arrived_at_inland_destination'), true)
})

test('a container that moves inland by truck or barge is not on a train', () => {
  const route = 'FACT place_of_delivery USCHI carrier:HLCU'
  const lorry = `${route}
    ACT GTOT LADEN USLAX 2026-01-26T02:00Z terminal:Y258
    ACT ARRI - USCHI 2026-01-30T06:00Z carrier:HLCU via=TRUCK`
  assert.equal(told(lorry).status, 'picked_up')
  assert.equal(happenedIn(told(lorry)).at(-1), 'arrived_at_inland_destination')
  const barge = `${route}
    ACT DEPA - USLAX 2026-01-26T02:00Z carrier:HLCU via=BARGE
    ACT ARRI - USCHI 2026-01-30T06:00Z carrier:HLCU via=BARGE`
  assert.equal(told(barge).status, 'on_ship')
})

test('the railway decides whether a container at its ramp is available', () => {
  const unloaded = `FACT place_of_delivery USCHI carrier:HLCU
    ACT DEPA - USLAX 2026-01-26T02:00Z rail:BNSF via=RAIL
    ACT ARRI - USCHI 2026-01-30T06:00Z rail:BNSF via=RAIL site=RAMP
    ACT DISC LADEN USCHI 2026-01-30T09:00Z rail:BNSF via=RAIL site=RAMP`
  assert.equal(told(unloaded).status, 'grounded')
  const onWheels = `${unloaded}
    FACT chassis_number TSFZ123456 rail:BNSF
    FACT yard_location "C 12" rail:BNSF`
  assert.equal(told(onWheels).status, 'grounded')
  assert.deepEqual([told(onWheels).chassisNumber, told(onWheels).yardLocation], ['TSFZ123456', 'C 12'])
  assert.equal(told(`${onWheels}\nFACT available false rail:BNSF`).status, 'not_available')
  assert.equal(told(`${onWheels}\nFACT available true rail:BNSF`).status, 'available')
})

test('after a withdrawn rail departure, the container awaits its train and the railway is unknown', () => {
  const route = 'FACT place_of_delivery USCHI carrier:HLCU'
  const gone = `${route}\nACT DEPA - USLAX 2026-01-26T02:00Z rail:BNSF via=RAIL`
  assert.deepEqual([told(gone).status, told(gone).podRailCarrier], ['on_rail', 'BNSF'])
  const back = told(gone.replace('via=RAIL', 'via=RAIL retracted'))
  assert.deepEqual([back.status, back.podRailCarrier], ['awaiting_inland_transfer', null])
})

const bill = (text: string) => {
  const projection = stated(`ACT LOAD LADEN HKHKG 2026-01-08T10:00Z carrier:HLCU
    ACT DISC LADEN USLAX 2026-01-24T02:00Z carrier:HLCU
    ACT LOAD LADEN HKHKG 2026-01-08T10:00Z carrier:HLCU box=MSKU7432104
    ACT DISC LADEN USLAX 2026-01-24T02:00Z carrier:HLCU box=MSKU7432104
    ${text}`)
  const codeOf = (leg: { readonly place: { readonly unlocode: string | null } | null } | null) =>
    leg?.place?.unlocode ?? null
  return [codeOf(projection.destination), ...projection.containers.map((container) => codeOf(container.destination))]
}

test('a destination that a line states for one container applies to all containers of the bill', () => {
  assert.deepEqual(bill('FACT place_of_delivery USCHI carrier:HLCU box=-'), ['USCHI', 'USCHI', 'USCHI'])
  assert.deepEqual(bill('FACT place_of_delivery USCHI carrier:HLCU'), ['USCHI', 'USCHI', 'USCHI'])
  assert.deepEqual(bill('FACT place_of_delivery USCHI carrier:HLCU box=MSKU7432104'), ['USCHI', 'USCHI', 'USCHI'])
})

test('a destination that a railway states applies only to the container that it names', () => {
  const apart = bill(`FACT place_of_delivery USCHI carrier:HLCU
    FACT place_of_delivery USMEM carrier:HLCU box=MSKU7432104`)
  assert.deepEqual(apart.slice(1), ['USMEM', 'USCHI'])
  assert.deepEqual(bill('FACT place_of_delivery USCHI rail:BNSF').slice(1), [null, 'USCHI'])
})
