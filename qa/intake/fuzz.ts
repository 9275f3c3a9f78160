/**
 * Damaged deliveries, for a given time: mutated, cut, spliced and inflated. Cutting and reading must not throw, must
 * take time in proportion to the bytes, must keep what is complete before the damage, and must not leak memory.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { MessagePart } from '../../src/connectors/pushed-source.ts'
import { findPushedSource } from '../../src/connectors/pushed-source-registry.ts'
import { chance } from '../kill/chance.ts'
import type { Report } from '../kill/checks.ts'
import { type Language, languages } from './carries.ts'
import { joinSendings, profileOf, type Sending } from './deliveries.ts'
import { inventJourneys } from './journeys.ts'
import { mutate } from './mutations.ts'
import { sendBy } from './sendings.ts'

export interface FuzzOptions {
  readonly forMs: number
  readonly seed: number
  readonly say: (sentence: string) => void
}

/** Allowed processor time: a fixed part, and a part for each byte that is cut and read. */
const [cpuMsMin, cpuUsForByte] = [250, 100]
/**
 * A virtual machine on a busy host is charged for time that it did not get. A slow case is tried again, and the
 * shortest time counts.
 */
const triesMax = 5
const heapGrowthMaxMb = 8
const readMax = 40
const measuredEveryMs = 10_000
const problemsMax = 10
const scac = 'HLCU'

interface Tally {
  deliveries: number
  bytes: number
  parts: number
  slowestUsForByte: number
  readonly problems: string[]
}

export async function fuzzReaders({ forMs, seed, say }: FuzzOptions): Promise<Report> {
  const random = chance(seed)
  const seeds = seedsOf(seed)
  const tally: Tally = { deliveries: 0, bytes: 0, parts: 0, slowestUsForByte: 0, problems: [] }
  const heaps: number[] = []
  const startedMs = performance.now()
  let measuredMs = startedMs
  while (performance.now() < startedMs + forMs && tally.problems.length < problemsMax) {
    const language = languages[tally.deliveries % languages.length] ?? 'x12'
    const delivery = invent(seeds[language], language, random)
    const problem = tryOne(language, delivery, tally)
    if (problem !== null) tally.problems.push(`seed ${seed}, delivery ${tally.deliveries}: ${problem}`)
    tally.deliveries += 1
    if (performance.now() < measuredMs + measuredEveryMs) continue
    measuredMs = performance.now()
    heaps.push(heapMb())
    if (heaps.length % 3 === 0)
      say(`${tally.deliveries} deliveries, ${Math.round(tally.bytes / 1e6)} MB, heap ${heaps.at(-1)?.toFixed(1)} MB`)
  }
  // The first measurements include what is loaded only once, such as tables and code.
  const settled = heaps.slice(Math.ceil(heaps.length / 5))
  const growthMb = (settled.at(-1) ?? 0) - (settled[0] ?? 0)
  if (growthMb > heapGrowthMaxMb) tally.problems.push(`the heap grew by ${growthMb.toFixed(1)} MB`)
  const { deliveries, bytes, parts, slowestUsForByte, problems } = tally
  const says = `${deliveries} deliveries of ${Math.round(bytes / 1e6)} MB gave ${parts} parts; at most ${slowestUsForByte.toFixed(1)} µs of the processor for a byte (of deliveries above 4 kB); the heap grew by ${growthMb.toFixed(1)} MB.`
  return { says, problems }
}

interface Delivery {
  /** A complete part at the beginning, which must be kept. Empty when the whole delivery is damaged. */
  readonly good: Buffer
  readonly whole: Buffer
}

function tryOne(language: Language, { good, whole }: Delivery, tally: Tally): string | null {
  tally.bytes += whole.length
  const maxUs = cpuMsMin * 1_000 + cpuUsForByte * whole.length
  try {
    const { parts, us: first } = cutAndRead(language, whole)
    tally.parts += parts.length
    let us = first
    for (let tries = 1; us > maxUs && tries < triesMax; tries += 1) us = Math.min(us, cutAndRead(language, whole).us)
    if (whole.length > 4_000) tally.slowestUsForByte = Math.max(tally.slowestUsForByte, us / whole.length)
    if (us > maxUs) return `${language}: ${Math.round(us / 1_000)} ms for ${whole.length} bytes: ${shown(whole)}`
    if (good.length === 0) return null
    const kept = cut(language, good).parts
    const isKept = kept.every((part, place) => parts[place]?.body.equals(part.body) === true)
    return isKept ? null : `${language}: what stood whole before the damage was lost: ${shown(whole)}`
  } catch (error) {
    return `${language}: ${error instanceof Error ? error.stack : String(error)}: ${shown(whole)}`
  }
}

function cut(language: Language, body: Buffer) {
  const source = findPushedSource(language)
  if (source === null) throw new Error(`no channel can have the language ${language}`)
  return { source, ...source.splitDelivery(body, profileFor(language)) }
}

const profiles = new Map<Language, Readonly<Record<string, unknown>>>()

/** The same object each time, as in a channel. */
function profileFor(language: Language): Readonly<Record<string, unknown>> {
  const profile = profiles.get(language) ?? profileOf(language, scac)
  profiles.set(language, profile)
  return profile
}

/** Also returns the processor time. */
function cutAndRead(language: Language, body: Buffer): { readonly parts: readonly MessagePart[]; readonly us: number } {
  const before = process.cpuUsage()
  const { source, parts } = cut(language, body)
  const snapshot = { status: 200, contentType: null, fetchedAt: '2026-11-01T00:00:00.000Z' }
  for (const part of parts.slice(0, readMax)) {
    const [subject] = part.about
    if (subject === undefined) throw new Error('a part about nothing')
    source.read(
      { ...snapshot, body: part.body },
      { speaker: 'shipping_line', messageSubject: subject },
      profileFor(language),
    )
  }
  // Reads the damaged delivery as if it were one part.
  const subject = { kind: 'container', number: 'TCNU1234565' } as const
  source.read({ ...snapshot, body }, { speaker: 'terminal', messageSubject: subject }, profileFor(language))
  const used = process.cpuUsage(before)
  return { parts, us: used.user + used.system }
}

function invent(seeds: readonly string[], language: Language, random: () => number): Delivery {
  const pick = () => Buffer.from(seeds[Math.floor(random() * seeds.length)] ?? '', 'latin1')
  const damaged = mutate(pick(), pick, random)
  if (random() < 0.5) return { good: Buffer.alloc(0), whole: damaged }
  const first = { bytes: pick().toString('latin1') }
  const good = Buffer.from(joinSendings(language, [first]).toString('latin1'), 'latin1')
  if (language !== 'dcsa') return { good, whole: Buffer.concat([good, damaged]) }
  return { good, whole: Buffer.concat([Buffer.from(`[${first.bytes},`, 'latin1'), damaged]) }
}

/** The output of the writers for twenty journeys, and the public samples of EDI. */
function seedsOf(seed: number): Readonly<Record<Language, readonly string[]>> {
  const journeys = inventJourneys({ count: 20, seed, nowMs: Date.UTC(2026, 10, 1) })
  let number = 0
  const written = (language: Language): readonly string[] =>
    journeys.flatMap((journey) => {
      const by = { number: () => ++number, random: () => 0.5 }
      return sendBy(language, journey, by).sendings.map(({ bytes }: Sending) => bytes)
    })
  return {
    statements: written('statements'),
    dcsa: written('dcsa'),
    x12: [...written('x12'), ...samplesIn('../../test/connectors/x12/fixtures/', /^X12-3(15|22)/)],
    edifact: [...written('edifact'), ...samplesIn('../../test/connectors/edifact/fixtures/samples/', /IFTSTA/)],
  }
}

function samplesIn(folder: string, names: RegExp): readonly string[] {
  const url = new URL(folder, import.meta.url)
  return readdirSync(url)
    .filter((name) => names.test(name))
    .map((name) => readFileSync(new URL(name, url), 'latin1'))
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function heapMb(): number {
  collect()
  return process.memoryUsage().heapUsed / 1e6
}

function shown(body: Buffer): string {
  return JSON.stringify(body.subarray(0, 2_000).toString('latin1'))
}
