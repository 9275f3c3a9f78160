/** The predicted arrival beside the actual one: which ETA stays, and for which port. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeTime } from '../../src/core/notation/notation-values.ts'
import type { ShipmentProjection } from '../../src/core/shown/projection.ts'
import { projectText } from '../support/told-in-text.ts'

const underWay = `
  ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:HLCU
  ACT DEPA -     CNNGB 2026-01-07T01:00Z carrier:HLCU`
const toLosAngeles = `${underWay}
  EST ARRI -     USLAX 2026-01-22T16:00Z carrier:HLCU`
const toVancouver = `${underWay}
  EST ARRI -     CAVAN 2026-01-20T16:00Z carrier:HLCU`
const arrived = `${underWay}
  ACT ARRI -     USLAX 2026-01-23T10:00Z carrier:HLCU`

/** Each text is all that the line says at that time. */
function tell(...texts: readonly string[]): ShipmentProjection {
  const [first = '', ...others] = texts
  return others.reduce((previous, text) => projectText(text, { previous }), projectText(first))
}

function etasOf({ portOfDischarge, originalEta }: ShipmentProjection): readonly (string | null)[] {
  return [portOfDischarge.eta, originalEta].map((time) => time && writeTime(time))
}

test('an ETA that is taken back at sea is gone; one that came true stays beside the arrival', () => {
  assert.deepEqual(etasOf(tell(toLosAngeles, underWay)), [null, null])
  assert.deepEqual(etasOf(tell(toLosAngeles, arrived)), ['2026-01-22T16:00Z', '2026-01-22T16:00Z'])
})

test('the first ETA is that of the port of discharge as it is now', () => {
  const later = toLosAngeles.replace('22T16:00Z', '25T16:00Z')
  assert.deepEqual(etasOf(tell(toVancouver, toLosAngeles, later)), ['2026-01-25T16:00Z', '2026-01-22T16:00Z'])
  assert.deepEqual(etasOf(tell(toVancouver, toLosAngeles, toVancouver.replace('20T', '21T'))), [
    '2026-01-21T16:00Z',
    '2026-01-20T16:00Z',
  ])
  assert.deepEqual(etasOf(tell(toVancouver, arrived)), [null, null], 'nothing was foretold of this port')
})

test('what was foretold before any box was named stays when the first is named with the arrival', () => {
  const unboxed = 'EST ARRI - USLAX 2026-01-22T16:00Z carrier:HLCU box=-'
  assert.deepEqual(etasOf(tell(unboxed, arrived)), ['2026-01-22T16:00Z', '2026-01-22T16:00Z'])
})

test('the claim behind the ETA is kept with it', () => {
  assert.equal(tell(toLosAngeles, arrived).podEta?.claimId, 'c3')
  const [box] = tell(toLosAngeles, arrived).containers
  assert.deepEqual(box?.podEta, tell(toLosAngeles, arrived).podEta)
})

test('a projection that was stored before the separate ETA continues with what it has', () => {
  const { podEta: _, firstPodEtas: __, ...stored } = tell(toLosAngeles)
  const containers = stored.containers.map(({ podEta: ___, ...box }) => box)
  const projection = projectText(arrived, { previous: { ...stored, containers } })
  assert.deepEqual(etasOf(projection), ['2026-01-22T16:00Z', '2026-01-22T16:00Z'])
  assert.equal(projection.podEta?.claimId, null)
})
