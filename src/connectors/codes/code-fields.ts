/**
 * Where the profile of a channel gives meanings to the sender's own codes, and which meanings there are. The profile is
 * the only place where a mapping is stored; this module reads mappings from it and writes one into it.
 */

import { isObject, type JsonObject } from '../../domain/values/json-value.ts'
import { findFirstPointerMatch, splitJsonPointer } from '../terminal-api/pointer.ts'
import { readEntryMeaning, writeEntryMeaning } from './entry-meanings.ts'

export const codeKinds = [
  'status',
  'event',
  'hold',
  'hold_status',
  'fee',
  'available',
  'reference',
  'report',
  'place',
  'terminal',
] as const
export type CodeKind = (typeof codeKinds)[number]

export interface CodeField {
  readonly kind: CodeKind
  /** JSON pointer to the place in the profile. */
  readonly field: string
  /**
   * `names`: code → meaning. `words`: meaning → its codes. `entries`: a list of EDIFACT codes with the meaning of each.
   */
  readonly shape: 'names' | 'words' | 'entries'
  /** False where upper and lower case are different codes. */
  readonly ignoresCase: boolean
  /** The form of a code of this kind. Absent: any text fits. */
  readonly pattern?: RegExp
}

/** What is mapped: a code, in EDIFACT with its reason and its text where the meaning is only for these. */
export interface MappedCode {
  readonly code: string
  readonly reason: string
  readonly text: string
}

export interface CodeMapping extends MappedCode {
  readonly kind: CodeKind
  readonly field: string
  readonly means: string
}

type Profile = JsonObject

const makeNamesCodeField = (kind: CodeKind, field: string, ignoresCase: boolean, pattern?: RegExp): CodeField => {
  return { kind, field, shape: 'names', ignoresCase, ...(pattern !== undefined && { pattern }) }
}
const makeMeaningCodeField = (kind: CodeKind, field: string): CodeField => {
  return { kind, field, shape: 'words', ignoresCase: true }
}

/** The fields of a profile in this language; none where the language has no codes of the sender's own. */
export function codeFieldsOf(language: string, profile: Profile): readonly CodeField[] {
  switch (language) {
    case 'x12':
      return [
        makeNamesCodeField('status', '/codes', false, /^[A-Z0-9]{1,3}$/),
        makeNamesCodeField('reference', '/references', false, /^[A-Z0-9]{1,3}$/),
        makeNamesCodeField('place', '/places', true, /^.{1,30}$/),
        makeNamesCodeField('terminal', '/terminals', false, /^.{1,30}$/),
      ]
    case 'edifact':
      return [
        { kind: 'status', field: '/codes', shape: 'entries', ignoresCase: true },
        makeNamesCodeField('report', '/reports', false, /^.{1,20}$/),
      ]
    case 'dcsa':
      return [makeNamesCodeField('event', '/enumAliases', true)]
    case 'facility':
      return facilityFields(profile)
    default:
      return []
  }
}

function facilityFields(profile: Profile): readonly CodeField[] {
  const elements = (at: string, needs: string, field: (index: number) => CodeField): readonly CodeField[] =>
    listAt(profile, at).flatMap((each, index) => (isObject(each) && needs in each ? [field(index)] : []))
  return [
    ...elements('/events', 'codes', (index) => makeNamesCodeField('status', `/events/${index}/codes`, true)),
    ...elements('/holds', 'names', (index) => makeNamesCodeField('hold', `/holds/${index}/names`, true)),
    ...elements('/holds', 'status', (index) => makeMeaningCodeField('hold_status', `/holds/${index}/status`)),
    ...elements('/holds', 'released', (index) => makeMeaningCodeField('hold_status', `/holds/${index}`)),
    ...elements('/fees', 'names', (index) => makeNamesCodeField('fee', `/fees/${index}/names`, true)),
    ...(valueAt(profile, '/facts/available') === undefined
      ? []
      : [makeMeaningCodeField('available', '/facts/available')]),
  ]
}

/** The meanings of a `words` field. */
const meaningsByKind: Readonly<Partial<Record<CodeKind, readonly string[]>>> = {
  hold_status: ['hold', 'pending', 'released'],
  available: ['yes', 'no', 'neither'],
}

export function listMappings(fields: readonly CodeField[], profile: Profile): readonly CodeMapping[] {
  return fields.flatMap(({ kind, field, shape }) => {
    const of = (code: string, means: string, more = plain): CodeMapping => {
      return { kind, field, code, means, ...more }
    }
    if (shape === 'entries') return listAt(profile, field).flatMap((each) => entryMapping(each, of))
    const value = valueAt(profile, field)
    if (!isObject(value)) return []
    if (shape === 'names')
      return Object.entries(value).flatMap(([code, means]) => (typeof means === 'string' ? [of(code, means)] : []))
    return (meaningsByKind[kind] ?? []).flatMap((means) =>
      listAt(value, `/${means}`).flatMap((code) => (typeof code === 'string' ? [of(code, means)] : [])),
    )
  })
}

const plain: Pick<MappedCode, 'reason' | 'text'> = { reason: '', text: '' }

function entryMapping(
  entry: unknown,
  of: (code: string, means: string, more: Pick<MappedCode, 'reason' | 'text'>) => CodeMapping,
): readonly CodeMapping[] {
  if (!isObject(entry) || typeof entry['code'] !== 'string') return []
  const means = writeEntryMeaning(entry['means'])
  const text = (name: string) => (typeof entry[name] === 'string' ? entry[name] : '')
  return means === null ? [] : [of(entry['code'], means, { reason: text('reason'), text: text('text') })]
}

/** The profile with this meaning of the code. Where `means` is null, the profile without any meaning of the code. */
export function withMapping(
  profile: Profile,
  { field, shape, kind, ignoresCase }: CodeField,
  mapped: MappedCode & { readonly means: string | null },
): Profile {
  const { code, means } = mapped
  const isOther = (each: unknown) => typeof each !== 'string' || !isSameCode(each, code, ignoresCase)
  if (shape === 'entries') {
    const others = listAt(profile, field).filter((each) => !isEntryOf(each, mapped))
    const { reason, text } = mapped
    const entry = { code, ...(reason && { reason }), ...(text && { text }) }
    const entryMeaning = means === null ? null : readEntryMeaning(means)
    return withValue(profile, field, entryMeaning === null ? others : [...others, { ...entry, means: entryMeaning }])
  }
  const value = valueAt(profile, field)
  const record = isObject(value) ? value : {}
  if (shape === 'names') {
    const others = Object.entries(record).filter(([each]) => isOther(each))
    return withValue(profile, field, Object.fromEntries([...others, ...(means === null ? [] : [[code, means]])]))
  }
  const changed = (meaningsByKind[kind] ?? []).flatMap((meaning) => {
    const before = listAt(record, `/${meaning}`)
    const codes = [...before.filter(isOther), ...(meaning === means ? [code] : [])]
    return codes.length === 0 && record[meaning] === undefined ? [] : [[meaning, codes] as const]
  })
  return withValue(profile, field, { ...record, ...Object.fromEntries(changed) })
}

function isEntryOf(entry: unknown, { code, reason, text }: MappedCode): boolean {
  if (!isObject(entry)) return false
  const same = (name: string, value: string) => {
    const member = entry[name]
    return isSameCode(typeof member === 'string' ? member : '', value, true)
  }
  return same('code', code) && same('reason', reason) && same('text', text)
}

export function isSameCode(a: string, b: string, ignoresCase: boolean): boolean {
  const normalize = (text: string) => text.trim().replace(/\s+/g, ' ')
  return ignoresCase ? normalize(a).toUpperCase() === normalize(b).toUpperCase() : a === b
}

function valueAt(value: unknown, pointer: string): unknown {
  return findFirstPointerMatch(value, pointer)?.value
}

function listAt(value: unknown, pointer: string): readonly unknown[] {
  const found = valueAt(value, pointer)
  return Array.isArray(found) ? found : []
}

/** A copy with this value at the place; members that are missing on the way are made. */
function withValue(profile: Profile, pointer: string, value: unknown): Profile {
  const put = (into: unknown, steps: readonly string[]): unknown => {
    const [step, ...rest] = steps
    if (step === undefined) return value
    if (Array.isArray(into)) return into.map((each, index) => (String(index) === step ? put(each, rest) : each))
    const members = isObject(into) ? into : {}
    return { ...members, [step]: put(members[step], rest) }
  }
  return put(profile, splitJsonPointer(pointer)) as Profile
}
