/**
 * `npm run qa -- map-pictures`: draws the map documents of sandbox journeys at five stages as PNG, for people to look at.
 * Starts the real program, tracks shipments across the Pacific, and draws each stage when the first container reaches
 * it.
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { freePorts, makeDataFolder, type Program, startProgram } from '../test/e2e/program.ts'
import { openBrowser } from '../test/support/browser.ts'
import { drawMap, height, width } from './map-pictures/draw.ts'
import type { MapDocument } from './map-pictures/features.ts'
import { type Stage, scoreOf, stageOf, stages } from './map-pictures/stages.ts'
import { takePicture } from './map-pictures/take-picture.ts'

const { values: options } = parseArgs({
  options: { to: { type: 'string' }, seconds: { type: 'string', default: '150' } },
})
const folder = options.to ?? fileURLToPath(new URL('../docs/pictures/', import.meta.url))

interface Resource {
  readonly id: string
  readonly attributes: Readonly<Record<string, unknown>>
}

interface Seen {
  readonly number: string
  readonly status: string
  readonly document: MapDocument
}

const data = makeDataFolder()
const program = startProgram({ dataFolder: data.path, ports: await freePorts() })
let seen: ReadonlyMap<Stage, Seen>
try {
  const ask = askWith(program, await program.up)
  await trackPacific(ask)
  seen = await watch(ask, Date.now() + Number(options.seconds) * 1_000)
} finally {
  await program.kill('SIGTERM')
  await data.remove()
}
mkdirSync(folder, { recursive: true })
const browser = await openBrowser()
for (const [stage, { number, status, document }] of seen) {
  const svg = drawMap(document, {
    title: `${stages[stage]}`,
    subtitle: `Container ${number}, ${status.replaceAll('_', ' ')}; GET /v2/containers/:id/map_geojson of a sandbox journey`,
  })
  const path = join(folder, `map-${stage}.png`)
  await takePicture(browser, { svg, width, height, path })
  if (options.to !== undefined) writeFileSync(join(folder, `map-${stage}.geojson`), JSON.stringify(document))
  console.log(path)
}
await browser.close()
const missed = Object.keys(stages).filter((stage) => !seen.has(stage as Stage))
if (missed.length > 0) {
  console.error(`No container came to: ${missed.join(', ')}.`)
  process.exitCode = 1
}

type Ask = (path: string, body?: unknown) => Promise<Readonly<Record<string, unknown>>>

function askWith({ apiUrl }: Program, key: string): Ask {
  return async (path, body) => {
    const answer = await fetch(apiUrl + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Token ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (answer.status === 404 || answer.status === 429) return {}
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Readonly<Record<string, unknown>>
  }
}

interface Listed {
  readonly scac: string
  readonly kind: string
  readonly number: string
  readonly scenario: string
  readonly from: string
  readonly to: string
}

/**
 * Tracks shipments across the Pacific, also with a transshipment or a train. Some have not sailed yet and some are at
 * sea, so that all stages come soon.
 */
async function trackPacific(ask: Ask): Promise<void> {
  const chosen: Listed[] = []
  for (const stage of ['booked', 'empty_out', 'gated_in', 'sailing']) {
    const answer = await fetch(`${program.sandboxUrl}/sandbox/numbers?limit=2000&stage=${stage}`)
    const listed = ((await answer.json()) as readonly Listed[]).filter(
      ({ kind, from, to }) =>
        (kind === 'bill_of_lading') === (stage === 'sailing') &&
        /^(CN|KR|JP|TW|VN|TH|SG|HK)/.test(from) &&
        /^(US|CA|MX)/.test(to),
    )
    for (const scenario of ['rail_interchange', 'transshipment', 'plain'])
      chosen.push(...listed.filter((each) => each.scenario === scenario).slice(0, 2))
  }
  for (const { scac, kind, number, scenario, from, to } of chosen) {
    const attributes = {
      request_type: kind === 'booking' ? 'booking_number' : kind,
      request_number: number,
      scac,
    }
    await ask('/v2/tracking_requests', { data: { type: 'tracking_request', attributes } })
    console.log(`Tracking ${number} of ${scac} from ${from} to ${to}: ${scenario}`)
  }
}

/** Runs until the time is over. For each stage the document that shows the most is kept. */
async function watch(ask: Ask, until: number): Promise<ReadonlyMap<Stage, Seen>> {
  const found = new Map<Stage, Seen>()
  while (Date.now() < until) {
    const containers = ((await ask('/v2/containers'))['data'] ?? []) as readonly Resource[]
    for (const { id, attributes } of containers.slice(0, 20)) {
      const document = await ask(`/v2/containers/${id}/map_geojson`)
      if (!('features' in document)) continue
      const status = String(attributes['current_status'])
      const map = document as unknown as MapDocument
      const stage = stageOf(map, status)
      const known = stage === null ? undefined : found.get(stage)
      if (stage === null || (known !== undefined && scoreOf(known.document) >= scoreOf(map))) continue
      found.set(stage, { number: String(attributes['number']), status, document: map })
      console.log(`${stage}: ${attributes['number']}, ${map.features.length} features`)
    }
    await pause(2_000)
  }
  return found
}
