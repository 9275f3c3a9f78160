/** The page of a shipment shows issues as plain text. A person can also paste an answer and see how it is read. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { giveAccess } from '../../support/service.ts'
import { event, journey } from '../../support/tracking-harness.ts'
import type { Tenant, World } from './world.ts'

const bill = 'HLCUSEENLOSS0001'
const whole = 'HLCUSEENWHOLE001'

export function testLosses(world: World): void {
  const { api, carrier } = world
  let tenant: Tenant

  before(async () => {
    tenant = await world.newTenant()
    await giveAccess(api, { scac: 'HLCU', profile: carrier.profile('HLCU') })
    const odd = event({ told: 901, code: 'LOAD', at: 'never', place: 'CNSHG', bill })
    carrier.answers(
      { json: [...journey(bill, 'sailed'), odd, { ...odd, eventID: '<img src=x onerror=alert(1)>' }] },
      bill,
    )
    carrier.answers({ json: journey(whole, 'sailed') }, whole)
    for (const number of [bill, whole]) {
      const attributes = { request_type: 'bill_of_lading', request_number: number, scac: 'HLCU' }
      const body = { data: { type: 'tracking_request', attributes } }
      await tenant.call({ method: 'POST', url: '/v2/tracking_requests', body })
    }
    await api.drain()
  })

  const addressOf = (path: string): string => `${world.url}${path}#key=${tenant.key}`

  test('the page of a shipment lists what could not be read, and says when everything was understood', async () => {
    const shipmentOf = async (number: string) =>
      (await tenant.call({ url: `/v2/shipments?number=${number}` })).many()[0]?.id
    const { page, close } = await world.openPage()
    await page.goto(addressOf(`/shipments/${await shipmentOf(bill)}?tab=changes`))
    await page.locator('.issues li').first().waitFor()
    const rows = await page.locator('.issues li').allTextContents()
    assert.equal(rows.length, 2, 'one for each event')
    assert.match(
      rows[0] ?? '',
      /An event is missing: Unreadable time: "never" is not an ISO 8601 time \/\d+\/eventDateTime 1×/,
    )
    assert.equal(await page.locator('.issues img').count(), 0)
    await page.goto(addressOf(`/shipments/${await shipmentOf(whole)}?tab=changes`))
    await page.getByText('All that the line answered about it was understood.').waitFor()
    await close()
  })

  test('the reading of a pasted answer is shown with its unreadable parts, and nothing is stored', async () => {
    const { page, close } = await world.openPage()
    await page.goto(addressOf('/operate/read'))
    const count = async () => (await api.service.pool.query({ text: 'select count(*) as n from snapshots' })).rows[0]
    const before = await count()
    await page.getByLabel('Shipping line').selectOption('MSCU')
    const fixture = new URL('../../connectors/dcsa/fixtures/line-mscu.json', import.meta.url)
    const answer = readFileSync(fixture, 'utf8').replaceAll('"PNP"', '"ZZZQ"')
    await page.getByRole('textbox', { name: 'Answer' }).fill(answer)
    await page.getByRole('button', { name: 'Read' }).click()
    const summary = page.getByRole('status').filter({ hasText: 'events' })
    await summary.waitFor()
    const text = (await summary.textContent()) ?? ''
    assert.match(text, /9 events: 9 understood, 0 in part, 0 lost/)
    assert.match(text, /ACT LOAD LADEN CNSHG 2026-01-12T10:04Z/)
    assert.match(text, /ACT vessel_loaded CNSHG 2026-01-12T10:04Z/)
    assert.match(text, /Unknown facility: "ZZZQ" is not a known facility/)
    await page.getByRole('textbox', { name: 'Answer' }).fill('<html><script>alert(1)</script> Please sign in</html>')
    await page.getByRole('button', { name: 'Read' }).click()
    await page.getByText('Login page: the answer is a login page').waitFor()
    assert.deepEqual(await count(), before)
    await page.getByRole('textbox', { name: 'Answer' }).fill('x'.repeat(1_100_000))
    await page.getByRole('button', { name: 'Read' }).click()
    assert.match((await page.getByRole('alert').first().textContent()) ?? '', /\S/)
    await close()
  })
}
