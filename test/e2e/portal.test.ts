// A new user's path through the portal of the real program, with simulated carriers: see portal-walk.ts.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { assertAccessible } from '../support/app-page.ts'
import { openBrowser } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { type MailServer, openMailServer } from '../support/mail-server.ts'
import {
  enterByFirstLink,
  makeHoldRule,
  openForeignSite,
  openProof,
  openShared,
  sandboxNumbers,
  seeClocks,
  showWidget,
  trackPasted,
  tryWebhook,
  type Walk,
} from './portal-walk.ts'
import { openDataFolder } from './prepared-folder.ts'
import { freePorts, type Program, startProgram } from './program.ts'
import { openReceiver } from './receiver.ts'

let data: Awaited<ReturnType<typeof openDataFolder>>
let program: Program
let browser: Browser
let mail: MailServer
const numbersCount = 30

before(async () => {
  data = await openDataFolder()
  mail = await openMailServer()
  program = startProgram({
    dataFolder: data.path,
    ports: await freePorts(),
    // Slower than usual, so that journeys have not ended before a busy machine reads them.
    env: { LANDFALL_SMTP_URL: mail.url, LANDFALL_SANDBOX_SPEED: '30000' },
  })
  await program.up
  browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await program.kill('SIGTERM')
  await mail.close()
  await data.remove()
})

test('a user signs in by the first link, tracks numbers, and shows a shipment in a widget on another site', async (t) => {
  const showed = async (name: string): Promise<void> => t.diagnostic(name)
  const walk: Walk = { browser, program, dataFolder: data.path, look: showed }
  const { page, faults, close } = await enterByFirstLink(walk)
  await page.getByRole('region', { name: 'What no other service does' }).waitFor()
  await trackPasted(walk, page, await sandboxNumbers(program, numbersCount))
  const shipmentId = await openProof(walk, page)

  await seeClocks(walk, page)
  const address = 'ops@example.com'
  const linkIn = /http:\S+\/alerts\/\S+/
  await makeHoldRule(walk, page, {
    address,
    links: () => mail.mails.flatMap(({ text }) => linkIn.exec(text)?.[0] ?? []),
  })
  // Simulated terminals hold some containers for customs.
  await eventually(async () => (mail.mails.some(({ text }) => /[A-Z]{4}\d{7} is held/.test(text)) ? true : null), {
    withinMs: 90_000,
    late: () => `no mail told of a hold: ${mail.mails.length} mails`,
  })

  const receiver = await openReceiver()
  t.after(() => receiver.close())
  const secret = await tryWebhook(walk, page, receiver.url)
  receiver.trust(secret)
  const seen = new Map<string, number>()
  for (const { id } of receiver.deliveries) seen.set(id, (seen.get(id) ?? 0) + 1)
  assert.ok(receiver.deliveries.length >= 2)

  const site = await openForeignSite()
  t.after(() => site.close())
  const shared = await openShared(walk, page, { shipmentId, origin: site.origin })
  await showWidget(walk, site, shared)
  await page.goto(`${program.apiUrl}/`)
  await page.getByText('Latest changes').waitFor()
  for (const [colorScheme, width] of [
    ['light', 1_360],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await assertAccessible(page, `the overview, ${colorScheme}, ${width}`)
  }
  assert.deepEqual(faults, [])
  await close()
})
