/**
 * The world that agents are asked about: an account in the sandbox that has tracked shipments for some days, with
 * terminals, railways and partners that speak, requests that failed, and a webhook whose receiver refuses everything.
 * Its clock stands still while agents ask.
 */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LINES } from '../sandbox/lines.ts'
import { DAY, HOUR } from '../sandbox/local-time.ts'
import { startSandbox } from '../sandbox/server.ts'
import { World } from '../sandbox/world.ts'
import { sandboxProfile } from '../src/connectors/dcsa/profiles/sandbox.ts'
import { installSandboxFacilities } from '../src/modules/installation/sandbox-facilities.ts'
import { installSandboxPartners } from '../src/modules/installation/sandbox-partners.ts'
import { freePorts } from '../test/e2e/program.ts'
import { openTestApi, type TestApi, type WireResource } from '../test/support/api.ts'
import { giveAccess } from '../test/support/service.ts'
import { withoutLimits } from '../test/support/without-limits.ts'
import { workOff } from '../test/support/work-off.ts'
import { chooseQuestions } from '../tools/sandbox-proof/questions.ts'
import { progress } from './measure.ts'

export interface AgentsWorld {
  readonly api: TestApi
  readonly key: string
  /** Numbers of the world that nobody has asked for yet, with the lines that they belong to. */
  readonly untracked: readonly { readonly number: string; readonly scac: string }[]
  /** An answer of the REST API, whose errors end the run. */
  readonly get: (url: string) => Promise<Rest>
  readonly all: (type: string, query?: string) => Promise<readonly WireResource[]>
  /** Does the work that is due, at the same time of the world. */
  readonly settle: () => Promise<void>
  readonly close: () => Promise<void>
}

export type Rest = Awaited<ReturnType<TestApi['call']>>

const epochMs = Date.parse('2026-01-01T00:00:00Z')
const daysBefore = 30
const days = 8
const journeys = 45
/** Of the scenarios and faults, which would take most of the time. */
const oddOneOf = 4
const untrackedCount = 20
const stepMs = 12 * HOUR

export async function openAgentsWorld(seed: number): Promise<AgentsWorld> {
  const fromMs = epochMs + daysBefore * DAY
  let worldMs = fromMs
  const sandbox = await startSandbox({ port: 0, host: '127.0.0.1', seed, epoch: epochMs, now: () => worldMs })
  const { api: port } = await freePorts()
  const api = await openTestApi({
    startAt: new Date(fromMs).toISOString(),
    env: { LANDFALL_PORT: String(port), LANDFALL_POOL_MAX: '32', LANDFALL_WORKERS: '16', ...withoutLimits },
  })
  const receiver = createServer((request, response) => {
    request.resume()
    response.statusCode = 500
    response.end('the receiver is broken')
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  await api.app.listen({ host: '127.0.0.1', port })
  for (const { scac } of LINES)
    await giveAccess(api, { scac, profile: { ...sandboxProfile(scac, sandbox.url) }, isSandbox: true })
  const context = await api.newAccount({ isSandbox: true })
  const key = await api.newKey(context, ['read', 'write'])
  const played = { url: sandbox.url, accountId: context.account.id }
  await installSandboxFacilities(api.service, played)
  await installSandboxPartners(api.service, played)
  const world = new World(seed, epochMs)
  const asked = chooseQuestions(world, { journeys: journeys + untrackedCount, seed, fromMs })
  const left = asked.questions.slice(0, untrackedCount)
  const plain = asked.questions.slice(untrackedCount, asked.shipments.length)
  const odd = asked.questions.slice(asked.shipments.length).filter((_, nth) => nth % oddOneOf === 0)
  const tracked = [...plain, ...odd]
  for (const [nth, attributes] of tracked.entries()) {
    const ref_numbers = nth % 4 === 0 ? [`PO ${4700 + nth}`] : []
    const body = { data: { type: 'tracking_request', attributes: { ...attributes, ref_numbers } } }
    const answer = await api.call({ method: 'POST', url: '/v2/tracking_requests', key, body })
    if (answer.status !== 201 && answer.status !== 422) throw new Error(answer.text)
  }
  for (; worldMs < fromMs + days * DAY; worldMs += stepMs) {
    api.clock.set(worldMs)
    if (worldMs === fromMs + (days - 1) * DAY) await hook(api, key, receiver.address() as AddressInfo)
    await sandbox.tellSubscribers()
    await sandbox.tellPartners()
    await workOff(api)
  }
  worldMs -= stepMs
  progress(`agents: a world of ${tracked.length} requests, ${days} days`)
  const get = async (url: string): Promise<Rest> => {
    const answer = await api.call({ url, key })
    if (answer.status >= 300) throw new Error(`${url}: ${answer.text}`)
    return answer
  }
  return {
    api,
    key,
    untracked: left.flatMap(({ request_number: number, scac }) => (scac === undefined ? [] : [{ number, scac }])),
    get,
    all: async (type, query = '') => {
      const all: WireResource[] = []
      for (let page = 1; ; page += 1) {
        const some = (await get(`/v2/${type}?page[size]=100&page[number]=${page}${query}`)).many()
        all.push(...some)
        if (some.length < 100) return all
      }
    },
    settle: () => workOff(api),
    close: async () => {
      await api.close()
      receiver.closeAllConnections()
      receiver.close()
      await sandbox.close()
    },
  }
}

async function hook(api: TestApi, key: string, { port }: AddressInfo): Promise<void> {
  const attributes = { url: `http://127.0.0.1:${port}/`, active: true }
  const body = { data: { type: 'webhook', attributes } }
  const answer = await api.call({ method: 'POST', url: '/v2/webhooks', key, body })
  if (answer.status !== 201) throw new Error(answer.text)
}
