/**
 * Free time in the portal's app: clocks, terms and calendars that are previewed before they are recorded, invoices, and
 * future charges of a container.
 */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { assertAccessible } from '../../support/app-page.ts'
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
    assert.match((await refused.textContent()) ?? '', /`tiers`/)
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
    const hand = (rows: string) =>
      page.getByLabel('Choose an invoice').setInputFiles({
        name: 'invoice.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(head + rows),
      })
    await hand(`P-1,demurrage,line,USD,${box},soon,2026-01-17,150.00\n`)
    await page.getByRole('alert').filter({ hasText: '`from`' }).waitFor()
    assert.equal((await tenant.call({ url: '/v2/invoices/audits' })).many().length, 0)
    await hand(`P-1,demurrage,line,USD,${box},2026-01-15,2026-01-16,150.00\n`)
    const audit = page.getByRole('region', { name: 'Invoice P-1' })
    await audit.getByText('2 charged days, one by one').click()
    await audit.getByText('2026-01-15').waitFor()
    await assertAccessible(page, 'an audited invoice')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      audit.getByRole('button', { name: /signed evidence/ }).click(),
    ])
    assert.match(download.suggestedFilename(), /^evidence-.*\.json$/)
    await close()
  })
}
