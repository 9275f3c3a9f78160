// The portal's app in a real browser, over the real API: every page works, is accessible in both themes and two widths,
// does not jump, and stays within its budget of script.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { assertAccessible, layoutShift, openAppPage, settled } from '../../support/app-page.ts'
import { openBrowser } from '../../support/browser.ts'
import { pdfOf } from '../../support/papers.ts'
import { type SeededRoute, seedRoute } from '../../support/route-seed.ts'

let api: TestApi
let browser: Browser
let url: string
let route: SeededRoute
let shipmentId: string
let adminKey: string
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
const bill = 'MSCUROUTE0000001'
const pictures = process.env['LANDFALL_TEST_PICTURES']

before(async () => {
  api = await openTestApi({ startAt: '2026-01-20T00:00:00Z' })
  route = await seedRoute(api, { bill })
  shipmentId = (await api.call({ url: `/v2/shipments?number=${bill}` })).many()[0]?.id ?? ''
  adminKey = await api.newKey(api.context, ['read', 'write', 'admin'])
  for (const [kind, lines] of Object.entries(tables)) {
    const { statusCode, body } = await api.app.inject({
      method: 'POST',
      url: `/v2/${kind}/import`,
      headers: { authorization: `Token ${api.key}`, 'content-type': 'text/csv' },
      payload: lines.join('\n'),
    })
    assert.equal(statusCode, 200, body)
  }
  await api.drain()
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

const pages = [
  ['the overview', '/', 'Latest changes'],
  ['the page that tracks', '/track', 'Read the numbers'],
  ['the list of shipments', '/shipments', bill],
  ['the list of containers', '/containers', 'MSCU4000005'],
  ['a shipment', '', 'What changed'],
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
  ['the record of changes', '/administration/record', 'Charge terms: recorded'],
  ['the issues', '/operate/issues', 'What could not be read'],
  ['the scorecard', '/operate/inference', 'Predictions'],
  ['a page that is not there', '/developers/nothing', 'There is no page'],
] as const

describe('each page', () => {
  for (const [name, path, shows] of pages) {
    test(`${name} shows what it is for, and axe finds nothing on it`, async () => {
      for (const [colorScheme, width] of [
        ['light', 1280],
        ['light', 390],
        ['dark', 1280],
        ['dark', 390],
      ] as const) {
        const { page, faults, close } = await openAppPage(browser, {
          colorScheme,
          viewport: { width, height: 900 },
        })
        const key = path.startsWith('/administration') ? adminKey : api.key
        await page.goto(`${url}${path === '' ? `/shipments/${shipmentId}` : path}#key=${key}`)
        await page.getByText(shows).first().waitFor()
        await settled(page)
        await assertAccessible(page, `${name}, ${colorScheme}, ${width}`)
        assert.deepEqual(faults, [], name)
        assert.ok((await layoutShift(page)) < 0.1, `${name} jumps by ${await layoutShift(page)}`)
        const wide = await page.evaluate('document.documentElement.scrollWidth')
        assert.ok(Number(wide) <= width, `${name} scrolls sideways: ${wide}`)
        if (pictures !== undefined)
          await page.screenshot({
            path: `${pictures}/${name.replaceAll(' ', '-')}-${colorScheme}.png`,
            fullPage: true,
          })
        await close()
      }
    })
  }
})

test('from a value one press leads to who said it, and to those who said otherwise', async () => {
  const { page, faults, close } = await openAppPage(browser)
  await page.goto(`${url}/shipments/${shipmentId}#key=${api.key}`)
  await page.getByRole('button', { name: /^Said by .*: Arrival/ }).click()
  const proof = page.getByRole('dialog', { name: 'Who said so: Arrival' })
  await proof.waitFor()
  const text = (await proof.textContent()) ?? ''
  assert.match(text, /shipping line ONEY/)
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

test('the slider shows a shipment as it was known, its address leads there, and back to now', async () => {
  const { page, close } = await openAppPage(browser)
  await page.goto(`${url}/shipments/${shipmentId}#key=${api.key}`)
  await page.getByText('What changed').waitFor()
  await page.locator('#past').fill('0')
  await page.getByText(/You see what was known on/).waitFor()
  assert.match(page.url(), /as_of=2026-/)
  await page.reload()
  await page.getByText(/You see what was known on/).waitFor()
  await page.getByRole('button', { name: 'Back to now' }).click()
  await page.getByText('Move it to see the shipment').waitFor()
  await close()
})

test('the search is open with a key from everywhere, finds a number, and Enter leads to it', async () => {
  const { page, close } = await openAppPage(browser)
  await page.goto(`${url}/operate/sources#key=${api.key}`)
  await page.getByText('Who is asked and who sends').waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type(bill.slice(0, 12))
  await page.getByRole('option').filter({ hasText: bill }).waitFor()
  await assertAccessible(page, 'the search')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/shipments/${shipmentId}`)
  await close()
})

test('a link with a number finds its shipment, and filters are in the address', async () => {
  const { page, close } = await openAppPage(browser)
  await page.goto(`${url}/shipments/find?q=${bill}#key=${api.key}`)
  await page.waitForURL(`**/shipments/${shipmentId}`)
  await page.goto(`${url}/shipments?status=cancelled`)
  await page.getByText('Nothing matches these filters.').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('link', { name: bill }).waitFor()
  assert.equal(new URL(page.url()).search, '')
  await close()
})

test('chosen shipments are stopped together after a question, and resumed; a view is saved and used', async () => {
  const { page, faults, close } = await openAppPage(browser)
  await page.goto(`${url}/shipments#key=${api.key}`)
  await page.getByLabel(`Choose ${bill}`).check()
  await page.getByRole('button', { name: 'Stop tracking' }).click()
  const dialog = page.getByRole('dialog', { name: 'Stop tracking 1 shipment?' })
  await assertAccessible(page, 'the question')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  assert.equal(await page.getByText('not tracked any more').count(), 0, 'it was only asked')
  await page.getByRole('button', { name: 'Stop tracking' }).click()
  await dialog.getByRole('button', { name: 'Stop tracking' }).click()
  await page.getByText('not tracked any more').waitFor()
  await page.getByLabel(`Choose ${bill}`).check()
  await page.getByRole('button', { name: 'Resume tracking' }).click()
  await page.getByText('not tracked any more').waitFor({ state: 'hidden' })

  await page.getByLabel('Status').selectOption('in_transit')
  await page.waitForURL('**/shipments?status=in_transit')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByLabel('Name of the view').fill('Under way')
  await page.getByRole('button', { name: 'Save this view' }).click()
  await page.getByRole('button', { name: 'Under way', exact: true }).waitFor()
  await assertAccessible(page, 'the views')
  await page.goto(`${url}/shipments`)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('button', { name: 'Under way', exact: true }).click()
  await page.waitForURL('**/shipments?status=in_transit')
  assert.deepEqual(faults, [])
  await close()
})

test('somebody without a key is asked for one, told when it is wrong, and let in with the right one', async () => {
  const { page, close } = await openAppPage(browser)
  await page.goto(`${url}/shipments`)
  await assertAccessible(page, 'the form for the key')
  await page.getByLabel('API key').fill('lf_live_wrong')
  await page.getByRole('button', { name: 'Use this key' }).click()
  assert.match((await page.getByRole('alert').textContent()) ?? '', /\S/)
  await page.getByLabel('API key').fill(api.key)
  await page.getByRole('button', { name: 'Use this key' }).click()
  await page.getByRole('link', { name: bill }).waitFor()
  const stored = await page.evaluate('JSON.stringify({ ...localStorage }) + document.cookie')
  assert.ok(!String(stored).includes(api.key), 'kept for the tab alone')
  await close()
})

test('a paper is handed in, read, and linked to its shipment', async () => {
  const { page, faults, close } = await openAppPage(browser)
  await page.goto(`${url}/documents#key=${api.key}`)
  const paper = await pdfOf({
    title: 'ARRIVAL NOTICE',
    lines: [
      ['Bill of lading no', bill],
      ['Container no', 'MSCU4000005'],
      ['Port of discharge', 'LOS ANGELES, CA'],
    ],
  })
  await page
    .getByLabel('Choose files')
    .setInputFiles({ name: 'notice.pdf', mimeType: 'application/pdf', buffer: paper })
  await page.getByText('notice.pdf is there, and is being read.').waitFor()
  await api.drain()
  await page.reload()
  await page.getByRole('heading', { name: 'notice.pdf' }).waitFor()
  await page.getByRole('link', { name: bill }).waitFor()
  await page.getByRole('row').filter({ hasText: bill }).first().waitFor()
  await assertAccessible(page, 'a document')
  assert.deepEqual(faults, [])
  await close()
})

describe('the script of', () => {
  const dist = new URL('../../../portal/dist/', import.meta.url)
  const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8')) as Readonly<
    Record<string, { readonly file: string; readonly imports?: readonly string[]; readonly src?: string }>
  >
  const filesOf = (key: string): readonly string[] => {
    const chunk = manifest[key]
    return chunk === undefined ? [] : [chunk.file, ...(chunk.imports ?? []).flatMap(filesOf)]
  }
  const kilobytes = (files: readonly string[]): number =>
    [...new Set(files)]
      .map((file) => gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length)
      .reduce((sum, bytes) => sum + bytes, 0) / 1_024
  const first = filesOf('index.html')

  test('the first page is at most 150 KB, packed', () => {
    assert.ok(kilobytes(first) > 20)
    assert.ok(kilobytes(first) <= 150, `${kilobytes(first)}`)
  })

  test('every other page is at most 60 KB more, packed', () => {
    const routes = Object.keys(manifest).filter((key) => key.endsWith('-page.tsx'))
    assert.ok(routes.length >= 7)
    for (const key of routes) {
      const more = filesOf(key).filter((file) => !first.includes(file))
      assert.ok(kilobytes(more) <= 60, `${key}: ${kilobytes(more)}`)
    }
  })
})
