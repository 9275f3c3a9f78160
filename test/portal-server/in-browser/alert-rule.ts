/** A rule for some shipments only is made in the browser, which lists its conditions. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../../support/app-page.ts'
import { eventually } from '../../support/eventually.ts'
import type { World } from './world.ts'

export function testAlertRule(world: World): void {
  test('an alert rule is made for a line, a terminal and a custom field, and lists these conditions', async () => {
    const tenant = await world.newTenant()
    const definition = {
      type: 'custom_field_definition',
      attributes: { entity_type: 'Shipment', api_slug: 'lot', display_name: 'Lot', data_type: 'short_text' },
    }
    const body = { data: definition }
    assert.equal((await tenant.call({ method: 'POST', url: '/v2/custom_field_definitions', body })).status, 201)
    const { page, close } = await world.openPage()
    await page.goto(`${world.url}/attention#key=${tenant.key}`)
    await page.getByText('This installation sends no e-mail.').waitFor()
    await page.getByText('New rule').click()
    assert.equal(await page.getByLabel(/^E-mail/).count(), 0, 'no address that gets nothing is asked for')
    await page.getByLabel('Other webhook').check()
    await page.getByLabel('Name', { exact: true }).fill('Pier 400')
    await page.getByLabel('Address of the webhook').fill('https://hooks.example.com/alerts')
    await page.getByLabel('Port of discharge (UN/LOCODE)').fill('XXXXX')
    await page.getByRole('button', { name: 'Make the rule' }).click()
    await page.getByRole('alert').filter({ hasText: 'Choose at least one reason.' }).waitFor()
    await page.getByRole('checkbox').first().check()
    await page.getByRole('button', { name: 'Make the rule' }).click()
    const wrong = page.getByRole('alert').filter({ hasText: 'There is no such place' })
    await wrong.waitFor()
    assert.equal(await page.getByLabel('Port of discharge (UN/LOCODE)').getAttribute('aria-invalid'), 'true')
    await assertAccessible(page, 'a rule that is refused')
    assert.equal((await tenant.call({ url: '/v2/alert_rules' })).many().length, 0)
    await page.getByRole('combobox', { name: 'Line', exact: true }).selectOption('MAEU')
    await page.getByLabel('Port of discharge (UN/LOCODE)').fill('uslax')
    const terminal = page.getByRole('combobox', { name: 'Terminal', exact: true })
    await terminal.locator('option').nth(1).waitFor({ state: 'attached' })
    await terminal.selectOption({ index: 1 })
    const name = await terminal.locator('option:checked').textContent()
    await page.getByLabel('Lot').fill('A7')
    await assertAccessible(page, 'the form of a rule')
    await page.getByRole('button', { name: 'Make the rule' }).click()
    const rule = page.locator('li.rule').filter({ hasText: 'Pier 400' })
    await rule.getByText(`Only Line MAEU · Port of discharge USLAX · Terminal ${name} · lot = A7`).waitFor()
    const [made] = (await tenant.call({ url: '/v2/alert_rules' })).many()
    const shipments = (made?.attributes['shipments'] ?? {}) as Record<string, unknown>
    const { scac, port_of_discharge: port, pod_terminal: id, custom_fields: fields } = shipments
    assert.deepEqual([scac, port, fields], ['MAEU', 'USLAX', { lot: 'A7' }])
    assert.match(String(id), /^[0-9a-f-]{36}$/)
    await eventually(async () => (await page.getByLabel('Name', { exact: true }).inputValue()) === '', {
      late: () => 'the form is not empty again',
    })
    await close()
  })
}
