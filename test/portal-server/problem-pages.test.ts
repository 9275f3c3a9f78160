// An error at an address that a person opens is a page that they can read; a program gets the usual answer.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { openMcp } from '../../src/mcp/transport/open-mcp.ts'
import { openTestApi, type TestApi } from '../support/api.ts'

let api: TestApi
let mcp: FastifyInstance
before(async () => {
  api = await openTestApi()
  mcp = await openMcp(api.service)
})
after(async () => {
  await mcp?.close()
  await api.close()
})

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'
const ask = (app: FastifyInstance, url: string, accept: string | undefined, method: 'GET' | 'POST' = 'GET') =>
  app.inject({ method, url, headers: { host: 'localhost', ...(accept === undefined ? {} : { accept }) } })

test('an unknown or malformed address shows an HTML page in a browser', async () => {
  for (const [url, status] of [
    ['/shipment', 404],
    ['/account/nothing', 404],
    ['/account/%zz', 400],
    ['/v3/shipments', 404],
    ['/portal/none.js', 404],
    ['/invitation?token=none', 404],
    ['/portal/suggestions', 401],
    ['/oauth/nothing', 404],
    ['/.well-known/oauth-authorization-server/nothing', 404],
  ] as const) {
    const page = await ask(api.app, url, browser)
    assert.equal(page.statusCode, status, `${url}: ${page.body.slice(0, 300)}`)
    assert.match(String(page.headers['content-type']), /^text\/html/, url)
    assert.match(page.body, /<h2>[^<]+<\/h2>/, url)
    assert.doesNotMatch(page.body, /<script|"errors"/, url)
    assert.match(String(page.headers['content-security-policy']), /default-src 'none'/, url)
    assert.equal(page.headers['cache-control'], 'no-store', url)
  }
  const form = await ask(api.app, '/docs', browser, 'POST')
  assert.equal(form.statusCode, 405)
  assert.match(String(form.headers['allow']), /GET/)
  assert.match(String(form.headers['content-type']), /^text\/html/)
})

test('programs get JSON for an unknown address, and browsers only for an address below the API', async () => {
  for (const [url, accept] of [
    ['/shipments', undefined],
    ['/shipments', '*/*'],
    ['/shipments', 'application/json'],
    ['/shipments', 'application/json, text/html;q=0.5'],
    ['/shipments', 'text/html;q=0, */*'],
    ['/v2/shipments', browser],
    ['/v2/nothing', browser],
    ['/v2', browser],
  ] as const) {
    const answer = await ask(api.app, url, accept)
    assert.match(String(answer.headers['content-type']), /json/, `${url} ${accept}`)
    assert.ok(answer.json().errors.length > 0)
  }
})

test('the MCP address shows an explanation in a browser, and agents still get JSON', async () => {
  for (const [app, url, address] of [
    [mcp, '/', 'http://localhost:3001'],
    [mcp, '/mcp', 'http://localhost:3001'],
    [api.app, '/mcp', 'http://localhost:3000/mcp'],
  ] as const) {
    const page = await ask(app, url, browser)
    assert.equal(page.statusCode, 405)
    assert.equal(page.headers['allow'], 'POST')
    assert.match(page.body, /This address is for agents/)
    assert.ok(page.body.includes(`<code>${address}</code>`), page.body)
    const agent = await ask(app, url, 'text/event-stream')
    assert.equal(agent.statusCode, 405)
    assert.match(agent.body, /"jsonrpc"/)
  }
  const nothing = await ask(mcp, '/account', browser)
  assert.equal(nothing.statusCode, 404)
  assert.match(String(nothing.headers['content-type']), /^text\/html/)
  assert.match((await ask(mcp, '/account', undefined)).body, /"jsonrpc"/)
})

test('an existing address of the API answers with JSON, also to a browser', async () => {
  for (const [method, url] of [
    ['GET', '/v2/shipments'],
    ['POST', '/rails/active_storage/direct_uploads'],
  ] as const) {
    const { headers } = await ask(api.app, url, 'text/html', method)
    assert.match(String(headers['content-type']), /json/, url)
  }
})
