/** The predicted arrival beside the actual one: which ETA is shown, and for which port. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeTime } from '../../../src/domain/notation/notation-values.ts'
import type { ShipmentProjection } from '../../../src/domain/view/projection.ts'
import { claimsOf, projectText } from '../../support/told-in-text.ts'

const underWay = `
  ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:HLCU
  ACT DEPA -     CNNGB 2026-01-07T01:00Z carrier:HLCU`
const toLosAngeles = `${underWay}
  EST ARRI -     USLAX 2026-01-22T16:00Z carrier:HLCU`
const toVancouver = `${underWay}
  EST ARRI -     CAVAN 2026-01-20T16:00Z carrier:HLCU`
const arrived = `${underWay}
  ACT ARRI -     USLAX 2026-01-23T10:00Z carrier:HLCU`

/** Each text is everything that the line states at that time, in claims of its own. */
function tell(...texts: readonly string[]): ShipmentProjection {
  const project = (text: string, step: number, previous: ShipmentProjection | null) =>
    projectText(text, {
      previous,
      claims: claimsOf(text).map((claim) => ({ ...claim, id: `${step}:${claim.id}` })),
    })
  const [first = '', ...others] = texts
  return others.reduce((previous, text, at) => project(text, at + 1, previous), project(first, 0, null))
}

function etasOf({ portOfDischarge, originalEta }: ShipmentProjection): readonly (string | null)[] {
  return [portOfDischarge.eta, originalEta].map((time) => time && writeTime(time))
}

test('a withdrawn ETA is removed while the ship is at sea, and kept after the actual arrival', () => {
  assert.deepEqual(etasOf(tell(toLosAngeles, underWay)), [null, null])
  assert.deepEqual(etasOf(tell(toLosAngeles, arrived)), ['2026-01-22T16:00Z', '2026-01-22T16:00Z'])
})

test('the original ETA is the first one for the present port of discharge', () => {
  const later = toLosAngeles.replace('22T16:00Z', '25T16:00Z')
  assert.deepEqual(etasOf(tell(toVancouver, toLosAngeles, later)), ['2026-01-25T16:00Z', '2026-01-22T16:00Z'])
  assert.deepEqual(etasOf(tell(toVancouver, toLosAngeles, toVancouver.replace('20T', '21T'))), [
    '2026-01-21T16:00Z',
    '2026-01-20T16:00Z',
  ])
  assert.deepEqual(etasOf(tell(toVancouver, arrived)), [null, null], 'nothing was foretold of this port')
})

test('keeps an ETA that was stated before any container was known', () => {
  const unboxed = 'EST ARRI - USLAX 2026-01-22T16:00Z carrier:HLCU box=-'
  assert.deepEqual(etasOf(tell(unboxed, arrived)), ['2026-01-22T16:00Z', '2026-01-22T16:00Z'])
})

test('keeps the claim that states the ETA', () => {
  assert.equal(tell(toLosAngeles, arrived).podEta?.claimId, '0:c3')
  const [container] = tell(toLosAngeles, arrived).containers
  assert.deepEqual(container?.podEta, tell(toLosAngeles, arrived).podEta)
})

test('a projection stored before the separate ETA field continues with its stored ETA', () => {
  const { podEta: _, firstEstimates: __, ...stored } = tell(toLosAngeles)
  const containers = stored.containers.map(({ podEta: ___, ...container }) => container)
  const projection = projectText(arrived, { previous: { ...stored, containers } })
  assert.deepEqual(etasOf(projection), ['2026-01-22T16:00Z', '2026-01-22T16:00Z'])
  assert.equal(projection.podEta?.claimId, null)
})

test('the original ETA is the one written first, in any order of receipt', () => {
  const line = (at: string, time: string, ship = '') =>
    `  EST ARRI - USLAX ${time} carrier:HLCU key=eta stated=${at}${ship}`
  const first = line('2026-01-01T00:00Z', '2026-01-20T16:00Z')
  const second = line('2026-01-05T00:00Z', '2026-01-22T16:00Z')
  const original = (...texts: readonly string[]) => {
    const { originalEta } = tell(...texts)
    return originalEta && writeTime(originalEta)
  }
  /** The active statement, and one that was written before it and received after it. */
  const late = (standing: string, overtaken: string, previous: ShipmentProjection) => {
    const [claim] = claimsOf(overtaken)
    const at = '2026-01-30T00:00:00.000Z'
    const gone = claim === undefined ? [] : [{ ...claim, id: 'late', recordedAt: at, retiredAt: at }]
    const { originalEta } = projectText(standing, { previous, claims: [...claimsOf(standing), ...gone] })
    return originalEta && writeTime(originalEta)
  }
  const told = `${underWay}\n${second}`
  assert.equal(original(`${underWay}\n${first}`, told), '2026-01-20T16:00Z')
  assert.equal(late(told, first, projectText(told)), '2026-01-20T16:00Z')
  assert.equal(original(arrived, `${arrived}\n${first}`), '2026-01-20T16:00Z', 'the actual came first')
  assert.equal(late(`${arrived}\n${second}`, first, projectText(arrived)), '2026-01-20T16:00Z')
  const other = first.replace('key=eta', 'key=other').replace('20T', '19T')
  const withShip = `${first} vessel=9321483`
  for (const both of [`${withShip}\n${other}`, `${other}\n${withShip}`])
    assert.equal(original(`${underWay}\n${both}`), '2026-01-20T16:00Z', 'the one with its ship')
})

test('the original ETA of a new container trip is not taken from the previous trip', () => {
  const request = { kind: 'container', number: 'TCNU1234565' } as const
  const before = `${arrived}
  EST ARRI -     USLAX 2026-01-22T16:00Z carrier:HLCU key=eta
  ACT DISC LADEN USLAX 2026-01-24T10:00Z carrier:HLCU
  ACT GTOT LADEN USLAX 2026-01-25T10:00Z carrier:HLCU
  ACT GTIN EMPTY USLAX 2026-01-27T10:00Z carrier:HLCU`
  const next = `${before}
  ACT GTOT EMPTY CNNGB 2026-03-01T10:00Z carrier:HLCU
  EST ARRI -     USLAX 2026-04-22T16:00Z carrier:HLCU stated=2026-03-02T00:00Z key=next`
  const previous = projectText(before, { request })
  const { originalEta } = projectText(next, { request, previous })
  assert.equal(originalEta && writeTime(originalEta), '2026-04-22T16:00Z')
})

test('the original ETA is that of the plan, although the containers were rolled to another ship', () => {
  const plan = '  PLN ARRI - USLAX 2026-01-15T16:00Z carrier:HLCU box=- vessel=9321483 stated=2025-12-20T00:00Z'
  const rolled = ['TCNU1234565', 'MSCU4000005']
    .map(
      (box) => `
  ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:HLCU box=${box} vessel=9811000
  EST ARRI -     USLAX 2026-01-22T16:00Z carrier:HLCU box=${box} vessel=9811000 stated=2026-01-08T00:00Z
  ACT DISC LADEN USLAX 2026-01-24T10:00Z carrier:HLCU box=${box} vessel=9811000`,
    )
    .join('')
  const original = ({ originalEta }: ShipmentProjection) => originalEta && writeTime(originalEta)
  assert.equal(original(projectText(`${rolled}\n${plan}`)), '2026-01-15T16:00Z')
  assert.equal(original(projectText(`${rolled}\n${plan}`, { previous: projectText(plan) })), '2026-01-15T16:00Z')
})
