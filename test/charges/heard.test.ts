/** What subscribers hear of charges in the golden stories: each change once, and nothing of days that go by as foreseen. */

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { readCharges } from '../../src/core/charges/charges.ts'
import { type BoxTally, ringOf, sumsOf, tallyOf } from '../../src/core/charges/tally.ts'
import { type TallyChange, tallyChange } from '../../src/core/charges/tally-changes.ts'
import type { TermsBook } from '../../src/core/charges/terms-book.ts'
import { addDays, addMs, localDateIn } from '../../src/core/values/time.ts'
import { parseStory } from '../support/story.ts'
import { Telling } from '../support/telling.ts'
import { bookOf, boxOf } from '../support/told-charges.ts'

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

/** Tallies the box after each look of the story and at each full hour, until 30 days after the last look. */
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
  const looks = [...story.looks]
  const heard: Heard[] = []
  const rings: string[] = []
  let before: BoxTally | null = null
  let hoursLeft = hoursWalked
  for (let at = first.at; hoursLeft > 0; at = addMs(at, hourMs)) {
    const said = []
    while (looks[0] !== undefined && looks[0].at <= at) said.push(looks.shift())
    for (const look of said) if (look !== undefined) telling.look(look)
    if (looks.length === 0) hoursLeft -= 1
    const { projection, claims, liveClaims: live } = telling
    if (projection === null) continue
    if (!projection.containers.some(({ number }) => number === story.box)) continue
    const box = boxOf(projection, story.box, { scac: story.line, claims, live })
    const tally: BoxTally = tallied(box, book, at)
    const ring: string | null = before === null ? null : ringOf(before)
    if (ring !== null && ring <= at) rings.push(at)
    const change = tallyChange(before, tally, first.at)
    if (change !== null) heard.push({ at, change, wasSaid: said.length > 0 })
    before = tally
  }
  return { heard, rings }
}

function tallied(box: Parameters<typeof readCharges>[0], book: TermsBook, now: string): BoxTally {
  const horizon = addDays(localDateIn(now, null), 120)
  return tallyOf(readCharges(box, book, { now, until: horizon }), { now, horizon })
}

function tell({ at, change }: Heard): readonly string[] {
  return [
    `${at.replace(':00.000Z', 'Z')} ${change.kind}`,
    ...change.terms.map(({ kind, before, after, causes }) => {
      const said = after ?? before
      assert.ok(said)
      const { owed } = sumsOf(said, { now: at, until: at.slice(0, 10) })
      const days = [before, after].map((tally) => tally?.lastFreeDay?.day ?? '-').join(' -> ')
      const money = owed.totals.map(({ minor, currency }) => `${minor} ${currency}`).join(' + ')
      return `  ${kind} ${said.code}: last free day ${days}, owed ${money || '0'} for ${owed.chargedDays} days (${causes.join(', ') || 'as foreseen'})`
    }),
  ]
}

describe('what subscribers hear of charges', () => {
  for (const name of stories) {
    const words = name.replaceAll('-', ' ')
    test(`in "${words}" a day that goes by is told only where the first charged day begins, once, and when the timer rings`, () => {
      const { heard, rings } = walk(name)
      const byTime = heard.filter(({ wasSaid }) => !wasSaid)
      for (const { at, change } of byTime) {
        assert.equal(change.kind, 'started', `${at}: ${JSON.stringify(change)}`)
        assert.ok(change.terms.every(({ causes }) => causes.length === 0))
        assert.ok(rings.includes(at), `no timer rings at ${at}`)
      }
    })
    if (!existsSync(new URL(`${name}/heard.txt`, folder))) continue
    test(`in "${words}" subscribers hear exactly what is written`, () => {
      const written = readFileSync(new URL(`${name}/heard.txt`, folder), 'utf8').split('\n')
      assert.deepEqual(
        walk(name).heard.flatMap(tell),
        written.filter((line) => line !== '' && !line.startsWith('#')),
      )
    })
  }
  test('some stories say what is heard', () => {
    const told = stories.filter((name) => existsSync(new URL(`${name}/heard.txt`, folder)))
    assert.ok(told.length >= 8, String(told.length))
  })
})
