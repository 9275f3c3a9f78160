/**
 * `npm run pictures`: takes docs/pictures/*.png from the real program with the sandbox, in Chromium. `-- --to <folder>`
 * writes them to another folder.
 */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { freePorts, makeDataFolder, startProgram } from '../test/e2e/program.ts'
import { openBrowser } from '../test/support/browser.ts'
import { eventually } from '../test/support/eventually.ts'

const { values: options } = parseArgs({ options: { to: { type: 'string' } } })
const folder = options.to ?? fileURLToPath(new URL('../docs/pictures/', import.meta.url))
const settlesWithinMs = 4_000
/** How long to wait for a correction. Without one the journey is shown as it is. */
const correctionWithinMs = 90_000

interface Resource {
  readonly id: string
  readonly type: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships: Readonly<Record<string, { readonly data?: unknown }>>
}

const browser = await openBrowser()
const data = makeDataFolder()
const program = startProgram({ dataFolder: data.path, ports: await freePorts() })
try {
  const key = await program.up
  const ask = await askWith(key)
  await trackThree(ask)
  await shipmentsOf(ask, { atLeast: 3 })
  const { shipmentId, containerId } = await correctedOne(ask)
  mkdirSync(folder, { recursive: true })
  const journey = `shipment=${shipmentId}&container=${containerId}`
  await take('journey', `/#key=${key}&${journey}`, { height: 1_720 })
  await take('portal', `/#key=${key}`, { height: 900 })
  await take('docs', '/docs', { height: 900 })
} finally {
  await browser.close()
  await program.kill('SIGTERM')
  await data.remove()
}

type Ask = (path: string, body?: unknown) => Promise<Record<string, unknown>>

async function askWith(key: string): Promise<Ask> {
  return async (path, body) => {
    const answer = await fetch(program.apiUrl + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Token ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Record<string, unknown>
  }
}

async function trackThree(ask: Ask): Promise<void> {
  const { suggestions } = await ask('/portal/suggestions')
  for (const suggestion of (suggestions as readonly Readonly<Record<string, string>>[]).slice(0, 3)) {
    const { request_type, request_number, scac } = suggestion
    const attributes = { request_type, request_number, scac }
    await ask('/v2/tracking_requests', { data: { type: 'tracking_request', attributes } })
    console.log(`Tracking ${request_number} of ${scac}: ${suggestion['about']}`)
  }
}

async function shipmentsOf(ask: Ask, { atLeast }: { atLeast: number }): Promise<readonly Resource[]> {
  return eventually(
    async () => {
      const shipments = (await ask('/v2/shipments'))['data'] as readonly Resource[]
      return shipments.length >= atLeast ? shipments : null
    },
    { withinMs: 60_000, late: () => `${atLeast} shipments did not come in time` },
  )
}

/** The first container with a corrected journey. When none is corrected in time, the newest container. */
async function correctedOne(ask: Ask): Promise<{ shipmentId: string; containerId: string }> {
  let newest: { shipmentId: string; containerId: string } | null = null
  const find = async () => {
    for (const shipment of await shipmentsOf(ask, { atLeast: 3 })) {
      const containers = (shipment.relationships['containers']?.data ?? []) as readonly Resource[]
      for (const { id } of containers) {
        const found = { shipmentId: shipment.id, containerId: id }
        newest ??= found
        const events = (await ask(`/v2/containers/${id}/transport_events?page[size]=100`))[
          'data'
        ] as readonly Resource[]
        if (events.some(wasCorrected)) return found
      }
    }
    return null
  }
  try {
    return await eventually(find, { withinMs: correctionWithinMs, late: () => 'nothing was corrected' })
  } catch (error) {
    if (newest === null) throw error
    console.log('Nothing was corrected in time; the journey is shown as it is.')
    return newest
  }
}

/** A changed estimate does not count as a correction. */
function wasCorrected({ attributes, relationships }: Resource): boolean {
  const isEstimate = String(attributes['event']).includes('.estimated.')
  return !isEstimate && (relationships['previous_version']?.data ?? null) !== null
}

/**
 * Opens the page in a new browser page without earlier state, and takes the picture when it has loaded its data and
 * some live updates.
 */
async function take(name: string, path: string, { height }: { height: number }): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1_280, height } })
  const file = join(folder, `${name}.png`)
  await page.goto(program.apiUrl + path, { waitUntil: 'load' })
  await pause(settlesWithinMs)
  await page.screenshot({ path: file })
  await page.close()
  console.log(file)
}
