/**
 * The API, the MCP server and a browser, all on loopback over real HTTP, and a place where an app waits for its user.
 */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { openMcp } from '../../src/mcp/transport/open-mcp.ts'
import { openTestApi, type TestApi } from './api.ts'
import { openBrowser } from './browser.ts'
import { password, signUpFirst } from './person.ts'

export interface OauthWorld {
  readonly api: TestApi
  readonly issuer: string
  readonly mcpUrl: string
  readonly browser: Browser
  readonly close: () => Promise<void>
}

export async function openOauthWorld(): Promise<OauthWorld> {
  const [port = 0, mcpPort = 0] = [await freePort(), await freePort()]
  const api = await openTestApi({
    startAt: new Date().toISOString(),
    env: { LANDFALL_PORT: String(port), LANDFALL_MCP_PORT: String(mcpPort) },
  })
  await signUpFirst(api)
  await api.app.listen({ host: '127.0.0.1', port })
  const mcp = await openMcp(api.service)
  await mcp.listen({ host: '127.0.0.1', port: mcpPort })
  const browser = await openBrowser()
  return {
    api,
    issuer: `http://127.0.0.1:${port}`,
    mcpUrl: `http://127.0.0.1:${mcpPort}`,
    browser,
    close: async () => {
      await browser.close()
      await mcp.close()
      await api.close()
    },
  }
}

/** Receives one answer of the authorization server, as a program on the user's machine does. */
export async function openCallback(): Promise<{
  readonly url: string
  readonly params: Promise<URLSearchParams>
}> {
  const { promise: params, resolve } = Promise.withResolvers<URLSearchParams>()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    response.end('You can close this page.')
    if (url.pathname !== '/callback') return
    resolve(url.searchParams)
    server.close()
    server.closeIdleConnections()
  })
  // If a test fails before the answer comes, this server must not keep the process alive.
  server.unref().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`, params }
}

/** Ada at the keyboard: signs in when she is asked to, and arrives at the page that asks for her consent. */
export async function goToConsent(page: Page, url: URL | string): Promise<void> {
  await page.goto(String(url))
  if (!page.url().includes('/sign-in')) return
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/oauth/consent/**')
}

export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
