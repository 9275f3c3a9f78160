/**
 * Runs the official MCP conformance suite against the real stack (database, keys, guards, limits), with exactly the
 * scenarios that each revision requires of a server. `npm run qa -- mcp`; exits with 1 when one of them fails.
 */

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { openTestApi } from '../test/support/api.ts'
import { openTestMcp } from '../test/support/mcp.ts'
import { fixtures } from '../test/support/mcp-fixtures.ts'
import { openFront } from '../test/support/mcp-front.ts'

export const revisions = ['2025-11-25', '2026-07-28'] as const
const suite = fileURLToPath(new URL('../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url))
/** For all scenarios of one revision together. */
const timeoutMs = 240_000

export interface Outcome {
  readonly revision: string
  readonly exitCode: number
  readonly output: string
}

export async function runConformance(): Promise<readonly Outcome[]> {
  const api = await openTestApi()
  const mcp = await openTestMcp(api, { extend: fixtures })
  const front = await openFront(mcp.url, `Token ${api.key}`)
  try {
    const outcomes: Outcome[] = []
    for (const revision of revisions) outcomes.push(await runRevision(front.url, revision))
    return outcomes
  } finally {
    await front.close()
    await mcp.close()
    await api.close()
  }
}

async function runRevision(url: string, revision: string): Promise<Outcome> {
  const child = spawn(
    process.execPath,
    [suite, 'server', '--url', url, '--requirements', revision, '--timeout', '15000'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'] ?? '', NO_COLOR: '1' },
    },
  )
  let output = ''
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const exitCode = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)))
  clearTimeout(timer)
  return { revision, exitCode, output }
}

export async function main(): Promise<void> {
  for (const { revision, exitCode, output } of await runConformance()) {
    process.stdout.write(`${output}\n${revision}: ${exitCode === 0 ? 'all required scenarios pass' : 'FAILED'}\n\n`)
    if (exitCode !== 0) process.exitCode = 1
  }
}
