/**
 * What a tool call costs compared with the REST read below it: calls per second and p99 of `get_container` in both
 * versions of the protocol, and of the same read over REST, from the same client in the same run, in turn. And how long
 * the verification of a long draft takes.
 */

import type { AddressInfo } from 'node:net'
import { openMcp } from '../src/mcp/transport/open-mcp.ts'
import { createApiKey } from '../src/modules/api-keys/create-api-key.ts'
import { createApiApp } from '../src/server/app.ts'
import { openInstallation, storeSnapshot, track, workOffTasks } from './installation.ts'
import { makeShipments } from './journeys.ts'
import { alternate, type Figure, median, medianRatio, percentile, progress, spread } from './measure.ts'

const shipments = 20
const rounds = 5
const secondsOfRound = 1.5
const connections = 8
const revisions = ['2026-07-28', '2025-11-25'] as const

interface Asking {
  readonly apiUrl: string
  readonly mcpUrl: string
  readonly key: string
  readonly ids: readonly string[]
}
type Ask = (id: string) => Promise<Response>

export async function benchMcp(): Promise<readonly Figure[]> {
  const installation = await openInstallation()
  const { service, postgres } = installation
  const api = await createApiApp(service)
  const mcp = await openMcp(service)
  try {
    const context = await installation.newAccount()
    for (const each of await track(installation, context, makeShipments(shipments, 1)))
      await storeSnapshot(installation, each, 0)
    await workOffTasks(installation)
    await service.pool.query('vacuum analyze')
    const accountId = context.account.id
    const { key } = await createApiKey(service, { accountId, name: 'Benchmark', scopes: ['read'] })
    const { rows } = await service.pool.query<{ id: string }>('select id from containers order by id')
    const apiUrl = await api.listen({ host: '127.0.0.1', port: 0 })
    await mcp.listen({ host: '127.0.0.1', port: 0 })
    const mcpUrl = `http://127.0.0.1:${(mcp.server.address() as AddressInfo).port}`
    const asking = { apiUrl, mcpUrl, key, ids: rows.map(({ id }) => id) }
    const figures: Figure[] = []
    for (const revision of revisions) figures.push(await measure(asking, { revision, postgres }))
    const named = await service.pool.query<{ number: string }>(
      'select min(number) as number from containers group by shipment_id order by 1 limit 10',
    )
    figures.push(await measureVerify(asking, { numbers: named.rows.map(({ number }) => number), postgres }))
    return figures
  } finally {
    await mcp.close()
    await api.close()
    await installation.close()
  }
}

async function measure(
  asking: Asking,
  of: { readonly revision: (typeof revisions)[number]; readonly postgres: string },
): Promise<Figure> {
  const { apiUrl, key, ids } = asking
  const call = callOf(asking, of.revision)
  const read: Ask = (id) =>
    fetch(`${apiUrl}/v2/containers/${id}?include=shipment`, { headers: { authorization: `Token ${key}` } })
  progress(`mcp: get_container by ${of.revision} against the same read over REST, ${connections} connections`)
  const durations = { ours: [] as number[], limit: [] as number[] }
  await load(call, ids, [])
  await load(read, ids, [])
  const sides = await alternate(rounds, {
    ours: () => load(call, ids, durations.ours),
    limit: () => load(read, ids, durations.limit),
  })
  const ratio = medianRatio(sides)
  const p99 = (values: readonly number[]): string => `${percentile(values, 0.99).toFixed(1)} ms`
  return {
    bench: 'mcp',
    what: `tools/call get_container, protocol ${of.revision}`,
    unit: 'calls/s',
    figure: median(sides.ours),
    limit: { what: 'GET /v2/containers/:id?include=shipment by the same client', value: median(sides.limit) },
    ratio,
    aim: 'ratio at least 0.25',
    isMet: ratio >= 0.25,
    note:
      `${rounds} rounds of ${secondsOfRound} s, ${connections} connections of this very process; ` +
      `p99 ${p99(durations.ours)} against ${p99(durations.limit)}; ${spread(sides.ours)} against ${spread(sides.limit)}`,
    postgres: of.postgres,
  }
}

/** A draft of 8 KB about ten shipments, beside one call of `get_container`. */
async function measureVerify(
  asking: Asking,
  of: { readonly numbers: readonly string[]; readonly postgres: string },
): Promise<Figure> {
  const draft = Array.from({ length: 60 }, (_, at) => writeSentences(of.numbers[at % of.numbers.length] ?? ''))
    .join('\n\n')
    .slice(0, 8_192)
  const verify = callOf(asking, revisions[0], 'verify_answer', () => ({ draft }))
  const read = callOf(asking, revisions[0])
  progress('mcp: verify_answer of a draft of 8 KB about ten shipments against get_container')
  const took = async (ask: Ask): Promise<number> => {
    const askedAt = performance.now()
    const answer = await ask(asking.ids[0] ?? '')
    const text = await answer.text()
    if (!answer.ok || text.includes('"isError":true')) throw new Error(`${answer.status} ${text}`)
    return performance.now() - askedAt
  }
  await took(verify)
  const sides = await alternate(3 * rounds, { ours: () => took(verify), limit: () => took(read) })
  const figure = median(sides.ours)
  return {
    bench: 'mcp',
    what: 'verify_answer, a draft of 8 KB about ten shipments',
    unit: 'ms',
    figure,
    limit: { what: 'get_container, one call', value: median(sides.limit) },
    ratio: medianRatio(sides),
    aim: 'at most 300 ms',
    isMet: figure <= 300,
    note: `${3 * rounds} calls, one at a time; ${spread(sides.ours)} ms against ${spread(sides.limit)} ms`,
    postgres: of.postgres,
  }
}

function writeSentences(number: string): string {
  return `Container ${number} sailed from Ningbo on 5 January 2026. ETA 3 February, last free day 9 Feb 2026; it is available and has no holds. It weighs 24,480 kg and owes USD 350.`
}

function callOf(
  { mcpUrl, key }: Asking,
  revision: (typeof revisions)[number],
  name = 'get_container',
  argumentsOf: (id: string) => object = (id) => ({ id }),
): Ask {
  const isModern = revision === '2026-07-28'
  const headers = {
    authorization: `Token ${key}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-protocol-version': revision,
    ...(isModern ? { 'mcp-method': 'tools/call', 'mcp-name': name } : {}),
  }
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return (id) => {
    const params = { name, arguments: argumentsOf(id), ...(isModern ? { _meta: meta } : {}) }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    return fetch(mcpUrl, { method: 'POST', headers, body })
  }
}

/** Returns answers per second. Adds the duration of each call, in milliseconds, to `durations`. */
async function load(ask: Ask, ids: readonly string[], durations: number[]): Promise<number> {
  const startedAt = performance.now()
  const until = startedAt + secondsOfRound * 1_000
  let answers = 0
  const hand = async (first: number): Promise<void> => {
    for (let at = first; performance.now() < until; at += connections) {
      const askedAt = performance.now()
      const answer = await ask(ids[at % ids.length] ?? '')
      const text = await answer.text()
      if (!answer.ok || text.includes('"isError":true')) throw new Error(`${answer.status} ${text}`)
      durations.push(performance.now() - askedAt)
      answers += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, first) => hand(first)))
  return (answers * 1_000) / (performance.now() - startedAt)
}
