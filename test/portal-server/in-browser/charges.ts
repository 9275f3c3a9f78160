/**
 * Free time in the portal's app: clocks, terms and calendars that are previewed before they are recorded, invoices, and
 * future charges of a container.
 */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../../support/app-page.ts'
import { invoicePaper, pdfOf } from '../../support/papers.ts'
import { firstShip as ship, type Told, told } from '../../support/route-seed.ts'
import { box, type Tenant, type World } from './world.ts'

/** A container that was at the terminal of Los Angeles for three days, and is on a train now. */
const journey: readonly Told[] = [
  told('LOAD', 'CNSHA', '2025-12-26T02:00:00Z', 'A', ship),
  told('DEPA', 'CNSHA', '2025-12-26T12:00:00Z', 'A', ship),
  told('ARRI', 'USLAX', '2026-01-14T00:00:00Z', 'B', ship),
  told('DISC', 'USLAX', '2026-01-15T00:00:00Z', 'B', ship),
  { ...told('DEPA', 'USLAX', '2026-01-18T00:00:00Z', 'B', null), mode: 'RAIL' },
  { ...told('ARRI', 'USCHI', '2026-01-23T00:00:00Z', 'C', null), mode: 'RAIL' },
]

export function testCharges(world: World): void {
  let tenant: Tenant

  before(async () => {
    tenant = await world.newTenant()
    await tenant.track('MSCUROUTE0000003', journey)
  })

  test('charge terms are previewed before they are recorded, and then determine the free time', async () => {
    const { page, close } = await world.openPage()
    await page.goto(`${world.url}/charges/terms#key=${tenant.key}`)
    await page.getByLabel('Code', { exact: true }).fill('acme')
    await page.getByLabel(/^Price of each day/).fill('1-4:150.00 5-200')
    await page.getByLabel(/^Source/).fill('Contract 2026/17')
    await page.getByRole('button', { name: 'See what it changes' }).click()
    const refused = page.getByRole('alert').filter({ hasText: 'The table cannot be taken' })
    assert.match((await refused.textContent()) ?? '', /Tiers.*must be a list of tiers.*\(row 2\)/)
    assert.equal((await tenant.call({ url: '/v2/charge_terms' })).many().length, 0, 'nothing was recorded')
    await assertAccessible(page, 'a refused table')
    await refused.getByRole('button', { name: 'Back' }).click()

    await page.getByLabel(/^Price of each day/).fill('1-:150.00')
    await page.getByRole('button', { name: 'See what it changes' }).click()
    await page.getByText('The days of 1 of 1 containers would change.').waitFor()
    assert.equal((await tenant.call({ url: '/v2/charge_terms' })).many().length, 0, 'it was only tried')
    await page.getByRole('button', { name: 'Record it' }).click()
    await page.getByText('1 version recorded.').waitFor()
    await world.api.drain()

    await page.goto(`${world.url}/charges`)
    const clock = page.locator('li.clock').filter({ hasText: box })
    await clock.waitFor()
    assert.match((await clock.textContent()) ?? '', /by your terms/)
    await clock.getByRole('button', { name: `Day by day: ${box}` }).click()
    await clock.getByRole('heading', { name: 'Free time and charges' }).waitFor()
    await assertAccessible(page, 'a clock, day by day')
    await close()
  })

  test('a calendar is drawn while it is edited, and recorded after a preview of its effect', async () => {
    const { page, close } = await world.openPage()
    await page.goto(`${world.url}/charges/calendars#key=${tenant.key}`)
    await page.getByLabel('Code', { exact: true }).fill('us-lax')
    const year = new Date().getFullYear()
    await page.getByLabel(/^Holidays/).fill(`${year}-07-03 Independence Day`)
    await page.locator('.months .holiday', { hasText: '3' }).waitFor()
    await page.getByRole('button', { name: 'See what it changes' }).click()
    await page.getByRole('button', { name: 'Record it' }).click()
    await page.getByRole('heading', { name: 'us-lax', exact: true }).waitFor()
    const [calendar] = (await tenant.call({ url: '/v2/calendars' })).many()
    assert.deepEqual(calendar?.attributes['holidays'], [{ on: `${year}-07-03`, name: 'Independence Day' }])
    await close()
  })

  test('an invoice is uploaded as a table, its charged days are explained, and its evidence is saved', async () => {
    const { page, close } = await world.openPage()
    await page.goto(`${world.url}/charges/invoices#key=${tenant.key}`)
    const head = 'number,kind,charged_by,currency,container,from,to,rate\n'
    await handIn(page, 'invoice.csv', `${head}P-1,demurrage,line,USD,${box},soon,2026-01-17,150.00\n`)
    const refused = page.getByRole('alert').filter({ hasText: 'invoice.csv cannot be audited' })
    assert.match((await refused.textContent()) ?? '', /from.*must be a day, such as 2026-01-31. \(row 2\)/)
    assert.equal((await tenant.call({ url: '/v2/invoices/audits' })).many().length, 0)
    await handIn(page, 'invoice.csv', `${head}P-1,demurrage,line,USD,${box},2026-01-15,2026-01-16,150.00\n`)
    const audit = page.getByRole('region', { name: 'Invoice P-1' })
    await audit.getByText('2 charged days, one by one').click()
    await audit.locator('.audited-days').getByText('Thu 15 Jan').waitFor()
    await assertAccessible(page, 'an audited invoice')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      audit.getByRole('button', { name: /signed evidence/ }).click(),
    ])
    assert.match(download.suggestedFilename(), /^evidence-.*\.json$/)
    await close()
  })

  test('an invoice that is dropped as a PDF is read and audited at once', async () => {
    const { page, close } = await world.openPage()
    await page.goto(`${world.url}/charges/invoices#key=${tenant.key}`)
    const row = [box, '2026-01-15', '2026-01-17', '3', '150.00', '450.00']
    const paper = await invoicePaper({ number: 'D-2026-77', bill: 'MSCUROUTE0000003', row })
    await handIn(page, 'demurrage.pdf', paper)
    await page.getByText('demurrage.pdf is being read …').waitFor()
    await world.api.drain()
    const audit = page.getByRole('region', { name: 'Invoice D-2026-77', exact: true })
    const lines = audit.getByRole('region', { name: 'What it says' }).locator('tbody')
    assert.equal((await lines.textContent()) ?? '', `${box}Thu 15 JanSat 17 Jan4USD\u00a0150.00USD\u00a0450.00`)
    await audit.getByText('Demurrage, line').waitFor()
    const [made] = (await tenant.call({ url: '/v2/invoices/audits?filter[number]=D-2026-77' })).many()
    assert.match(String(made?.attributes['document_id']), /^[0-9a-f-]{36}$/)
    // The same file again is the same document, taken as another charge.
    await audit.getByText('Audit it as another charge').click()
    await audit.getByRole('combobox', { name: 'Charge', exact: true }).selectOption('detention')
    await assertAccessible(page, 'an audited paper')
    await audit.getByRole('button', { name: 'Audit again' }).click()
    await page.getByText('Detention, line').waitFor()
    await close()
  })

  test('an invoice among the documents is audited by one press', async () => {
    const { page, close } = await world.openPage()
    await page.goto(`${world.url}/documents#key=${tenant.key}`)
    await page.getByRole('button', { name: 'Audit this invoice' }).click()
    await page.waitForURL('**/charges/invoices')
    await page.getByRole('region', { name: 'Invoice D-2026-77, earlier audit 2', exact: true }).waitFor()
    await close()
  })

  test('a paper that is no invoice is not audited, and the way to correct its kind is shown', async () => {
    const { page, close } = await world.openPage()
    await page.goto(`${world.url}/charges/invoices#key=${tenant.key}`)
    await handIn(page, 'notice.pdf', await pdfOf({ title: 'ARRIVAL NOTICE', lines: [['Vessel', 'EVER EXAMPLE']] }))
    await page.getByText('notice.pdf is being read …').waitFor()
    await world.api.drain()
    const refused = page.getByRole('alert').filter({ hasText: 'notice.pdf cannot be audited' })
    assert.match((await refused.textContent()) ?? '', /It must be a document that was read as a demurrage invoice/)
    await refused.getByRole('link', { name: 'Correct what was read, in Documents' }).waitFor()
    await close()
  })

  test('an invoice in the columns of a person is audited; of wrong columns five problems at most are shown', async () => {
    const { page, close } = await world.openPage()
    await page.goto(`${world.url}/charges/invoices#key=${tenant.key}`)
    const before = (await tenant.call({ url: '/v2/invoices/audits' })).many().length
    await handIn(page, 'wrong.csv', `Thing,Since,Till,Money\n${`${box},1,2,3\n`.repeat(30)}`)
    const refused = page.getByRole('alert').filter({ hasText: 'wrong.csv cannot be audited' })
    await refused.waitFor()
    const columns = refused.getByRole('listitem')
    assert.deepEqual(await columns.locator('strong').allTextContents(), ['Container', 'From', 'To', 'Amount'])
    assert.match((await columns.first().textContent()) ?? '', /Headings that are recognised: container, CTR, CNTR/)
    await assertAccessible(page, 'a table with wrong columns')
    const head = 'Container No.,Customer,Free days,From,To,Amount\n'
    const row = (from: string) => `${box},ACME,four,${from},16 Jan 2026,about 300\n`
    await handIn(page, 'bad.csv', head + Array.from({ length: 30 }, () => row('soon')).join(''))
    const bad = page.getByRole('alert').filter({ hasText: 'bad.csv cannot be audited' })
    await bad.waitFor()
    assert.deepEqual(await bad.locator('li strong').allTextContents(), ['From', 'Free days', 'Amount'])
    assert.match((await bad.textContent()) ?? '', /\(rows 2, 3, 4, 5, 6 and 25 more\)/)
    assert.equal((await tenant.call({ url: '/v2/invoices/audits' })).many().length, before)
    await page.getByRole('region', { name: 'Audit an invoice' }).getByLabel('Charged by').selectOption('terminal')
    await handIn(page, 'good.csv', `${head}${box},ACME,4 days,15 Jan 2026,16/01/2026,"$1,300.00"\n`)
    await page.getByText('The invoice was audited. These columns were not read: Customer.').waitFor()
    const audit = page.getByRole('region', { name: 'Invoice without a number' })
    await audit.getByText('Demurrage, terminal').waitFor()
    await audit.getByText('USD\u00a01,300.00').first().waitFor()
    await close()
  })
}

async function handIn(page: Page, name: string, content: string | Buffer): Promise<void> {
  const file = { name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) }
  await page.getByLabel('Choose an invoice').setInputFiles(file)
}
