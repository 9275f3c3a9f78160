/**
 * Answers as lines send them, and for each what a person wrote by hand: what must be read of every event, the expected
 * result, and what is lost. One `fixtures/line-….json` and one `line-….txt` for each line.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { type NumberKind, numberKinds } from '../../../src/connectors/source.ts'

export const shapes = ['recorded', 'published', 'assumed'] as const

export interface LineStory {
  readonly scac: string
  /** Which API of the line, if it has several; empty for the one in its profile. */
  readonly variant: string
  /** How well the shape of the answer is known; `fixtures/README.md` says more. */
  readonly shape: (typeof shapes)[number]
  readonly knownBy: string
  readonly asks: { readonly kind: NumberKind; readonly number: string }
  readonly answer: Buffer
  /** How many events the answer has, counted by hand. */
  readonly events: number
  /** The statements of the answer besides events: `fact container value`. */
  readonly facts: readonly string[]
  readonly rows: readonly Row[]
  readonly losses: readonly Loss[]
}

/** One statement that is read: when, what, where and by what ship, as `lines.test.ts` writes them. */
export interface Row {
  readonly said: string
  /** Names of milestones, or `raw: ` and the reason why the event is not a milestone. */
  readonly comesTo: string
  /** The present result if it is still wrong. A test fails as soon as the result is right. */
  readonly today: string | null
}

export interface Loss {
  readonly path: string
  readonly kind: string
  readonly what: string
  readonly why: string
}

const folder = new URL('./fixtures/', import.meta.url)

export function readLineStories(): readonly LineStory[] {
  return readdirSync(folder)
    .filter((file) => /^line-[\w-]+\.txt$/.test(file))
    .toSorted()
    .map((file) =>
      parseLineStory(
        readFileSync(new URL(file, folder), 'utf8'),
        readFileSync(new URL(file.replace(/txt$/, 'json'), folder)),
      ),
    )
}

function parseLineStory(text: string, answer: Buffer): LineStory {
  const header = new Map<string, string>()
  const facts: string[] = []
  const rows: Row[] = []
  const losses: Loss[] = []
  let isLost = false
  for (const line of text.split('\n')) {
    const cells = line.split(' | ')
    if (line === '' || line.startsWith('#')) continue
    if (line === 'lost') isLost = true
    else if (isLost) {
      const [path = '', kind = '', what = '', why = ''] = cells
      losses.push({ path, kind, what, why })
    } else if (cells.length > 1) {
      const [, comesTo = '', today = null] = /^(.*?)(?: \(today (.*)\))?$/.exec(cells.at(-1) ?? '') ?? []
      rows.push({ said: cells.slice(0, -1).join(' | '), comesTo, today })
    } else if (line.startsWith('fact ')) facts.push(line.slice('fact '.length))
    else {
      const [word = '', ...rest] = line.split(' ')
      header.set(word, rest.join(' '))
    }
  }
  const get = (word: string): string => {
    const value = header.get(word)
    if (value === undefined) throw new Error(`a line's story lacks its \`${word}\``)
    return value
  }
  const [requested = '', number = ''] = get('asks').split(' ')
  const kind = numberKinds.find((each) => each === requested)
  const shape = shapes.find((each) => each === get('shape'))
  if (kind === undefined || shape === undefined) throw new Error(`${get('line')}: no such kind or shape`)
  return {
    scac: get('line'),
    variant: header.get('variant') ?? '',
    shape,
    knownBy: get('known'),
    asks: { kind, number },
    answer,
    events: Number(get('events')),
    facts,
    rows,
    losses,
  }
}
