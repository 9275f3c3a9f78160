/** Custom fields of a shipment, who may see the keys, and who is invited. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireResource } from '../../support/api.ts'
import { assertAccessible } from '../../support/app-page.ts'
import type { Tenant, World } from './world.ts'

const lot = { api_slug: 'lot', display_name: 'Lot', data_type: 'short_text' }

export function testSettings(world: World): void {
  test('a custom field is defined, an invalid value is marked, and a valid value is saved', async () => {
    const tenant = await world.newTenant()
    const { shipmentId } = await tenant.track('MSCUROUTE0000004')
    const { page, close } = await world.openPage()
    await page.goto(`${world.url}/shipments/${shipmentId}?tab=papers#key=${tenant.key}`)
    const panel = page.getByRole('region', { name: 'Custom fields of the shipment' })
    await panel.getByText('New field').click()
    await panel.getByLabel('Name').fill('Weight class')
    await panel.getByLabel('Type').selectOption('enum')
    await panel.getByLabel(/^Choices/).fill('light, heavy')
    await panel.getByRole('button', { name: 'Define the field' }).click()
    await panel.getByLabel('Weight class').selectOption({ label: 'heavy' })
    await define(tenant, { ...lot, validation: { max_length: 3 } })
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
    const values = (await tenant.call({ url: `/v2/shipments/${shipmentId}/custom_fields` })).many()
    assert.deepEqual(values.map(({ attributes }) => [attributes['api_slug'], attributes['value']]).toSorted(), [
      ['lot', 'A7'],
      ['weight_class', 'heavy'],
    ])
    await panel.getByLabel('Lot').fill('')
    const emptied = page.waitForResponse((answer) => answer.request().method() === 'DELETE')
    await panel.getByRole('button', { name: 'Save' }).click()
    assert.equal((await emptied).status(), 204)
    assert.equal((await tenant.call({ url: `/v2/shipments/${shipmentId}/custom_fields` })).many().length, 1)
    await close()
  })

  test('a custom field that another user changed meanwhile is not overwritten', async () => {
    const tenant = await world.newTenant()
    const { shipmentId } = await tenant.track('MSCUROUTE0000009')
    const fields = `/v2/shipments/${shipmentId}/custom_fields`
    const write = async (value: string): Promise<number> => {
      const data = { type: 'custom_field', attributes: { api_slug: 'weight_class', value } }
      return (await tenant.call({ method: 'POST', url: fields, body: { data } })).status
    }
    await define(tenant, lot)
    const weight = await define(tenant, {
      api_slug: 'weight_class',
      display_name: 'Weight class',
      data_type: 'enum',
    })
    for (const value of ['light', 'heavy']) {
      const data = { type: 'custom_field_option', attributes: { label: value, value } }
      const url = `/v2/custom_field_definitions/${weight.id}/options`
      assert.equal((await tenant.call({ method: 'POST', url, body: { data } })).status, 201)
    }
    assert.equal(await write('heavy'), 201)
    const { page, close } = await world.openPage()
    await page.goto(`${world.url}/shipments/${shipmentId}?tab=papers#key=${tenant.key}`)
    const panel = page.getByRole('region', { name: 'Custom fields of the shipment' })
    await panel.getByLabel('Lot').fill('B2')
    assert.equal(await write('light'), 201)
    const readAgain = page.waitForResponse((answer) => answer.url().includes(fields))
    await page.getByLabel('New note').fill('Meanwhile')
    await page.getByRole('button', { name: 'Add the note' }).click()
    await readAgain
    await panel.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.', { exact: true }).last().waitFor()
    await panel.locator('option:checked', { hasText: 'light' }).waitFor({ state: 'attached' })
    const values = (await tenant.call({ url: fields })).many()
    assert.deepEqual(values.map(({ attributes: of }) => [of['api_slug'], of['value']]).toSorted(), [
      ['lot', 'B2'],
      ['weight_class', 'light'],
    ])
    await close()
  })

  test('the page for API keys requires the admin scope, and shows a new key only once', async () => {
    const tenant = await world.newTenant()
    const { page, close } = await world.openPage()
    await page.goto(`${world.url}/administration/keys#key=${tenant.key}`)
    await page.getByText(/lacks the scope admin/).waitFor()
    await assertAccessible(page, 'a page that the key may not see')
    await close()

    const admin = await world.openPage()
    const key = await tenant.adminKey()
    await admin.page.goto(`${world.url}/administration/keys#key=${key}`)
    await admin.page.getByLabel(/^Name/).fill('Warehouse')
    await admin.page.getByRole('button', { name: 'Make the key' }).click()
    const note = admin.page.locator('.note').filter({ hasText: 'It is shown only now.' })
    const secret = (await note.locator('pre').textContent()) ?? ''
    assert.equal((await tenant.call({ url: '/v2/shipments', key: secret })).status, 200)
    await admin.page.reload()
    await admin.page.getByRole('row').filter({ hasText: 'Warehouse' }).waitFor()
    assert.ok(!((await admin.page.content()) ?? '').includes(secret), 'shown once')
    await admin.page.getByRole('button', { name: /^Delete ?: Warehouse/ }).click()
    await admin.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await admin.page.getByText('The key is deleted.').waitFor()
    assert.equal((await tenant.call({ url: '/v2/shipments', key: secret })).status, 401)
    assert.deepEqual(admin.faults, [])
    await admin.close()
  })

  test('a person is invited, and the invitation is withdrawn', async () => {
    const tenant = await world.newTenant()
    const { page, faults, close } = await world.openPage()
    const key = await tenant.adminKey()
    await page.goto(`${world.url}/administration/members#key=${key}`)
    await page.getByLabel('E-mail').fill('ben@example.com')
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('row').filter({ hasText: 'ben@example.com' }).waitFor()
    await page.getByRole('button', { name: /^Take back ?: ben@example.com/ }).click()
    await page.getByText('No invitation is open.').waitFor()
    assert.deepEqual(faults, [])
    await close()
  })
}

/** Defines a custom field of shipments. */
async function define(tenant: Tenant, attributes: object): Promise<WireResource> {
  const data = { type: 'custom_field_definition', attributes: { entity_type: 'Shipment', ...attributes } }
  const made = await tenant.call({ method: 'POST', url: '/v2/custom_field_definitions', body: { data } })
  assert.equal(made.status, 201, made.text)
  return made.one()
}
