/** Where the voyage ends: one row for each form in which a container continues by ship, or does not. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { happenedIn, onlyBox, projectText } from '../../support/told-in-text.ts'

/** The statements, the port of discharge (`-`: unknown), and the milestones at Busan and after it. */
interface Row {
  readonly name: string
  readonly told: string
  readonly pod: string
  readonly milestones: string
}

const first = 'vessel=9321483/"First" voyage=1'
const second = 'vessel=9359052/"Second" voyage=7'
const third = 'vessel=-/"Third" voyage=9'
const toBusan = `
  ACT LOAD LADEN CNSHG 2026-01-05T02:00Z carrier:HLCU ${first}
  ACT DEPA -     CNSHG 2026-01-05T20:00Z carrier:HLCU ${first}
  ACT ARRI -     KRPUS 2026-01-08T04:00Z carrier:HLCU ${first}
  ACT DISC LADEN KRPUS 2026-01-08T11:00Z carrier:HLCU ${first}`
const changed = 'transshipment_arrived transshipment_discharged'
const landed = 'vessel_arrived vessel_discharged'

const rows: readonly Row[] = [
  {
    name: 'a second loading without a departure',
    told: `${toBusan}
  ACT LOAD LADEN KRPUS 2026-01-13T03:00Z carrier:HLCU ${second}`,
    pod: '-',
    milestones: `${changed} transshipment_loaded`,
  },
  {
    name: 'a second loading on an unnamed ship',
    told: `${toBusan}
  ACT LOAD LADEN KRPUS 2026-01-13T03:00Z carrier:HLCU`,
    pod: '-',
    milestones: `${changed} transshipment_loaded`,
  },
  {
    name: 'the departure of another ship without a loading',
    told: `${toBusan}
  ACT DEPA -     KRPUS 2026-01-13T22:00Z carrier:HLCU ${second}`,
    pod: '-',
    milestones: `${changed} transshipment_departed`,
  },
  {
    name: 'the departure of the ship that brought the container, which stays',
    told: `${toBusan}
  ACT DEPA -     KRPUS 2026-01-09T02:00Z carrier:HLCU ${first}`,
    pod: 'KRPUS',
    milestones: landed,
  },
  {
    name: 'the departure of an unnamed ship, which may be the one that brought it',
    told: `${toBusan}
  ACT DEPA -     KRPUS 2026-01-09T02:00Z carrier:HLCU`,
    pod: 'KRPUS',
    milestones: landed,
  },
  {
    name: 'a planned second loading',
    told: `${toBusan}
  PLN LOAD LADEN KRPUS 2026-01-13T03:00Z carrier:HLCU ${second}`,
    pod: '-',
    milestones: changed,
  },
  {
    name: 'a loading stated before the discharge',
    told: `
  ACT LOAD LADEN CNSHG 2026-01-05T02:00Z carrier:HLCU ${first}
  ACT ARRI -     KRPUS 2026-01-08T04:00Z carrier:HLCU ${first}
  ACT LOAD LADEN KRPUS 2026-01-08T09:00Z carrier:HLCU ${second}
  ACT DISC LADEN KRPUS 2026-01-08T11:00Z carrier:HLCU ${first}`,
    pod: '-',
    milestones: 'transshipment_arrived transshipment_loaded transshipment_discharged',
  },
  {
    name: 'a container discharged and loaded again on the same ship',
    told: `${toBusan}
  ACT LOAD LADEN KRPUS 2026-01-08T19:00Z carrier:HLCU ${first}
  ACT DEPA -     KRPUS 2026-01-09T02:00Z carrier:HLCU ${first}`,
    pod: '-',
    milestones: `${changed} transshipment_loaded transshipment_departed`,
  },
  {
    name: 'a ship that called and sailed with the box on board',
    told: `
  ACT LOAD LADEN CNSHG 2026-01-05T02:00Z carrier:HLCU ${first}
  ACT ARRI -     KRPUS 2026-01-08T04:00Z carrier:HLCU ${first}
  ACT DEPA -     KRPUS 2026-01-09T02:00Z carrier:HLCU ${first}`,
    pod: '-',
    milestones: '',
  },
  {
    name: 'a feeder after the port where the ship discharged',
    told: `${toBusan}
  ACT LOAD LADEN KRPUS 2026-01-10T03:00Z carrier:HLCU via=BARGE
  ACT DISC LADEN KRKAN 2026-01-11T03:00Z carrier:HLCU via=BARGE`,
    pod: 'KRPUS',
    milestones: `${landed} feeder_loaded feeder_discharged`,
  },
  {
    name: 'a feeder to the port that the documents name',
    told: `${toBusan}
  ACT LOAD LADEN KRPUS 2026-01-10T03:00Z carrier:ONEY via=BARGE
  ACT ARRI -     KRKAN 2026-01-11T01:00Z carrier:ONEY via=BARGE
  ACT DISC LADEN KRKAN 2026-01-11T03:00Z carrier:ONEY via=BARGE
  FACT port_of_discharge KRKAN carrier:ONEY`,
    pod: 'KRKAN',
    milestones: `${changed} feeder_loaded feeder_arrived vessel_arrived feeder_discharged vessel_discharged`,
  },
  {
    name: 'a feeder by the line that is a ship by the terminal',
    told: `${toBusan}
  ACT LOAD LADEN KRPUS 2026-01-10T03:00Z carrier:ONEY via=BARGE
  ACT ARRI -     KRKAN 2026-01-11T01:00Z carrier:ONEY via=BARGE
  ACT DISC LADEN KRKAN 2026-01-11T03:00Z carrier:ONEY via=BARGE
  ACT DISC LADEN KRKAN 2026-01-11T03:10Z terminal:T1`,
    pod: 'KRKAN',
    milestones: `${changed} feeder_loaded feeder_arrived vessel_arrived feeder_discharged vessel_discharged`,
  },
  {
    name: 'a feeder between two ships',
    told: `${toBusan}
  ACT LOAD LADEN KRPUS 2026-01-10T03:00Z carrier:HLCU via=BARGE
  ACT DISC LADEN KRKAN 2026-01-11T03:00Z carrier:HLCU via=BARGE
  ACT LOAD LADEN KRKAN 2026-01-13T03:00Z carrier:HLCU ${second}`,
    pod: '-',
    milestones: `${changed} feeder_loaded feeder_discharged transshipment_loaded`,
  },
  {
    name: 'the first ship sailing on to ports that do not concern the container',
    told: `${toBusan}
  ACT LOAD LADEN KRPUS 2026-01-13T03:00Z carrier:HLCU ${second}
  ACT ARRI -     JPUKB 2026-01-14T03:00Z carrier:HLCU ${first}
  EST ARRI -     JPYOK 2026-01-16T03:00Z carrier:HLCU ${first}`,
    pod: '-',
    milestones: `${changed} transshipment_loaded`,
  },
  {
    name: 'documents that name the transshipment port',
    told: `${toBusan}
  ACT LOAD LADEN KRPUS 2026-01-13T03:00Z carrier:HLCU ${second}
  ACT DEPA -     KRPUS 2026-01-13T22:00Z carrier:HLCU ${second}
  FACT port_of_discharge KRPUS carrier:HLCU`,
    pod: 'KRPUS',
    milestones: `${changed} transshipment_loaded transshipment_departed`,
  },
  {
    name: 'documents that name another port beside the transshipment port',
    told: `${toBusan}
  ACT LOAD LADEN KRPUS 2026-01-13T03:00Z carrier:HLCU ${second}
  FACT port_of_discharge KRBNP carrier:HLCU`,
    pod: 'KRBNP',
    milestones: `${changed} transshipment_loaded`,
  },
  {
    name: 'the container coming back to the transshipment port',
    told: `${toBusan}
  ACT LOAD LADEN KRPUS 2026-01-13T03:00Z carrier:HLCU ${second}
  ACT DEPA -     KRPUS 2026-01-13T22:00Z carrier:HLCU ${second}
  ACT ARRI -     JPUKB 2026-01-15T03:00Z carrier:HLCU ${second}
  ACT DISC LADEN JPUKB 2026-01-15T09:00Z carrier:HLCU ${second}
  ACT LOAD LADEN JPUKB 2026-01-19T09:00Z carrier:HLCU ${third}
  ACT ARRI -     KRPUS 2026-01-22T09:00Z carrier:HLCU ${third}
  ACT DISC LADEN KRPUS 2026-01-22T19:00Z carrier:HLCU ${third}`,
    pod: 'KRPUS',
    milestones: `${changed} transshipment_loaded transshipment_departed ${changed} transshipment_loaded ${landed}`,
  },
  {
    name: 'a loading stated by mistake at the port of the gate-out',
    told: `${toBusan}
  ACT LOAD LADEN KRPUS 2026-01-13T03:00Z carrier:HLCU ${second}
  ACT GTOT LADEN KRPUS 2026-01-15T03:00Z terminal:T1`,
    pod: 'KRPUS',
    milestones: `${landed} full_out`,
  },
  {
    name: 'a truck between two terminals of the transshipment port',
    told: `${toBusan}
  ACT GTOT LADEN KRPUS 2026-01-09T03:00Z terminal:T1
  ACT GTIN LADEN KRPUS 2026-01-09T06:00Z terminal:T2
  ACT LOAD LADEN KRPUS 2026-01-13T03:00Z carrier:HLCU ${second}`,
    pod: '-',
    milestones: `${changed} transshipment_loaded`,
  },
  {
    name: 'a container returned empty although the line still plans to load it',
    told: `${toBusan}
  PLN LOAD LADEN KRPUS 2026-01-11T03:00Z carrier:HLCU ${second}
  ACT GTOT LADEN KRPUS 2026-01-10T03:00Z terminal:T1
  ACT GTIN EMPTY KRPUS 2026-01-12T03:00Z carrier:HLCU`,
    pod: 'KRPUS',
    milestones: `${landed} full_out empty_in`,
  },
]

for (const { name, told, pod, milestones } of rows) {
  test(`in a journey with ${name}, the port of discharge is ${pod === '-' ? 'unknown' : pod}`, () => {
    const projection = projectText(told)
    assert.equal(projection.portOfDischarge.place?.unlocode ?? '-', pod)
    const atPol = new Set(['vessel_loaded', 'vessel_departed'])
    const names = happenedIn(onlyBox(projection)).filter((each) => !atPol.has(each))
    assert.equal(names.join(' '), milestones)
  })
}

test('a port of discharge that a feeder reaches has the feeder’s times and ship', () => {
  const told = `
    ACT LOAD LADEN CNSHG 2026-01-05T02:00Z carrier:ONEY ${first}
    EST ARRI -     KRKAN 2026-01-10T01:00Z carrier:ONEY via=BARGE ${second}
    FACT port_of_discharge KRKAN carrier:ONEY`
  const awaited = projectText(told)
  assert.deepEqual(awaited.portOfDischarge.eta, { kind: 'instant', at: '2026-01-10T01:00:00.000Z' })
  assert.deepEqual(
    onlyBox(awaited)
      .milestones.filter(({ kind }) => kind === 'estimated')
      .map(({ name }) => name),
    ['vessel_arrived'],
  )
  const arrived = projectText(`${told}
    ACT ARRI -     KRKAN 2026-01-11T01:00Z carrier:ONEY via=BARGE ${second}`)
  assert.deepEqual(arrived.portOfDischarge.ata, { kind: 'instant', at: '2026-01-11T01:00:00.000Z' })
  assert.equal(onlyBox(arrived).podVessel?.name, 'Second')
})

test('a transshipment port is not the port of loading when the documents name another one', () => {
  const projection = projectText(`
    ACT DISC LADEN KRPUS 2026-01-08T11:00Z carrier:HLCU ${first}
    ACT LOAD LADEN KRPUS 2026-01-13T03:00Z carrier:HLCU ${second}
    EST ARRI -     USLAX 2026-01-25T03:00Z carrier:HLCU ${second}
    FACT port_of_loading CNSHG carrier:HLCU
  `)
  assert.equal(projection.portOfLoading.place?.unlocode, 'CNSHG')
  assert.deepEqual(happenedIn(onlyBox(projection)), ['transshipment_discharged', 'transshipment_loaded'])
})

const onTheWay = `
  ACT LOAD LADEN CNSHG 2026-01-05T02:00Z carrier:HLCU ${first}
  EST ARRI -     USLAX 2026-01-25T15:00Z carrier:HLCU ${second}`
const calls: readonly Pick<Row, 'name' | 'told' | 'milestones'>[] = [
  {
    name: 'an arrival, and no plan for the container there',
    told: `ACT ARRI - KRPUS 2026-01-08T04:00Z carrier:HLCU ${first}`,
    milestones: '',
  },
  {
    name: 'an arrival, and a planned discharge',
    told: `ACT ARRI - KRPUS 2026-01-08T04:00Z carrier:HLCU ${first}
  PLN DISC LADEN KRPUS 2026-01-08T11:00Z carrier:HLCU ${first}`,
    milestones: 'transshipment_arrived',
  },
  {
    name: 'an arrival and a departure, once with the IMO number and once with the name alone',
    told: `ACT ARRI - KRPUS 2026-01-08T04:00Z carrier:HLCU vessel=-/"FIRST" voyage=1
  ACT DEPA - KRPUS 2026-01-09T04:00Z carrier:HLCU vessel=9321483/"First" voyage=2`,
    milestones: '',
  },
  {
    name: 'an arrival of one ship and the departure of another',
    told: `ACT ARRI - KRPUS 2026-01-08T04:00Z carrier:HLCU ${first}
  ACT DEPA - KRPUS 2026-01-09T04:00Z carrier:HLCU ${second}`,
    milestones: 'transshipment_arrived transshipment_departed',
  },
  {
    name: 'the departure of the ship that loaded it',
    told: `ACT DEPA - KRPUS 2026-01-09T04:00Z carrier:HLCU ${first}`,
    milestones: '',
  },
  {
    name: 'the departure of another ship than the one that loaded it',
    told: `ACT DEPA - KRPUS 2026-01-09T04:00Z carrier:HLCU ${second}`,
    milestones: 'transshipment_departed',
  },
  {
    name: 'a ship stated for the bill, with the container on board',
    told: `ACT ARRI - KRPUS 2026-01-08T04:00Z carrier:HLCU box=- ${first}
  ACT DEPA - KRPUS 2026-01-09T04:00Z carrier:HLCU box=- vessel=9321483`,
    milestones: '',
  },
  {
    name: 'an arrival without a place',
    told: 'ACT ARRI - - 2026-01-08T04:00Z carrier:HLCU',
    milestones: '',
  },
]

for (const { name, told, milestones } of calls) {
  test(`a call on the way with ${name} gives ${milestones === '' ? 'no transshipment' : milestones}`, () => {
    const projection = projectText(`${onTheWay}\n  ${told}`)
    assert.equal(projection.portOfDischarge.place?.unlocode, 'USLAX')
    assert.equal(happenedIn(onlyBox(projection)).slice(1).join(' '), milestones)
  })
}

test('a ship stated by IMO number on the bill is the ship that the discharge states by name', () => {
  const projection = projectText(`
    ACT LOAD LADEN CNSHG 2026-01-05T02:00Z carrier:HLCU vessel=-/"First"
    ACT LOAD LADEN CNSHG 2026-01-05T03:00Z carrier:HLCU vessel=-/"First" box=TEMU5550108
    ACT ARRI -     USLAX 2026-01-20T02:00Z carrier:HLCU vessel=9321483/"First" box=-
    ACT DISC LADEN USLAX 2026-01-20T12:00Z carrier:HLCU vessel=-/"First"
  `)
  const [container] = projection.containers
  assert.ok(container !== undefined)
  assert.deepEqual(happenedIn(container), ['vessel_loaded', 'vessel_arrived', 'vessel_discharged'])
})
