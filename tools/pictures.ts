/**
 * `npm run pictures`: takes docs/pictures/*.png from the real program with the sandbox, in Chromium, on the way of a new
 * user (test/e2e/portal-walk.ts). `-- --to <folder>` writes them to another folder. `-- --pages <folder>` takes each page
 * there instead, at three widths and in both themes, as the test of all pages looks at it.
 */

import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import {
  enterByFirstLink,
  openForeignSite,
  openProof,
  openShared,
  sandboxNumbers,
  seeClocks,
  showWidget,
  trackPasted,
  tryWebhook,
  type Walk,
} from '../test/e2e/portal-walk.ts'
import { freePorts, makeDataFolder, root, startProgram } from '../test/e2e/program.ts'
import { openReceiver } from '../test/e2e/receiver.ts'
import { openBrowser } from '../test/support/browser.ts'

const { values: options } = parseArgs({ options: { to: { type: 'string' }, pages: { type: 'string' } } })
if (options.pages !== undefined) process.exit(takePages(resolve(options.pages)))
const folder = options.to ?? fileURLToPath(new URL('../docs/pictures/', import.meta.url))
/** Stations of the walk that are shown in the documents. */
const taken = ['track', 'shipments', 'shipment', 'who-said', 'charges', 'webhooks', 'shared']
const numbersCount = 30
/** The simulated journeys need some seconds before arrivals have moved. */
const journeysMs = 15_000
const settlesMs = 2_500

const browser = await openBrowser({ hasWebGl: true })
const data = makeDataFolder()
const program = startProgram({ dataFolder: data.path, ports: await freePorts() })
const receiver = await openReceiver()
const site = await openForeignSite()
try {
  await program.up
  mkdirSync(folder, { recursive: true })
  const walk: Walk = { browser, program, dataFolder: data.path, look: take }
  const { page } = await enterByFirstLink(walk)
  await trackPasted(walk, page, await sandboxNumbers(program, numbersCount))
  console.log('Journeys go on for a while …')
  await pause(journeysMs)
  await page.goto(`${program.apiUrl}/attention`)
  await page.getByText('Alert rules').waitFor()
  await save('attention', page)
  await page.goto(`${program.apiUrl}/`)
  await page.getByText('Latest changes').waitFor()
  await save('overview', page)
  await page.goto(`${program.apiUrl}/fleet`)
  await page.locator('.fleet-map canvas').waitFor()
  await save('fleet', page)
  const shipmentId = await openProof(walk, page)
  await seeClocks(walk, page)
  await tryWebhook(walk, page, receiver.url)
  await showWidget(walk, site, await openShared(walk, page, { shipmentId, origin: site.origin }))
  await page.goto(`${program.apiUrl}/developers/explorer`)
  await page.getByText('List tracking requests').first().waitFor()
  await save('explorer', page)
} finally {
  site.close()
  await receiver.close()
  await browser.close()
  await program.kill('SIGTERM')
  await data.remove()
}

/** Returns the exit code of the test. */
function takePages(to: string): number {
  mkdirSync(to, { recursive: true })
  const args = ['tools/test.ts', '--once', 'test/portal-server/in-browser.test.ts']
  const env = { ...process.env, LANDFALL_TEST_PICTURES: to }
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env })
  if (status === 0) console.log(`The pictures of all pages are in ${to}.`)
  else console.error(`A page did not pass its test. The pictures that were taken are in ${to}.`)
  return status ?? 1
}

async function take(name: string, page: Page): Promise<void> {
  if (taken.includes(name)) await save(name, page)
}

async function save(name: string, page: Page): Promise<void> {
  await pause(settlesMs)
  const file = join(folder, `${name}.png`)
  await page.screenshot({ path: file })
  console.log(file)
}
