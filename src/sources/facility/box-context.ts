/** One box of an answer while it is read: helpers that find its fields by the pointers of the profile. */

import type { ObservedPlace, SourceKind } from '../../core/statements/observation.ts'
import {
  type FactName,
  type FactObservation,
  type FactValues,
  nowhere,
} from '../../core/statements/observation.ts'
import { resolvePlace } from '../../reference/places.ts'
import type { IssueList } from '../source-issue.ts'
import { findOne } from './pointer.ts'
import type { Condition, Facility, FacilityProfile } from './profile.ts'

export interface BoxContext {
  readonly box: string
  /** The parsed JSON. */
  readonly value: unknown
  readonly profile: FacilityProfile
  readonly speaker: SourceKind
  /** The place of the box, if the answer or the profile names it. */
  readonly place: ObservedPlace
  /** Zone for times without one; null where nobody knows it. */
  readonly zone: string | null
  readonly fetchedAtMs: number
  readonly issues: IssueList
}

export interface SaidText {
  readonly text: string
  readonly path: string
}

/** Something within a box: the box itself, or an element of one of its lists. */
export interface Part {
  readonly value: unknown
  readonly path: string
}

const textLengthMax = 200

/** The text of the first field that has one; the words in `blanks` count as empty. */
export function textAt(
  { profile, issues }: Pick<BoxContext, 'profile' | 'issues'>,
  at: string | readonly string[],
  part: Part,
): SaidText | null {
  for (const pointer of typeof at === 'string' ? [at] : at) {
    const found = findOne(part.value, pointer, part.path)
    if (found === null) continue
    const { value, path } = found
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
      issues.add('wrong_type', { path, lost: 'field' }, 'a text, a number, true or false was expected')
      continue
    }
    const text = tidied(String(value))
    if (text === '' || isOneOfWords(profile.blanks ?? [], text)) continue
    if (text.length <= textLengthMax) return { text, path }
    issues.add('wrong_type', { path, lost: 'field' }, `the text is longer than ${textLengthMax} characters`)
  }
  return null
}

function tidied(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
}

export function isOneOfWords(words: readonly string[], text: string): boolean {
  return words.some((word) => isSameWord(word, text))
}

export function isSameWord(a: string, b: string): boolean {
  return a.trim().toUpperCase() === b.trim().toUpperCase()
}

/** Finds the meaning of a word, ignoring case; undefined for a word that is not in the table. */
export function meaningOf<Meaning>(of: Readonly<Record<string, Meaning>>, word: string): Meaning | undefined {
  return Object.entries(of).find(([name]) => isSameWord(name, word))?.[1]
}

/** Notes a word whose meaning stands in the profile, or would stand there. */
export function noteWord(
  { issues }: Pick<BoxContext, 'issues'>,
  { text, path }: SaidText,
  of: { readonly field: string; readonly isMapped: boolean },
): void {
  issues.noteCode({ ...of, code: text.toUpperCase(), reason: '', text: '', path })
}

export function holdsTrue(
  context: Pick<BoxContext, 'profile' | 'issues'>,
  { at, is }: Condition,
  part: Part,
): boolean {
  const said = textAt(context, at, part)
  return said !== null && isOneOfWords(is, said.text)
}

/** Mark in the key of facts that belong to a full picture: the next full picture withdraws those that it leaves out. */
const pictureMark = 'at|'

export function scopeOfKey(key: string): string | null {
  return key.startsWith(pictureMark) ? pictureMark : null
}

/** A box has one value of each fact at a time, so the key consists of the fact and the box. */
export function factOf<Name extends FactName>(
  fact: Name,
  value: FactValues[Name],
  { box, profile }: Pick<BoxContext, 'box' | 'profile'>,
  part?: string,
): FactObservation {
  const plain = [fact, ...(part === undefined ? [] : [part]), box].join('|')
  const key = profile.isFullPicture === true ? `${pictureMark}${plain}` : plain
  return {
    kind: 'fact',
    key,
    fact,
    value,
    equipment: box,
    statedAt: null,
    isRetracted: false,
  } as FactObservation
}

/** The facility of the answer: the one that it names, or the only one of the profile. */
export function facilityOf(
  { stands = [], facility }: FacilityProfile,
  named: SaidText | null,
): Facility | null {
  if (facility === undefined) return stands.length === 1 ? (stands[0] ?? null) : null
  if (named === null) return null
  return stands.find(({ code, port }) => isSameWord(code ?? port, named.text)) ?? null
}

/** Resolves a facility of the profile to a place. */
export function placeOf(facility: Facility | null, speaker: SourceKind): ObservedPlace {
  if (facility === null || speaker === 'rail') return nowhere
  const { port, terminal } = facility
  const found = resolvePlace({
    unlocode: port,
    facilityCode: terminal?.code ?? null,
    facilityCodeListProvider: terminal?.list ?? null,
  })
  return {
    ...nowhere,
    unlocode: found?.place.unlocode ?? null,
    terminalId: found?.terminal?.id ?? null,
    facilityCode: terminal?.code ?? null,
    facilityType: 'POTE',
    name: found === null ? port : null,
    timeZone: found?.timeZone ?? null,
  }
}
