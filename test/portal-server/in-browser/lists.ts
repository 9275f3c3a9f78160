/** The lists as a person works with them: presets, order, keys, files for a spreadsheet, and cards on a phone. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { readTable } from '../../../src/connectors/spreadsheets/read-table.ts'
import { assertAccessible, openAppPage } from '../../support/app-page.ts'
import { box, type Tenant, type World } from './world.ts'

const [bill, other] = ['MSCUROUTE0000051', 'MSCUROUTE0000052'] as const
const customer = 'ACME Imports, Inc.'

export function testLists(world: World): void {
  let tenant: Tenant

  before(async () => {
    tenant = await world.newTenant()
    const made = await tenant.call({
      method: 'POST',
      url: '/v2/parties',
      body: { data: { type: 'party', attributes: { company_name: customer } } },
    })
    const held = await tenant.track(bill)
    const waiting = await tenant.track(other)
    const { pool } = world.api.service
    await pool.query('update shipments set customer_id = $2, ref_numbers = $3 where id = $1', [
      held.shipmentId,
      made.one().id,
      ['PO-4711'],
    ])
    // At its terminal, held by customs, with a fee.
    await pool.query(
      `update containers set status = 'not_available', projection = projection || $2::jsonb where shipment_id = $1`,
      [
        held.shipmentId,
        JSON.stringify({
          available: false,
          holds: [{ name: 'customs', status: 'hold', description: null }],
          fees: [{ type: 'exam', amount: 885, currencyCode: 'USD' }],
        }),
      ],
    )
    await pool.query(`update containers set status = 'on_ship' where shipment_id = $1`, [waiting.shipmentId])
  })

  const open = async (path: string): Promise<Awaited<ReturnType<World['openPage']>>> => {
    const opened = await world.openPage()
    await opened.page.setViewportSize({ width: 1440, height: 900 })
    await opened.page.goto(`${world.url}${path}#key=${tenant.key}`)
    await opened.page.getByRole('link', { name: box }).first().waitFor()
    return opened
  }
  const heads = (page: Page) => page.locator('thead th').allTextContents()

  test('a preset shows the containers of a phase with the columns that say something in it', async () => {
    const { page, faults, close } = await open('/containers')
    const presets = page.getByRole('group', { name: 'Presets' })
    await presets.getByRole('button', { name: 'All 2' }).waitFor()
    await presets.getByRole('button', { name: 'At the terminal 1' }).click()
    await page.waitForURL('**/containers?status=*')
    await page.locator('tbody tr[data-index]').nth(1).waitFor({ state: 'detached' })
    const row = ((await page.locator('tbody tr[data-index]').textContent()) ?? '').replaceAll(/\s+/g, ' ')
    for (const part of [
      box,
      'Customs hold',
      'since',
      'Exam $885',
      customer,
      'PO-4711',
      bill,
      'Shanghai',
      'Not available',
    ])
      assert.ok(row.includes(part), `${part} is not in ${row}`)
    assert.ok(!(await heads(page)).includes('Appointment'), 'a column without a value is folded away')
    await assertAccessible(page, 'the containers at the terminal')
    await presets.getByRole('button', { name: 'At sea 1' }).click()
    await page.getByText('Customs hold').waitFor({ state: 'hidden' })
    assert.ok((await heads(page)).includes('Arrival'))
    assert.deepEqual(faults, [])
    await close()
  })

  test('a press on a head sorts, and the order is in the address with the filters that are set', async () => {
    const { page, faults, close } = await open('/containers')
    const head = page.getByRole('columnheader', { name: 'Customer' })
    await head.getByRole('button').click()
    await page.waitForURL('**/containers?sort=customer_name')
    assert.equal(await head.getAttribute('aria-sort'), 'ascending')
    await page.locator('tbody tr[data-index="0"]').filter({ hasText: customer }).waitFor()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('combobox', { name: 'To', exact: true }).selectOption({ label: 'Los Angeles' })
    await page.getByRole('combobox', { name: 'Held' }).selectOption('true')
    await page.waitForURL('**/containers?sort=customer_name&pod=USLAX&held=true')
    await page.getByText('To: Los Angeles').waitFor()
    await assertAccessible(page, 'the filters')
    await page.getByRole('button', { name: 'Remove the filter Held' }).click()
    await page.waitForURL('**/containers?sort=customer_name&pod=USLAX')
    await page.getByPlaceholder('Number, bill or reference').fill(`${bill.slice(0, 16)} PO-4711`)
    await page.waitForURL(/find=MSCUROUTE0000051%2CPO-4711/)
    await page.locator('tbody tr[data-index]').nth(1).waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
    await close()
  })

  test('the presets of shipments are counted as those of containers', async () => {
    const { page, faults, close } = await world.openPage()
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${world.url}/shipments#key=${tenant.key}`)
    const presets = page.getByRole('group', { name: 'Presets' })
    await presets.getByRole('button', { name: 'All 2' }).waitFor()
    await page.getByPlaceholder('Number, bill or reference').fill(other)
    await presets.getByRole('button', { name: 'All 1' }).waitFor()
    assert.deepEqual(faults, [])
    await close()
  })

  test('the keys j, k, x and Enter move, choose and open', async () => {
    const { page, faults, close } = await open('/containers')
    await page.keyboard.press('j')
    await page.locator('tr[data-index="0"] a:focus').waitFor()
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.locator('tr[data-index="1"] a:focus').waitFor()
    await page.keyboard.press('x')
    await page.getByRole('toolbar', { name: '2 chosen' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('toolbar').waitFor({ state: 'hidden' })
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await assertAccessible(page, 'the keys')
    await page.keyboard.press('Escape')
    await page.keyboard.press('k')
    await page.locator('tr[data-index="0"] a:focus').waitFor()
    await page.keyboard.press('Enter')
    const sheet = page.getByRole('dialog', { name: 'Shipment' })
    await sheet.getByRole('link', { name: 'Open the full page' }).and(page.locator(':focus')).waitFor()
    await page.waitForURL(/containers\?open=.*&box=/)
    await sheet.getByRole('region', { name: 'Where it is' }).waitFor()
    await assertAccessible(page, 'a shipment beside the list')
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await page.waitForURL('**/containers')
    await page.locator('tr[data-index="0"] a:focus').waitFor()
    await page.keyboard.press('Enter')
    await sheet.getByRole('link', { name: 'Open the full page' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/shipments/*?box=*')
    assert.deepEqual(faults, [])
    await close()
  })

  test('a press on a row opens its shipment beside the list, which the address keeps', async () => {
    const { page, faults, close } = await open('/containers?sort=number')
    await page.locator('tr[data-index="1"] .c-ship').click()
    const sheet = page.getByRole('dialog', { name: 'Shipment' })
    await sheet.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForURL(/containers\?sort=number&open=/)
    await page.reload()
    await sheet.getByRole('heading', { level: 1 }).waitFor()
    await page.mouse.click(20, 400)
    await sheet.waitFor({ state: 'detached' })
    await page.waitForURL('**/containers?sort=number')
    await page.locator('tr[data-index="1"] a:focus').waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.locator('.row-card a').first().click()
    await page.waitForURL('**/shipments/*?box=*')
    assert.deepEqual(faults, [])
    await close()
  })

  test('of chosen containers the shipments are stopped and resumed, and only they are exported', async () => {
    const { page, faults, close } = await open('/containers')
    await page.locator('tr[data-index="0"] input').check()
    const bar = page.getByRole('toolbar', { name: '1 chosen' })
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      bar.getByRole('button', { name: 'Export to Excel' }).click(),
    ])
    const read = await readTable(readFileSync(await download.path()), { sheet: null })
    assert.equal(read.ok && read.table.rows.length, 2, 'the heads and one row')
    await bar.getByRole('button', { name: 'Stop tracking' }).click()
    await page.getByRole('dialog', { name: 'Stop tracking 1 shipment?' }).getByRole('button', { name: 'Stop' }).click()
    await page.getByText('1 shipment done.').waitFor()
    const stopped = async (): Promise<number> =>
      (await tenant.call({ url: '/v2/shipments?filter[tracking_stopped]=true' })).many().length
    assert.equal(await stopped(), 1)
    await page.locator('tr[data-index="0"] input').check()
    await bar.getByRole('button', { name: 'Resume tracking' }).click()
    await bar.waitFor({ state: 'detached' })
    assert.equal(await stopped(), 0)
    assert.deepEqual(faults, [])
    await close()
  })

  test('times with an hour are those of the place, or of the reader if they choose so, and say which', async () => {
    const { page, faults, close } = await open('/containers')
    await page.getByRole('link', { name: box }).first().click()
    const arrival = page.getByRole('region', { name: 'Arrival' }).locator('time').first()
    assert.match((await arrival.textContent()) ?? '', / P[DS]T$/)
    await page.getByRole('button', { name: 'Times at the place' }).click()
    await page.getByRole('button', { name: 'Times in my zone' }).waitFor()
    assert.match((await arrival.textContent()) ?? '', / UTC$/)
    await page.reload()
    assert.match((await arrival.textContent()) ?? '', / UTC$/, 'the browser remembers it')
    assert.deepEqual(faults, [])
    await close()
  })

  test('an exported workbook has the columns that are shown, in words, and the filters in its name', async () => {
    const { page, faults, close } = await open('/containers?held=true')
    const save = async (kind: string) => {
      await page.getByRole('button', { name: 'Export' }).click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: kind }).click(),
      ])
      return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
    }
    const workbook = await save('Excel (.xlsx)')
    assert.match(workbook.name, /^Containers - Held Yes - \d{4}-\d{2}-\d{2}\.xlsx$/)
    const read = await readTable(workbook.bytes, { sheet: null })
    assert.ok(read.ok, JSON.stringify(read))
    const [head = [], ...rows] = read.table.rows.map(({ cells }) => cells)
    assert.equal(rows.length, 1)
    const row = Object.fromEntries(head.map((name, at) => [name, rows[0]?.[at]]))
    assert.deepEqual(
      ['Container', 'Bill of lading', 'Port of discharge', 'Arrival', 'Customer', 'References', 'Holds'].map(
        (name) => row[name],
      ),
      [box, bill, 'Los Angeles', '2026-01-23', customer, 'PO-4711', 'Customs'],
    )
    assert.match(row['Ship'] ?? '', /\S/)
    const csv = (await save('CSV')).bytes.toString('utf8')
    assert.ok(csv.startsWith('\uFEFFContainer,'))
    assert.ok(csv.includes(`"${customer}"`))
    assert.deepEqual(faults, [])
    await close()
  })

  test('on a phone a row is a card that begins with number and task, and the other pages are in a menu of words', async () => {
    const { page, faults, close } = await openAppPage(world.browser, { viewport: { width: 390, height: 844 } })
    await page.goto(`${world.url}/containers#key=${tenant.key}`)
    const card = page.locator('.row-card').first()
    await card.waitFor()
    assert.match((await card.locator('header').textContent()) ?? '', new RegExp(`^${box}Customs hold`))
    const leaving = await page.evaluate(`[...document.querySelectorAll('.row-card')].flatMap((card) => {
      const edge = card.getBoundingClientRect()
      return [...card.querySelectorAll('*')].filter((part) => {
        const { left, right, width } = part.getBoundingClientRect()
        return width > 1 && (left < edge.left - 1 || right > edge.right + 1)
      }).map((part) => part.outerHTML)
    })`)
    assert.deepEqual(leaving, [], 'nothing leaves its card')
    const ways = page.getByRole('navigation', { name: 'Main' })
    assert.deepEqual(await ways.locator('span').allTextContents(), ['Today', 'Track', 'List', 'More'])
    await ways.getByRole('button', { name: 'More' }).click()
    await assertAccessible(page, 'the menu')
    await ways.getByRole('link', { name: 'Free time' }).click()
    await page.waitForURL('**/charges')
    await ways.getByRole('link', { name: 'Free time' }).waitFor({ state: 'hidden' })
    assert.deepEqual(faults, [])
    await close()
  })
}
