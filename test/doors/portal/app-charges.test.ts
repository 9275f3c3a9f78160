// Free time in the portal's app, in a real browser over the real API: clocks, terms and calendars that are tried before
// they are recorded, custom fields, what lies ahead of a container, and who may see the keys.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { assertAccessible, openAppPage } from '../../support/app-page.ts'
import { openBrowser } from '../../support/browser.ts'
import { type SeededRoute, seedRoute } from '../../support/route-seed.ts'

let api: TestApi
let browser: Browser
let url: string
let route: SeededRoute
let shipmentId: string
const box = 'MSCU4000005'

before(async () => {
  api = await openTestApi({ startAt: '2026-01-30T00:00:00Z' })
  route = await seedRoute(api, { bill: 'MSCUROUTE0000001' })
  shipmentId = (await api.call({ url: '/v2/shipments' })).many()[0]?.id ?? ''
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  const address = api.app.server.address()
  assert.ok(address !== null && typeof address === 'object')
  url = `http://127.0.0.1:${address.port}`
  browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await route.carrier.close()
  await api.close()
})

test('terms are tried before they are recorded, and then their clock runs', async () => {
  const { page, close } = await openAppPage(browser)
  await page.goto(`${url}/charges/terms#key=${api.key}`)
  await page.getByLabel('Code', { exact: true }).fill('acme')
  await page.getByLabel(/^Price of each day/).fill('1-4:150.00 5-200')
  await page.getByLabel(/^Source/).fill('Contract 2026/17')
  await page.getByRole('button', { name: 'See what it changes' }).click()
  const refused = page.getByRole('alert').filter({ hasText: 'The table cannot be taken' })
  assert.match((await refused.textContent()) ?? '', /`tiers`/)
  assert.equal((await api.call({ url: '/v2/charge_terms' })).many().length, 0, 'nothing was recorded')
  await assertAccessible(page, 'a refused table')
  await refused.getByRole('button', { name: 'Back' }).click()

  await page.getByLabel(/^Price of each day/).fill('1-:150.00')
  await page.getByRole('button', { name: 'See what it changes' }).click()
  await page.getByText('The days of 1 of 1 containers would change.').waitFor()
  assert.equal((await api.call({ url: '/v2/charge_terms' })).many().length, 0, 'it was only tried')
  await page.getByRole('button', { name: 'Record it' }).click()
  await page.getByText('1 version recorded.').waitFor()
  await api.drain()

  await page.goto(`${url}/charges`)
  const clock = page.locator('li.clock').filter({ hasText: box })
  await clock.waitFor()
  assert.match((await clock.textContent()) ?? '', /by your terms/)
  await clock.getByRole('button', { name: `Day by day: ${box}` }).click()
  await clock.getByRole('heading', { name: 'Free time and charges' }).waitFor()
  await assertAccessible(page, 'a clock, day by day')
  await close()
})

test('a calendar is drawn while it is written, and recorded after a look at what it changes', async () => {
  const { page, close } = await openAppPage(browser)
  await page.goto(`${url}/charges/calendars#key=${api.key}`)
  await page.getByLabel('Code', { exact: true }).fill('us-lax')
  const year = new Date().getFullYear()
  await page.getByLabel(/^Holidays/).fill(`${year}-07-03 Independence Day`)
  await page.locator('.months .holiday', { hasText: '3' }).waitFor()
  await page.getByRole('button', { name: 'See what it changes' }).click()
  await page.getByRole('button', { name: 'Record it' }).click()
  await page.getByRole('heading', { name: 'us-lax', exact: true }).waitFor()
  const [calendar] = (await api.call({ url: '/v2/calendars' })).many()
  assert.deepEqual(calendar?.attributes['holidays'], [{ on: `${year}-07-03`, name: 'Independence Day' }])
  await close()
})

test('an invoice is handed in as a table, its days are shown with reasons, and its evidence is saved', async () => {
  const { page, close } = await openAppPage(browser)
  await page.goto(`${url}/charges/invoices#key=${api.key}`)
  const head = 'number,kind,charged_by,currency,container,from,to,rate\n'
  const hand = (rows: string) =>
    page.getByLabel('Choose an invoice').setInputFiles({
      name: 'invoice.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(head + rows),
    })
  await hand(`P-1,demurrage,line,USD,${box},soon,2026-01-27,150.00\n`)
  await page.getByRole('alert').filter({ hasText: '`from`' }).waitFor()
  assert.equal((await api.call({ url: '/v2/invoices/audits' })).many().length, 0)
  await hand(`P-1,demurrage,line,USD,${box},2026-01-20,2026-01-21,150.00\n`)
  const audit = page.getByRole('region', { name: 'Invoice P-1' })
  await audit.getByText('2 charged days, one by one').click()
  await audit.getByText('2026-01-20').waitFor()
  await assertAccessible(page, 'an audited invoice')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    audit.getByRole('button', { name: /signed evidence/ }).click(),
  ])
  assert.match(download.suggestedFilename(), /^evidence-.*\.json$/)
  await close()
})

test('a custom field is defined, its fault stands at it, and its value is kept', async () => {
  const { page, close } = await openAppPage(browser)
  await page.goto(`${url}/shipments/${shipmentId}#key=${api.key}`)
  const panel = page.getByRole('region', { name: 'Custom fields of the shipment' })
  await panel.getByText('New field').click()
  await panel.getByLabel('Name').fill('Weight class')
  await panel.getByLabel('Type').selectOption('enum')
  await panel.getByLabel(/^Choices/).fill('light, heavy')
  await panel.getByRole('button', { name: 'Define the field' }).click()
  await panel.getByLabel('Weight class').selectOption({ label: 'heavy' })
  const definition = (
    await api.call({
      method: 'POST',
      url: '/v2/custom_field_definitions',
      body: {
        data: {
          type: 'custom_field_definition',
          attributes: {
            entity_type: 'Shipment',
            api_slug: 'lot',
            display_name: 'Lot',
            data_type: 'short_text',
            validation: { max_length: 3 },
          },
        },
      },
    })
  ).status
  assert.equal(definition, 201)
  await page.reload()
  await panel.getByLabel('Weight class').selectOption({ label: 'heavy' })
  await panel.getByLabel('Lot').fill('too long')
  await panel.getByRole('button', { name: 'Save' }).click()
  await page.getByText('One field could not be saved.').waitFor()
  assert.equal(await panel.getByLabel('Lot').getAttribute('aria-invalid'), 'true')
  assert.equal(await panel.getByLabel('Lot').inputValue(), 'too long')
  await assertAccessible(page, 'a field with a fault')
  await panel.getByLabel('Lot').fill('A7')
  await panel.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  const values = (await api.call({ url: `/v2/shipments/${shipmentId}/custom_fields` })).many()
  assert.deepEqual(values.map(({ attributes }) => [attributes['api_slug'], attributes['value']]).toSorted(), [
    ['lot', 'A7'],
    ['weight_class', 'heavy'],
  ])
  await panel.getByLabel('Lot').fill('')
  const emptied = page.waitForResponse((answer) => answer.request().method() === 'DELETE')
  await panel.getByRole('button', { name: 'Save' }).click()
  assert.equal((await emptied).status(), 204)
  assert.equal((await api.call({ url: `/v2/shipments/${shipmentId}/custom_fields` })).many().length, 1)
  await close()
})

test('what somebody else wrote into a custom field meanwhile is not overwritten', async () => {
  const { page, close } = await openAppPage(browser)
  const fields = `/v2/shipments/${shipmentId}/custom_fields`
  await page.goto(`${url}/shipments/${shipmentId}#key=${api.key}`)
  const panel = page.getByRole('region', { name: 'Custom fields of the shipment' })
  await panel.getByLabel('Lot').fill('B2')
  const attributes = { api_slug: 'weight_class', value: 'light' }
  const other = { data: { type: 'custom_field', attributes } }
  assert.equal((await api.call({ method: 'POST', url: fields, body: other })).status, 201)
  const readAgain = page.waitForResponse((answer) => answer.url().includes(fields))
  await page.getByLabel('New note').fill('Meanwhile')
  await page.getByRole('button', { name: 'Add the note' }).click()
  await readAgain
  await panel.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.', { exact: true }).last().waitFor()
  await panel.locator('option:checked', { hasText: 'light' }).waitFor({ state: 'attached' })
  const values = (await api.call({ url: fields })).many()
  assert.deepEqual(values.map(({ attributes: of }) => [of['api_slug'], of['value']]).toSorted(), [
    ['lot', 'B2'],
    ['weight_class', 'light'],
  ])
  await close()
})

test('what lies ahead stands in the journey as planned or estimated, with its local time', async () => {
  const { page, close } = await openAppPage(browser)
  await page.goto(`${url}/shipments/${shipmentId}#key=${api.key}`)
  const ahead = page.locator('.event.planned, .event.estimated').filter({ hasText: 'Arrived at inland' })
  await ahead.first().waitFor()
  const { body } = await api.call({
    url: `/v2/containers/${route.containerId}/route?include=route_location`,
  })
  const told = (body.included ?? []).map((each) => (each as { meta?: Record<string, unknown> }).meta ?? {})
  assert.ok(told.some((meta) => meta['inbound_ahead'] !== null && meta['timezone'] === 'America/Chicago'))
  assert.match((await ahead.first().textContent()) ?? '', /CST/)
  await close()
})

test('a key that may not administer is told what to do; one that may makes a key, which is shown once', async () => {
  const { page, close } = await openAppPage(browser)
  await page.goto(`${url}/administration/keys#key=${api.key}`)
  await page.getByText(/lacks the scope admin/).waitFor()
  await assertAccessible(page, 'a page that the key may not see')
  await close()

  const admin = await openAppPage(browser)
  const key = await api.newKey(api.context, ['read', 'write', 'admin'])
  await admin.page.goto(`${url}/administration/keys#key=${key}`)
  await admin.page.getByLabel(/^Name/).fill('Warehouse')
  await admin.page.getByRole('button', { name: 'Make the key' }).click()
  const note = admin.page.locator('.note').filter({ hasText: 'It is shown only now.' })
  const secret = (await note.locator('pre').textContent()) ?? ''
  assert.equal((await api.call({ url: '/v2/shipments', key: secret })).status, 200)
  await admin.page.reload()
  await admin.page.getByRole('row').filter({ hasText: 'Warehouse' }).waitFor()
  assert.ok(!((await admin.page.content()) ?? '').includes(secret), 'shown once')
  await admin.page.getByRole('button', { name: /^Delete ?: Warehouse/ }).click()
  await admin.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await admin.page.getByText('The key is deleted.').waitFor()
  assert.equal((await api.call({ url: '/v2/shipments', key: secret })).status, 401)
  assert.deepEqual(admin.faults, [])
  await admin.close()
})

test('somebody is invited, and the invitation is taken back', async () => {
  const { page, faults, close } = await openAppPage(browser)
  const key = await api.newKey(api.context, ['read', 'write', 'admin'])
  await page.goto(`${url}/administration/members#key=${key}`)
  await page.getByLabel('E-mail').fill('ben@example.com')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('row').filter({ hasText: 'ben@example.com' }).waitFor()
  await page.getByRole('button', { name: /^Take back ?: ben@example.com/ }).click()
  await page.getByText('No invitation is open.').waitFor()
  assert.deepEqual(faults, [])
  await close()
})
