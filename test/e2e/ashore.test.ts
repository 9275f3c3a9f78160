/**
 * The terminals and railways of the sandbox: each is polled, read from its queue, or delivers, as it is described.
 * At every step the API shows the true state of the containers on land, and webhooks send the changes.
 */

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { ashoreOf } from '../../sandbox/ashore.ts'
import { FACILITIES, terminalOperatorAt, WORKFLOWS } from '../../sandbox/facilities.ts'
import { DAY, HOUR } from '../../sandbox/local-time.ts'
import { startSandbox } from '../../sandbox/server.ts'
import type { Shipment } from '../../sandbox/shipment.ts'
import { World } from '../../sandbox/world.ts'
import { sandboxProfile } from '../../src/connectors/dcsa/profiles/sandbox.ts'
import { installSandboxFacilities } from '../../src/modules/installation/sandbox-facilities.ts'
import { openTestApi, type TestApi, type WireResource } from '../support/api.ts'
import { giveAccess } from '../support/service.ts'
import { type Stayed, shownOfAnswer, shownOfTruth } from './ashore-shown.ts'
import { freePorts } from './program.ts'

const epochMs = Date.parse('2026-01-01T00:00:00Z')
/** In this sandbox and on these days a container of each kind is discharged. */
const seed = 11
const fromMs = epochMs + 36 * DAY
const stepMs = 12 * HOUR
/** How long they are followed. */
const days = 8

interface Followed {
  readonly scac: string
  readonly number: string
  /** The facilities that report it. */
  readonly facilities: readonly string[]
  readonly shipment: Shipment
  readonly truths: string[]
  seen: number
}

let worldMs = fromMs
let sandbox: Awaited<ReturnType<typeof startSandbox>>
let api: TestApi
let key: string
const followed = chooseBoxes()
const problems: string[] = []
/** The events that reached the webhook. */
const heard = new Set<string>()
const receiver = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk: Buffer) => {
    text += String(chunk)
  })
  request.on('end', () => {
    heard.add((JSON.parse(text) as { readonly data: { readonly event: string } }).data.event)
    response.end('ok')
  })
})
const seen = new Map<string, Set<string>>()

before(async () => {
  sandbox = await startSandbox({ port: 0, host: '127.0.0.1', seed, epoch: epochMs, now: () => worldMs })
  const { api: port, sandbox: hook } = await freePorts()
  api = await openTestApi({ startAt: new Date(fromMs).toISOString(), env: { LANDFALL_PORT: String(port) } })
  await api.app.listen({ host: '127.0.0.1', port })
  receiver.listen(Number(hook), '127.0.0.1')
  for (const scac of new Set(followed.map((each) => each.scac)))
    await giveAccess(api, { scac, profile: { ...sandboxProfile(scac, sandbox.url) }, isSandbox: true })
  const context = await api.newAccount({ isSandbox: true })
  key = await api.newKey(context, ['read', 'write'])
  await installSandboxFacilities(api.service, { url: sandbox.url, accountId: context.account.id })
  const webhook = { type: 'webhook', attributes: { url: `http://127.0.0.1:${hook}/`, active: true } }
  const made = await api.call({ method: 'POST', url: '/v2/webhooks', key, body: { data: webhook } })
  assert.equal(made.status, 201)
  for (const { scac, number } of followed) {
    const attributes = { request_type: 'container', request_number: number, scac }
    const body = { data: { type: 'tracking_request', attributes } }
    assert.equal((await api.call({ method: 'POST', url: '/v2/tracking_requests', key, body })).status, 201)
  }
  await api.drain()
  const endMs = Math.max(...followed.map(({ shipment }) => shipment.endsAt))
  for (; worldMs < Math.min(endMs, fromMs + days * DAY); worldMs += stepMs) {
    api.clock.set(worldMs)
    await sandbox.tellSubscribers()
    await api.drain()
    const listed = await api.call({ url: '/v2/containers?page[size]=100', key })
    for (const each of followed) await compare(each, listed.many())
  }
})

after(async () => {
  await api?.close()
  receiver.closeAllConnections()
  receiver.close()
  await sandbox?.close()
})

test('every simulated terminal operator and railway reports a container, and each container is observed waiting', () => {
  const speaking = new Set(followed.flatMap(({ facilities }) => facilities))
  for (const { name, site } of FACILITIES) if (site === 'port') assert.ok(speaking.has(name), name)
  for (const name of ['bnsf', 'uprr', 'csxt', 'nsrr']) assert.ok(speaking.has(name), name)
  for (const { number, facilities, seen: times } of followed) assert.ok(times > 0, `${number} ${facilities.join()}`)
})

test('the API serves each waiting container as it is at its terminal or ramp', () => {
  assert.deepEqual(problems, [])
})

test('each way of polling a facility gives holds, last free days, appointments and availability', () => {
  const ofAll = ['appointment', 'available', 'hold', 'last free day', 'not available', 'yard']
  for (const workflow of WORKFLOWS)
    for (const kind of ofAll) assert.ok(seen.get(workflow)?.has(kind), `${workflow}: ${kind} was never so`)
  const kinds = new Set([...seen.values()].flatMap((each) => [...each]))
  for (const kind of ['fee', 'rail carrier']) assert.ok(kinds.has(kind), `${kind} was never so`)
})

test('webhooks get changes of free time, holds, appointments, availability and trains', () => {
  for (const event of [
    'container.pickup_lfd.changed',
    'container.pickup_lfd_terminal.changed',
    'container.pickup_lfd_rail.changed',
    'container.pickup_appointment.changed',
    'container.updated',
    'container.transport.available',
    'container.transport.not_available',
    'container.transport.rail_loaded',
    'container.transport.rail_unloaded',
    'container.transport.full_out',
  ])
    assert.ok(heard.has(event), `${event} was never heard`)
})

/** Containers that are soon discharged, one at each operator; one that stays too long; and one of each railway. */
function chooseBoxes(): readonly Followed[] {
  const world = new World(seed, epochMs)
  const chosen = new Map<string, Followed>()
  const isSoon = (at: number): boolean => at > fromMs + DAY / 2 && at < fromMs + 3.5 * DAY
  for (const shipment of world.recent(fromMs, 120, null)) {
    const { line, boxes, scenario, bookingKnownAt } = shipment
    if (!line.kinds.includes('container') || bookingKnownAt > fromMs || shipment.cancelledAt !== null) continue
    if (/^story_|corrected|retracted|reused|late/.test(scenario)) continue
    for (const [place, { number }] of boxes.entries()) {
      const ashore = ashoreOf(shipment, place)
      if (ashore === null) continue
      const { rail, port, ramp } = ashore
      const stay = ramp ?? port
      if (!isSoon(stay.landedAt) || (stay.leavesAt ?? 0) > fromMs + days * DAY) continue
      const operator = terminalOperatorAt(port.place)?.name ?? ''
      const railways = rail === null ? [] : [rail.portCarrier, rail.destinationCarrier]
      const facilities = [...new Set([operator, ...railways.map((scac) => scac.toLowerCase())])]
      const isCharged = stay.fees.some(({ isDaily }) => isDaily)
      const isTelling = ramp !== null || (port.holds.length > 0 && port.appointments.length > 0)
      const kind = isCharged && ramp === null ? 'charged' : ramp === null ? operator : (facilities.at(-1) ?? '')
      if (isTelling && !chosen.has(kind))
        chosen.set(kind, { scac: line.scac, number, facilities, shipment, truths: [], seen: 0 })
    }
  }
  return [...chosen.values()]
}

async function compare(each: Followed, listed: readonly WireResource[]): Promise<void> {
  const response = await fetch(`${sandbox.url}/sandbox/journeys/${each.number}?scac=${each.scac}`)
  const [journey] = (await response.json()) as [
    { containers: [{ at_port: Stayed; at_ramp: Stayed | null; rail: object | null }] },
  ]
  const [{ at_port: port, at_ramp: ramp, rail }] = journey.containers
  const stay = ramp?.is_waiting ? ramp : port?.is_waiting ? port : null
  if (stay === null) {
    each.truths.length = 0
    return
  }
  const truth = shownOfTruth(stay)
  each.truths.push(truth)
  const box = listed.find(({ attributes }) => attributes['number'] === each.number)?.attributes
  // A discharged container is known by the first answer some hours later.
  if (box === undefined || each.truths.length < 2) return
  each.seen += 1
  const served = shownOfAnswer(box, stay === ramp ? 'pickup_lfd_rail' : 'pickup_lfd_terminal')
  note(each, { stay, hasCarrier: rail !== null && box['ind_rail_carrier_scac'] !== null })
  // If nothing is new for some time, polls are rarer.
  if (!each.truths.slice(-2).includes(served))
    problems.push(
      `${new Date(worldMs).toISOString()} ${each.number} ${each.facilities.join()}\n served ${served}\n true   ${truth}`,
    )
}

function note(
  { facilities }: Followed,
  { stay, hasCarrier }: { readonly stay: Stayed; readonly hasCarrier: boolean },
): void {
  const speaker = facilities.at(-1)
  const workflow = FACILITIES.find(({ name }) => name === speaker)?.workflow ?? ''
  const kinds = seen.get(workflow) ?? new Set()
  seen.set(workflow, kinds)
  if (stay.holds.length > 0) kinds.add('hold')
  if (stay.fees.some(({ amount }) => amount > 0)) kinds.add('fee')
  if (stay.last_free_day !== null) kinds.add('last free day')
  if (stay.available !== null) kinds.add(stay.available ? 'available' : 'not available')
  if (stay.yard_location !== null) kinds.add('yard')
  if (stay.appointment_at !== null) kinds.add('appointment')
  if (hasCarrier) kinds.add('rail carrier')
}
