/** A box is not a trip: what belongs to which trip, and what does not carry over. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ShipmentRequest } from '../../src/core/journey/trip-choice.ts'
import { claimsOf, happenedIn, issueKinds, onlyBox, projectText } from '../support/told-in-text.ts'

const byBox: ShipmentRequest = { kind: 'container', number: 'TCNU1234565' }

const firstTrip = `
  ACT GTOT EMPTY CNNGB 2026-01-02T00:00Z carrier:HLCU key=1
  ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:HLCU key=2
  ACT DISC LADEN USLAX 2026-01-25T00:00Z carrier:HLCU key=3
  ACT GTOT LADEN USLAX 2026-01-27T00:00Z carrier:HLCU key=4`
const returned = `
  ACT GTIN EMPTY USLAX 2026-01-29T00:00Z carrier:HLCU key=5`
const secondTrip = `
  ACT GTOT EMPTY CNYTN 2026-03-02T00:00Z carrier:HLCU key=11
  ACT LOAD LADEN CNYTN 2026-03-06T14:30Z carrier:HLCU key=12`

test('after the empty return an empty-out begins another trip', () => {
  const { containers } = projectText(firstTrip + returned + secondTrip, { request: byBox })
  assert.deepEqual(
    containers.map((container) => [container.trip, container.status]),
    [
      [1, 'empty_returned'],
      [2, 'on_ship'],
    ],
  )
})

test('an empty-out after a full-out begins another trip although the return was never reported', () => {
  const { containers } = projectText(firstTrip + secondTrip, { request: byBox })
  assert.deepEqual(
    containers.map(({ status }) => status),
    ['picked_up', 'on_ship'],
  )
})

test('a long gap ends a trip that was discharged; a long wait at the same quay does not', () => {
  const upToDischarge = firstTrip.split('\n').slice(0, 4).join('\n')
  const elsewhere = `${upToDischarge}\nACT LOAD LADEN CNYTN 2026-03-26T00:00Z carrier:HLCU key=21`
  assert.equal(projectText(elsewhere, { request: byBox }).containers.length, 2)
  const same = `${upToDischarge}\nACT LOAD LADEN USLAX 2026-03-26T00:00Z carrier:HLCU key=21`
  assert.equal(projectText(same, { request: byBox }).containers.length, 1)
})

test('without later reports, an empty box that goes out a month after it sailed is on another trip', () => {
  const sailed = `
  ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:HLCU key=2
  ACT DEPA - CNNGB 2026-01-07T00:00Z carrier:HLCU key=3`
  const emptyOut = (day: string) => `${sailed}\nACT GTOT EMPTY CNYTN ${day}T00:00Z carrier:HLCU key=31`
  assert.equal(projectText(emptyOut('2026-02-10'), { request: byBox }).containers.length, 2)
  assert.equal(projectText(emptyOut('2026-02-02'), { request: byBox }).containers.length, 1)
  const laden = `${sailed}\nACT GTOT LADEN CNYTN 2026-02-25T00:00Z carrier:HLCU key=31`
  assert.equal(projectText(laden, { request: byBox }).containers.length, 1)
})

test('without later reports, an empty box that goes out in another country two weeks after its discharge is on another trip', () => {
  const upToDischarge = firstTrip.split('\n').slice(0, 4).join('\n')
  const emptyOut = (place: string, day: string) =>
    projectText(`${upToDischarge}\nACT GTOT EMPTY ${place} ${day}T00:00Z carrier:HLCU key=31`, {
      request: byBox,
    }).containers.map(({ status }) => status)
  assert.deepEqual(emptyOut('CNYTN', '2026-02-12'), ['grounded', 'new'])
  // This box may in truth be laden: a line may say empty of a box that leaves a ramp beyond the border.
  assert.equal(emptyOut('CATOR', '2026-02-05').length, 1)
  assert.equal(emptyOut('USCHI', '2026-02-12').length, 1)
})

test('without later reports, an empty box that goes out, and comes in laden there, is on another trip', () => {
  const sailed = `
  ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:HLCU key=2
  ACT DEPA - CNNGB 2026-01-07T00:00Z carrier:HLCU key=3`
  const anew = (place: string, day: string) => `
  ACT GTOT EMPTY ${place} ${day}T00:00Z carrier:HLCU key=31
  ACT GTIN LADEN ${place} ${day}T20:00Z carrier:HLCU key=32`
  const trips = (text: string) => projectText(text, { request: byBox }).containers.length
  assert.equal(trips(sailed + anew('CNYTN', '2026-01-25')), 2)
  assert.equal(trips(sailed + anew('CNYTN', '2026-01-15')), 1, 'too soon to have come and gone')
  const relay = `\n  ACT DISC LADEN SGSIN 2026-01-14T00:00Z carrier:HLCU key=4`
  assert.equal(trips(sailed + relay + anew('SGSIN', '2026-01-29')), 1, 'from terminal to terminal')
  assert.equal(trips(sailed + relay + anew('SGSIN', '2026-03-29')), 2)
})

test('under a bill the answer that holds an earlier voyage shows the later one', () => {
  const projection = projectText(firstTrip + returned + secondTrip, {
    request: { kind: 'bill_of_lading', number: 'HLCU1', requestedAt: '2026-03-03T00:00:00.000Z' },
  })
  assert.deepEqual(happenedIn(onlyBox(projection)), ['empty_out', 'vessel_loaded'])
  assert.equal(issueKinds(projection).filter((issue) => issue.startsWith('other_trip')).length, 5)
})

test('under a bill that was under way when it was asked for, the next voyage is another', () => {
  const projection = projectText(firstTrip + returned + secondTrip, {
    request: { kind: 'bill_of_lading', number: 'HLCU1', requestedAt: '2026-01-20T00:00:00.000Z' },
  })
  assert.equal(onlyBox(projection).status, 'empty_returned')
})

test('a late event lands in the trip it belongs to, and ordinals stay', () => {
  const before = projectText(firstTrip + returned + secondTrip, { request: byBox })
  const late = 'ACT DEPA - CNNGB 2026-01-07T00:00Z carrier:HLCU key=6'
  const after = projectText(`${firstTrip}${returned}${secondTrip}\n${late}`, {
    request: byBox,
    previous: before,
  })
  assert.deepEqual(
    after.containers.map(({ trip, milestones }) => [
      trip,
      milestones.some(({ name }) => name === 'vessel_departed'),
    ]),
    [
      [1, true],
      [2, false],
    ],
  )
})

test('an earlier trip that is found out later gets the next ordinal; the rows known before keep theirs', () => {
  const before = projectText(secondTrip, { request: byBox })
  const after = projectText(secondTrip + firstTrip + returned, {
    request: byBox,
    previous: before,
    claims: [
      ...claimsOf(secondTrip),
      ...claimsOf(firstTrip + returned).map((claim) => ({ ...claim, id: `late-${claim.id}` })),
    ],
  })
  assert.deepEqual(
    after.containers.map(({ trip, status }) => [trip, status]),
    [
      [1, 'on_ship'],
      [2, 'empty_returned'],
    ],
  )
})

test('free time, holds and fees of an earlier trip do not carry over', () => {
  const { containers } = projectText(
    `${firstTrip}${returned}${secondTrip}
    FACT pickup_lfd_terminal 2026-01-30 terminal:T1
    FACT holds [customs:hold] terminal:T1 stated=2026-01-26T00:00Z
    FACT fees [demurrage:10.00USD] terminal:T1 stated=2026-01-28T00:00Z`,
    { request: byBox },
  )
  assert.deepEqual(
    containers.map(({ freeTime, holds, fees }) => [freeTime.terminal !== null, holds.length, fees.length]),
    [
      [true, 1, 1],
      [false, 0, 0],
    ],
  )
})

test('another booking that comes after the return is another trip, before it has any events', () => {
  const { containers } = projectText(
    `${firstTrip}${returned}
    FACT booking_number BK1 carrier:HLCU key=b1 stated=2026-01-01T00:00Z
    FACT booking_number BK2 carrier:HLCU key=b2 stated=2026-02-20T00:00Z`,
    { request: byBox },
  )
  assert.deepEqual(
    containers.map(({ status }) => status),
    ['empty_returned', 'new'],
  )
})

test('a box that no source states any more stays as it was first', () => {
  const before = projectText(firstTrip)
  const after = projectText('FACT bill_of_lading_number HLCU1 carrier:HLCU box=-', { previous: before })
  assert.deepEqual([onlyBox(after).status, onlyBox(after).trip], ['new', 1])
})

const stray = `
  ACT LOAD LADEN USLAX 2026-01-31T00:00Z carrier:HLCU via=RAIL key=6`
const askedLate = '2026-02-10T00:00:00.000Z'

for (const kind of ['bill_of_lading', 'booking', 'container'] as const) {
  test(`a finished journey stays when one later move by land is reported, asked for by ${kind}`, () => {
    const request: ShipmentRequest = { kind, number: 'TCNU1234565', requestedAt: askedLate }
    const without = projectText(firstTrip + returned, { request })
    const projection = projectText(firstTrip + returned + stray, { request })
    assert.deepEqual(projection.containers, without.containers)
    assert.equal(projection.containers.length, 1)
    assert.equal(projection.portOfDischarge.place?.unlocode, 'USLAX')
    assert.deepEqual(
      projection.issues.map((issue) => [issue.kind, issue.detail]),
      [['other_trip', 'LOAD at USLAX is said of the time after the empty return, and shows no other trip']],
    )
  })
}

test('a laden gate move after the return does not begin a trip; a loading on a ship does', () => {
  const request = byBox
  const gate = '\nACT GTIN LADEN USLAX 2026-02-01T00:00Z carrier:HLCU key=7'
  assert.equal(projectText(firstTrip + returned + gate, { request }).containers.length, 1)
  const loaded = '\nACT LOAD LADEN USLAX 2026-02-04T00:00Z carrier:HLCU key=8'
  const { containers } = projectText(firstTrip + returned + gate + loaded, { request })
  assert.deepEqual(containers.map(happenedIn), [
    ['empty_out', 'vessel_loaded', 'vessel_discharged', 'full_out', 'empty_in'],
    ['full_in', 'vessel_loaded'],
  ])
})

test('a laden gate-out contradicts the return of the box, and an earlier train then counts', () => {
  const out = '\nACT GTOT LADEN USLAX 2026-02-01T00:00Z carrier:HLCU key=7'
  const projection = projectText(firstTrip + returned + stray + out, { request: byBox })
  assert.equal(onlyBox(projection).isTerminated, false)
  assert.ok(happenedIn(onlyBox(projection)).includes('rail_loaded'))
})

/** What the operator of terminals in two countries tells of the next trip of the box, which nobody else reports. */
const toldAtNextPort = `
  FACT holds [customs:hold] terminal:T1 stated=2026-02-21T00:00Z
  ACT DISC LADEN PHMNL 2026-02-23T00:00Z terminal:T1 key=41
  FACT pickup_lfd_terminal 2026-02-28 terminal:T1 stated=2026-02-23T00:00Z
  ACT GTOT LADEN PHMNL 2026-02-24T00:00Z terminal:T1 key=42
  ACT GTIN EMPTY PHMNL 2026-02-27T00:00Z terminal:T1 key=43`

for (const [isBack, text] of [
  ['that is back', firstTrip + returned],
  ['whose return nobody reported', firstTrip],
] as const) {
  test(`a terminal that tells of the next trip of a box ${isBack} changes nothing of this one`, () => {
    const request: ShipmentRequest = { kind: 'bill_of_lading', number: 'HLCU1', requestedAt: askedLate }
    const without = onlyBox(projectText(text, { request }))
    const projection = projectText(text + toldAtNextPort, { request })
    const box = onlyBox(projection)
    assert.deepEqual(
      [happenedIn(box), box.status, box.portOfDischarge, box.freeTime, box.holds],
      [happenedIn(without), without.status, without.portOfDischarge, without.freeTime, without.holds],
    )
    assert.equal(issueKinds(projection).filter((issue) => issue.startsWith('other_trip')).length, 5)
  })

  test(`asked for by its number, the next trip of a box ${isBack} has what its terminal told`, () => {
    const { containers } = projectText(text + toldAtNextPort, {
      request: { ...byBox, requestedAt: '2026-01-20T00:00:00.000Z' },
    })
    assert.deepEqual(containers.map(happenedIn), [
      happenedIn(onlyBox(projectText(text))),
      ['vessel_discharged', 'full_out', 'empty_in'],
    ])
    assert.deepEqual(
      containers.map(({ freeTime, holds }) => [freeTime.terminal, holds.length]),
      [
        [null, 0],
        [{ kind: 'day', on: '2026-02-28' }, 1],
      ],
    )
  })
}

test('what a terminal first says of a box weeks after its return is not true of the box that is back', () => {
  const before = projectText(firstTrip + returned)
  const holds = '\nFACT holds [customs:hold] terminal:T1 stated=2026-02-21T00:00Z'
  const projection = projectText(firstTrip + returned + holds)
  assert.deepEqual(projection.containers, before.containers)
  assert.deepEqual(issueKinds(projection), ['other_trip c6'])
  const soon = '\nFACT holds [customs:hold] terminal:T1 stated=2026-01-30T00:00Z'
  assert.equal(onlyBox(projectText(firstTrip + returned + soon)).holds.length, 1)
})

test('an empty box that goes abroad after its return stays back where it came back', () => {
  const before = projectText(firstTrip + returned, { request: byBox })
  const abroad = `
  ACT DISC - CNNGB 2026-02-21T00:00Z terminal:T1 key=41
  ACT GTIN EMPTY CNNGB 2026-02-22T00:00Z terminal:T1 key=42`
  const projection = projectText(firstTrip + returned + abroad, { request: byBox })
  assert.deepEqual(projection.containers, before.containers)
  assert.deepEqual(issueKinds(projection), ['other_trip c6', 'other_trip c7'])
})

test('a laden gate-out abroad that the line itself tells long after the return contradicts it', () => {
  const out = '\nACT GTOT LADEN CNNGB 2026-02-21T00:00Z carrier:HLCU key=41'
  assert.equal(onlyBox(projectText(firstTrip + returned + out, { request: byBox })).isTerminated, false)
  const terminals = out.replace('carrier:HLCU', 'terminal:T1')
  assert.equal(onlyBox(projectText(firstTrip + returned + terminals, { request: byBox })).isTerminated, true)
})

test('a discharge at the same port soon after a return, or where the line named a call, is of the same trip', () => {
  const same = '\nACT DISC LADEN USLAX 2026-02-02T00:00Z terminal:T1 key=41'
  assert.equal(projectText(firstTrip + returned + same, { request: byBox }).containers.length, 1)
  const planned = `
  PLN ARRI - PHMNL 2026-02-20T00:00Z carrier:HLCU key=44
  ACT DISC LADEN PHMNL 2026-02-23T00:00Z terminal:T1 key=41`
  assert.equal(projectText(firstTrip + planned, { request: byBox }).containers.length, 1)
  const soon = planned.replace('02-23', '02-02')
  assert.equal(projectText(firstTrip + returned + soon, { request: byBox }).containers.length, 1)
  const unplanned = soon.replace(/\n.*PLN.*/, '')
  assert.equal(projectText(firstTrip + returned + unplanned, { request: byBox }).containers.length, 2)
  // A name may be that of the port where the box was discharged.
  const named = `${unplanned.replace('PHMNL', '-')} name="Port of Manila"`
  assert.equal(projectText(firstTrip + returned + named, { request: byBox }).containers.length, 1)
})
