/**
 * Runs the authorization-server scenarios of the official MCP conformance suite against the real stack, with a real
 * browser in place of a person. `npm run qa -- oauth`; exits with 1 when one of them fails or is skipped.
 */

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { post } from '../test/support/oauth.ts'
import { freePort, goToConsent, type OauthWorld, openOauthWorld } from '../test/support/oauth-world.ts'

const suite = fileURLToPath(new URL('../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url))
const timeoutMs = 90_000

export interface Outcome {
  readonly passed: number
  readonly failed: number
  readonly output: string
}

export async function runAuthorizationConformance(): Promise<Outcome> {
  const world = await openOauthWorld()
  try {
    const port = await freePort()
    const redirectUri = `http://127.0.0.1:${port}/callback`
    const { body } = await post(
      world.api,
      '/oauth/register',
      { client_name: 'Conformance suite', redirect_uris: [redirectUri] },
      { isJson: true },
    )
    return await runSuite(world, { clientId: String(body['client_id']), port })
  } finally {
    await world.close()
  }
}

/** The suite prints the address that a person has to open, and waits for the callback. */
async function runSuite(
  world: OauthWorld,
  { clientId, port }: { readonly clientId: string; readonly port: number },
): Promise<Outcome> {
  const options = ['--client-id', clientId, '--resource', world.mcpUrl, '--port', String(port)]
  const child = spawn(process.execPath, [suite, 'authorization', '--url', world.issuer, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', NO_COLOR: '1' },
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  let output = ''
  let person: Promise<void> | null = null
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const url = /^(http\S+\/oauth\/authorize\?\S+)\s*$/m.exec(output)?.[1]
      if (url !== undefined) person ??= agree(world, url)
    })
  const exitCode = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)))
  clearTimeout(timer)
  await person
  const [, passed = '0', failed = '1'] = /^Total: (\d+) passed, (\d+) failed/m.exec(output) ?? []
  return { passed: Number(passed), failed: Number(failed) + (exitCode === 0 ? 0 : 1), output }
}

async function agree(world: OauthWorld, url: string): Promise<void> {
  const page = await world.browser.newPage()
  await goToConsent(page, url)
  await page.getByRole('button', { name: 'Let it in' }).click()
  await page.waitForURL('**/callback?**')
  await page.close()
}

export async function main(): Promise<void> {
  const { output, passed, failed } = await runAuthorizationConformance()
  process.stdout.write(`${output}\n${passed} passed, ${failed} failed\n`)
  if (failed > 0 || passed === 0) process.exitCode = 1
}
