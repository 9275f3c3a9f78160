/**
 * The law: a journey that is sent through any kind of channel alone, or through all at once, in any order and with
 * repetitions, before and after the request, has the result that its statements give.
 */

import { defaultProjectionRules } from '../../src/domain/view/projection-rules.ts'
import { chance } from '../kill/chance.ts'
import type { Report } from '../kill/checks.ts'
import { carries } from './carries.ts'
import type { Sending } from './deliveries.ts'
import { expectedEnd, expectedRawEvents } from './expected.ts'
import { inventJourneys, type Journey } from './journeys.ts'
import { readThrough } from './read-through.ts'
import { type SentJourney, sendBy, shuffled, type Way, ways } from './sendings.ts'
import { openProofStage, type ProofStage } from './stage.ts'

export interface LawOptions {
  readonly journeys: number
  readonly seed: number
  /** All of them when left out. */
  readonly only?: readonly Way[]
  readonly say: (sentence: string) => void
}

/** A time after all events of the sandbox's world of these days. */
const nowMs = Date.UTC(2026, 10, 1)
const roundsOf = (journeys: number): number => (journeys > 100 ? 8 : 4)
const sentAgain = 0.2
const sendingsAtOnce = 500

interface Told extends SentJourney {
  readonly way: Way
  readonly journey: Journey
}

export async function proveLaw({ journeys: count, seed, only = ways, say }: LawOptions): Promise<readonly Report[]> {
  const random = chance(seed)
  let sent = 0
  const journeys = inventJourneys({ count, seed, nowMs })
  const told = only.flatMap((way) =>
    journeys.map((journey): Told => {
      const number = () => ++sent
      return { way, journey, ...sendBy(way, journey, { number, random }) }
    }),
  )
  const stories = new Set(journeys.map(({ scenario }) => scenario)).size
  say(`${journeys.length} journeys of ${stories} kinds, ${sent} sendings by ${only.length} ways.`)
  const now = new Date(nowMs).toISOString()
  const stage = await openProofStage(now)
  try {
    const read = readAll(stage, told, { random, now, seed })
    say(`Read by the readers alone; telling …`)
    const parts = await tellAll(stage, told, { random, say, rounds: roundsOf(count) })
    const ends = await compareEnds(stage, told, { now, seed })
    say(`Compared; folding anew …`)
    const differences = await stage.differencesOfRebuild()
    const record = await stage.checkRecord()
    return [
      read,
      ...ends,
      {
        says: `${parts} parts were taken in; nothing waits, each was heard once by whom it is about.`,
        problems: record,
      },
      { says: 'Every state equals a rebuild.', problems: differences },
    ]
  } finally {
    await stage.close()
  }
}

/** By the readers alone, each journey at once. */
function readAll(
  { fold }: ProofStage,
  told: readonly Told[],
  { random, now, seed }: { readonly random: () => number; readonly now: string; readonly seed: number },
): Report {
  const problems = told.flatMap(({ way, journey, sendings, sayings }): readonly string[] => {
    if (sayings.length === 0) return []
    const again = sendings.filter(() => random() < sentAgain)
    const read = readThrough(fold, journey, shuffled([...sendings, ...again], random), now)
    const expected = expectedEnd(fold, journey, sayings, now)
    return [...new Set([...read.faults, ...differencesOf(expected, read.end)])].map(
      (difference) => `seed ${seed}, ${way}, ${journey.name}: ${difference}`,
    )
  })
  return { says: `${told.length} tellings are read as they were written, without a fault.`, problems }
}

/**
 * It cannot be found by a number that no message names. For a journey under way, the bill may not have been sent yet,
 * or only in a message that takes a statement back, from which nothing is learned.
 */
function isNamed({ journey: { asked }, sayings }: Told): boolean {
  if (asked.type === 'container') return sayings.length > 0
  const kind = asked.type === 'booking_number' ? 'booking' : 'bill'
  return sayings.some((each) => !each.observation.isRetracted && each[kind] === asked.number)
}

function differencesOf(expected: readonly string[], got: readonly string[]): readonly string[] {
  const missing = expected.filter((line) => !got.includes(line))
  const surplus = new Set(got.filter((line) => !expected.includes(line)))
  const lost = missing.filter((line) => {
    const shown = [...surplus].find((other) => isSameEstimate(line, other))
    return shown === undefined || !surplus.delete(shown)
  })
  return [...lost.map((line) => `is missing: ${line}`), ...[...surplus].map((line) => `is too much: ${line}`)]
}

function carriesIds(way: Way): boolean {
  return way !== 'all' && carries[way].calls
}

function differencesOfRawEvents(expected: readonly string[], got: readonly string[]): readonly string[] {
  const twice = got.filter((line, at) => got.indexOf(line) < at)
  return [
    ...expected.filter((line) => !got.includes(line)).map((line) => `lacks the raw event: ${line}`),
    ...got.filter((line) => !expected.includes(line)).map((line) => `has too much the raw event: ${line}`),
    ...twice.map((line) => `has twice the raw event: ${line}`),
  ]
}

/**
 * An estimate is announced again when it moves by an hour. Until then the estimate that was shown first stays, with the visit
 * (`FIHEL#1`) as it was counted then; which one that is depends on the order of receipt. The estimate of the leg is exact.
 */
function isSameEstimate(line: string, other: string): boolean {
  const [one, two] = [line, other].map((text) => estimatePattern.exec(text)?.groups)
  if (one?.['at'] === undefined || two?.['at'] === undefined) return false
  if (one['what'] !== two['what'] || one['place'] !== two['place']) return false
  return Math.abs(Date.parse(one['at']) - Date.parse(two['at'])) < defaultProjectionRules.estimateThresholdMs
}

const estimatePattern = /^(?<what>\S+ estimated \S+) \S+#\S+ (?<place>\S+) (?<at>\S+Z) /

/**
 * In rounds; each is finished before the next begins. Some journeys are requested before their messages come, some in
 * between, some after.
 */
async function tellAll(
  stage: ProofStage,
  told: readonly Told[],
  by: { readonly random: () => number; readonly say: (sentence: string) => void; readonly rounds: number },
): Promise<number> {
  const { random, rounds, say } = by
  const all = told.flatMap(({ way, journey, sendings }) => {
    const again = sendings.filter(() => random() < sentAgain)
    return [...sendings, ...again].map((sending) => ({ way, scac: journey.scac, sending }))
  })
  const inTurn = shuffled(all, random)
  const askedIn = new Map(told.map((each) => [each, Math.floor(random() * (rounds + 1))]))
  let parts = 0
  for (let round = 0; round <= rounds; round += 1) {
    for (const each of told) if (askedIn.get(each) === round) await stage.ask(each.way, each.journey)
    const [from, to] = [round, round + 1].map((n) => Math.floor((n * inTurn.length) / rounds))
    const channels = Map.groupBy(inTurn.slice(from, to), ({ way, scac }) => `${way} ${scac}`)
    for (const sendings of channels.values())
      for (let at = 0; at < sendings.length; at += sendingsAtOnce) {
        const batch = sendings.slice(at, at + sendingsAtOnce)
        const { way, scac } = batch[0] as (typeof batch)[number]
        parts += await stage.send(
          way,
          scac,
          batch.map(({ sending }): Sending => sending),
        )
      }
    await stage.drain()
    await stage.tidy()
    say(`round ${round + 1} of ${rounds + 1}: ${parts} parts so far`)
  }
  return parts
}

async function compareEnds(
  stage: ProofStage,
  told: readonly Told[],
  { now, seed }: { readonly now: string; readonly seed: number },
): Promise<readonly Report[]> {
  const reports: Report[] = []
  for (const way of new Set(told.map((each) => each.way))) {
    const ends = await stage.endsOf(way)
    const rawEvents = await stage.rawEventsOf(way)
    const own = told.filter((each) => each.way === way && isNamed(each))
    let lines = 0
    const problems = own.flatMap(({ journey, sayings, sendings }): readonly string[] => {
      const { scac, asked, name, scenario } = journey
      const expected = expectedEnd(stage.fold, journey, sayings, now)
      const got = ends.get(`${scac} ${asked.type} ${asked.number}`) ?? []
      lines += expected.length
      // Of a box that is known by its number alone, it depends on the order to which trip a late estimate is added.
      const isCompared = (line: string) => asked.type !== 'container' || !line.startsWith('first estimates')
      const differences = [
        ...differencesOf(expected.filter(isCompared), got.filter(isCompared)),
        ...differencesOfRawEvents(
          // Without ids of events it depends on the language what replaces what: its reader says so, in the order of writing.
          carriesIds(way)
            ? expectedRawEvents(journey, sayings, now)
            : readThrough(stage.fold, journey, sendings, now).rawEvents,
          rawEvents.get(`${scac} ${asked.type} ${asked.number}`) ?? [],
        ),
      ]
      return differences.length === 0
        ? []
        : [`seed ${seed}, ${name} (${scenario}, ${asked.type} ${asked.number}): ${differences.slice(0, 4).join('; ')}`]
    })
    const what = way === 'all' ? 'through all ways at once' : `in ${way} alone`
    reports.push({
      says: `${own.length} journeys ${what}: ${lines} lines of their ends are as they were said.`,
      problems,
    })
  }
  return reports
}
