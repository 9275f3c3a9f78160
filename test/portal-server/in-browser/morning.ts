/** One morning of a coordinator: from a pasted table to the shared page, each page as the one before it left things. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { readTable } from '../../../src/connectors/spreadsheets/read-table.ts'
import { containerCheckDigit } from '../../../src/domain/values/identifiers.ts'
import { nameDay } from '../../../src/domain/view/day-count.ts'
import type { WireResource } from '../../support/api.ts'
import { openAppPage } from '../../support/app-page.ts'
import { invoicePaper } from '../../support/papers.ts'
import { password, signUpFirst } from '../../support/person.ts'
import { secondShip, tellRoute, told } from '../../support/route-seed.ts'
import { giveAccess } from '../../support/service.ts'
import { bills, rows, tracked } from './track.ts'
import type { Tenant, World } from './world.ts'

const dayMs = 86_400_000
const email = 'cora@example.com'
const [bill = ''] = bills
const boxOf = (at: number): string => {
  const numbered = `TCLU${String(720_000 + at)}`
  return `${numbered}${containerCheckDigit(numbered)}`
}
const box = boxOf(0)
const customer = 'ACME Imports, Inc.'

interface FreeUntil {
  readonly on: string
  readonly others: readonly { readonly on: string; readonly by: string }[]
}

interface Morning {
  readonly tenant: Tenant
  readonly shipmentId: string
}

export function testMorning(world: World): void {
  const { api, carrier } = world

  test('pasted rows are corrected, the urgent container is done and exported, its invoice audited, its page shared', async () => {
    const tenant = await world.newTenant()
    await giveAccess(api, { scac: 'ONEY', profile: carrier.profile('ONEY') })
    await signUpFirst(api, { key: tenant.key, email, name: 'Cora Quay' })
    const isoDay = (days: number): string => new Date(api.clock.now() + days * dayMs).toISOString().slice(0, 10)
    for (const [at, each] of [...bills, tracked].entries()) tellRoute(api, carrier, { bill: each, number: boxOf(at) })
    tellRoute(api, carrier, {
      bill,
      number: box,
      journey: [
        told('LOAD', 'KRPUS', `${isoDay(-16)}T06:00:00Z`, 'B', secondShip),
        told('DEPA', 'KRPUS', `${isoDay(-15)}T00:00:00Z`, 'B', secondShip),
        told('ARRI', 'USLAX', `${isoDay(-3)}T18:00:00Z`, 'C', secondShip),
        told('DISC', 'USLAX', `${isoDay(-2)}T20:00:00Z`, 'C', secondShip),
      ],
    })
    const app = await openAppPage(world.browser, { viewport: { width: 1_440, height: 900 } })
    const { page, faults } = app
    await page.clock.setFixedTime(api.clock.now())
    await signIn(page, `${world.url}/sign-in?next=/track`)

    await trackRows(world, page)
    const shipmentId = await addFacts(world, tenant, isoDay)
    await recordTerms(world, page)
    const day = await readDays(world, page, { tenant, shipmentId })

    await page.goto(`${world.url}/attention`)
    const entry = page.locator('.entry').filter({ hasText: box })
    await entry.getByText('Assign').click()
    await entry.getByRole('button', { name: 'Cora Quay' }).click()
    await entry.locator('summary').filter({ hasText: 'Cora Quay' }).waitFor()
    await entry.getByRole('button', { name: 'Done' }).click()
    await page.getByText(`${box} is done.`).waitFor()
    await page.goto(`${world.url}/`)
    await page.getByRole('region', { name: 'Today' }).waitFor()
    assert.equal(await page.locator('.entry').filter({ hasText: box }).count(), 0, 'it is gone from the overview')

    await exportRows(world, page, { day, arrivedOn: isoDay(-3) })
    await auditInvoice(world, page, isoDay)
    await makeRule(world, page)
    await share(world, page, { shipmentId, day })
    assert.deepEqual(
      faults.filter((fault) => !/infer_number|422|readyz|503/.test(fault)),
      [],
    )
    await app.close()
  })
}

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Thirty rows with mistakes; one is corrected in its place. */
async function trackRows({ api }: World, page: Page): Promise<void> {
  await page.getByLabel('Numbers').fill(rows.join('\n'))
  await page.getByRole('button', { name: 'Read the numbers' }).click()
  await page.getByText('21 ready · 7 to be corrected').first().waitFor()
  await page.getByLabel('Line: ONEYSHAA5300000').selectOption('ONEY')
  await page.getByRole('button', { name: 'Track 22 numbers' }).click()
  await page.getByText('22 sent · 0 answered').waitFor()
  await api.drain()
  await page.getByText('22 sent · 22 answered · 18 tracked').waitFor()
}

async function findBox(tenant: Tenant): Promise<WireResource> {
  const [container] = (await tenant.call({ url: `/v2/containers?filter[number]=${box}` })).many()
  assert.ok(container !== undefined, `${box} is not tracked`)
  return container
}

/** The line and the terminal have named two last free days by telephone; the container has a customer. */
async function addFacts({ api }: World, tenant: Tenant, isoDay: (days: number) => string): Promise<string> {
  const container = await findBox(tenant)
  const shipmentId = (container.relationships?.['shipment']?.data as { id: string } | undefined)?.id ?? ''
  const make = async (url: string, type: string, attributes: object, relationships?: object): Promise<string> => {
    const data = { type, attributes, ...(relationships === undefined ? {} : { relationships }) }
    const answer = await tenant.call({ method: 'POST', url, body: { data } })
    assert.equal(answer.status, 201, answer.text)
    return answer.one().id
  }
  const facts = { pickup_lfd_line: isoDay(3), pickup_lfd_terminal: isoDay(1) }
  for (const [says, value] of Object.entries(facts))
    await make(`/v2/containers/${container.id}/statements`, 'statement', { says, value, reason: 'by telephone' })
  const party = await make('/v2/parties', 'party', { company_name: customer })
  const isParty = { party: { data: { type: 'party', id: party } } }
  await make(`/v2/shipments/${shipmentId}/party_roles`, 'party_role', { role: 'customer' }, isParty)
  await api.drain()
  return shipmentId
}

async function recordTerms({ api, url }: World, page: Page): Promise<void> {
  await page.goto(`${url}/charges/terms`)
  await page.getByLabel('Code', { exact: true }).fill('acme')
  await page.getByLabel('Free', { exact: true }).fill('2')
  await page.getByLabel(/^Price of each day/).fill('1-:150.00')
  await page.getByLabel(/^Source/).fill('Contract 2026/17')
  await page.getByRole('button', { name: 'See what it changes' }).click()
  await page.getByRole('button', { name: 'Record it' }).click()
  await page.getByText('1 version recorded.').waitFor()
  await api.drain()
}

/** The pages where the last free day is looked up count to the same one of three. Returns it as they write it. */
async function readDays({ url }: World, page: Page, { tenant, shipmentId }: Morning): Promise<string> {
  const { on, others } = (await findBox(tenant)).attributes['free_until'] as FreeUntil
  assert.equal(others.length, 2, 'two others have named another day')
  const day = nameDay(on, on)
  const read = async (path: string, part: Locator, text: string): Promise<void> => {
    await page.goto(url + path)
    const found = part.filter({ hasText: box }).filter({ hasText: 'today' }).first()
    await found.waitFor()
    assert.ok(((await found.textContent()) ?? '').includes(text), `${path}: ${await found.textContent()}`)
  }
  await read('/containers?sort=urgency', page.locator('tbody tr[data-index="0"]'), 'Pick up')
  await page.getByRole('button', { name: 'At the terminal 1' }).click()
  await page
    .locator('tbody tr')
    .filter({ hasText: box })
    .filter({ hasText: `${day}today` })
    .waitFor()
  await read(`/shipments/${shipmentId}`, page.locator('main'), `Free time ends ${day}, today`)
  const said = others.map((other) => `${nameDay(other.on, on)}, says the ${other.by}`)
  await read('/charges', page.locator('li.clock'), [`today${day}, by your terms acme`, ...said].join('; '))
  await read('/attention', page.locator('.entry'), `Free time ends${day}today`)
  await read('/', page.locator('.entry'), `Free time ends${day}today`)
  await read('/fleet', page.locator('.fleet-list li'), `first last free day: ${day}today · ${box}`)
  await page.setViewportSize({ width: 390, height: 800 })
  await read('/containers', page.locator('.row-card'), 'Pick uptoday')
  await page.setViewportSize({ width: 1_440, height: 900 })
  return day
}

async function exportRows(
  { url }: World,
  page: Page,
  { day, arrivedOn }: { day: string; arrivedOn: string },
): Promise<void> {
  await page.goto(`${url}/containers`)
  await page.getByText(box).waitFor()
  await page.getByRole('button', { name: 'Export' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Excel (.xlsx)' }).click()
  const bytes = readFileSync(await (await saved).path())
  const read = await readTable(bytes, { sheet: null })
  assert.ok(read.ok, JSON.stringify(read))
  const [head = [], ...lines] = read.table.rows.map(({ cells }) => cells)
  assert.equal(lines.length, bills.length + 1)
  const line = lines.find((cells) => cells.includes(box)) ?? []
  const row = Object.fromEntries(head.map((name, at) => [name, line[at]]))
  assert.deepEqual(
    ['Bill of lading', 'Port of discharge', 'Ship', 'Arrival', 'Customer', 'References', 'To do'].map(
      (name) => row[name],
    ),
    [bill, 'Los Angeles', `Ship ${secondShip}`, arrivedOn, customer, 'ACME PO-70', `Free time ends ${day}, today`],
  )
}

async function auditInvoice({ api, url }: World, page: Page, isoDay: (days: number) => string): Promise<void> {
  await page.goto(`${url}/charges/invoices`)
  const row = [box, isoDay(-2), isoDay(0), '3', '150.00', '450.00']
  const buffer = await invoicePaper({ number: 'D-2026-91', bill, row })
  const file = { name: 'demurrage.pdf', mimeType: 'application/pdf', buffer }
  await page.getByLabel('Choose an invoice').setInputFiles(file)
  await page.getByText('demurrage.pdf is being read …').waitFor()
  await api.drain()
  const audit = page.getByRole('region', { name: 'Invoice D-2026-91', exact: true })
  await audit.getByText('In disputeUSD').or(audit.getByText('USD\u00a0300.00')).first().waitFor()
  await audit.getByText('Free day 2 of 2.').waitFor({ state: 'attached' })
}

async function makeRule({ url }: World, page: Page): Promise<void> {
  await page.goto(`${url}/attention`)
  await page.getByText('New rule').click()
  await page.getByLabel('Other webhook').check()
  await page.getByLabel('Name', { exact: true }).fill('Free time')
  await page.getByLabel('Address of the webhook').fill('https://hooks.example.com/alerts')
  await page.getByRole('checkbox', { name: 'Free time ends soon' }).check()
  await page.getByRole('button', { name: 'Make the rule' }).click()
  await page.locator('li.rule').filter({ hasText: 'Free time' }).waitFor()
}

async function share(
  { url, browser }: World,
  page: Page,
  { shipmentId, day }: { shipmentId: string; day: string },
): Promise<void> {
  await page.goto(`${url}/shipments/${shipmentId}`)
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByLabel('Company on the page').fill('Blue Forwarding')
  await page.getByRole('button', { name: 'Make the link' }).click()
  const link = (await page.getByRole('link', { name: 'Open it' }).getAttribute('href')) ?? ''
  const fresh = await openAppPage(browser)
  await fresh.page.goto(url + new URL(link).pathname)
  await fresh.page
    .getByRole('article', { name: bill })
    .filter({ hasText: `Last free day: ${day}` })
    .waitFor()
  assert.deepEqual(fresh.faults, [])
  await fresh.close()
}
