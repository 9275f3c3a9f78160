/** A container is not a trip: what belongs to which trip, and what does not carry over. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ShipmentRequest } from '../../../src/domain/journey/trip-choice.ts'
import type { ContainerProjection } from '../../../src/domain/view/projection.ts'
import { claimsOf, happenedIn, issueKinds, onlyBox, projectText } from '../../support/told-in-text.ts'

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

test('an empty gate-out after the empty return begins another trip', () => {
  const { containers } = projectText(firstTrip + returned + secondTrip, { request: byBox })
  assert.deepEqual(
    containers.map((container) => [container.trip, container.status]),
    [
      [1, 'empty_returned'],
      [2, 'on_ship'],
    ],
  )
})

test('an empty gate-out after a full gate-out begins another trip, although no return was reported', () => {
  const { containers } = projectText(firstTrip + secondTrip, { request: byBox })
  assert.deepEqual(
    containers.map(({ status }) => status),
    ['picked_up', 'on_ship'],
  )
})

test('a long gap ends a trip after the discharge; a long wait at the same port does not', () => {
  const upToDischarge = firstTrip.split('\n').slice(0, 4).join('\n')
  const elsewhere = `${upToDischarge}\nACT LOAD LADEN CNYTN 2026-03-26T00:00Z carrier:HLCU key=21`
  assert.equal(projectText(elsewhere, { request: byBox }).containers.length, 2)
  const same = `${upToDischarge}\nACT LOAD LADEN USLAX 2026-03-26T00:00Z carrier:HLCU key=21`
  assert.equal(projectText(same, { request: byBox }).containers.length, 1)
})

test('without later reports, an empty gate-out a month after the sailing is another trip', () => {
  const sailed = `
  ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:HLCU key=2
  ACT DEPA - CNNGB 2026-01-07T00:00Z carrier:HLCU key=3`
  const emptyOut = (day: string) => `${sailed}\nACT GTOT EMPTY CNYTN ${day}T00:00Z carrier:HLCU key=31`
  assert.equal(projectText(emptyOut('2026-02-10'), { request: byBox }).containers.length, 2)
  assert.equal(projectText(emptyOut('2026-02-02'), { request: byBox }).containers.length, 1)
  const laden = `${sailed}\nACT GTOT LADEN CNYTN 2026-02-25T00:00Z carrier:HLCU key=31`
  assert.equal(projectText(laden, { request: byBox }).containers.length, 1)
})

test('without later reports, an empty gate-out in another country two weeks after the discharge is another trip', () => {
  const upToDischarge = firstTrip.split('\n').slice(0, 4).join('\n')
  const emptyOut = (place: string, day: string) =>
    projectText(`${upToDischarge}\nACT GTOT EMPTY ${place} ${day}T00:00Z carrier:HLCU key=31`, {
      request: byBox,
    }).containers.map(({ status }) => status)
  assert.deepEqual(emptyOut('CNYTN', '2026-02-12'), ['grounded', 'new'])
  // This container may in truth be laden: a line may state "empty" of one that leaves a ramp beyond the border.
  assert.equal(emptyOut('CATOR', '2026-02-05').length, 1)
  assert.equal(emptyOut('USCHI', '2026-02-12').length, 1)
})

test('without later reports, an empty gate-out followed by a laden gate-in there is another trip', () => {
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

test('a request by bill shows the later trip when the answer also contains an earlier one', () => {
  const projection = projectText(firstTrip + returned + secondTrip, {
    request: { kind: 'bill_of_lading', number: 'HLCU1', requestedAt: '2026-03-03T00:00:00.000Z' },
  })
  assert.deepEqual(happenedIn(onlyBox(projection)), ['empty_out', 'vessel_loaded'])
  assert.equal(issueKinds(projection).filter((issue) => issue.startsWith('other_trip')).length, 5)
})

test('a request by bill made during the voyage does not switch to the next voyage', () => {
  const projection = projectText(firstTrip + returned + secondTrip, {
    request: { kind: 'bill_of_lading', number: 'HLCU1', requestedAt: '2026-01-20T00:00:00.000Z' },
  })
  assert.equal(onlyBox(projection).status, 'empty_returned')
})

test('assigns a late event to its trip, and keeps the trip numbers', () => {
  const before = projectText(firstTrip + returned + secondTrip, { request: byBox })
  const late = 'ACT DEPA - CNNGB 2026-01-07T00:00Z carrier:HLCU key=6'
  const after = projectText(`${firstTrip}${returned}${secondTrip}\n${late}`, {
    request: byBox,
    previous: before,
  })
  assert.deepEqual(
    after.containers.map(({ trip, milestones }) => [trip, milestones.some(({ name }) => name === 'vessel_departed')]),
    [
      [1, true],
      [2, false],
    ],
  )
})

test('an earlier trip found later gets the next trip number; known trips keep theirs', () => {
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

test('free time, holds and fees do not carry over from an earlier trip', () => {
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

test('another booking after the return begins another trip, before it has any events', () => {
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

test('a container that no source states any more keeps its first trip and gets the status new', () => {
  const before = projectText(firstTrip)
  const after = projectText('FACT bill_of_lading_number HLCU1 carrier:HLCU box=-', { previous: before })
  assert.deepEqual([onlyBox(after).status, onlyBox(after).trip], ['new', 1])
})

const stray = `
  ACT LOAD LADEN USLAX 2026-01-31T00:00Z carrier:HLCU via=RAIL key=6`
const askedLate = '2026-02-10T00:00:00.000Z'

for (const kind of ['bill_of_lading', 'booking', 'container'] as const) {
  test(`a finished journey ignores one later move by land, when requested by ${kind}`, () => {
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

test('a laden gate move after the return does not begin a trip; loading on a ship does', () => {
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

test('a later laden gate-out cancels the return of the container', () => {
  const out = '\nACT GTOT LADEN USLAX 2026-02-01T00:00Z carrier:HLCU key=7'
  const projection = projectText(firstTrip + returned + stray + out, { request: byBox })
  assert.equal(onlyBox(projection).isTerminated, false)
  assert.ok(happenedIn(onlyBox(projection)).includes('rail_loaded'))
})

/** What the operator of terminals in two countries states about the next trip, which no other source reports. */
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
  test(`tracked by bill, a container ${isBack} is not changed by terminal statements about its next trip`, () => {
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

  test(`tracked by its number, a container ${isBack} gets the terminal statements about its next trip`, () => {
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

test('a first terminal statement that comes weeks after the return of the container is ignored', () => {
  const before = projectText(firstTrip + returned)
  const holds = '\nFACT holds [customs:hold] terminal:T1 stated=2026-02-21T00:00Z'
  const projection = projectText(firstTrip + returned + holds)
  assert.deepEqual(projection.containers, before.containers)
  assert.deepEqual(issueKinds(projection), ['other_trip c6'])
  const soon = '\nFACT holds [customs:hold] terminal:T1 stated=2026-01-30T00:00Z'
  assert.equal(onlyBox(projectText(firstTrip + returned + soon)).holds.length, 1)
})

test('a returned container stays returned when terminals report it empty abroad', () => {
  const before = projectText(firstTrip + returned, { request: byBox })
  const abroad = `
  ACT DISC - CNNGB 2026-02-21T00:00Z terminal:T1 key=41
  ACT GTIN EMPTY CNNGB 2026-02-22T00:00Z terminal:T1 key=42`
  const projection = projectText(firstTrip + returned + abroad, { request: byBox })
  assert.deepEqual(projection.containers, before.containers)
  assert.deepEqual(issueKinds(projection), ['other_trip c6', 'other_trip c7'])
})

test('a laden gate-out abroad long after the return contradicts the return only if the line states it', () => {
  const out = '\nACT GTOT LADEN CNNGB 2026-02-21T00:00Z carrier:HLCU key=41'
  assert.equal(onlyBox(projectText(firstTrip + returned + out, { request: byBox })).isTerminated, false)
  const terminals = out.replace('carrier:HLCU', 'terminal:T1')
  assert.equal(onlyBox(projectText(firstTrip + returned + terminals, { request: byBox })).isTerminated, true)
})

test('a discharge soon after the return at the same port, or where the line stated a call, is the same trip', () => {
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
  // A name may be that of the port where the container was discharged.
  const named = `${unplanned.replace('PHMNL', '-')} name="Port of Manila"`
  assert.equal(projectText(firstTrip + returned + named, { request: byBox }).containers.length, 1)
})

const wordsOfBefore = `
  FACT available true terminal:T1 stated=2026-02-20T00:00Z
  FACT pickup_lfd_terminal 2026-02-24 terminal:T1 stated=2026-02-20T00:00Z
  FACT holds [customs:hold] terminal:T1 stated=2026-02-20T00:00Z`

for (const [begins, trip] of [
  ['went out', secondTrip],
  ['is to go out', secondTrip.replaceAll('ACT', 'PLN')],
  ['was loaded, the first that is known of it,', secondTrip.split('\n').at(-1) ?? ''],
] as const)
  test(`ignores statements of a terminal from before the container ${begins}, in any order`, () => {
    const request: ShipmentRequest = { kind: 'bill_of_lading', number: 'HLCU1', requestedAt: askedLate }
    const shown = ({ status, available, freeTime, holds, milestones }: ContainerProjection) =>
      [status, available, freeTime.terminal, holds.length, milestones.map(({ name }) => name)] as const
    const without = shown(onlyBox(projectText(trip, { request })))
    for (const text of [`${trip}${wordsOfBefore}`, `${wordsOfBefore}\n${trip}`]) {
      const projection = projectText(text, { request })
      assert.deepEqual(shown(onlyBox(projection)), without)
      assert.equal(issueKinds(projection).length, 3)
    }
    const asBox = projectText(`${trip}${wordsOfBefore}`, { request: byBox })
    assert.deepEqual(onlyBox(asBox), onlyBox(projectText(trip, { request: byBox })))
  })

test('earlier terminal statements are applied when no source states how the trip began', () => {
  const discharged = '\nACT DISC LADEN USLAX 2026-03-20T00:00Z carrier:HLCU key=3'
  assert.equal(onlyBox(projectText(discharged + wordsOfBefore)).holds.length, 1)
})

test('a planned empty gate-out after an import begins another trip', () => {
  const planned = secondTrip.replaceAll('ACT', 'PLN')
  const { containers } = projectText(firstTrip + planned, { request: byBox })
  assert.deepEqual(
    containers.map(({ status }) => status),
    ['picked_up', 'new'],
  )
})

test('a statement with a booking number in its key belongs to that booking’s trip, whenever it was written', () => {
  const cutOff = (key: string) => `
    FACT booking_number BK1 carrier:HLCU key=b1 stated=2026-01-01T00:00Z
    FACT booking_number BK2 carrier:HLCU key=b2 stated=2026-02-27T00:00Z
    FACT holds [customs:hold] terminal:T1 stated=2026-01-26T00:00Z key="${key}"`
  const holds = (key: string) =>
    projectText(`${firstTrip}${returned}${secondTrip}${cutOff(key)}`, { request: byBox }).containers.map(
      (container) => container.holds.length,
    )
  assert.deepEqual(holds('holds|TCNU1234565'), [1, 0])
  assert.deepEqual(holds('holds|TCNU1234565|BK1'), [1, 0])
  assert.deepEqual(holds('holds|TCNU1234565|BK2'), [0, 1])
})
