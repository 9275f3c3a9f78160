/** One container of an answer during reading: helpers that find its fields by the pointers of the profile. */

import type { ObservedPlace, SourceKind } from '../../domain/statements/observation.ts'
import { type FactName, type FactObservation, type FactValues, nowhere } from '../../domain/statements/observation.ts'
import { resolvePlace } from '../../reference/places.ts'
import type { IssueList } from '../source-issue.ts'
import { findFirstPointerMatch } from './pointer.ts'
import type { Condition, Facility, FacilityProfile } from './profile.ts'

export interface ContainerContext {
  readonly containerNumber: string
  /** The parsed JSON. */
  readonly value: unknown
  readonly profile: FacilityProfile
  readonly speaker: SourceKind
  /** The place of the container, if the answer or the profile names it. */
  readonly place: ObservedPlace
  /** Zone for times without one; null where it is unknown. */
  readonly zone: string | null
  readonly fetchedAtMs: number
  readonly issues: IssueList
}

export interface FieldText {
  readonly text: string
  readonly path: string
}

/** Something within a container: the container itself, or an element of one of its lists. */
export interface JsonNode {
  readonly value: unknown
  readonly path: string
}

const textLengthMax = 200

/** The text of the first field that has one; the texts in `blanks` count as empty. */
export function textAt(
  { profile, issues }: Pick<ContainerContext, 'profile' | 'issues'>,
  at: string | readonly string[],
  node: JsonNode,
): FieldText | null {
  for (const pointer of typeof at === 'string' ? [at] : at) {
    const found = findFirstPointerMatch(node.value, pointer, node.path)
    if (found === null) continue
    const { value, path } = found
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
      issues.add('wrong_type', { path, lost: 'field' }, 'a text, a number, true or false was expected')
      continue
    }
    const text = normalizeText(String(value))
    if (text === '' || isAnyOf(profile.blanks ?? [], text)) continue
    if (text.length <= textLengthMax) return { text, path }
    issues.add('wrong_type', { path, lost: 'field' }, `the text is longer than ${textLengthMax} characters`)
  }
  return null
}

function normalizeText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
}

export function isAnyOf(options: readonly string[], text: string): boolean {
  return options.some((option) => isSameText(option, text))
}

export function isSameText(a: string, b: string): boolean {
  return a.trim().toUpperCase() === b.trim().toUpperCase()
}

/** Finds the meaning of a code or text, ignoring case; undefined when it is not in the table. */
export function meaningOf<Meaning>(of: Readonly<Record<string, Meaning>>, rawCode: string): Meaning | undefined {
  return Object.entries(of).find(([name]) => isSameText(name, rawCode))?.[1]
}

/** Records a code whose meaning is in the profile, or would be there. */
export function recordCode(
  { issues }: Pick<ContainerContext, 'issues'>,
  { text, path }: FieldText,
  of: { readonly field: string; readonly isMapped: boolean },
): void {
  issues.noteCode({ ...of, code: text.toUpperCase(), reason: '', text: '', path })
}

export function meetsCondition(
  context: Pick<ContainerContext, 'profile' | 'issues'>,
  { at, is }: Condition,
  node: JsonNode,
): boolean {
  const raw = textAt(context, at, node)
  return raw !== null && isAnyOf(is, raw.text)
}

/** Mark in the key of facts that belong to a full picture: the next full picture withdraws those that it leaves out. */
const pictureMark = 'at|'

export function scopeOfKey(key: string): string | null {
  return key.startsWith(pictureMark) ? pictureMark : null
}

/** A container has one value of each fact at a time, so the key consists of the fact and the container. */
export function factOf<Name extends FactName>(
  fact: Name,
  value: FactValues[Name],
  { containerNumber, profile }: Pick<ContainerContext, 'containerNumber' | 'profile'>,
  qualifier?: string,
): FactObservation {
  const plain = [fact, ...(qualifier === undefined ? [] : [qualifier]), containerNumber].join('|')
  const key = profile.isFullPicture === true ? `${pictureMark}${plain}` : plain
  return {
    kind: 'fact',
    key,
    fact,
    value,
    equipment: containerNumber,
    statedAt: null,
    isRetracted: false,
  } as FactObservation
}

/** The facility of the answer: the one that it names, or the only one of the profile. */
export function facilityOf(
  { stands: facilities = [], facility }: FacilityProfile,
  named: FieldText | null,
): Facility | null {
  if (facility === undefined) return facilities.length === 1 ? (facilities[0] ?? null) : null
  if (named === null) return null
  return facilities.find(({ code, port }) => isSameText(code ?? port, named.text)) ?? null
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
