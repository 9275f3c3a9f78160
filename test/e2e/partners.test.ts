/** The sandbox's partners send to the API of an installation: their messages are ingested, understood and served. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ashoreOf } from '../../sandbox/ashore.ts'
import { DAY, HOUR } from '../../sandbox/local-time.ts'
import { messagesOf, PARTNERS } from '../../sandbox/partners.ts'
import { startSandbox } from '../../sandbox/server.ts'
import { World } from '../../sandbox/world.ts'
import { sandboxProfile } from '../../src/connectors/dcsa/profiles/sandbox.ts'
import { installSandboxPartners } from '../../src/modules/installation/sandbox-partners.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { giveAccess } from '../support/service.ts'
import { freePorts } from './program.ts'

const epochMs = Date.parse('2026-01-01T00:00:00Z')
/** In this sandbox and on this day every partner has a message about a shipment under way. */
const seed = 4
const nowMs = epochMs + 56 * DAY
const shipments = new World(seed, epochMs).recent(nowMs, 90, null)
const followed = chooseShipments()

let worldMs = nowMs
let sandbox: Awaited<ReturnType<typeof startSandbox>>
let api: TestApi
let key: string

before(async () => {
  sandbox = await startSandbox({ port: 0, host: '127.0.0.1', seed, epoch: epochMs, now: () => worldMs })
  const { api: port } = await freePorts()
  api = await openTestApi({ startAt: new Date(nowMs).toISOString(), env: { LANDFALL_PORT: String(port) } })
  await api.app.listen({ host: '127.0.0.1', port })
  for (const scac of new Set(followed.map((each) => each.scac)))
    await giveAccess(api, { scac, profile: { ...sandboxProfile(scac, sandbox.url) }, isSandbox: true })
  const context = await api.newAccount({ isSandbox: true })
  key = await api.newKey(context, ['read', 'write'])
  const played = { url: sandbox.url, accountId: context.account.id }
  await installSandboxPartners(api.service, played)
  // As at the next start: the same channels and keys.
  await installSandboxPartners(api.service, played)
  for (const { scac, bill } of followed) {
    const attributes = { request_type: 'bill_of_lading', request_number: bill, scac }
    const body = { data: { type: 'tracking_request', attributes } }
    const made = await api.call({ method: 'POST', url: '/v2/tracking_requests', key, body })
    assert.equal(made.status, 201)
  }
  for (; worldMs < nowMs + 2 * DAY; worldMs += DAY) {
    api.clock.set(worldMs)
    await api.drain()
    await sandbox.tellPartners()
    await api.drain()
  }
})

after(async () => {
  await api?.close()
  await sandbox?.close()
})

test('every partner has sent messages, and all of them were ingested', async () => {
  const listed = await api.call({ url: '/v2/inbound_messages?page[size]=100', key })
  const messages = listed.many().map(({ attributes }) => attributes)
  for (const { channel } of PARTNERS) {
    const own = messages.filter((each) => each['channel'] === channel)
    assert.ok(own.length > 0, `${channel} has sent nothing`)
    assert.deepEqual([...new Set(own.map(({ status }) => status))], ['heard'], channel)
  }
})

test('the API serves values that only partners send: last free days of the line, weights and holds', async () => {
  const containers = (await api.call({ url: '/v2/containers?page[size]=100', key })).many()
  const seen = new Set<string>()
  for (const { attributes } of containers) {
    const { shipment, place } = boxOf(String(attributes['number']))
    const ashore = ashoreOf(shipment, place)
    assert.ok(ashore)
    const { pickup_lfd_line: byLine, pickup_lfd_terminal: byTerminal } = attributes['import_deadlines'] as Readonly<
      Record<string, string | null>
    >
    if (byLine != null) {
      seen.add('line')
      assert.equal(dayOf(byLine), ashore.lineLastFreeDay.value)
    }
    if (byTerminal != null) {
      seen.add('terminal')
      assert.ok(ashore.port.lastFreeDays.some(({ value }) => value === dayOf(byTerminal)))
    }
    if (attributes['ind_facility_lfd_on'] != null) seen.add('rail')
    if (attributes['weight_in_lbs'] != null) seen.add('weight')
  }
  assert.deepEqual([...seen].sort(), ['line', 'rail', 'terminal', 'weight'])
})

interface Followed {
  readonly scac: string
  readonly bill: string
}

/** For each partner one with few containers and many messages. */
function chooseShipments(): readonly Followed[] {
  const best = new Map<string, Followed & { readonly worth: number }>()
  for (const shipment of shipments) {
    const { line, bill, billKnownAt, scenario, endsAt, boxes } = shipment
    const isKnown = line.kinds.includes('bill_of_lading') && billKnownAt !== null && billKnownAt < nowMs
    if (!isKnown || endsAt < nowMs + 3 * DAY || scenario.startsWith('story_')) continue
    for (const partner of PARTNERS) {
      const messages = boxes.flatMap((_, box) => messagesOf(partner, shipment, box))
      const due = messages.filter(({ at }) => at < nowMs).length
      const worth = due / boxes.length - boxes.length / 2
      if (due > 0 && worth > (best.get(partner.channel)?.worth ?? Number.NEGATIVE_INFINITY))
        best.set(partner.channel, { scac: line.scac, bill, worth })
    }
  }
  return [...new Map([...best.values()].map((each) => [each.bill, each])).values()]
}

function boxOf(number: string) {
  for (const shipment of shipments) {
    const place = shipment.boxes.findIndex((box) => box.number === number)
    if (place >= 0 && followed.some(({ bill }) => bill === shipment.bill)) return { shipment, place }
  }
  throw new Error(`nobody knows ${number}`)
}

/** A last free day is the midnight of that day in local time. */
function dayOf(instant: string): string {
  return new Date(Date.parse(instant) + 12 * HOUR).toISOString().slice(0, 10)
}
