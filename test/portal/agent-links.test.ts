import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentClients, agentSettings } from '../../portal/src/developers/agent-links.ts'

const url = 'https://track.example.com:8443/mcp?a=b c&d=é'.replace('é', '%C3%A9').replace(' ', '%20')
const clients = agentClients(url)
const linkOf = (name: string) => new URL(clients.find((each) => each.name === name)?.link ?? '')

test('each link contains the whole address, in the form that its program reads', () => {
  for (const name of ['Cursor', 'LM Studio']) {
    const { searchParams } = linkOf(name)
    assert.equal(searchParams.get('name'), 'landfall')
    assert.deepEqual(JSON.parse(atob(searchParams.get('config') ?? '')), { url })
  }
  const { protocol, pathname, search } = linkOf('VS Code')
  assert.deepEqual([protocol, pathname], ['vscode:', 'mcp/install'])
  assert.deepEqual(JSON.parse(decodeURIComponent(search.slice(1))), { name: 'landfall', type: 'http', url })
})

test('an agent program without an install link has a command with the server address', () => {
  for (const { name, link, command } of clients) assert.ok(link !== null || command?.includes(url), name)
})

test('the agent settings contain the server address, and a placeholder for the key only if a key is needed', () => {
  const [plain, keyed] = [false, true].map((hasKey) => JSON.parse(agentSettings(url, { hasKey })))
  assert.deepEqual(plain, { mcpServers: { landfall: { type: 'http', url } } })
  assert.match(keyed.mcpServers.landfall.headers.Authorization, /^Token lf_live_/)
})
