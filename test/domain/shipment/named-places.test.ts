/** Ports of a plan without times: what they show about both ends of the voyage, and what they leave unknown. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { happenedIn, onlyBox, projectText } from '../../support/told-in-text.ts'

const sailed = 'ACT LOAD LADEN CNSHG 2026-01-05T02:00Z carrier:HLCU vessel=-/"One"'
const rows = [
  {
    name: 'the only port with a planned arrival and no departure is the port of discharge',
    told: `${sailed}
      FACT undated_arrival SGSIN carrier:HLCU key=a
      FACT undated_departure SGSIN carrier:HLCU key=b
      FACT undated_arrival NLRTM carrier:HLCU key=c`,
    ends: 'CNSHG NLRTM',
  },
  {
    name: 'two ports without times leave the last one unknown',
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
    name: 'a port with a time and a planned departure is not the port of discharge',
    told: `${sailed}
      EST ARRI - SGSIN 2026-01-12T00:00Z carrier:HLCU vessel=-/"One"
      PLN LOAD LADEN SGSIN 2026-01-15T00:00Z carrier:HLCU vessel=-/"Two"
      FACT undated_arrival NLRTM carrier:HLCU`,
    ends: 'CNSHG NLRTM',
  },
  {
    name: 'documents count before the plan',
    told: `${sailed}
      FACT undated_arrival NLRTM carrier:HLCU
      FACT port_of_discharge BEANR carrier:HLCU`,
    ends: 'CNSHG BEANR',
  },
  {
    name: 'a port that documents name without a code is the port of discharge, not the transshipment port',
    told: `${sailed}
      EST ARRI - OMSLL 2026-01-12T00:00Z carrier:HLCU vessel=-/"One"
      FACT port_of_discharge - carrier:HLCU name=MOMBASA`,
    ends: 'CNSHG MOMBASA',
  },
  {
    name: 'matches a port that documents name without a code with the coded call of that name',
    told: `${sailed}
      EST ARRI - KEMBA 2026-01-12T00:00Z carrier:HLCU vessel=-/"One" name="Mombasa, Kenya"
      FACT port_of_discharge - carrier:HLCU name=MOMBASA`,
    ends: 'CNSHG KEMBA',
  },
  {
    name: 'does not match a short port name with a part of another name',
    told: `${sailed}
      EST ARRI - USDAL 2026-01-12T00:00Z carrier:HLCU vessel=-/"One" name=Dallas
      FACT port_of_discharge - carrier:HLCU name=LA`,
    ends: 'CNSHG LA',
  },
  {
    name: 'a plan without any time gives both ports',
    told: `ACT GTOT EMPTY CNNKG 2026-01-02T00:00Z carrier:HLCU
      FACT undated_departure CNSHG carrier:HLCU
      FACT undated_arrival NLRTM carrier:HLCU`,
    ends: 'CNSHG NLRTM',
  },
  {
    name: 'a gate-out shows the port of discharge, whatever is still planned',
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
    const [from, to] = [portOfLoading, portOfDischarge].map(({ place }) => place?.unlocode ?? place?.name ?? '-')
    assert.equal(`${from} ${to}`, ends)
  })
}

test('an arrival stated without a time gives neither an actual nor an estimated milestone', () => {
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
