/** Every golden story of free time: the snapshots, the terms and calendars, and the expected outcome of each day. */

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { parseStory } from '../../support/story.ts'
import { Telling } from '../../support/telling.ts'
import { bookOf, boxOf, tellCharges } from '../../support/told-charges.ts'

const folder = new URL('.', import.meta.url)
const stories = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .toSorted()
const noCalendars = 'code,entry,on,value\n'

describe('golden stories of free time', () => {
  test('there are at least 25 stories', () => assert.ok(stories.length >= 25, String(stories.length)))
  for (const name of stories) {
    test(`computes the charges of "${name.replaceAll('-', ' ')}" as in days.txt`, () => {
      const read = (file: string) => readFileSync(new URL(`${name}/${file}`, folder), 'utf8')
      const story = parseStory(read('story.txt'))
      const calendars = existsSync(new URL(`${name}/calendars.csv`, folder)) ? read('calendars.csv') : noCalendars
      const book = bookOf(read('terms.csv'), calendars)
      const written = parseDays(read('days.txt'))
      assert.ok(written.length > 0, 'days.txt asks nothing')
      const told = written.map(({ at, until }) => {
        const telling = new Telling(story)
        for (const poll of story.looks) if (poll.at <= at) telling.look(poll)
        const { projection, claims, liveClaims: live } = telling
        assert.ok(projection !== null && story.box !== null)
        const container = boxOf(projection, story.box, { scac: story.line, claims, live })
        const lines = tellCharges(container, book, { now: at, until }, claims)
        const backwards = boxOf(projection, story.box, {
          scac: story.line,
          claims: claims.toReversed(),
          live: live.toReversed(),
        })
        assert.deepEqual(tellCharges(backwards, book, { now: at, until }, claims).toSorted(), lines.toSorted())
        return { at, until, lines }
      })
      assert.deepEqual(told, written)
    })
  }
})

interface Section {
  readonly at: string
  readonly until: string
  readonly lines: string[]
}

/** Each section begins with `@ <now> until <last day>`. */
function parseDays(text: string): readonly Section[] {
  const sections: Section[] = []
  for (const line of text.split('\n').filter((each) => each.trim() !== '' && !each.startsWith('#'))) {
    const [, at, until] = /^@ (\S+) until (\S+)$/.exec(line) ?? []
    if (at !== undefined && until !== undefined) sections.push({ at: at.replace(/Z$/, ':00.000Z'), until, lines: [] })
    else sections.at(-1)?.lines.push(line)
  }
  return sections
}
