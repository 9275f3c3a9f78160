/**
 * All steps of an agent, with the official client and a real browser: from the address alone to a tool call, and to the
 * end of its access.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { goToConsent, type OauthWorld, openCallback, openOauthWorld } from '../support/oauth-world.ts'

let world: OauthWorld
before(async () => {
  world = await openOauthWorld()
})
after(() => world.close())

/** What an agent stores on its person's machine. */
class Agent implements OAuthClientProvider {
  readonly redirectUrl: string
  information: StoredOAuthClientInformation | undefined
  kept: StoredOAuthTokens | undefined
  verifier = ''
  discovered: OAuthDiscoveryState | undefined
  /** The addresses to which it has sent its person, in order. */
  readonly sentTo: URL[] = []
  constructor(redirectUrl: string) {
    this.redirectUrl = redirectUrl
  }
  get clientMetadata() {
    return { client_name: 'Harbour Agent', redirect_uris: [this.redirectUrl] }
  }
  clientInformation() {
    return this.information
  }
  saveClientInformation(information: StoredOAuthClientInformation) {
    this.information = information
  }
  tokens() {
    return this.kept
  }
  saveTokens(tokens: StoredOAuthTokens) {
    this.kept = tokens
  }
  redirectToAuthorization(url: URL) {
    this.sentTo.push(url)
  }
  saveCodeVerifier(verifier: string) {
    this.verifier = verifier
  }
  codeVerifier() {
    return this.verifier
  }
  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.discovered = state
  }
  discoveryState() {
    return this.discovered
  }
  invalidateCredentials() {
    this.kept = undefined
  }
}

async function connectClient(agent: Agent, path = ''): Promise<Client> {
  const client = new Client({ name: 'harbour', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(world.mcpUrl + path), { authProvider: agent }))
  return client
}

/** Sends the person to the page for consent; `choose` does what they choose there. */
async function letIn(
  options: { readonly access?: string; readonly path?: string } = {},
): Promise<{ readonly agent: Agent; readonly client: Client }> {
  const callback = await openCallback()
  const agent = new Agent(callback.url)
  const url = new URL(world.mcpUrl + (options.path ?? ''))
  const transport = new StreamableHTTPClientTransport(url, { authProvider: agent })
  await assert.rejects(new Client({ name: 'harbour', version: '1' }).connect(transport), UnauthorizedError)
  const [asked] = agent.sentTo
  assert.ok(asked, 'the person was sent nowhere')
  assert.equal(asked.origin, world.issuer)
  assert.equal(asked.searchParams.get('code_challenge_method'), 'S256')
  const page = await world.browser.newPage()
  await goToConsent(page, asked)
  assert.match((await page.getByRole('heading', { level: 2 }).textContent()) ?? '', /Let Harbour Agent in\?/)
  if (options.access !== undefined) await page.getByLabel('Access').selectOption(options.access)
  await page.getByRole('button', { name: 'Let it in' }).click()
  await transport.finishAuth(await callback.params)
  await page.close()
  return { agent, client: await connectClient(agent, options.path) }
}

test('an agent that knows only the address discovers the server, registers, gets consent and calls a tool', async () => {
  const { agent, client } = await letIn()
  const { tools } = await client.listTools()
  assert.ok(tools.some(({ name }) => name === 'list_shipments'))
  const result = await client.callTool({ name: 'list_shipments', arguments: {} })
  assert.notEqual(result.isError, true, JSON.stringify(result.content))
  assert.equal(agent.kept?.scope, 'tracking:read tracking:write')
  assert.equal((agent.information as { client_secret?: string }).client_secret, undefined)
  const rest = await fetch(`${world.issuer}/v2/shipments`, {
    headers: { authorization: `Bearer ${agent.kept?.access_token}` },
  })
  assert.equal(rest.status, 401, 'a token for the tools opened the API')
  await client.close()
})

test('an agent with the address of a part that reads asks for that alone, and its token works at the whole server', async () => {
  const { agent, client } = await letIn({ path: '/mcp/read' })
  assert.equal(agent.kept?.scope, 'tracking:read')
  assert.equal(agent.sentTo[0]?.searchParams.get('resource')?.replace(/\/$/, ''), world.mcpUrl)
  const names = async (of: Client) => (await of.listTools()).tools.map(({ name }) => name)
  assert.ok(!(await names(client)).includes('stop_tracking'))
  const whole = await connectClient(agent)
  assert.ok((await names(whole)).includes('stop_tracking'), 'its person may let it write there')
  for (const each of [client, whole]) await each.close()
})

test('an expired token is renewed without the person', async () => {
  const { agent, client } = await letIn()
  const before = agent.kept
  await world.api.service.pool.query(
    `update oauth_entries set expires_at = now() - interval '1 hour' where kind = 'AccessToken'`,
  )
  const result = await client.callTool({ name: 'list_shipments', arguments: {} })
  assert.notEqual(result.isError, true)
  assert.notEqual(agent.kept?.access_token, before?.access_token)
  assert.notEqual(agent.kept?.refresh_token, before?.refresh_token)
  assert.equal(agent.sentTo.length, 1, 'the person was asked again')
  await client.close()
})

test('a read-only agent that calls a writing tool sends its person to consent to more', async () => {
  const { agent, client } = await letIn({ access: 'read' })
  assert.equal(agent.kept?.scope, 'tracking:read')
  const { tools } = await client.listTools()
  assert.ok(tools.length > 0)
  await assert.rejects(
    client.callTool({ name: 'stop_tracking', arguments: { id: '01900000-0000-7000-8000-000000000000' } }),
    UnauthorizedError,
  )
  const asked = agent.sentTo.at(-1)
  assert.equal(agent.sentTo.length, 2)
  assert.ok(asked?.searchParams.get('scope')?.includes('tracking:write'), asked?.search)
  await client.close()
})

test('a person sees and disconnects an agent, which then needs consent again', async () => {
  const { agent, client } = await letIn()
  const page = await world.browser.newPage()
  await page.goto(`${world.issuer}/sign-in?next=/account/apps`)
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByLabel('Password').fill('four ships in a row')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/account/apps')
  // Each earlier test has allowed the app again, with another id and another port: it is still one app.
  assert.equal(await page.getByRole('heading', { name: 'Harbour Agent' }).count(), 1)
  const connections = await page.getByRole('button', { name: 'Disconnect Harbour Agent' }).count()
  assert.ok(connections >= 3, `${connections}`)
  await page.getByRole('button', { name: 'Disconnect Harbour Agent' }).first().click()
  await page.waitForURL('**/account/apps')
  await page.getByRole('button', { name: `Disconnect all ${connections - 1} of Harbour Agent` }).click()
  await page.waitForURL('**/account/apps')
  assert.match((await page.getByRole('main').textContent()) ?? '', /None\. An app asks by itself/)
  assert.equal(await page.locator('script').count(), 0)
  await page.close()
  const asked = agent.sentTo.length
  await assert.rejects(client.callTool({ name: 'list_shipments', arguments: {} }), UnauthorizedError)
  assert.equal(agent.sentTo.length, asked + 1)
  await client.close()
})
