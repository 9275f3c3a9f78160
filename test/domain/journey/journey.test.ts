/** How statements of several sources become one journey: the cases that golden stories do not single out. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { happenedIn, issueKinds, onlyBox, projectText } from '../../support/told-in-text.ts'

test('leaves out a predicted port call that the container has passed, and reports an issue', () => {
  const projection = projectText(`
    ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:HLCU
    EST ARRI -     KRPUS 2026-01-09T00:00Z carrier:HLCU
    ACT ARRI -     USLAX 2026-01-25T00:00Z carrier:HLCU
  `)
  assert.deepEqual(happenedIn(onlyBox(projection)), ['vessel_loaded', 'vessel_arrived'])
  assert.deepEqual(issueKinds(projection), ['overtaken_prediction c2'])
})

test('does not report a past arrival estimate as overtaken while the container sails late', () => {
  const projection = projectText(`
    ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:HLCU
    ACT DISC LADEN KRPUS 2026-01-09T00:00Z carrier:HLCU
    EST ARRI -     USLAX 2026-01-25T00:00Z carrier:HLCU
    ACT DEPA -     KRPUS 2026-01-27T00:00Z carrier:HLCU
  `)
  assert.equal(projection.portOfDischarge.place?.unlocode, 'USLAX')
  assert.ok(happenedIn(onlyBox(projection)).includes('transshipment_departed'))
  assert.deepEqual(issueKinds(projection), [])
})

test('keeps the planned order of calls when a later estimate is out of date', () => {
  const projection = projectText(`
    PLN ARRI -     KRPUS 2026-01-09T00:00Z carrier:HLCU
    PLN ARRI -     USLAX 2026-01-20T00:00Z carrier:HLCU
    ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:HLCU
    ACT ARRI -     KRPUS 2026-01-22T00:00Z carrier:HLCU
  `)
  assert.equal(projection.portOfDischarge.place?.unlocode, 'USLAX')
  assert.deepEqual(happenedIn(onlyBox(projection)), ['vessel_loaded', 'transshipment_arrived'])
})

test('believes the terminal for the gate and the line for loading, in any order of statements', () => {
  const projection = projectText(`
    ACT GTIN LADEN CNNGB 2026-01-04T01:00Z terminal:T1 stated=2026-01-04T02:00Z
    ACT GTIN LADEN CNNGB 2026-01-04T05:00Z carrier:HLCU stated=2026-01-05T00:00Z
    ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:HLCU stated=2026-01-06T15:00Z
    ACT LOAD LADEN CNNGB 2026-01-06T16:30Z terminal:T1 stated=2026-01-07T00:00Z
  `)
  const claims = onlyBox(projection).milestones.map(({ name, claimId }) => `${name} ${claimId}`)
  assert.deepEqual(claims, ['full_in c1', 'vessel_loaded c3'])
})

test('prefers an estimate to a plan, and the later of two statements of one source', () => {
  const projection = projectText(`
    EST ARRI -     USLAX 2026-01-24T00:00Z carrier:HLCU key=a stated=2026-01-02T00:00Z
    EST ARRI -     USLAX 2026-01-26T00:00Z carrier:HLCU key=b stated=2026-01-03T00:00Z
    PLN ARRI -     USLAX 2026-01-20T00:00Z carrier:HLCU key=c stated=2026-01-05T00:00Z
    ACT LOAD LADEN CNNGB 2026-01-01T00:00Z carrier:HLCU
  `)
  assert.deepEqual(projection.portOfDischarge.eta, { kind: 'instant', at: '2026-01-26T00:00:00.000Z' })
})

test('treats a ship stated by IMO number, by name or by both as one ship', () => {
  const projection = projectText(`
    ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:HLCU vessel=9321483/"Ever Given"
    ACT ARRI -     USLAX 2026-01-25T00:00Z carrier:HLCU vessel=-/"EVER  GIVEN"
    ACT DISC LADEN USLAX 2026-01-25T10:00Z terminal:T1 vessel=9321483
  `)
  assert.deepEqual(happenedIn(onlyBox(projection)), ['vessel_loaded', 'vessel_arrived', 'vessel_discharged'])
})

test('an arrival stays when a prediction misspells the name of the ship', () => {
  const projection = projectText(`
    ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:HLCU vessel=-/"Ever Given"
    ACT ARRI -     USLAX 2026-01-25T00:00Z carrier:HLCU vessel=-/"Ever Given"
    EST DISC LADEN USLAX 2026-01-25T10:00Z carrier:HLCU vessel=-/"Evr Gvn"
  `)
  assert.deepEqual(happenedIn(onlyBox(projection)), ['vessel_loaded', 'vessel_arrived'])
})

test('ignores later calls of the ship after the port of discharge', () => {
  const projection = projectText(`
    ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:HLCU vessel=9321483
    ACT DISC LADEN USLAX 2026-01-25T00:00Z carrier:HLCU vessel=9321483
    ACT DEPA -     USLAX 2026-01-27T00:00Z carrier:HLCU vessel=9321483
    EST ARRI -     USOAK 2026-01-29T00:00Z carrier:HLCU vessel=9321483
  `)
  assert.equal(projection.portOfDischarge.place?.unlocode, 'USLAX')
  assert.deepEqual(happenedIn(onlyBox(projection)), ['vessel_loaded', 'vessel_discharged'])
})

test('shows a berthing as a berthing, and as the arrival only if no other arrival is stated', () => {
  const berth = 'ACT ARRI - USLAX 2026-01-25T08:00Z carrier:HLCU site=BRTH key=berth'
  const loaded = 'ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:HLCU'
  const berthed = onlyBox(projectText(`${loaded}\n${berth}`))
  assert.deepEqual(happenedIn(berthed), ['vessel_loaded', 'vessel_arrived', 'vessel_berthed'])
  const both = onlyBox(projectText(`${loaded}\n${berth}\nACT ARRI - USLAX 2026-01-25T01:00Z carrier:HLCU`))
  assert.deepEqual(
    both.milestones.map(({ name, claimId }) => `${name} ${claimId}`),
    ['vessel_loaded c1', 'vessel_arrived c3', 'vessel_berthed c2'],
  )
})

test('does not take a train arrival at another place for the arrival at the destination', () => {
  const projection = projectText(`
    ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:HLCU
    ACT DISC LADEN USLAX 2026-01-25T00:00Z carrier:HLCU
    ACT DEPA -     USLAX 2026-01-27T00:00Z rail:UP
    ACT ARRI -     USMEM 2026-01-29T00:00Z rail:UP
  `)
  assert.deepEqual(happenedIn(onlyBox(projection)).slice(2), ['rail_departed', 'rail_arrived'])
})

test('derives the load state of a gate move from the events before it', () => {
  const projection = projectText(`
    ACT GTOT -     CNNGB 2026-01-02T00:00Z carrier:HLCU
    ACT GTIN -     CNNGB 2026-01-04T00:00Z carrier:HLCU
    ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:HLCU
    ACT DISC LADEN USLAX 2026-01-25T00:00Z carrier:HLCU
    ACT GTOT -     USLAX 2026-01-27T00:00Z carrier:HLCU
    ACT GTIN -     USLAX 2026-01-29T00:00Z carrier:HLCU
  `)
  assert.deepEqual(happenedIn(onlyBox(projection)), [
    'empty_out',
    'full_in',
    'vessel_loaded',
    'vessel_discharged',
    'full_out',
    'empty_in',
  ])
})

test('keeps the order of a one-day leg between two time zones when only days are stated', () => {
  for (const [from, to] of [
    ['NLRTM', 'BEANR'],
    ['TWKHH', 'HKHKG'],
    ['HKHKG', 'TWKHH'],
    ['CNNGB', 'KRPUS'],
    ['KRPUS', 'CNNGB'],
  ]) {
    const projection = projectText(`
      ACT ARRI - ${to} 2026-01-07 carrier:EGLV
      ACT DISC LADEN ${to} 2026-01-07 carrier:EGLV
      ACT LOAD LADEN ${from} 2026-01-07 carrier:EGLV
      ACT DEPA - ${from} 2026-01-07 carrier:EGLV
    `)
    assert.deepEqual(
      happenedIn(onlyBox(projection)),
      ['vessel_loaded', 'vessel_departed', 'vessel_arrived', 'vessel_discharged'],
      `${from} to ${to}`,
    )
  }
})

test('does not resolve a bare place name to a port', () => {
  const projection = projectText(`
    ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:HLCU
    ACT ARRI -     USLAX 2026-01-25T00:00Z carrier:HLCU
    ACT DISC LADEN -     2026-01-25T10:00Z terminal:T1 name="Los Angeles"
  `)
  assert.equal(projection.portOfDischarge.place?.unlocode, null)
  assert.equal(projection.portOfDischarge.place?.name, 'Los Angeles')
})
