/** Containers on land follow the rules of the trade, for all containers of the sandbox. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Ashore, ashoreOf } from '../../sandbox/ashore.ts'
import { ashoreSoFar } from '../../sandbox/ashore-truth.ts'
import { terminalOperatorAt } from '../../sandbox/facilities.ts'
import { findBox, recordOf } from '../../sandbox/facility-record.ts'
import { gateHoursOf, lastOfFreeDays } from '../../sandbox/gate-hours.ts'
import { DAY, HOUR, writeDay, writeLocal } from '../../sandbox/local-time.ts'
import { Named, namedScenarios } from '../../sandbox/named.ts'
import { getPlace } from '../../sandbox/places.ts'
import { changesOf, type Stay, standingAt } from '../../sandbox/stay.ts'
import { World } from '../../sandbox/world.ts'
import { Asker, EPOCH } from './ask.ts'

const world = new World(1, EPOCH)
const shipments = world.recent(EPOCH + 80 * DAY, 180, null).filter(({ cancelledAt }) => cancelledAt === null)
const made = shipments.filter(({ scenario }) => !scenario.startsWith('story_'))
const boxes: readonly Ashore[] = made.flatMap((shipment) =>
  shipment.boxes.flatMap((_, box) => ashoreOf(shipment, box) ?? []),
)
const stays: readonly Stay[] = boxes.flatMap(({ port, ramp }) => (ramp === null ? [port] : [port, ramp]))

test('every container of the sandbox is discharged, and those of inland lanes go to a ramp', () => {
  assert.ok(boxes.length > 1_000)
  const inland = boxes.filter(({ rail }) => rail !== null)
  assert.ok(inland.length > 100)
  for (const { port, rail, ramp } of inland) {
    assert.ok(ramp !== null && rail !== null)
    assert.equal(port.leavesBy, 'RAIL')
    assert.equal(ramp.place, rail.to)
    assert.ok(port.lastFreeDays.length === 0 && port.appointments.length === 0)
    assert.ok(ramp.landedAt > (port.leavesAt ?? 0))
  }
})

test('no container leaves with a hold or an unpaid fee, and each is available before a truck collects it', () => {
  for (const stay of stays) {
    const leaves = stay.leavesAt
    assert.ok(leaves !== null && leaves > stay.landedAt)
    for (const { from, until } of stay.holds) assert.ok(from < until && until <= leaves, stay.name)
    for (const { from, paidAt } of stay.fees) assert.ok(from < paidAt && paidAt <= leaves, stay.name)
    const before = standingAt(stay, leaves - 1)
    assert.equal(before?.available, stay.leavesBy === 'TRUCK' ? true : null)
    assert.equal(standingAt(stay, stay.knownFrom - 1), null)
    assert.equal(standingAt(stay, leaves)?.available, null)
  }
})

test('trucks come in the hour of their appointment, during gate hours, on working days', () => {
  let moved = 0
  for (const { place, site, appointments, leavesAt } of stays) {
    const last = appointments.at(-1)
    if (last === undefined || leavesAt === null) continue
    assert.ok(leavesAt >= last.value && leavesAt < last.value + HOUR, place)
    moved += appointments.length - 1
    const { opens, closes, shut } = gateHoursOf(place, site)
    for (const { from, value } of appointments) {
      const local = writeLocal(getPlace(place).zone, value)
      const hour = Number(local.slice(11, 13))
      assert.ok(from < value && hour >= opens && hour < closes, `${place} ${local}`)
      assert.ok(!shut.includes(new Date(`${local}Z`).getUTCDay()), `${place} ${local}`)
    }
  }
  assert.ok(moved > 10)
})

test('full containers are delivered, and empty ones collected and returned, during gate hours', () => {
  const gated = made.flatMap(({ facts }) =>
    facts.filter(({ code, load }) => code === 'GTIN' || (code === 'GTOT' && load === 'EMPTY')),
  )
  assert.ok(gated.length > 2_000)
  for (const { at, call } of gated) {
    const { opens, closes, shut } = gateHoursOf(call.place, 'port')
    const local = writeLocal(getPlace(call.place).zone, at)
    const hour = Number(local.slice(11, 13))
    assert.ok(hour >= opens && hour < closes, `${call.place} ${local}`)
    assert.ok(!shut.includes(new Date(`${local}Z`).getUTCDay()), `${call.place} ${local}`)
    assert.ok(!/^(US|CA).*-(01-01|12-25)T/.test(`${call.place}${local}`), `${call.place} ${local}`)
  }
})

test('a local holiday is not a free day', () => {
  const lastOf = (place: string, landed: string, days: number) =>
    lastOfFreeDays(place, { from: Date.parse(landed), days, working: true })
  // Thanksgiving of the United States was on a Thursday, Labor Day and Canada's Thanksgiving on a Monday.
  assert.equal(lastOf('USLAX', '2026-11-24T18:00:00Z', 3), '2026-11-30')
  assert.equal(lastOf('CAVAN', '2026-11-24T18:00:00Z', 3), '2026-11-27')
  assert.equal(lastOf('USNYC', '2026-09-04T18:00:00Z', 1), '2026-09-08')
  assert.equal(lastOf('CAVAN', '2026-10-09T18:00:00Z', 1), '2026-10-13')
  assert.equal(lastOf('USNYC', '2026-10-09T18:00:00Z', 1), '2026-10-12')
})

test('containers of a scenario leave a terminal only when they are available', () => {
  const named = new Named(EPOCH)
  const told = namedScenarios().flatMap(({ number }) => named.of(number))
  const stayed = told.flatMap((shipment) =>
    shipment.boxes.flatMap((_, box) => {
      const ashore = ashoreOf(shipment, box)
      return ashore === null ? [] : [ashore.port, ...(ashore.ramp === null ? [] : [ashore.ramp])]
    }),
  )
  assert.ok(stayed.length > 25)
  for (const stay of stayed) {
    const { leavesAt, leavesBy, name } = stay
    if (leavesAt === null) continue
    const before = standingAt(stay, leavesAt - 1)
    assert.equal(before?.available, leavesBy === 'TRUCK' ? true : null, name)
    assert.deepEqual(before?.holds, [], name)
  }
})

test('a hold remains in force when the terminal omits it from an answer', () => {
  const gatenet = terminalOperatorAt('USNYC')
  const [shipment] = new Named(EPOCH).of('SBXLEFTOUT01')
  const number = shipment?.boxes[0]?.number ?? ''
  assert.ok(gatenet !== null && shipment !== undefined)
  const said = (day: number): readonly string[] => {
    const box = findBox(world, gatenet, number, EPOCH + day * DAY)
    return Object.keys((box === null ? null : recordOf(box, EPOCH + day * DAY)) ?? {})
  }
  for (const day of [41, 43]) assert.ok(said(day).includes('holds') && said(day).includes('charges'))
  assert.ok(said(41.5).includes('available') && !said(41.5).some((name) => /holds|charges/.test(name)))
  const { at_port: truth } = ashoreSoFar(shipment, 0, EPOCH + 41.5 * DAY) as {
    readonly at_port: { readonly holds: readonly { readonly name: string }[] }
  }
  assert.deepEqual(
    truth.holds.map(({ name }) => name),
    ['customs'],
  )
})

test('free time starts at discharge, and daily fees start only when free time is over', () => {
  let charged = 0
  let longer = 0
  for (const { place, landedAt, lastFreeDays, fees, leavesAt, leavesBy } of stays) {
    const landed = writeDay(getPlace(place).zone, landedAt)
    for (const { value } of lastFreeDays) assert.ok(value > landed)
    longer += Math.max(0, lastFreeDays.length - 1)
    const daily = fees.find(({ isDaily }) => isDaily)
    const last = lastFreeDays.at(-1)?.value
    if (leavesBy === 'TRUCK') assert.ok(last !== undefined)
    if (daily === undefined || last === undefined) continue
    charged += 1
    assert.equal(writeDay(getPlace(place).zone, daily.from - 1), last)
    assert.ok(leavesAt !== null && leavesAt > daily.from)
  }
  assert.ok(charged > 50 && longer > 20, `${charged} charged, ${longer} longer`)
})

test('the state at a facility changes exactly at the listed times', () => {
  for (const stay of stays.slice(0, 300)) {
    const changes = changesOf(stay)
    const says = (at: number): string => JSON.stringify(standingAt(stay, at))
    for (const [n, at] of changes.entries()) {
      const next = changes[n + 1] ?? at + 3 * DAY
      for (const part of [0.3, 0.6, 0.99]) assert.equal(says(Math.floor(at + (next - at) * part)), says(at), stay.name)
    }
  }
})

test('every kind of hold and fee occurs', () => {
  const names = new Set(stays.flatMap(({ holds }) => holds.map(({ name }) => name)))
  assert.deepEqual([...names].sort(), ['TMF', 'USDA', 'VACIS', 'customs', 'freight', 'other'])
  const fees = new Set(stays.flatMap(({ fees: each }) => each.map(({ description }) => description)))
  assert.deepEqual([...fees].sort(), ['DEMURRAGE', 'EXAM', 'STORAGE'])
})

test('a railway that serves the port moves the container, and hands it over if another serves the destination', () => {
  const trips = boxes.flatMap(({ rail }) => rail ?? [])
  assert.ok(trips.some(({ portCarrier, destinationCarrier }) => portCarrier !== destinationCarrier))
  for (const { moves, portCarrier, destinationCarrier, from } of trips) {
    assert.equal(moves[0]?.carrier, portCarrier)
    assert.equal(moves.at(-1)?.carrier, destinationCarrier)
    assert.ok(from.startsWith('CA') === /^C[NP]/.test(portCarrier), `${from} ${portCarrier}`)
  }
})

test('the journey that the sandbox states for a number has holds, free time, appointment, fees and trains', async (t) => {
  const asker = await Asker.start(t, 60)
  const seen = new Set<string>()
  for (const { number, scac } of (await asker.numbers('&kind=container')).slice(0, 600)) {
    const [journey] = JSON.parse((await asker.get(`/sandbox/journeys/${number}?scac=${scac}`)).text)
    const box = journey.containers[0]
    if (box.at_port?.holds.length > 0) seen.add('held')
    if (box.at_port?.available === true) seen.add('available')
    if (box.at_port?.last_free_day != null) seen.add('free time')
    if (box.at_port?.appointment_at != null) seen.add('appointment')
    if (box.at_port?.fees.length > 0) seen.add('fees')
    if (box.rail !== null) seen.add('rail')
    if (box.at_ramp?.last_free_day != null) seen.add('ramp')
  }
  assert.deepEqual([...seen].sort(), ['appointment', 'available', 'fees', 'free time', 'held', 'rail', 'ramp'])
})
