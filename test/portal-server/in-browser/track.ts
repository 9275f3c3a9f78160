/** Tracking what a person pastes from a spreadsheet: columns, mistakes, corrections in place, and the sum at the end. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, assertContrast } from '../../support/app-page.ts'
import { tellRoute } from '../../support/route-seed.ts'
import type { Tenant, World } from './world.ts'

export const bills = Array.from({ length: 17 }, (_, at) => `ONEYSHAA${5_100_000 + at}`)
const unknown = ['6590000011', '6590000012', '6590000013']
export const tracked = 'ONEYSHAA5200000'
const mistakes = [
  'MSKU1234567\t\tcheck digit',
  'MSKU123456S\t\tletter',
  '263123456.0\t\tExcel',
  '020-12345675\t\tair waybill',
  'PO 4500012345\t\torder',
  'ONEYSHAA5300000\tNobody Lines\tline',
  '\tONE\tno number',
]
/** As a spreadsheet leaves them on the clipboard, with a heading. */
export const rows = [
  'Number\tCarrier\tCustomer ref\tETA',
  ...bills.map((bill, at) => `${bill}\tONE\tACME PO-${70 + at}\t2026-02-01`),
  ...unknown.map((bill) => `${bill}\t\tGlobex\t`),
  ...mistakes,
  `${tracked}\tONE\tACME PO-7\t`,
  `${bills[0]}\tONE\tACME PO-70\t`,
  `${bills[1]?.toLowerCase()}\tONE\tACME PO-71\t`,
]

export function testTrack(world: World): void {
  const { api, carrier } = world
  let tenant: Tenant

  before(async () => {
    tenant = await world.newTenant()
    await tenant.track(tracked)
    for (const bill of bills) tellRoute(api, carrier, { bill })
  })

  async function paste(page: Page, text: string): Promise<void> {
    await page.goto(`${world.url}/track#key=${tenant.key}`)
    await page.getByLabel('Numbers').fill(text)
    await page.getByRole('button', { name: 'Read the numbers' }).click()
    await page.getByText(/being checked/).waitFor({ state: 'hidden' })
  }
  const sum = (page: Page, text: string): Promise<void> =>
    page.getByRole('status').filter({ hasText: text }).first().waitFor()
  const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

  test('thirty rows of a spreadsheet are read as a table, corrected in place, and end in a sum', async () => {
    assert.equal(rows.length - 1, 30)
    const { page, faults, close } = await world.openPage()
    await paste(page, rows.join('\n'))
    await sum(page, '20 ready · 7 to be corrected · 1 tracked already · 2 more than once in the list')
    await page.getByText('3 used, 1 not used').waitFor()
    await rowOf(page, bills[0] ?? '')
      .filter({ hasText: 'ACME PO-70' })
      .filter({ hasText: 'was there twice; it is tracked once' })
      .waitFor()
    assert.equal(await page.getByRole('row').count(), 1 + 28, 'what was there twice is shown once')
    assert.equal(await page.locator('main').getByText('%').count(), 0)
    const already = rowOf(page, 'Tracked already')
    assert.equal(await already.getByRole('link').getAttribute('href'), `/shipments/find?q=${tracked}`)
    await assertAccessible(page, 'the numbers to track')

    await page.getByRole('button', { name: 'Track 20 numbers' }).click()
    await page.getByText('20 sent · 0 answered · 0 tracked').waitFor()
    await api.drain()
    await sum(page, '17 tracked · 3 not known to any line · 7 to be corrected · 1 tracked already')
    await page.getByText('20 sent · 20 answered · 17 tracked').waitFor()
    assert.equal(await page.getByRole('progressbar').getAttribute('value'), '20')
    assert.equal(
      await rowOf(page, bills[3] ?? '')
        .getByRole('link', { name: `Open ${bills[3]}` })
        .count(),
      1,
    )
    await assertAccessible(page, 'what became of the numbers')
    await page.emulateMedia({ colorScheme: 'dark' })
    await assertContrast(page, 'what became of the numbers, dark')

    // By the keyboard alone: the suggested number, then a number that is typed with a line from the list.
    tellRoute(api, carrier, { bill: 'ONEYSHAA5400000' })
    await page.getByRole('button', { name: 'Go to the first to be corrected' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('ONEYSHAA5400000')
    await page.keyboard.press('Enter')
    await page.getByLabel('Number: ONEYSHAA5400000').waitFor()
    await page.getByLabel('Line: ONEYSHAA5400000').selectOption('ONEY')
    await page.getByRole('button', { name: 'Use MSKU1234565' }).first().click()
    await page.getByLabel('Number: MSKU1234565').waitFor()
    await page.getByRole('button', { name: 'Remove MSKU1234565' }).click()
    await sum(page, '1 ready · 17 tracked · 3 not known to any line · 5 to be corrected · 1 tracked already')
    await page.getByRole('button', { name: 'Track 1 number' }).click()
    await page.getByText('21 sent · 20 answered · 17 tracked').waitFor()
    await api.drain()
    await sum(page, '18 tracked · 3 not known to any line · 5 to be corrected · 1 tracked already')
    const found = await tenant.call({ url: '/v2/shipments?page[size]=100' })
    assert.equal(found.many().length, 19, 'only the corrected one was sent again')
    const [first] = (await tenant.call({ url: `/v2/shipments?number=${bills[0]}` })).many()
    assert.deepEqual(first?.attributes['ref_numbers'], ['ACME PO-70'])
    // A number that cannot be is refused with 422. The service is not always ready while the test does its work.
    const expected = /infer_number|422|readyz|503/
    assert.deepEqual(
      faults.filter((fault) => !expected.test(fault)),
      [],
    )
    await close()
  })

  test('rows without headings are recognised by their contents, and a column of references is chosen', async () => {
    const { page, faults, close } = await world.openPage()
    await page.setViewportSize({ width: 390, height: 800 })
    await paste(page, 'ONEYSHAA5600000\tOcean Network Express\tGlobex 4711\nSBX-PLAIN-01\tMSC\tour docs\n')
    await page.getByText('2 used, 1 not used').waitFor()
    await page.getByLabel('C Globex 4711').selectOption('Reference')
    await rowOf(page, 'ONEYSHAA5600000').filter({ hasText: 'Globex 4711' }).waitFor()
    await page.getByLabel('Kind: SBX-PLAIN-01').selectOption('Bill of lading')
    const width = await page.locator('main').evaluate((main) => main.ownerDocument.documentElement.scrollWidth)
    assert.equal(width, 390, 'a phone scrolls no page sideways')
    await assertAccessible(page, 'the columns of a table')
    assert.deepEqual(faults, [])
    await close()
  })
}
