/** The map that clients show beside an answer (MCP Apps): the official client, and the host's side of the official SDK. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { getToolUiResourceUri, RESOURCE_MIME_TYPE } from '@modelcontextprotocol/ext-apps/app-bridge'
import type { Frame } from 'playwright-core'
import { build } from 'vite'
import { assertAccessible, openAppPage } from '../../support/app-page.ts'
import { type CallResult, connect, eras, openTestMcp, type TestMcp } from '../../support/mcp.ts'
import { seedRoute } from '../../support/route-seed.ts'
import { box, type Tenant, type World } from './world.ts'

const bill = 'MSCUROUTE0000007'
const other = 'MSCUROUTE0000008'
const tools = [
  ['get_container_route', box],
  ['get_shipment_details', bill],
] as const

/** What the extension requires of a host for a view that names no site. */
const policy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'"

export function testJourneyView(world: World): void {
  let tenant: Tenant
  let mcp: TestMcp
  let html = ''
  let host: Server
  let hostUrl: string

  before(async () => {
    tenant = await world.newTenant()
    await tenant.track(bill)
    mcp = await openTestMcp(world.api)
    const script = await bundleHost()
    host = createServer(({ url }, response) => {
      const [type, body, csp] =
        url === '/view'
          ? ['text/html', html, policy]
          : url === '/host.js'
            ? ['text/javascript', script, '']
            : ['text/html', page, '']
      if (csp !== '') response.setHeader('content-security-policy', csp)
      response.setHeader('content-type', `${type}; charset=utf-8`)
      response.end(body)
    })
    host.listen(0, '127.0.0.1')
    await once(host, 'listening')
    hostUrl = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
    const client = await connect(mcp.url, { authorization: `Token ${tenant.key}`, showsViews: true })
    const { contents } = await client.readResource({ uri: 'ui://landfall/journey-map' })
    html = String((contents[0] as { text?: string }).text)
    await client.close()
  })
  after(async () => {
    host.close()
    await mcp.close()
  })

  async function ask(of: { showsViews: boolean; era?: (typeof eras)[number] }, tool: string, id: string) {
    const client = await connect(mcp.url, { authorization: `Token ${tenant.key}`, ...of })
    const answer = await client.callTool({ name: tool, arguments: { id } })
    await client.close()
    return answer
  }

  /** The view in a browser, with its input. */
  async function show(result: unknown, theme: 'light' | 'dark' = 'light', width = 900) {
    const opened = await openAppPage(world.browser, { viewport: { width, height: 900 } })
    const asked: string[] = []
    opened.page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await opened.page.goto(hostUrl)
    await opened.page.evaluate(`showView(${JSON.stringify(result)}, '${theme}')`)
    const view = opened.page.frames().find((frame) => frame.url().endsWith('/view')) as Frame
    return { ...opened, view, asked }
  }

  for (const era of eras) {
    describe(`with protocol ${era}`, () => {
      test('the journey tools name the view, which can be listed and read', async () => {
        const client = await connect(mcp.url, { authorization: `Token ${tenant.key}`, era, showsViews: true })
        const listed = await client.listTools()
        const named = listed.tools.filter((tool) => getToolUiResourceUri(tool) !== undefined)
        assert.deepEqual(
          named.map(({ name }) => name),
          ['get_shipment_details', 'get_container_route'],
        )
        const uri = getToolUiResourceUri(named[0] ?? {}) ?? ''
        const found = (await client.listResources()).resources.find((each) => each.uri === uri)
        assert.equal(found?.mimeType, RESOURCE_MIME_TYPE)
        const { contents } = await client.readResource({ uri })
        assert.equal(contents[0]?.mimeType, RESOURCE_MIME_TYPE)
        assert.match(String((contents[0] as { text?: string }).text), /^<!doctype html>/)
        const needs = contents[0]?._meta?.['ui'] as { csp: object }
        assert.deepEqual(needs.csp, { connectDomains: [], resourceDomains: [] })
        await client.close()
      })

      for (const [tool, id] of tools) {
        test(`${tool} sends the data of the journey view only to clients that can show views`, async () => {
          const [shown, plain] = [
            await ask({ era, showsViews: true }, tool, id),
            await ask({ era, showsViews: false }, tool, id),
          ]
          assert.deepEqual(without(shown.content), without(plain.content))
          assert.equal(plain._meta?.['landfall/journey'], undefined)
          const journey = shown._meta?.['landfall/journey'] as { features: readonly object[] }
          assert.ok(journey.features.length > 4)
          assert.ok(JSON.stringify(journey).length < 24_000, `${JSON.stringify(journey).length}`)
        })
      }
    })
  }

  test('the document of the view is small and refers to no other site', () => {
    assert.ok(html.length < 100_000, `${html.length}`)
    const named = (html.match(/(?:https?:)?\/\/[\w.-]+\.[a-z]+/g) ?? []).filter((each) => each !== 'http://www.w3.org')
    assert.deepEqual(named, [])
  })

  for (const theme of ['light', 'dark'] as const) {
    test(`a host shows the route, the ship and the times of each milestone, ${theme}`, async () => {
      const { view, asked, faults, close } = await show(
        await ask({ showsViews: true }, 'get_shipment_details', bill),
        theme,
      )
      await view.getByRole('img', { name: /^Map of the journey: Shanghai, Busan, Los Angeles.*ship: / }).waitFor()
      assert.ok((await view.locator('svg .land').getAttribute('d'))?.startsWith('M'))
      assert.ok((await view.locator('svg .way').count()) >= 2)
      assert.match((await view.getByRole('list', { name: 'Ships' }).textContent()) ?? '', /reckoned for/)
      const row = (name: RegExp) => view.getByRole('row', { name }).first()
      assert.match((await row(/Ship left/).textContent()) ?? '', /05 Jan 2026 20:00/, 'local at Shanghai')
      const arrival = (await row(/^Ship arrive[sd](?! to hand)/).textContent()) ?? ''
      assert.match(arrival, /not known.*23 Jan 2026 16:00 PST.*not reported/)
      const background = await view.evaluate('getComputedStyle(document.body).backgroundColor')
      assert.equal(background, theme === 'dark' ? 'rgb(19, 29, 37)' : 'rgb(255, 255, 255)')
      await assertAccessible(view, theme)
      assert.deepEqual(faults, [])
      assert.deepEqual(asked, ['/', '/host.js', '/view'], 'nothing else was asked for')
      await close()
    })
  }

  test('the view adapts to the size and colours of the host, and is never wider than a narrow window', async () => {
    const {
      page: around,
      view,
      close,
    } = await show(await ask({ showsViews: true }, 'get_container_route', box), 'light', 360)
    await view.getByRole('img').waitFor()
    await around.waitForFunction(`parseInt(document.querySelector('iframe').style.height) > 300`)
    assert.equal(await view.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
    await around.evaluate(`bridge.setHostContext({ theme: 'dark' })`)
    await view.waitForFunction(`document.documentElement.dataset.theme === 'dark'`)
    await assertAccessible(view, 'narrow and dark')
    await close()
  })

  test('the milestones can be reached, opened and scrolled with the keyboard alone', async () => {
    const {
      page: around,
      view,
      close,
    } = await show(await ask({ showsViews: true }, 'get_container_route', box), 'light', 360)
    const details = view.locator('details')
    await details.waitFor()
    await around.keyboard.press('Tab')
    await view.waitForFunction(`document.activeElement?.localName === 'summary'`)
    await around.keyboard.press('Enter')
    assert.equal(await details.getAttribute('open'), null)
    await around.keyboard.press('Enter')
    await around.keyboard.press('Tab')
    assert.equal(await view.evaluate('document.activeElement?.getAttribute("aria-label")'), `Milestones of ${box}`)
    await close()
  })

  test('text of a carrier is shown as text, and its markup is not interpreted', async () => {
    const hostile = `</script><img src="/stolen" onerror="document.title='taken'"><b>bold</b>`
    const answer = await ask({ showsViews: true }, 'get_shipment_details', bill)
    const poisoned = JSON.parse(JSON.stringify(answer), (key, value: unknown) =>
      typeof value === 'string' && !['type', 'feature_type'].includes(key) && !key.endsWith('_at') ? hostile : value,
    ) as CallResult
    const journey = poisoned._meta?.['landfall/journey'] as { unknown: string[] }
    journey.unknown = [hostile]
    const { view, asked, faults, close } = await show(poisoned)
    await view.getByRole('img').waitFor()
    assert.match((await view.getByRole('heading', { level: 1 }).textContent()) ?? '', /<img src="\/stolen"/)
    assert.equal(await view.locator('main img, main b, main script').count(), 0)
    assert.equal(await view.title(), 'Map of a journey')
    assert.deepEqual(asked, ['/', '/host.js', '/view'])
    assert.deepEqual(faults, [])
    await close()
  })

  test('the view shows what is unknown, and that an answer has no journey', async () => {
    await seedRoute(world.api, {
      bill: other,
      key: tenant.key,
      number: 'MSCU4000010',
      carrier: world.carrier,
      until: '2026-01-06T00:00:00Z',
    })
    const answer = await ask({ showsViews: true }, 'get_shipment_details', other)
    const { view, close } = await show(answer)
    const unknown = view.getByRole('region', { name: 'Not known' })
    assert.match((await unknown.textContent()) ?? '', /No source has given an arrival\./)
    await close()
    const none = await show(await ask({ showsViews: false }, 'get_shipment_details', bill))
    await none.view.getByText('This answer has no journey to show.').waitFor()
    await none.close()
  })
}

const page =
  '<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,"><main></main><script src="/host.js"></script></html>'

async function bundleHost(): Promise<string> {
  const entry = fileURLToPath(new URL('../../support/mcp-app-host.mjs', import.meta.url))
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    build: { write: false, lib: { entry, formats: ['iife'], name: 'host' } },
  })
  const [first] = [built].flat()
  assert.ok(first !== undefined && 'output' in first)
  return first.output[0].code
}

/** The time of an answer changes between two of them. */
function without(content: CallResult['content']): string {
  return JSON.stringify(content).replaceAll(/\\"now\\":\\"[^"]*\\"/g, '')
}
