/** Calls that take long: progress for clients that want it, and the end of a call that is no longer wanted. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { connect, eras, openTestMcp, type TestMcp } from '../support/mcp.ts'
import { type Seeded, seededAt, seedShipment } from '../support/seed.ts'
import { withoutLimits } from '../support/without-limits.ts'

let api: TestApi
let mcp: TestMcp
let seeded: Seeded

before(async () => {
  api = await openTestApi({ startAt: seededAt, env: withoutLimits })
  seeded = await seedShipment(api)
  mcp = await openTestMcp(api)
})
after(async () => {
  await mcp.close()
  await seeded.carrier.close()
  await api.close()
})

const numbersFrom = (first: number, count: number) => Array.from({ length: count }, (_, nth) => `ONEYSH${first + nth}`)
const requestsLike = async (part: string): Promise<number> => {
  const text = 'select count(*)::int as n from tracking_requests where request_number like $1'
  return (await api.service.pool.query<{ n: number }>(text, [`${part}%`])).rows[0]?.n ?? 0
}

for (const [nth, era] of eras.entries())
  test(`track_numbers tells its progress to a client that asks for it, with protocol ${era}`, async () => {
    const client = await connect(mcp.url, { authorization: `Token ${api.key}`, era })
    const told: string[] = []
    const numbers = numbersFrom(3_000_000 + nth * 1_000, 4)
    const answer = await client.callTool(
      { name: 'track_numbers', arguments: { numbers } },
      { onprogress: ({ progress, total }) => told.push(`${progress} of ${total}`) },
    )
    assert.deepEqual(told, ['1 of 4', '2 of 4', '3 of 4', '4 of 4'])
    assert.deepEqual((answer.structuredContent as Record<string, Record<string, number>>)['counts']?.['requested'], 4)
    await client.close()
  })

test('a client that accepts no stream gets the answer alone, also when it asks for progress', async () => {
  const params = {
    name: 'track_numbers',
    arguments: { numbers: numbersFrom(3_500_000, 2) },
    _meta: { progressToken: 1 },
  }
  const response = await fetch(mcp.url, {
    method: 'POST',
    headers: { authorization: `Token ${api.key}`, 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const { id, result } = (await response.json()) as { readonly id: number; readonly result: object }
  assert.deepEqual([id, 'structuredContent' in result], [1, true])
})

test('with the 2026 protocol, a cancelled call of track_numbers ends, and what it requested stays', async () => {
  const client = await connect(mcp.url, { authorization: `Token ${api.key}`, era: '2026-07-28' })
  const cancelling = new AbortController()
  const numbers = numbersFrom(4_000_000, 50)
  await assert.rejects(
    client.callTool(
      { name: 'track_numbers', arguments: { numbers } },
      { signal: cancelling.signal, onprogress: () => cancelling.abort() },
    ),
  )
  const settled = async () => {
    const before = await requestsLike('ONEYSH4')
    await new Promise((resolve) => setTimeout(resolve, 500))
    return (await requestsLike('ONEYSH4')) === before ? before : null
  }
  const requested = await eventually(settled)
  assert.ok(requested >= 1 && requested < 50, `${requested}`)
  await client.close()
})

test('with the 2025 protocol, a client that leaves has cancelled nothing', async () => {
  const client = await connect(mcp.url, { authorization: `Token ${api.key}`, era: '2025-11-25' })
  const cancelling = new AbortController()
  await assert.rejects(
    client.callTool(
      { name: 'track_numbers', arguments: { numbers: numbersFrom(5_000_000, 20) } },
      { signal: cancelling.signal, onprogress: () => cancelling.abort() },
    ),
  )
  await eventually(async () => ((await requestsLike('ONEYSH5')) === 20 ? true : null))
  await client.close()
})
