/**
 * Reads a golden story: what was read when, which events subscribers got, which they must not get, and how it ended.
 */

import { type JourneyLine, parseJourneyLine } from '../../src/domain/notation/notation.ts'
import type { Source } from '../../src/domain/statements/observation.ts'
import type { PollOutcome } from '../../src/domain/tracking-requests/tracking-request.ts'
import { parseEventTime } from '../../src/domain/values/time.ts'
import { zones } from './zones.ts'

export interface Said {
  readonly line: Extract<JourneyLine, { kind: 'said' }>
  readonly text: string
}

export interface Look {
  readonly at: string
  /** `reads`: a valid answer; `answers`: how the look ended without one; `timer`: nothing was looked at. */
  readonly kind: 'reads' | 'answers' | 'timer'
  readonly outcome: PollOutcome['kind']
  /** The source that sends all it knows, when the look says `whole picture of carrier:…`. */
  readonly wholePictureOf: Source | null
  readonly said: readonly Said[]
  readonly hears: readonly string[]
  readonly not: readonly string[]
  readonly stands: readonly string[]
}

export interface Story {
  readonly why: string
  readonly request: { readonly kind: 'bill_of_lading' | 'booking' | 'container'; readonly number: string }
  readonly requestedAt: string
  readonly line: string
  readonly isAverageWeight: boolean
  readonly box: string | null
  readonly looks: readonly Look[]
}

type Section = 'why' | 'reads' | 'hears' | 'not' | 'stands'
interface Draft {
  readonly look: Omit<Look, 'said' | 'hears' | 'not' | 'stands'>
  readonly said: Said[]
  readonly hears: string[]
  readonly not: string[]
  readonly stands: string[]
}

/** Throws with the number of a line that it does not understand. */
export function parseStory(text: string): Story {
  const why: string[] = []
  const header = new Map<string, string>()
  const drafts: Draft[] = []
  let section: Section | 'header' = 'header'
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    const fail = (problem: string) => new Error(`line ${index + 1}: ${problem}: ${line}`)
    const draft = drafts.at(-1)
    if (line === '') continue
    if (line === '# why') section = 'why'
    else if (line === '# story') section = 'header'
    else if (line.startsWith('#')) continue
    else if (line.startsWith('@')) {
      drafts.push({ look: parseLook(line, fail), said: [], hears: [], not: [], stands: [] })
      section = 'reads'
    } else if (draft !== undefined && (line === 'hears' || line === 'not')) section = line
    else if (draft !== undefined && line === 'then') section = 'stands'
    else if (section === 'why') why.push(line)
    else if (section === 'header') {
      const [word = '', ...rest] = line.split(' ')
      header.set(word, rest.join(' '))
    } else if (draft === undefined) throw fail('nothing has been looked at yet')
    else if (section === 'reads') {
      const box = header.get('box') ?? null
      const parsed = parseJourneyLine(line, { timeZoneOf: (code) => zones.get(code) ?? null, equipment: box })
      if (parsed.kind === 'error') throw fail(`column ${parsed.column}: ${parsed.problem}`)
      if (parsed.kind === 'said') {
        const code = parsed.observation.kind === 'event' ? parsed.observation.place.unlocode : null
        if (code !== null && !zones.has(code)) throw fail(`no zone is known of ${code}`)
        draft.said.push({ line: parsed, text: line })
      }
    } else draft[section].push(line)
  }
  const [kind = '', number = ''] = (header.get('request') ?? '').split(' ')
  if (kind !== 'bill_of_lading' && kind !== 'booking' && kind !== 'container')
    throw new Error('a story needs `request bill_of_lading|booking|container NUMBER`')
  const looks = drafts.map(({ look, ...rest }) => ({ ...look, ...rest }))
  return {
    why: why.join(' '),
    request: { kind, number },
    requestedAt: instantIn(header.get('requested') ?? '') ?? looks[0]?.at ?? '',
    line: header.get('line') ?? '',
    isAverageWeight: header.has('average-weight'),
    box: header.get('box') ?? null,
    looks,
  }
}

function parseLook(line: string, fail: (problem: string) => Error): Draft['look'] {
  const [, time = '', verb = '', rest = ''] = /^@ (\S+) (\w+)\s*(.*)$/.exec(line) ?? []
  const at = instantIn(time)
  if (at === null) throw fail('a look begins with @ and an instant')
  const base = { at, outcome: 'found' as const, wholePictureOf: null }
  if (verb === 'timer') return { ...base, kind: 'timer' }
  if (verb === 'answers') return { ...base, kind: 'answers', outcome: rest as PollOutcome['kind'] }
  if (verb !== 'reads') throw fail('a look reads, answers or is a timer')
  if (rest === '') return { ...base, kind: 'reads' }
  const whole = /^whole picture of (\w+):(\w+)$/.exec(rest)
  const kind = whole?.[1] === 'carrier' ? 'shipping_line' : whole?.[1]
  if (kind !== 'shipping_line' && kind !== 'terminal' && kind !== 'rail')
    throw fail('only `whole picture of carrier:CODE` may follow')
  return { ...base, kind: 'reads', wholePictureOf: { kind, code: whole?.[2] ?? '' } }
}

function instantIn(text: string): string | null {
  const time = parseEventTime(text)
  return time?.kind === 'instant' ? time.at : null
}
