/** Ports of a plan without times: what they show of the way's ends, and what they leave unknown. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { happenedIn, onlyBox, projectText } from '../support/told-in-text.ts'

const sailed = 'ACT LOAD LADEN CNSHG 2026-01-05T02:00Z carrier:HLCU vessel=-/"One"'
const rows = [
  {
    name: 'the one port that a ship is to come to, and none to leave, is the port of discharge',
    told: `${sailed}
      FACT undated_arrival SGSIN carrier:HLCU key=a
      FACT undated_departure SGSIN carrier:HLCU key=b
      FACT undated_arrival NLRTM carrier:HLCU key=c`,
    ends: 'CNSHG NLRTM',
  },
  {
    name: 'of two ports nobody knows which is the last',
    told: `${sailed}
      FACT undated_arrival SGSIN carrier:HLCU key=a
      FACT undated_arrival NLRTM carrier:HLCU key=c`,
    ends: 'CNSHG -',
  },
  {
    name: 'a port with a time stays the port of discharge beside one without, when nothing orders the two',
    told: `${sailed}
      EST ARRI - SGSIN 2026-01-12T00:00Z carrier:HLCU vessel=-/"One"
      FACT undated_arrival NLRTM carrier:HLCU`,
    ends: 'CNSHG SGSIN',
  },
  {
    name: 'a port with a time from which a ship is to leave is not the last',
    told: `${sailed}
      EST ARRI - SGSIN 2026-01-12T00:00Z carrier:HLCU vessel=-/"One"
      PLN LOAD LADEN SGSIN 2026-01-15T00:00Z carrier:HLCU vessel=-/"Two"
      FACT undated_arrival NLRTM carrier:HLCU`,
    ends: 'CNSHG NLRTM',
  },
  {
    name: 'the papers go before the plan',
    told: `${sailed}
      FACT undated_arrival NLRTM carrier:HLCU
      FACT port_of_discharge BEANR carrier:HLCU`,
    ends: 'CNSHG BEANR',
  },
  {
    name: 'a whole plan without a time names both ends',
    told: `ACT GTOT EMPTY CNNKG 2026-01-02T00:00Z carrier:HLCU
      FACT undated_departure CNSHG carrier:HLCU
      FACT undated_arrival NLRTM carrier:HLCU`,
    ends: 'CNSHG NLRTM',
  },
  {
    name: 'where the box left the quay, there it was discharged, whatever is still planned',
    told: `${sailed}
      ACT DISC LADEN SGSIN 2026-01-12T00:00Z carrier:HLCU
      ACT GTOT LADEN SGSIN 2026-01-14T00:00Z carrier:HLCU
      FACT undated_departure SGSIN carrier:HLCU
      FACT undated_arrival NLRTM carrier:HLCU`,
    ends: 'CNSHG SGSIN',
  },
]

for (const { name, told, ends } of rows) {
  test(name, () => {
    const { portOfLoading, portOfDischarge } = projectText(told)
    const [from, to] = [portOfLoading, portOfDischarge].map(({ place }) => place?.unlocode ?? '-')
    assert.equal(`${from} ${to}`, ends)
  })
}

test('a call without a time is neither a past nor an expected event', () => {
  const projection = projectText(`${sailed}\n      FACT undated_arrival NLRTM carrier:HLCU`)
  const container = onlyBox(projection)
  assert.deepEqual(happenedIn(container), ['vessel_loaded'])
  assert.deepEqual(
    container.milestones.filter(({ kind }) => kind === 'estimated'),
    [],
  )
  assert.deepEqual(
    { ...projection.portOfDischarge, place: null },
    { place: null, etd: null, atd: null, eta: null, ata: null },
  )
})
