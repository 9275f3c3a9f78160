/**
 * What a person does in the portal's app with a shipment: reads the sources of a value, looks back, searches, selects
 * several, signs in with a key, uploads a document.
 */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { assertAccessible } from '../../support/app-page.ts'
import { pdfOf } from '../../support/papers.ts'
import { box, type Tenant, type World } from './world.ts'

const bill = 'MSCUROUTE0000002'

export function testApp(world: World): void {
  let tenant: Tenant
  let shipmentId: string
  let containerId: string

  before(async () => {
    tenant = await world.newTenant()
    const tracked = await tenant.track(bill)
    shipmentId = tracked.shipmentId
    containerId = tracked.containerId
  })

  test('one click on a value opens its sources, with the chosen claim and the original answer', async () => {
    const { page, faults, close } = await world.openPage()
    await page.goto(`${world.url}/shipments/${shipmentId}#key=${tenant.key}`)
    await page.getByRole('button', { name: 'Reported by ONE: Arrival' }).click()
    const proof = page.getByRole('dialog', { name: 'Who said so: Arrival' })
    await proof.waitFor()
    const text = (await proof.textContent()) ?? ''
    assert.match(text, /shipping line ONE: .*PST/)
    assert.match(text, /Why this one counts/)
    await proof.getByText('The words of the source').first().click()
    assert.match((await proof.locator('pre').last().textContent()) ?? '', /ARRI .* USLAX/)
    await proof.getByRole('button', { name: 'The whole answer, as it came' }).first().click()
    await proof.getByText('"eventType": "TRANSPORT"').first().waitFor()
    await assertAccessible(page, 'the proof')
    await page.keyboard.press('Escape')
    await proof.waitFor({ state: 'hidden' })
    assert.deepEqual(faults, [])
    await close()
  })

  test('a clock shows earlier states of a shipment, each with its own URL', async () => {
    const { page, close } = await world.openPage()
    await page.goto(`${world.url}/shipments/${shipmentId}#key=${tenant.key}`)
    await page.locator('.past summary').click()
    await page.locator('#past:enabled').fill('0')
    const then = page.getByText(/You see what was known on/)
    await then.waitFor()
    assert.match(page.url(), /as_of=2026-/)
    await assertAccessible(page, 'the past')
    await page.reload()
    await then.waitFor()
    await page.getByRole('button', { name: 'Back to now' }).click()
    await then.waitFor({ state: 'hidden' })
    await page.locator('.past summary', { hasText: 'Now' }).waitFor()
    assert.equal(new URL(page.url()).search, '')
    await close()
  })

  test('the changes of a shipment are sentences, and the time of each leads to the state of then', async () => {
    const { page, faults, close } = await world.openPage()
    await page.goto(`${world.url}/shipments/${shipmentId}#key=${tenant.key}`)
    await page.getByRole('link', { name: 'Changes' }).click()
    const line = page.locator('.changes li', {
      hasText: 'Arrival at Los Angeles expected on Fri 23 Jan 16:00, says ONE',
    })
    await line.waitFor()
    await line.getByRole('button').click()
    await page.waitForURL(/tab=changes&as_of=2026-/)
    assert.deepEqual(faults, [])
    await close()
  })

  test('the head answers where the cargo is, when it comes, and what is to do', async () => {
    const { page, close } = await world.openPage()
    await page.goto(`${world.url}/shipments/${shipmentId}#key=${tenant.key}`)
    const textOf = async (name: string): Promise<string> =>
      (await page.getByRole('region', { name, exact: true }).textContent()) ?? ''
    assert.match(await textOf('Where it is'), /On the ship.*Ship 9359052/)
    assert.match(await textOf('Arrival'), /Fri 23 Jan 16:00 PST.*expected, reported by ONE/)
    await page.getByText('Nothing, as far as is known').waitFor()
    const ports = page.getByRole('list', { name: 'Route' }).getByRole('listitem')
    await ports.nth(3).waitFor()
    assert.match(
      (await ports.allTextContents()).join(' '),
      /Shanghai.*left.*Busan.*left.*Los Angeles.*expected.*Chicago/,
    )
    await close()
  })

  test('a keyboard shortcut opens the search on every page, and Enter opens the found shipment', async () => {
    const { page, close } = await world.openPage()
    await page.goto(`${world.url}/operate/sources#key=${tenant.key}`)
    await page.getByText('Who is asked and who sends').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type(bill.slice(0, 12))
    await page.getByRole('option').filter({ hasText: bill }).waitFor()
    await assertAccessible(page, 'the search')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/shipments/${shipmentId}`)
    await close()
  })

  test('a URL can select a shipment by its number or filter the list of shipments', async () => {
    const { page, close } = await world.openPage()
    await page.goto(`${world.url}/shipments/find?q=${bill}#key=${tenant.key}`)
    await page.waitForURL(`**/shipments/${shipmentId}`)
    await page.goto(`${world.url}/shipments?status=cancelled`)
    await page.getByText('Nothing matches these filters.').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('link', { name: bill }).waitFor()
    assert.equal(new URL(page.url()).search, '')
    await close()
  })

  test('columns are chosen in a menu and are in the address', async () => {
    const { page, faults, close } = await world.openPage()
    await page.goto(`${world.url}/shipments#key=${tenant.key}`)
    await page.getByRole('link', { name: bill }).waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    const column = page.getByRole('menuitemcheckbox', { name: 'Departure' })
    await column.click()
    await page.getByRole('columnheader', { name: 'Departure' }).waitFor()
    assert.equal(await column.getAttribute('aria-checked'), 'true', 'it stays open')
    assert.match(new URL(page.url()).searchParams.get('columns') ?? '', /^number,.*departure/)
    await page.keyboard.press('Escape')
    await column.waitFor({ state: 'hidden' })
    assert.deepEqual(faults, [])
    await close()
  })

  test('tracking of selected shipments can be stopped and resumed', async () => {
    const { page, faults, close } = await world.openPage()
    await page.goto(`${world.url}/shipments#key=${tenant.key}`)
    await page.getByLabel(`Choose ${bill}`).check()
    await page.getByRole('button', { name: 'Stop tracking' }).click()
    const dialog = page.getByRole('dialog', { name: 'Stop tracking 1 shipment?' })
    await assertAccessible(page, 'the question')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await page.getByText('not tracked').count(), 0, 'it was only asked')
    await page.getByRole('button', { name: 'Stop tracking' }).click()
    await dialog.getByRole('button', { name: 'Stop tracking' }).click()
    await page.getByText('not tracked').waitFor()
    await page.getByLabel(`Choose ${bill}`).check()
    await page.getByRole('button', { name: 'Resume tracking' }).click()
    await page.getByText('not tracked').waitFor({ state: 'hidden' })

    await page.getByRole('button', { name: /^At sea/ }).click()
    await page.waitForURL('**/shipments?status=in_transit')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByLabel('Name of the view').fill('Under way')
    await page.getByRole('button', { name: 'Save this view' }).click()
    await page.getByRole('button', { name: 'Under way', exact: true }).waitFor()
    await assertAccessible(page, 'the views')
    await page.goto(`${world.url}/shipments`)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('button', { name: 'Under way', exact: true }).click()
    await page.waitForURL('**/shipments?status=in_transit')
    assert.deepEqual(faults, [])
    await close()
  })

  test('the app requests a key, reports a wrong one, and opens with the right one', async () => {
    const { page, close } = await world.openPage()
    await page.goto(`${world.url}/shipments`)
    await assertAccessible(page, 'the form for the key')
    await page.getByLabel('API key').fill('lf_live_wrong')
    await page.getByRole('button', { name: 'Use this key' }).click()
    assert.match((await page.getByRole('alert').textContent()) ?? '', /\S/)
    await page.getByLabel('API key').fill(tenant.key)
    await page.getByRole('button', { name: 'Use this key' }).click()
    await page.getByRole('link', { name: bill }).waitFor()
    const stored = await page.evaluate('JSON.stringify({ ...localStorage }) + document.cookie')
    assert.ok(!String(stored).includes(tenant.key), 'kept for the tab alone')
    await close()
  })

  test('a document is uploaded, read, and linked to its shipment', async () => {
    const { page, faults, close } = await world.openPage()
    await page.goto(`${world.url}/documents#key=${tenant.key}`)
    const paper = await pdfOf({
      title: 'ARRIVAL NOTICE',
      lines: [
        ['Bill of lading no', bill],
        ['Container no', box],
        ['Port of discharge', 'LOS ANGELES, CA'],
      ],
    })
    await page
      .getByLabel('Choose files')
      .setInputFiles({ name: 'notice.pdf', mimeType: 'application/pdf', buffer: paper })
    await page.getByText('notice.pdf is there, and is being read.').waitFor()
    await world.api.drain()
    await page.reload()
    await page.getByRole('heading', { name: 'notice.pdf' }).waitFor()
    await page.getByRole('link', { name: bill }).waitFor()
    await page.getByRole('row').filter({ hasText: bill }).first().waitFor()
    await assertAccessible(page, 'a document')
    assert.deepEqual(faults, [])
    await close()
  })

  test('the journey shows what lies ahead as planned or expected, with local time', async () => {
    const { page, close } = await world.openPage()
    await page.goto(`${world.url}/shipments/${shipmentId}#key=${tenant.key}`)
    const ahead = page.locator('.journey .event').filter({ hasText: 'Arrives inland' })
    await ahead.first().waitFor()
    const { body } = await tenant.call({
      url: `/v2/containers/${containerId}/route?include=route_location`,
    })
    const metas = (body.included ?? []).map((each) => (each as { meta?: Record<string, unknown> }).meta ?? {})
    assert.ok(metas.some((meta) => meta['inbound_ahead'] !== null && meta['timezone'] === 'America/Chicago'))
    assert.match((await ahead.first().textContent()) ?? '', /CST/)
    const times = await page
      .locator('.journey .event', { hasText: 'Loaded on the ship' })
      .locator('td')
      .allTextContents()
    assert.deepEqual(times.length, (await page.locator('.journey thead th').count()) - 1)
    assert.match(times.at(-2) ?? '', /Mon 5 Jan 10:00/)
    await close()
  })
}
