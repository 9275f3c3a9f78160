/** What needs somebody is done, set aside and picked up in its place. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../../support/app-page.ts'
import { secondShip, told } from '../../support/route-seed.ts'
import { box, type World } from './world.ts'

export function testAttention(world: World): void {
  test('a held container is done, shown again, set aside and stated as picked up', async () => {
    const tenant = await world.newTenant()
    const { containerId } = await tenant.track('MSCUINBOX0000001', [
      told('LOAD', 'KRPUS', '2026-01-04T06:00:00Z', 'B', secondShip),
      told('DEPA', 'KRPUS', '2026-01-05T00:00:00Z', 'B', secondShip),
      told('ARRI', 'USLAX', '2026-01-17T00:00:00Z', 'C', secondShip),
      told('DISC', 'USLAX', '2026-01-18T00:00:00Z', 'C', secondShip),
    ])
    const value = [{ name: 'customs', status: 'hold', description: null }]
    const attributes = { says: 'holds', value, reason: 'by telephone' }
    const stated = await tenant.call({
      method: 'POST',
      url: `/v2/containers/${containerId}/statements`,
      body: { data: { type: 'statement', attributes } },
    })
    assert.equal(stated.status, 201, stated.text)
    const { page, close } = await world.openPage()
    await page.goto(`${world.url}/#key=${tenant.key}`)
    const today = page.getByRole('region', { name: 'Today' })
    await today.getByText('Hold: customs').waitFor()
    const onOverview = await today.getByRole('heading').textContent()
    await page.goto(`${world.url}/attention`)
    await page.setViewportSize({ width: 390, height: 800 })
    const entry = today.locator('.entry').filter({ hasText: box })
    await entry.getByText('Los Angeles').waitFor()
    assert.equal(await today.getByRole('heading').textContent(), onOverview, 'the counts agree')
    await entry.getByText('Later').click()
    await entry.getByRole('button', { name: 'In 3 days' }).waitFor()
    await assertAccessible(page, 'an entry with an open menu')
    assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 390)
    await page.keyboard.press('Escape')
    await entry.getByRole('button', { name: 'Done' }).click()
    await page.getByText(`${box} is done.`).waitFor()
    await page.getByRole('button', { name: '1 done today' }).click()
    await page.locator('.entry').getByRole('button', { name: 'Show again' }).click()
    await page.getByRole('combobox', { name: 'Show' }).selectOption('open')
    await entry.getByText('Later').click()
    await entry.getByRole('button', { name: 'Tomorrow' }).click()
    await page.getByText('Nothing needs attention, as far as is known.').waitFor()
    await page.getByRole('combobox', { name: 'Show' }).selectOption('set_aside')
    await page.locator('.entry').getByRole('button', { name: 'Show again' }).click()
    await page.getByRole('combobox', { name: 'Show' }).selectOption('open')
    await entry.getByText('Picked up').click()
    const day = entry.getByLabel('Picked up on')
    await day.fill('2026-03-01')
    await entry.getByRole('button', { name: 'State it' }).click()
    await page.getByText(/^The value lies ahead/).waitFor()
    await day.fill('2026-01-19')
    await entry.getByRole('button', { name: 'State it' }).click()
    await page.getByText('Nothing needs attention, as far as is known.').waitFor()
    const container = (await tenant.call({ url: `/v2/containers/${containerId}` })).one()
    assert.equal(container.attributes['current_status'], 'picked_up')
    await close()
  })
}
