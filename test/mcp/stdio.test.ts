import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Era, eras, openTestMcp, type TestMcp } from '../support/mcp.ts'

const program = fileURLToPath(new URL('../../src/cli/landfall.ts', import.meta.url))
let api: TestApi
let mcp: TestMcp

before(async () => {
  api = await openTestApi()
  mcp = await openTestMcp(api)
})
after(async () => {
  await mcp.close()
  await api.close()
})

async function connectOverStdio(key: string, era: Era): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: era === '2026-07-28' ? { pin: era } : 'legacy' } },
  )
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp'],
    env: { LANDFALL_URL: mcp.url, LANDFALL_API_KEY: key },
    stderr: 'ignore',
  })
  await client.connect(transport)
  return client
}

for (const era of eras) {
  test(`landfall mcp serves a client over standard input and output, with protocol ${era}`, async () => {
    const client = await connectOverStdio(api.key, era)
    try {
      const { tools } = await client.listTools()
      assert.ok(tools.some(({ name }) => name === 'track_container'))
      const answer = await client.callTool({ name: 'list_shipments', arguments: {} })
      assert.deepEqual((answer.structuredContent as { items: unknown }).items, [])
    } finally {
      await client.close()
    }
  })
}

test('landfall mcp reports to its client when the server refuses the key', async () => {
  await assert.rejects(connectOverStdio('lf_live_wrong', '2025-11-25'), /request to the Landfall server failed/)
})

/** As `echo … | landfall mcp` does: everything is written and standard input ends before anything is answered. */
async function echo(text: string, key = api.key): Promise<{ readonly out: string; readonly err: string }> {
  const child = spawn(process.execPath, [program, 'mcp'], {
    env: { LANDFALL_URL: mcp.url, LANDFALL_API_KEY: key },
  })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    out += part
  })
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    err += part
  })
  child.stdin.end(text)
  await once(child, 'close')
  return { out, err }
}

const ask = (id: number, method: string, params: object = {}) => JSON.stringify({ jsonrpc: '2.0', id, method, params })

test('landfall mcp answers every message from a pipe before the program ends', async () => {
  const listed = await echo(`${ask(7, 'tools/list')}\n`)
  const answer = JSON.parse(listed.out) as { id: number; result: { tools: readonly unknown[] } }
  assert.equal(answer.id, 7)
  assert.ok(answer.result.tools.length > 10)
  const several = await echo(
    [1, 2, 3].map((id) => ask(id, 'tools/call', { name: 'list_shipments', arguments: {} })).join('\n'),
  )
  const ids = several.out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: number }).id)
  assert.deepEqual(ids.toSorted(), [1, 2, 3], 'the last line has no end, and all are answered')
})

test('landfall mcp reports requests that could not be sent, and still ends', async () => {
  const refused = await echo(`${ask(1, 'tools/list')}\n`, 'lf_live_wrong')
  assert.match(
    (JSON.parse(refused.out) as { error: { message: string } }).error.message,
    /request to the Landfall server failed/,
  )
  assert.match((await echo('{"a":1}\n')).err, /not an MCP message/)
  assert.equal((await echo('')).out, '')
})
