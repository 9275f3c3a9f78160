/** Runs an installation for weeks over the whole sandbox: what is tracked, how time passes, and what was observed. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LINES } from '../../sandbox/lines.ts'
import { DAY, HOUR } from '../../sandbox/local-time.ts'
import { startSandbox } from '../../sandbox/server.ts'
import { World } from '../../sandbox/world.ts'
import { sandboxProfile } from '../../src/connectors/dcsa/profiles/sandbox.ts'
import { installSandboxFacilities } from '../../src/modules/installation/sandbox-facilities.ts'
import { installSandboxPartners } from '../../src/modules/installation/sandbox-partners.ts'
import { freePorts } from '../../test/e2e/program.ts'
import { openTestApi, type TestApi, type WireResource } from '../../test/support/api.ts'
import { giveAccess } from '../../test/support/service.ts'
import { workOff } from '../../test/support/work-off.ts'
import type { Report } from '../kill/checks.ts'
import { type Ashore, compareAshore, newAshore, reportOf } from './ashore.ts'
import { type Asked, chooseQuestions, type TrueBox } from './questions.ts'

export interface Lived {
  /** The number of the world's shipments that are followed, without scenarios and faults. */
  readonly followed: number
  readonly ashore: Report
  /** The truth about a box; null for a box of a scenario, and for one that is not followed. */
  readonly shipmentOf: (box: string) => TrueBox | null
  readonly endMs: number
  readonly containers: readonly WireResource[]
  readonly shipments: readonly WireResource[]
  /** Names of the events that reached the webhook, and how often. */
  readonly heard: ReadonlyMap<string, number>
  /** The failure reasons that requests showed at any step. */
  readonly reasons: ReadonlySet<string>
}

const epochMs = Date.parse('2026-01-01T00:00:00Z')
const daysBefore = 30
const stepMs = 12 * HOUR
/** When the user marks picked-up boxes as delivered and gives them a reference number. */
const deliveredAfterMs = 10 * DAY

export async function liveThrough(of: {
  readonly journeys: number
  readonly days: number
  readonly seed: number
  readonly say: (sentence: string) => void
}): Promise<Lived> {
  const { journeys, days, seed, say } = of
  const fromMs = epochMs + daysBefore * DAY
  const endMs = fromMs + days * DAY
  let worldMs = fromMs
  const sandbox = await startSandbox({ port: 0, host: '127.0.0.1', seed, epoch: epochMs, now: () => worldMs })
  const { api: port } = await freePorts()
  const api = await openTestApi({
    startAt: new Date(fromMs).toISOString(),
    env: { LANDFALL_PORT: String(port), LANDFALL_POOL_MAX: '32', LANDFALL_WORKERS: '16' },
  })
  const heard = new Map<string, number>()
  const receiver = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => {
      text += String(chunk)
    })
    request.on('end', () => {
      const { event } = (JSON.parse(text) as { readonly data: { readonly event: string } }).data
      heard.set(event, (heard.get(event) ?? 0) + 1)
      response.end('ok')
    })
  })
  try {
    await api.app.listen({ host: '127.0.0.1', port })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    for (const { scac } of LINES)
      await giveAccess(api, { scac, profile: { ...sandboxProfile(scac, sandbox.url) }, isSandbox: true })
    const context = await api.newAccount({ isSandbox: true })
    const key = await api.newKey(context, ['read', 'write'])
    const played = { url: sandbox.url, accountId: context.account.id }
    await installSandboxFacilities(api.service, played)
    await installSandboxPartners(api.service, played)
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    await send(api, key, '/v2/webhooks', { type: 'webhook', attributes: { url, active: true } })
    const world = new World(seed, epochMs)
    const { shipments, questions, boxes } = chooseQuestions(world, { journeys, seed, fromMs })
    const asked = await ask(api, key, questions)
    say(`${shipments.length} shipments and ${asked - shipments.length} scenarios and faults are asked for`)
    const reasons = new Set<string>()
    const ashore: Ashore = newAshore()
    for (; worldMs < endMs; worldMs += stepMs) {
      api.clock.set(worldMs)
      await sandbox.tellSubscribers()
      await sandbox.tellPartners()
      await workOff(api)
      const { rows } = await api.service.pool.query<{ reason: string }>(
        'select distinct failed_reason as reason from tracking_requests where failed_reason is not null',
      )
      for (const { reason } of rows) reasons.add(reason)
      if (worldMs === fromMs + deliveredAfterMs) await sayDelivered(api, key, worldMs)
      compareAshore(ashore, await listAll(api, key, 'containers'), boxes, worldMs)
      const day = (worldMs - fromMs) / DAY
      if (Number.isInteger(day) && day % 5 === 0) say(`day ${day} of ${days}: ${sum(heard)} notifications`)
    }
    return {
      followed: shipments.length,
      ashore: reportOf(ashore),
      shipmentOf: (box) => boxes.get(box) ?? null,
      endMs: worldMs - stepMs,
      containers: await listAll(api, key, 'containers'),
      shipments: await listAll(api, key, 'shipments'),
      heard,
      reasons,
    }
  } finally {
    await api.close()
    receiver.closeAllConnections()
    receiver.close()
    await sandbox.close()
  }
}

/** Returns how many requests were made. A request for an unknown number without a line may be refused. */
async function ask(api: TestApi, key: string, questions: Asked['questions']): Promise<number> {
  let made = 0
  for (const attributes of questions) {
    const answer = await api.call({
      method: 'POST',
      url: '/v2/tracking_requests',
      key,
      body: { data: { type: 'tracking_request', attributes } },
    })
    if (answer.status === 201) made += 1
    else if (answer.status !== 422) throw new Error(`${JSON.stringify(attributes)}: ${answer.text}`)
  }
  return made
}

async function sayDelivered(api: TestApi, key: string, nowMs: number): Promise<void> {
  const boxes = await listAll(api, key, 'containers')
  for (const { id } of boxes.filter(({ attributes }) => attributes['current_status'] === 'picked_up')) {
    const attributes = { delivered_at: new Date(nowMs - HOUR).toISOString(), ref_numbers: ['PO-7'] }
    const data = { type: 'container', id, attributes }
    const answer = await api.call({ method: 'PATCH', url: `/v2/containers/${id}`, key, body: { data } })
    if (answer.status !== 200) throw new Error(answer.text)
  }
}

async function send(api: TestApi, key: string, url: string, data: unknown): Promise<void> {
  const answer = await api.call({ method: 'POST', url, key, body: { data } })
  if (answer.status !== 201) throw new Error(answer.text)
}

async function listAll(api: TestApi, key: string, type: string): Promise<readonly WireResource[]> {
  const all: WireResource[] = []
  for (let page = 1; ; page += 1) {
    const answer = await api.call({ url: `/v2/${type}?page[size]=100&page[number]=${page}`, key })
    const some = answer.many()
    all.push(...some)
    if (some.length < 100) return all
  }
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0)
}
