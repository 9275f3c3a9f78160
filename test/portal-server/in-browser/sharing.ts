/** A share link in a browser without a key, and the widget on a page of another site. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { issueApiKey } from '../../../src/modules/api-keys/create-api-key.ts'
import { assertAccessible, layoutShift, openAppPage } from '../../support/app-page.ts'
import type { Tenant, Tracked, World } from './world.ts'

const bill = 'MSCUROUTE0000006'

export function testSharing(world: World): void {
  let tenant: Tenant
  let tracked: Tracked
  let site: Server
  let siteUrl: string
  let sitePage = ''

  before(async () => {
    tenant = await world.newTenant()
    tracked = await tenant.track(bill)
    site = createServer((_, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(sitePage)
    })
    site.listen(0, '127.0.0.1')
    await once(site, 'listening')
    siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  })
  after(() => void site.close())

  async function share(attributes: object = {}): Promise<{ readonly id: string; readonly token: string }> {
    const data = {
      type: 'share_link',
      attributes: { name: 'For the consignee', company_name: 'Blue Forwarding', ...attributes },
      relationships: { shipment: { data: { type: 'shipment', id: tracked.shipmentId } } },
    }
    const made = (await tenant.call({ method: 'POST', url: '/v2/share_links', body: { data } })).one()
    return { id: made.id, token: String(made.attributes['token']) }
  }

  test('the portal creates a link, which shows shipment and map in a fresh browser until it is withdrawn', async () => {
    const tenant = await world.newTenant()
    const { shipmentId } = await tenant.track(bill)
    const own = await world.openPage()
    await own.page.goto(`${world.url}/shipments/${shipmentId}#key=${tenant.key}`)
    await own.page.getByRole('button', { name: 'Share' }).click()
    await own.page.getByLabel('Company on the page').fill('Blue Forwarding')
    await own.page.getByRole('button', { name: 'Make the link' }).click()
    const shown = await own.page.getByRole('link', { name: 'Open it' }).getAttribute('href')
    assert.match(shown ?? '', /\/shared\/[\w-]{43}$/)
    const path = new URL(shown ?? '').pathname

    const { page, faults, close } = await openAppPage(world.browser)
    await page.goto(`${world.url}${path}`)
    const shipment = page.getByRole('article', { name: bill })
    await shipment.waitFor()
    assert.match((await page.locator('h1').textContent()) ?? '', /Blue Forwarding/)
    await page.getByRole('img', { name: /Map of the journey: Shanghai/ }).waitFor()
    await page.getByText('MSCU4000005').click()
    await page.getByText('Ship left').first().waitFor()
    await assertAccessible(page, 'the shared page')
    assert.ok((await layoutShift(page)).sum < 0.1)
    assert.deepEqual(faults, [])

    await own.page.goto(`${world.url}/developers/links`)
    await own.page.getByRole('button', { name: new RegExp(`^Withdraw.*${bill}`) }).click()
    await own.page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
    await own.page.getByText('No link has been made yet.').waitFor()
    const again = await page.goto(`${world.url}${path}`)
    assert.equal(again?.status(), 404)
    await close()
    await own.close()
  })

  test('with many links the page says how many it shows, and shows the others on request', async () => {
    for (let count = (await tenant.call({ url: '/v2/share_links' })).many().length; count < 101; count += 1)
      await share()
    const { page, close } = await world.openPage()
    await page.goto(`${world.url}/developers/links#key=${tenant.key}`)
    await page.getByText('100 of 101 shown.').waitFor()
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByText('100 of 101 shown.').waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('button', { name: /^Withdraw/ }).count(), 101)
    await close()
  })

  test('a list that cannot be read shows the error, not an empty list', async () => {
    const { page, close } = await world.openPage()
    const errors = [{ status: '403', code: 'forbidden', title: 'Forbidden', detail: 'Not with this key.' }]
    await page.route('**/v2/inbound_messages?*', (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/vnd.api+json',
        body: JSON.stringify({ errors }),
      }),
    )
    await page.goto(`${world.url}/operate/messages#key=${tenant.key}`)
    await page.getByText('Not with this key.').waitFor()
    assert.equal(await page.getByText('No message has come').count(), 0)
    await close()
  })

  test('a shared page is not cached or indexed, and only allowed sites can embed the page', async () => {
    const { token } = await share({ allowed_origins: ['https://www.blue.example'] })
    const { headers, status } = await world.api.call({ url: `/shared/${token}`, key: null })
    assert.equal(status, 200)
    assert.match(String(headers['content-security-policy']), /frame-ancestors https:\/\/www\.blue\.example$/)
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['x-robots-tag'], 'noindex')
    assert.equal(headers['cache-control'], 'no-store')
    const alone = await share()
    const closed = await world.api.call({ url: `/shared/${alone.token}`, key: null })
    assert.match(String(closed.headers['content-security-policy']), /frame-ancestors 'none'$/)
    assert.equal((await tenant.call({ url: '/shared/unknown', key: null })).status, 404)
  })

  test('the widget shows the shipment on allowed sites, and explains on other sites why it is empty', async () => {
    const { token } = await share({ allowed_origins: [siteUrl] })
    const embed = (shared: string): string => `<!doctype html><html lang="en"><title>A shop</title>
  <main><h1>Your order</h1><script type="module" src="${world.url}/portal/widget.js"></script>
  <landfall-shipment share="${shared}"></landfall-shipment></main></html>`
    sitePage = embed(token)
    const { page, faults, close } = await world.openPage()
    await page.goto(siteUrl)
    await page.getByRole('article', { name: bill }).waitFor()
    await page.getByRole('img', { name: /Map of the journey/ }).waitFor()
    await assertAccessible(page, 'the page with the widget')
    assert.deepEqual(faults, [])
    sitePage = embed((await share()).token)
    await page.goto(siteUrl)
    await page.getByText('This site may not be among the origins').waitFor()
    await close()
  })

  test('the map element draws the route of a container with a publishable key', async () => {
    const { key } = await issueApiKey(world.api.service, tenant.context, {
      name: 'Shop',
      kind: 'publishable',
      scopes: ['read'],
      allowedOrigins: [siteUrl],
      expiresAt: null,
    })
    sitePage = `<!doctype html><html lang="en"><title>A shop</title><main><h1>Map</h1>
  <script type="module" src="${world.url}/portal/widget.js"></script>
  <landfall-map container="${tracked.containerId}" key="${key}"></landfall-map></main></html>`
    const { page, faults, close } = await world.openPage()
    await page.goto(siteUrl)
    await page.getByRole('img', { name: /Map of the journey: Shanghai/ }).waitFor()
    assert.deepEqual(faults, [])
    await close()
  })
}
