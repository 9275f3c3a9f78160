/** Gate moves by rail as the departure and arrival of a train: which sources are believed, and what follows. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { happenedIn, onlyBox, projectText } from '../../support/told-in-text.ts'

const landed = `
  ACT LOAD LADEN HKHKG 2026-01-08T10:00Z carrier:HLCU
  ACT DISC LADEN USLAX 2026-01-24T02:00Z carrier:HLCU`
const rows = [
  {
    name: 'a gate-out by rail alone is the departure of the train',
    told: 'ACT GTOT LADEN USLAX 2026-01-26T10:00Z carrier:HLCU via=RAIL',
    milestones: 'rail_departed',
    status: 'on_rail',
  },
  {
    name: 'the loading on the train comes before its departure, which the gate-out states',
    told: `ACT LOAD LADEN USLAX 2026-01-26T08:00Z carrier:HLCU via=RAIL
      ACT GTOT LADEN USLAX 2026-01-26T10:00Z carrier:HLCU via=RAIL`,
    milestones: 'rail_loaded rail_departed',
    status: 'on_rail',
  },
  {
    name: 'a gate-out stays a gate-out when the line also states the departure of the train',
    told: `ACT GTOT LADEN USLAX 2026-01-26T10:00Z carrier:HLCU via=RAIL
      ACT DEPA -     USLAX 2026-01-26T12:00Z carrier:HLCU via=RAIL`,
    milestones: 'rail_departed',
    status: 'on_rail',
  },
  {
    name: 'the unloading from the train comes after its arrival, which the gate-in states',
    told: `ACT GTOT LADEN USLAX 2026-01-26T10:00Z carrier:HLCU via=RAIL
      ACT GTIN LADEN USCHI 2026-01-30T10:00Z carrier:HLCU via=RAIL
      ACT DISC LADEN USCHI 2026-01-30T14:00Z carrier:HLCU via=RAIL`,
    milestones: 'rail_departed rail_arrived arrived_at_inland_destination rail_unloaded',
    status: 'grounded',
  },
  {
    name: 'a gate-out without load state, by rail after the discharge, is laden',
    told: 'ACT GTOT - USLAX 2026-01-26T10:00Z carrier:HLCU via=RAIL',
    milestones: 'rail_departed',
    status: 'on_rail',
  },
  {
    name: 'gate moves at interchanges are arrivals and departures of trains, and the last is no unnamed destination',
    told: `ACT GTOT LADEN USLAX 2026-01-26T10:00Z carrier:HLCU via=RAIL
      ACT GTIN LADEN USMEM 2026-01-28T10:00Z carrier:HLCU via=RAIL
      ACT GTOT LADEN USMEM 2026-01-28T20:00Z carrier:HLCU via=RAIL
      ACT GTIN LADEN USCHI 2026-01-30T10:00Z carrier:HLCU via=RAIL`,
    milestones: 'rail_departed rail_arrived rail_departed rail_arrived',
    status: 'on_rail',
  },
]

for (const { name, told, milestones, status } of rows) {
  test(name, () => {
    const projection = projectText(`${landed}\n      ${told}`)
    const container = onlyBox(projection)
    assert.equal(projection.portOfDischarge.place?.unlocode, 'USLAX')
    assert.deepEqual(happenedIn(container).slice(0, 2), ['vessel_loaded', 'vessel_discharged'])
    assert.equal(happenedIn(container).slice(2).join(' '), milestones)
    assert.equal(container.status, status)
  })
}

test('a gate-out by rail ends the voyage when the documents name another port', () => {
  const projection = projectText(`${landed}
    ACT GTOT LADEN USLAX 2026-01-26T10:00Z carrier:HLCU via=RAIL
    FACT port_of_discharge USOAK carrier:HLCU`)
  assert.equal(projection.portOfDischarge.place?.unlocode, 'USLAX')
})
