/** An admin connects a carrier: sees what it needs, learns why the first secret fails, and stores the second. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { equipmentEvent, transportEvent } from '../../connectors/dcsa/events.ts'
import { type LineServer, sendJson, startLine } from '../../connectors/line-server.ts'
import { assertAccessible, assertContrast } from '../../support/app-page.ts'
import type { World } from './world.ts'

const secret = 'the-right-secret'
const pictures = process.env['LANDFALL_TEST_PICTURES']

export function testConnections(world: World): void {
  let line: LineServer
  before(async () => {
    line = await startLine(({ headers }, response) => {
      if (Object.values(headers).includes(secret)) return sendJson(response, [transportEvent({}), equipmentEvent({})])
      response.writeHead(401, { 'content-type': 'application/json' })
      response.end('{"moreInformation":"Client id not registered."}')
    })
  })
  after(() => line.close())

  test('a carrier is chosen by its code, a wrong secret is explained, and the right one is stored', async () => {
    const tenant = await world.newTenant()
    const { page, faults, close } = await world.openPage()
    const take = async (name: string): Promise<void> => {
      await assertAccessible(page, name)
      await page.emulateMedia({ colorScheme: 'dark' })
      await assertContrast(page, `${name}, dark`)
      if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}-dark.png`, fullPage: true })
      await page.emulateMedia({ colorScheme: 'light' })
      if (pictures === undefined) return
      for (const width of [390, 1024, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        await page.screenshot({ path: `${pictures}/${name}-${width}.png`, fullPage: true })
      }
    }
    await page.goto(`${world.url}/administration/connections#key=${await tenant.adminKey()}`)
    await page.getByLabel('Name or SCAC').fill('hlcu')
    const guide = page.getByRole('region', { name: 'Hapag-Lloyd', exact: true })
    await guide.getByRole('link', { name: 'https://api-portal.hlag.com', exact: true }).waitFor()
    assert.match((await guide.textContent()) ?? '', /You bringclientId, clientSecret.*Unknown/)
    await take('a carrier to connect')

    const form = page.getByRole('region', { name: 'Access to Hapag-Lloyd' })
    await form.getByText('More of the profile').click()
    await form.getByLabel(/^Members that differ/).fill(JSON.stringify({ base: line.base }))
    await form.getByLabel('Secret clientId').fill('id')
    await form.getByLabel('Secret clientSecret').fill('a-wrong-secret')
    await form.getByLabel('A number of your own').fill('HLCUBKK000000001')
    await form.getByRole('button', { name: 'Try' }).click()
    await form.getByText(/^Hapag-Lloyd does not accept the secret/).waitFor()
    await form.getByText(/^Copy clientId, clientSecret again/).waitFor()
    assert.equal(await form.getByRole('button', { name: 'Store' }).count(), 0)
    await take('an access that does not work')

    await form.getByLabel('Secret clientSecret').fill(secret)
    await page.keyboard.press('Enter')
    await form.getByText('The access works.').waitFor()
    await form.getByText('2 of 2 understood').waitFor()
    assert.equal(await page.getByRole('row').filter({ hasText: 'HLCU' }).count(), 0, 'it was only tried')
    await take('an access that works')
    await form.getByRole('button', { name: 'Store' }).click()
    await form.getByText(/^It is stored\./).waitFor()
    const row = page.getByRole('row').filter({ hasText: 'HLCU' })
    await row.getByText('for this account').waitFor()
    await row.getByRole('button', { name: /^Try again/ }).click()
    await form.getByLabel('A number of your own').fill('HLCUBKK000000001')
    await form.getByRole('button', { name: 'Try' }).click()
    await form.getByText('The access works.').waitFor()
    await take('a connection')
    const values = await page.evaluate(
      "[...document.querySelectorAll('input, textarea')].map(({ value }) => value).join()",
    )
    for (const text of [await page.content(), page.url(), String(values)]) assert.ok(!text.includes(secret))
    assert.deepEqual(faults, [])
    await close()
  })

  test('a sandbox account sees what a carrier needs, and that its own carriers are simulated', async () => {
    const context = await world.api.newAccount({ isSandbox: true })
    const key = await world.api.newKey(context, ['read', 'write', 'admin'])
    const { page, faults, close } = await world.openPage()
    await page.goto(`${world.url}/administration/connections#key=${key}`)
    await page.getByText(/carriers of this account are simulated/).waitFor()
    await page.getByLabel('Name or SCAC').fill('lbct')
    await page.getByRole('region', { name: 'Long Beach Container Terminal' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Try' }).count(), 0)
    assert.deepEqual(faults, [])
    await close()
  })
}
