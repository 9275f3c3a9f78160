import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Era, eras, openTestMcp, type TestMcp } from '../../support/mcp.ts'

const program = fileURLToPath(new URL('../../../src/doors/cli/landfall.ts', import.meta.url))
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
  test(`landfall mcp serves a client over standard input and output, by the protocol of ${era}`, async () => {
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

test('landfall mcp tells its client when the server refuses the key', async () => {
  await assert.rejects(connectOverStdio('lf_live_wrong', '2025-11-25'), /could not be asked/)
})
