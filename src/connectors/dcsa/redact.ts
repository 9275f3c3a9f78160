/**
 * Makes a test fixture of an answer: the same events, places and codes, and nothing that identifies the goods of
 * anybody. Numbers, ids, ships and voyages are replaced, equal ones by equal ones. Times are moved by whole days.
 * Parties, addresses and free text are blanked. The name of a member decides how it is treated; members with an unknown
 * name are blanked.
 */

import { isObject } from '../../domain/values/json-value.ts'
import { err, ok, type Result } from '../../domain/values/result.ts'
import { findCountryCode } from '../../reference/countries.ts'
import { terminalNames } from '../../reference/named-terminals.ts'
import { findNamesakes, findPlaceByCode } from '../../reference/places.ts'
import { plainName } from '../../reference/plain-name.ts'
import { findSubdivisionCode } from '../../reference/subdivisions.ts'
import { distinctiveWords } from '../../reference/terminal-words.ts'
import { allTerminals } from '../../reference/terminals.ts'
import { decodeBody } from '../json-answer.ts'
import type { Page } from '../pages.ts'
import { openPseudonyms, type Pseudonyms } from './pseudonyms.ts'
import { dcsaTreatments, type MemberTreatments, type Treatment } from './treatments.ts'

export interface RedactedAnswer {
  /** JSON, indented by two blanks. */
  readonly text: string
  /** The replacement of a number of the answer, so that a fixture can be polled by the same number. */
  readonly replacementOf: (number: string) => string
}

export interface RedactedPages extends Pick<RedactedAnswer, 'replacementOf'> {
  readonly pages: readonly unknown[]
  /** The replacement of a text that is the value of a member with this treatment. */
  readonly replace: (treatment: Treatment, text: string) => string
  /** Whether a text has a number or a name of the answer that is replaced. */
  readonly identifies: (text: string) => boolean
  /** The texts that stayed as they were, by the name of their member. */
  readonly unchanged: ReadonlyMap<string, ReadonlySet<string>>
}

interface RedactOptions {
  /** The number of days by which all times are moved. */
  readonly shiftDays: number
  /** Those of DCSA when left out. */
  readonly treatments?: MemberTreatments
}

/** Refused: a text that is not JSON, because its members are unknown. */
export function redactAnswer(body: Buffer, options: RedactOptions): Result<RedactedAnswer, string> {
  const redacted = redactPages([{ body, contentType: null }], options)
  if (!redacted.ok) return redacted
  const { pages, replacementOf } = redacted.value
  return ok({ text: `${JSON.stringify(pages[0], null, 2)}\n`, replacementOf })
}

/** The pages of one answer: equal texts of all pages get equal replacements. */
export function redactPages(
  pages: readonly Pick<Page, 'body' | 'contentType'>[],
  { shiftDays, treatments = dcsaTreatments }: RedactOptions,
): Result<RedactedPages, string> {
  const parsed: unknown[] = []
  for (const page of pages) {
    try {
      parsed.push(JSON.parse(decodeBody(page)))
    } catch {
      return err('it is not JSON, so its numbers and names cannot be found and replaced')
    }
  }
  const texts = new Set<string>()
  collectTexts(parsed, texts)
  const pseudonyms = openPseudonyms({ usedTexts: texts, shiftDays, isPublic: isKnownName })
  const unchanged = new Map<string, Set<string>>()
  const context = {
    pseudonyms,
    treatments: new Map(Object.entries(treatments).map(([name, treatment]) => [name.toLowerCase(), treatment])),
    member: '',
    treatment: null,
    isParty: false,
  }
  // Every number found anywhere is also replaced inside the texts that stay. The first walk finds all numbers; the
  // second one writes the result.
  redactValue(parsed, { ...context, unchanged: new Map() })
  const redacted = parsed.map((page) => redactValue(page, { ...context, unchanged }))
  if (pseudonyms.isLeftIn(JSON.stringify(redacted)))
    return err('a number or a name of the answer would remain in the result: redact the answer by hand')
  return ok({
    pages: redacted,
    replacementOf: pseudonyms.number,
    replace: (treatment, text) => replaceText(text, { pseudonyms, treatment }),
    identifies: pseudonyms.isLeftIn,
    unchanged,
  })
}

function collectTexts(value: unknown, texts: Set<string>): void {
  if (typeof value === 'string' || typeof value === 'number') texts.add(String(value).trim())
  else if (Array.isArray(value)) for (const element of value) collectTexts(element, texts)
  else if (isObject(value)) for (const element of Object.values(value)) collectTexts(element, texts)
}

interface RedactionContext {
  readonly pseudonyms: Pseudonyms
  /** By the names of the members in lower case. */
  readonly treatments: ReadonlyMap<string, Treatment>
  /** Name of the member that has the value, or has the list of the value. */
  readonly member: string
  /** Its treatment; null for an unknown member. */
  readonly treatment: Treatment | null
  /** The value is of a person or company: its texts are also replaced in texts that stay. */
  readonly isParty: boolean
  readonly unchanged: Map<string, Set<string>>
}

const partyMember = /part(?:y|ies)|consignee|shipper|customer|forwarder|notify|contact|company|street/i

function redactValue(value: unknown, at: RedactionContext): unknown {
  if (Array.isArray(value)) return value.map((element) => redactValue(element, at))
  if (isObject(value)) {
    const members = Object.entries(value).map(([name, member]) => {
      const treatment = at.treatments.get(name.toLowerCase()) ?? null
      const isParty = at.isParty || partyMember.test(name)
      return [
        redactMemberName(name, at.pseudonyms),
        redactValue(member, { ...at, member: name, treatment, isParty }),
      ] as const
    })
    return Object.fromEntries(members)
  }
  if (typeof value === 'string') {
    if (value.trim() === '') return value
    if (at.treatment === null && at.isParty) at.pseudonyms.name('NAME', value)
    const replaced = replaceText(value, at)
    if (replaced === value) at.unchanged.set(at.member, (at.unchanged.get(at.member) ?? new Set()).add(value))
    return replaced
  }
  if (typeof value === 'number') {
    if (at.treatment === 'keep') return value
    return at.treatment === null ? 0 : Number(at.pseudonyms.digits(String(value)))
  }
  return value
}

/** Some lines put numbers where names of members should be. */
function redactMemberName(name: string, pseudonyms: Pseudonyms): string {
  return /^[A-Za-z][A-Za-z_-]{0,60}$/.test(name) ? name : pseudonyms.number(name)
}

function replaceText(
  text: string,
  { pseudonyms, treatment }: Pick<RedactionContext, 'pseudonyms' | 'treatment'>,
): string {
  switch (treatment) {
    case null:
      return ''
    case 'keep':
      return isMailAddress(text) ? '' : pseudonyms.sweep(text)
    case 'time':
      return pseudonyms.time(text)
    case 'place':
      return isKnownName(text) ? pseudonyms.sweep(text) : pseudonyms.name('PLACE', text)
    case 'town':
      return replaceTown(text, pseudonyms)
    case 'ship':
      return pseudonyms.name('SHIP', text)
    case 'id':
    case 'imo':
    case 'voyage':
    case 'number':
    case 'digits':
      return pseudonyms[treatment](text)
    case 'container':
      return pseudonyms.number(text)
  }
}

function isMailAddress(text: string): boolean {
  return /[^\s@]@[^\s@]/.test(text)
}

/** Each name for itself; the last one may be a country, and the one before it a state. */
function replaceTown(text: string, pseudonyms: Pseudonyms): string {
  const parts = text.split(/(,| - )/)
  const country = findCountryCode(parts.at(-1) ?? '')
  return parts
    .map((part, place) => {
      const name = part.trim()
      if (place % 2 === 1 || name === '' || isKnownName(name)) return part
      const isCountry = country !== null && place === parts.length - 1
      const isState = country !== null && place === parts.length - 3 && findSubdivisionCode(country, name) !== null
      return isCountry || isState ? part : part.replace(name, () => pseudonyms.name('PLACE', name))
    })
    .join('')
}

let known: ReadonlySet<string> | null = null

/** A place, by code or name, or a terminal that everybody may know; any other name may be a customer's. */
function isKnownName(text: string): boolean {
  known ??= new Set(
    [
      ...allTerminals().flatMap(({ name, smdgCode }) => [name, smdgCode ?? name]),
      ...terminalNames().flatMap(({ name, isReadOfSources }) => (isReadOfSources ? [name] : [])),
    ].map(normalizeName),
  )
  return (
    findPlaceByCode(text.trim().toUpperCase()) !== null ||
    findNamesakes(text).length > 0 ||
    known.has(normalizeName(text))
  )
}

/** Without the words that all terminals have in their names, in the same way as a place is read. */
function normalizeName(name: string): string {
  return [...distinctiveWords(name, [])].toSorted().join(' ') || plainName(name)
}
