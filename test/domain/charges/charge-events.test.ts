/** The charge events of the golden stories: each change is sent once, and a forecast day that passes sends nothing. */

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { calculateCharges } from '../../../src/domain/charges/read-charges.ts'
import {
  type ContainerTally,
  calculateChargeSums,
  findNextTallyTime,
  tallyOf,
} from '../../../src/domain/charges/tally.ts'
import { diffTallies, type TallyChange } from '../../../src/domain/charges/tally-changes.ts'
import type { TermsBook } from '../../../src/domain/charges/terms-book.ts'
import { addDays, addMs, localDateIn } from '../../../src/domain/values/time.ts'
import { parseStory } from '../../support/story.ts'
import { Telling } from '../../support/telling.ts'
import { bookOf, boxOf } from '../../support/told-charges.ts'

const folder = new URL('.', import.meta.url)
const stories = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .toSorted()
const hourMs = 3_600_000
const hoursWalked = 24 * 30

interface Heard {
  readonly at: string
  readonly change: TallyChange
  readonly wasSaid: boolean
}

/** Tallies the container after each poll of the story and at each full hour, until 30 days after the last poll. */
function walk(name: string): { readonly heard: readonly Heard[]; readonly rings: readonly string[] } {
  const read = (file: string) => readFileSync(new URL(`${name}/${file}`, folder), 'utf8')
  const story = parseStory(read('story.txt'))
  const calendars = existsSync(new URL(`${name}/calendars.csv`, folder))
    ? read('calendars.csv')
    : 'code,entry,on,value\n'
  const book = bookOf(read('terms.csv'), calendars)
  const telling = new Telling(story)
  const [first] = story.looks
  assert.ok(first !== undefined && story.box !== null)
  const polls = [...story.looks]
  const received: Heard[] = []
  const rings: string[] = []
  let before: ContainerTally | null = null
  let hoursLeft = hoursWalked
  for (let at = first.at; hoursLeft > 0; at = addMs(at, hourMs)) {
    const stated = []
    while (polls[0] !== undefined && polls[0].at <= at) stated.push(polls.shift())
    for (const poll of stated) if (poll !== undefined) telling.look(poll)
    if (polls.length === 0) hoursLeft -= 1
    const { projection, claims, liveClaims: live } = telling
    if (projection === null) continue
    if (!projection.containers.some(({ number }) => number === story.box)) continue
    const container = boxOf(projection, story.box, { scac: story.line, claims, live })
    const tally: ContainerTally = tallied(container, book, at)
    const ring: string | null = before === null ? null : findNextTallyTime(before)
    if (ring !== null && ring <= at) rings.push(at)
    const change = diffTallies(before, tally, first.at)
    if (change !== null) received.push({ at, change, wasSaid: stated.length > 0 })
    before = tally
  }
  return { heard: received, rings }
}

function tallied(container: Parameters<typeof calculateCharges>[0], book: TermsBook, now: string): ContainerTally {
  const horizon = addDays(localDateIn(now, null), 120)
  return tallyOf(calculateCharges(container, book, { now, until: horizon }), { now, horizon })
}

function tell({ at, change }: Heard): readonly string[] {
  return [
    `${at.replace(':00.000Z', 'Z')} ${change.kind}`,
    ...change.terms.map(({ kind, before, after, causes }) => {
      const stated = after ?? before
      assert.ok(stated)
      const { owed } = calculateChargeSums(stated, { now: at, until: at.slice(0, 10) })
      const days = [before, after].map((tally) => tally?.lastFreeDay?.day ?? '-').join(' -> ')
      const money = owed.totals.map(({ minor, currency }) => `${minor} ${currency}`).join(' + ')
      return `  ${kind} ${stated.code}: last free day ${days}, owed ${money || '0'} for ${owed.chargedDays} days (${causes.join(', ') || 'as foreseen'})`
    }),
  ]
}

describe('charge events for subscribers', () => {
  for (const name of stories) {
    const words = name.replaceAll('-', ' ')
    test(`are sent without a new statement only when charges start, in the story ${words}`, () => {
      const { heard: received, rings } = walk(name)
      const byTime = received.filter(({ wasSaid }) => !wasSaid)
      for (const { at, change } of byTime) {
        assert.equal(change.kind, 'started', `${at}: ${JSON.stringify(change)}`)
        assert.ok(change.terms.every(({ causes }) => causes.length === 0))
        assert.ok(rings.includes(at), `no timer rings at ${at}`)
      }
    })
    if (!existsSync(new URL(`${name}/events.txt`, folder))) continue
    test(`are exactly the events in events.txt, in the story ${words}`, () => {
      const written = readFileSync(new URL(`${name}/events.txt`, folder), 'utf8').split('\n')
      assert.deepEqual(
        walk(name).heard.flatMap(tell),
        written.filter((line) => line !== '' && !line.startsWith('#')),
      )
    })
  }
  test('at least eight stories have expected events', () => {
    const told = stories.filter((name) => existsSync(new URL(`${name}/events.txt`, folder)))
    assert.ok(told.length >= 8, String(told.length))
  })
})
