/**
 * The MCP server over real HTTP on loopback beside a test API, and the official client in both versions of the
 * protocol.
 */

import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { openMcp } from '../../src/mcp/transport/open-mcp.ts'
import type { TestApi } from './api.ts'

export const eras = ['2026-07-28', '2025-11-25'] as const
export type Era = (typeof eras)[number]

export interface TestMcp {
  readonly url: string
  readonly close: () => Promise<void>
}

export async function openTestMcp(api: TestApi, options: Parameters<typeof openMcp>[1] = {}): Promise<TestMcp> {
  const app = await openMcp(api.service, options)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => app.close() }
}

/** `answers`: what the user answers when asked which line it is; null when the user declines. */
export async function connect(
  url: string,
  of: {
    readonly authorization: string
    readonly era?: Era
    readonly answers?: (message: string) => string | null
    /** Says that it shows views (MCP Apps). */
    readonly showsViews?: boolean
  },
): Promise<Client> {
  const era = of.era ?? '2026-07-28'
  const { answers } = of
  const client = new Client(
    { name: 'test', version: '1' },
    {
      versionNegotiation: { mode: era === '2026-07-28' ? { pin: era } : 'legacy' },
      capabilities: {
        ...(answers === undefined ? {} : { elicitation: { form: {} } }),
        ...(of.showsViews === true
          ? { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } }
          : {}),
      },
    },
  )
  if (answers !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const choice = answers(params.message)
      return choice === null ? { action: 'decline' } : { action: 'accept', content: { choice } }
    })
  }
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: of.authorization } },
  })
  await client.connect(transport)
  return client
}

export type CallResult = Awaited<ReturnType<Client['callTool']>>

export const textOf = (block: CallResult['content'][number] | undefined): string =>
  block?.type === 'text' ? block.text : ''

/** Calls tools of a client that exists only when the call is made. */
export function caller(client: () => Client) {
  return {
    call: async (name: string, args: object, by: Client = client()): Promise<Readonly<Record<string, unknown>>> => {
      const answer = await by.callTool({ name, arguments: { ...args } })
      assert.notEqual(answer.isError, true, textOf(answer.content[0]))
      return answer.structuredContent as Record<string, unknown>
    },
    refusal: async (name: string, args: object, by: Client = client()): Promise<string> => {
      const answer = await by.callTool({ name, arguments: { ...args } })
      assert.equal(answer.isError, true, `${name} was answered`)
      return textOf(answer.content[0])
    },
  }
}
