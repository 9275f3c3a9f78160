/**
 * Every page of the portal works, is accessible in both themes and at two widths, does not jump and does not scroll
 * sideways.
 */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, assertContrast, layoutShift, settled } from '../../support/app-page.ts'
import { assertLegible } from '../../support/legible.ts'
import { box, type Tenant, type World } from './world.ts'

const bill = 'MSCUROUTE0000001'
const pictures = process.env['LANDFALL_TEST_PICTURES']
const tables = {
  calendars: [
    'code,entry,on,value',
    'us-lax,weekend,,sat sun',
    "us-lax,holiday,2026-02-16,Presidents' Day",
    'us-lax,unscheduled_closure,2026-02-04,Storm',
  ],
  charge_terms: [
    'code,origin,kind,charged_by,currency,calendar,start,stop,free,free_unit,tiers,source',
    'acme,contract,demurrage,line,USD,us-lax,vessel_discharged,full_out,4,working_days,1-:150.00,Contract',
  ],
} as const

const pages = [
  ['the overview', '/', 'Latest changes'],
  ['the page that tracks', '/track', 'Read the numbers'],
  ['the list of shipments', '/shipments', bill],
  ['the list of containers', '/containers', box],
  ['a shipment', '', 'Loaded on the ship'],
  ['the container of a shipment', '?tab=containers', 'To pick it up'],
  ['the papers of a shipment', '?tab=papers', 'No document names this shipment'],
  ['the changes of a shipment', '?tab=changes', 'Ship left Shanghai'],
  ['the map of a shipment', '?tab=map', 'sailed'],
  ['the inbox', '/attention', 'There is no rule yet'],
  ['the clocks of free time', '/charges', 'No container is on the clock'],
  ['the charge terms', '/charges/terms', 'Use as a start'],
  ['the calendars', '/charges/calendars', 'Presidents'],
  ['the audited invoices', '/charges/invoices', 'No invoice was audited yet.'],
  ['the fleet map', '/fleet', 'Ships'],
  ['the documents', '/documents', 'There is no document yet'],
  ['the webhooks', '/developers/webhooks', 'New webhook'],
  ['the event log', '/developers/events', 'container.created'],
  ['the explorer', '/developers/explorer', 'List tracking requests'],
  ['the page for agents', '/developers/agents', 'Address of the MCP server'],
  ['the share links', '/developers/links', 'No link has been made yet'],
  ['the usage', '/developers/usage', 'Requests of the last minute'],
  ['the sources', '/operate/sources', 'Ocean Network'],
  ['the work', '/operate/jobs', 'Answers and messages to be read'],
  ['the messages', '/operate/messages', 'No message has come'],
  ['the API keys', '/administration/keys', 'Make the key'],
  ['the members', '/administration/members', 'No invitation is open'],
  ['the connections', '/administration/connections', 'Ocean Network'],
  ['the record of changes', '/administration/record', 'Charge terms: recorded'],
  ['the issues', '/operate/issues', 'What could not be read'],
  ['the scorecard of estimates', '/operate/estimates', 'Mean error in hours, by days ahead'],
  ['the scorecard', '/operate/inference', 'Predictions'],
  ['a page that is not there', '/developers/nothing', 'There is no page'],
] as const

export function testPages(world: World): void {
  let tenant: Tenant
  let adminKey: string
  let shipmentId: string

  before(async () => {
    tenant = await world.newTenant()
    adminKey = await tenant.adminKey()
    shipmentId = (await tenant.track(bill)).shipmentId
    for (const [kind, lines] of Object.entries(tables)) {
      const { statusCode, body } = await world.api.app.inject({
        method: 'POST',
        url: `/v2/${kind}/import`,
        headers: { authorization: `Token ${tenant.key}`, 'content-type': 'text/csv' },
        payload: lines.join('\n'),
      })
      assert.equal(statusCode, 200, body)
    }
    await world.api.drain()
    await world.api.service.pool.query(
      `insert into eta_outcomes (account_id, shipment_id, kind, source_code, told_at, scac, pol, pod, days_ahead, error_hours,
                                 arrived_at, arrival_by)
       select $1, $2, 'line', scac, timestamptz '2026-03-01 00:00Z' - n * interval '1 day', scac, 'CNSHG', 'USLAX', n, n * 1.5,
              timestamptz '2026-03-01 00:00Z', 'ais'
         from generate_series(0, 40) n, unnest(array['HLCU', 'MAEU', 'ONEY']) scac`,
      [tenant.context.account.id, shipmentId],
    )
  })

  test('a figure of the scorecard of estimates leads to its shipments', async () => {
    const { page, faults, close } = await world.openPage()
    await page.goto(`${world.url}/operate/estimates#key=${tenant.key}`)
    await page.getByRole('button', { name: '3 estimates: HLCU, 7 to 10 days' }).click()
    const estimates = page.getByRole('region', { name: /Estimates of this figure/ })
    await estimates.getByRole('link').first().waitFor()
    assert.equal(await estimates.getByRole('link').count(), 3)
    await assertAccessible(page, 'the estimates of a figure')
    assert.match(String(await estimates.getByRole('link').first().getAttribute('href')), new RegExp(shipmentId))
    assert.deepEqual(faults, [])
    await close()
  })

  for (const [name, path, shows] of pages) {
    test(`${name} shows its content, and axe finds no fault on it`, async () => {
      const { page, faults, close } = await world.openPage()
      await page.setViewportSize({ width: wide, height })
      const key = path.startsWith('/administration') ? adminKey : tenant.key
      const take = async (colorScheme: string): Promise<void> => {
        if (pictures === undefined) return
        const file = `${name.replaceAll(' ', '-')}-${colorScheme}-${page.viewportSize()?.width}.png`
        await page.screenshot({ path: `${pictures}/${file}`, fullPage: true })
      }
      const look = async (colorScheme: 'light' | 'dark', width: number): Promise<void> => {
        const where = `${name}, ${colorScheme}, ${width}`
        await page.emulateMedia({ colorScheme })
        await page.getByText(shows).first().waitFor()
        await settled(page)
        await assertAccessible(page, where)
        await assertStill(page, { where, width })
        await take(colorScheme)
        const other = colorScheme === 'light' ? 'dark' : 'light'
        await page.emulateMedia({ colorScheme: other })
        await assertContrast(page, `${name}, ${other}, ${width}`)
        await take(other)
        assert.deepEqual(faults, [], where)
      }
      await page.goto(`${world.url}${path.startsWith('/') ? path : `/shipments/${shipmentId}${path}`}#key=${key}`)
      await look('light', wide)
      // What a window of the first size has at a zoom of 200 %.
      await page.setViewportSize({ width: wide / 2, height: height / 2 })
      await assertStill(page, { where: `${name}, zoomed`, width: wide / 2 })
      await page.setViewportSize({ width: middle, height })
      if (pictures !== undefined) await look('light', middle)
      await page.setViewportSize({ width: narrow, height })
      // Open requests of the page end with it. If it logs this on the console, that is no fault of the next page.
      page.once('framenavigated', () => faults.splice(0))
      await page.reload()
      await look('dark', narrow)
      await close()
    })
  }
}

const [wide, middle, narrow, height] = [1440, 1024, 390, 900]
const shiftMax = 0.02

/** The page did not jump while it loaded, and fits its window. */
async function assertStill(
  page: Page,
  { where, width }: { readonly where: string; readonly width: number },
): Promise<void> {
  const { sum, moved } = await layoutShift(page)
  assert.ok(sum <= shiftMax, `${where} jumps by ${sum}:\n${moved.join('\n')}`)
  const scrollWidth = await page.evaluate('document.documentElement.scrollWidth')
  assert.ok(Number(scrollWidth) <= width, `${where} scrolls sideways: ${scrollWidth}`)
  await assertLegible(page, where)
}
