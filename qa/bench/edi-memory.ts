/**
 * Cuts one delivery into parts, in its own process, and prints how much more memory the process had at its peak than
 * before.
 */

import { findPushedSource } from '../../src/connectors/pushed-source-registry.ts'
import { manyEdifact, manyX12, shipOfBoxes } from './edi-load.ts'
import { readOrder } from './program.ts'

interface Order {
  readonly load: 'x12' | 'edifact' | 'ship'
  readonly segments: number
}

const { load, segments } = await readOrder<Order>()
const language = load === 'x12' ? 'x12' : 'edifact'
const source = findPushedSource(language)
if (source === null) throw new Error(`no channel can have the language ${language}`)
const write = { x12: manyX12, edifact: manyEdifact, ship: shipOfBoxes }[load]
// Loads everything that is loaded only once, such as the tables of places. This is not to be counted for the delivery.
source.splitDelivery(write(10), {})
const sample = write(100)
const terminators = sample.toString('latin1').match(load === 'x12' ? /~/g : /'/g)?.length ?? 1
const body = write(Math.floor((segments * 100) / terminators))
globalThis.gc?.()
const before = process.memoryUsage().rss
const startedAt = performance.now()
const { parts } = source.splitDelivery(body, {})
const seconds = (performance.now() - startedAt) / 1_000
const peak = Math.max(process.resourceUsage().maxRSS * 1_024, before) - before
process.stdout.write(`${JSON.stringify({ bytes: body.length, peak, parts: parts.length, seconds })}\n`)
