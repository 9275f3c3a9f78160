/**
 * Makes a test fixture of an answer: the same events, places and codes, and nothing that identifies the goods of
 * anybody. Numbers, ids, ships and voyages are replaced, equal ones by equal ones. Times are moved by whole days.
 * Parties, addresses and free text are blanked. The name of a member decides how it is treated; members with an unknown
 * name are blanked.
 */

import { isObject } from '../../domain/values/json-value.ts'
import { err, ok, type Result } from '../../domain/values/result.ts'
import { terminalNames } from '../../reference/named-terminals.ts'
import { findNamesakes, findPlaceByCode } from '../../reference/places.ts'
import { plainName } from '../../reference/plain-name.ts'
import { distinctiveWords } from '../../reference/terminal-words.ts'
import { allTerminals } from '../../reference/terminals.ts'
import type { MemberName } from './names.ts'
import { openPseudonyms, type Pseudonyms } from './pseudonyms.ts'

type Treatment = 'keep' | 'time' | 'id' | 'number' | 'container' | 'imo' | 'ship' | 'voyage' | 'place'

const treatments: Readonly<Partial<Record<MemberName, Treatment>>> = {
  ...assignTreatment('keep', [
    'statusCode',
    'isRetracted',
    'eventType',
    'eventTypeCode',
    'eventClassifierCode',
    'eventClassifier',
    'transportEventTypeCode',
    'transportEventType',
    'equipmentEventTypeCode',
    'equipmentEventType',
    'shipmentEventTypeCode',
    'shipmentEventType',
    'UNLocationCode',
    'city',
    'cityName',
    'stateRegion',
    'country',
    'countryCode',
    'facilityCode',
    'facilityCodeListProvider',
    'facilityType',
    'facilityTypeCode',
    'shipmentLocationType',
    'shipmentLocationTypeCode',
    'modeOfTransport',
    'modeOfTransportCode',
    'transportCallSequenceNumber',
    'ISOEquipmentCode',
    'emptyIndicatorCode',
    'emptyIndicator',
    'sealSource',
    'source',
    'documentReferenceType',
    'documentTypeCode',
    'shipmentInformationTypeCode',
    'referenceType',
    'type',
    'typeCode',
  ]),
  ...assignTreatment('time', ['eventDateTime', 'eventCreatedDateTime', 'eventUpdatedDateTime']),
  ...assignTreatment('id', ['eventID', 'retractedEventID', 'transportCallID', 'transportCallReference']),
  ...assignTreatment('place', ['locationName', 'otherFacility', 'facilityName', 'name', 'location', 'eventLocation']),
  ...assignTreatment('voyage', [
    'importVoyageNumber',
    'exportVoyageNumber',
    'carrierVoyageNumber',
    'carrierImportVoyageNumber',
    'carrierExportVoyageNumber',
    'importVoyageNumberOrReference',
    'exportVoyageNumberOrReference',
    'transportLegReference',
    'universalVoyageReference',
  ]),
  // In DCSA 1.x `transportReference` is the ship's IMO number.
  transportReference: 'imo',
  vesselIMONumber: 'imo',
  vesselName: 'ship',
  equipmentReference: 'container',
  ...assignTreatment('number', [
    'sealNumber',
    'number',
    'documentReferenceValue',
    'documentReference',
    'documentID',
    'carrierBookingReference',
    'referenceValue',
    'reference',
    'value',
  ]),
}

const byLowerCase: ReadonlyMap<string, Treatment> = new Map(
  Object.entries(treatments).map(([name, treatment]) => [name.toLowerCase(), treatment]),
)

function assignTreatment(treatment: Treatment, names: readonly MemberName[]): Partial<Record<MemberName, Treatment>> {
  return Object.fromEntries(names.map((name) => [name, treatment]))
}

export interface RedactedAnswer {
  /** JSON, indented by two blanks. */
  readonly text: string
  /** The replacement of a number of the answer, so that a fixture can be polled by the same number. */
  readonly replacementOf: (number: string) => string
}

/**
 * `shiftDays`: the number of days by which all times are moved. Refused: a text that is not JSON, because its members
 * are unknown.
 */
export function redactAnswer(
  body: Buffer,
  { shiftDays }: { readonly shiftDays: number },
): Result<RedactedAnswer, string> {
  let json: unknown
  try {
    json = JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''))
  } catch {
    return err('it is not JSON, so its numbers and names cannot be found and replaced')
  }
  const texts = new Set<string>()
  collectTexts(json, texts)
  const pseudonyms = openPseudonyms({ usedTexts: texts, shiftDays })
  // Every number found anywhere is also replaced inside the texts that stay. The first walk finds all numbers; the
  // second one writes the result.
  redactValue(json, { pseudonyms, treatment: null })
  const text = `${JSON.stringify(redactValue(json, { pseudonyms, treatment: null }), null, 2)}\n`
  const remaining = pseudonyms.originals().find((original) => original.length >= 7 && text.includes(original))
  if (remaining !== undefined)
    return err('a number of the answer would remain in the result: redact the answer by hand')
  return ok({ text, replacementOf: pseudonyms.number })
}

function collectTexts(value: unknown, texts: Set<string>): void {
  if (typeof value === 'string' || typeof value === 'number') texts.add(String(value).trim())
  else if (Array.isArray(value)) for (const element of value) collectTexts(element, texts)
  else if (isObject(value)) for (const element of Object.values(value)) collectTexts(element, texts)
}

interface RedactionContext {
  readonly pseudonyms: Pseudonyms
  /** Treatment of the member that has the value, or has the list of the value; null for an unknown member. */
  readonly treatment: Treatment | null
}

function redactValue(value: unknown, at: RedactionContext): unknown {
  if (Array.isArray(value)) return value.map((element) => redactValue(element, at))
  if (isObject(value)) {
    const members = Object.entries(value).map(([name, member]) => {
      const treatment = byLowerCase.get(name.toLowerCase()) ?? null
      return [redactMemberName(name, at.pseudonyms), redactValue(member, { ...at, treatment })]
    })
    return Object.fromEntries(members)
  }
  if (typeof value === 'string') return value.trim() === '' ? value : replaceText(value, at)
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

function replaceText(text: string, { pseudonyms, treatment }: RedactionContext): string {
  switch (treatment) {
    case null:
      return ''
    case 'keep':
      return pseudonyms.sweep(text)
    case 'time':
      return pseudonyms.time(text)
    case 'place':
      return isKnownName(text) ? pseudonyms.sweep(text) : pseudonyms.name('PLACE', text)
    case 'ship':
      return pseudonyms.name('SHIP', text)
    case 'id':
    case 'imo':
    case 'voyage':
    case 'number':
      return pseudonyms[treatment](text)
    case 'container':
      return pseudonyms.number(text)
  }
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
