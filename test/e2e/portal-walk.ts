/**
 * The path of a new user through the portal of a running program, in a real browser: from the first link to a widget on
 * a page of another site. `npm run pictures` follows the same path and takes the README's pictures.
 */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { type AppPage, openAppPage } from '../support/app-page.ts'
import { eventually } from '../support/eventually.ts'
import { password } from '../support/person.ts'
import { type Program, root } from './program.ts'

export interface Walk {
  readonly browser: Browser
  readonly program: Program
  readonly dataFolder: string
  /** Called at each station, with its name. */
  readonly look?: (name: string, page: Page) => Promise<void>
}

const slowMs = 60_000

/** Opens the first link, and waits until the samples are tracked. */
export async function enterByFirstLink(walk: Walk): Promise<AppPage> {
  const app = await openAppPage(walk.browser, { viewport: { width: 1_360, height: 900 } })
  const { page } = app
  page.setDefaultTimeout(slowMs)
  await page.goto(await firstLink(walk))
  await page.getByLabel('Name').fill('Ada Harbour')
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Sample data: all carriers are simulated.').waitFor()
  return app
}

async function firstLink({ dataFolder, program }: Walk): Promise<string> {
  const script = join(root, 'src/cli/landfall.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, 'sign-in-link'], {
    cwd: root,
    env: { ...process.env, LANDFALL_DATA: dataFolder, LANDFALL_PORT: new URL(program.apiUrl).port },
  })
  const link = /http:\S+first-sign-in\S+/.exec(stdout)?.[0]
  assert.ok(link !== undefined, stdout)
  return link
}

/** Pastes numbers, lets kind and line be inferred, and waits until the lines have answered for most of them. */
export async function trackPasted({ look }: Walk, page: Page, numbers: readonly string[]): Promise<void> {
  await page.getByRole('link', { name: 'Track', exact: true }).click()
  await page.getByLabel('Numbers').fill(numbers.join('\n'))
  await page.getByRole('button', { name: 'Read the numbers' }).click()
  await page.getByRole('cell', { name: 'Sure' }).first().waitFor()
  await page.getByText(/being checked/).waitFor({ state: 'hidden' })
  await look?.('track', page)
  // Some of them may be among the samples, which are tracked already.
  await page.getByRole('button', { name: /^Track \d+ numbers$/ }).click()
  await page.getByText(/\d+ sent · \d+ answered · \d+ tracked/).waitFor()
  // On a busy machine many journeys of the sandbox have ended before they are tracked: tracking has stopped then.
  await page
    .getByText(/^Tracked( already)?$/)
    .nth(Math.floor(numbers.length / 2))
    .waitFor()
  await look?.('progress', page)
}

/** From the list to the page of a shipment with a map and a graph, and to the source of its arrival. */
export async function openProof({ look }: Walk, page: Page): Promise<string> {
  await page.goto(new URL('/shipments', page.url()).href)
  await page
    .getByRole('link', { name: /^[A-Z0-9-]{6,}$/ })
    .first()
    .waitFor()
  await look?.('shipments', page)
  // A shipment with a changed arrival shows most.
  const moved = page.locator('tr').filter({ has: page.locator('.slip:not(.quiet)') })
  const arriving = page.locator('tbody tr').filter({ has: page.locator('td.c-arrival time') })
  const row = (await moved.count()) > 0 ? moved.first() : arriving.first()
  await row.locator('td .number').click()
  await page.getByRole('link', { name: 'Map', exact: true }).click()
  await page.getByRole('img', { name: /Map of the journey/ }).waitFor()
  await page.getByRole('link', { name: 'Journey', exact: true }).click()
  await page.locator('.journey').waitFor()
  const { pathname } = new URL(page.url())
  await look?.('shipment', page)
  await page.getByRole('button', { name: /^Reported by .*: Arrival/ }).click()
  await page.getByRole('dialog').getByText('Why this one counts').waitFor()
  await look?.('who-said', page)
  await page.keyboard.press('Escape')
  return pathname.split('/').at(-1) ?? ''
}

/** The clocks of all containers, with terms that are previewed in the form and then recorded. */
export async function seeClocks({ look }: Walk, page: Page): Promise<void> {
  await page.goto(new URL('/charges/terms', page.url()).href)
  await page.getByLabel('Code', { exact: true }).fill('line-demurrage')
  await page.getByLabel(/^Price of each day/).fill('1-4:150.00 5-:250.00')
  await page.getByLabel(/^Source/).fill('Contract 2026/17')
  await page.getByRole('button', { name: 'See what it changes' }).click()
  await page.getByText(/The days of \d+ of \d+ containers would change\./).waitFor()
  await page.getByRole('button', { name: 'Record it' }).click()
  await page.getByText('1 version recorded.').waitFor()
  await page.goto(new URL('/charges', page.url()).href)
  await page.getByText('Owed until today').waitFor()
  await look?.('charges', page)
}

/** Makes a webhook, tests it, waits for a delivery, and redelivers it. */
export async function tryWebhook({ look }: Walk, page: Page, receiverUrl: string): Promise<string> {
  await page.goto(new URL('/developers/webhooks', page.url()).href)
  await page.getByLabel('Address').fill(receiverUrl)
  await page.getByRole('button', { name: 'Make the webhook' }).click()
  const secret = (await page.locator('.note pre').first().textContent()) ?? ''
  await page.getByRole('button', { name: 'Send an example' }).click()
  await page.getByText('The receiver answered 200.').waitFor()
  const delivery = page.locator('details.delivery').filter({ hasText: 'delivered' }).first()
  await delivery.waitFor()
  await delivery.locator('summary').first().click()
  await delivery
    .getByText(/answered 200 in \d+ ms/)
    .first()
    .waitFor()
  await look?.('webhooks', page)
  await delivery.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('It is being sent again.').waitFor()
  return secret
}

/** Makes a rule that mails on a hold, and confirms the address by the mailed link, as its reader. */
export async function makeHoldRule(
  walk: Walk,
  page: Page,
  mail: { readonly address: string; readonly links: () => readonly string[] },
): Promise<void> {
  await page.goto(new URL('/attention', page.url()).href)
  await page.getByText('New rule').click()
  await page.getByLabel('Name').fill('Holds')
  await page.getByRole('checkbox', { name: 'Held at the terminal' }).check()
  await page.getByLabel('E-mail addresses, with spaces between').fill(mail.address)
  await page.getByRole('button', { name: 'Make the rule' }).click()
  await page.getByText(`Not confirmed yet: ${mail.address}`).waitFor()
  await walk.look?.('attention', page)
  const link = await eventually(async () => mail.links()[0] ?? null, {
    withinMs: slowMs,
    late: () => 'no mail with a link came',
  })
  const reader = await openAppPage(walk.browser)
  await reader.page.goto(link)
  await reader.page.getByRole('button', { name: 'I want these alerts' }).click()
  await reader.page.getByRole('heading', { level: 2 }).waitFor()
  await reader.close()
}

/** Makes a share link for a page of another site, and opens it in a fresh browser. */
export async function openShared(
  walk: Walk,
  page: Page,
  { shipmentId, origin }: { readonly shipmentId: string; readonly origin: string },
): Promise<string> {
  await page.goto(new URL(`/shipments/${shipmentId}`, page.url()).href)
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByLabel('Company on the page').fill('Blue Forwarding')
  await page.getByLabel('Sites that may embed it, with spaces between (optional)').fill(origin)
  await page.getByRole('button', { name: 'Make the link' }).click()
  const url = (await page.getByRole('link', { name: 'Open it' }).getAttribute('href')) ?? ''
  const fresh = await openAppPage(walk.browser, { viewport: { width: 1_100, height: 900 } })
  await fresh.page.goto(url)
  await fresh.page.getByRole('img', { name: /Map of the journey/ }).waitFor()
  await walk.look?.('shared', fresh.page)
  assert.deepEqual(fresh.faults, [])
  await fresh.close()
  return url
}

export interface ForeignSite {
  readonly origin: string
  readonly close: () => void
  /** The HTML of its only page. */
  page: string
}

/** A page of another site, which embeds the widget. */
export async function openForeignSite(): Promise<ForeignSite> {
  const site: { page: string } = { page: '' }
  const server: Server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(site.page)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(site, { origin, close: () => void server.close() })
}

export async function showWidget(walk: Walk, site: ForeignSite, sharedUrl: string): Promise<void> {
  const token = sharedUrl.split('/').at(-1) ?? ''
  site.page = `<!doctype html><html lang="en"><title>A shop</title><main><h1>Your order</h1>
<script type="module" src="${walk.program.apiUrl}/portal/widget.js"></script>
<landfall-shipment share="${token}"></landfall-shipment></main></html>`
  const { page, faults, close } = await openAppPage(walk.browser, { viewport: { width: 900, height: 800 } })
  await page.goto(site.origin)
  await page.getByRole('img', { name: /Map of the journey/ }).waitFor()
  await walk.look?.('widget', page)
  assert.deepEqual(faults, [])
  await close()
}

/** Numbers of the sandbox, of every kind. */
export async function sandboxNumbers(program: Program, count: number): Promise<readonly string[]> {
  const answer = await fetch(`${program.sandboxUrl}/sandbox/numbers?limit=400`)
  const listed = (await answer.json()) as readonly { readonly number: string; readonly stage: string }[]
  const afloat = listed.filter(({ stage }) => !['booked', 'empty_out'].includes(stage))
  const step = Math.max(1, Math.floor(afloat.length / count))
  return afloat
    .filter((_, at) => at % step === 0)
    .slice(0, count)
    .map(({ number }) => number)
}
