/**
 * Makes a test fixture of an answer: the same events, places and codes, and nothing by which anybody's goods can be
 * found. Numbers, ids, ships and voyages are replaced, equal ones by equal ones. Times are moved by whole days.
 * Parties, addresses and free text are blanked. The name of a member decides how it is treated; members with an unknown
 * name are blanked.
 */

import { isObject } from '../../core/values/json-value.ts'
import { ok, type Result, refused } from '../../core/values/result.ts'
import { terminalNames } from '../../reference/named-terminals.ts'
import { findNamesakes, findPlaceByCode } from '../../reference/places.ts'
import { plainName } from '../../reference/plain-name.ts'
import { allTerminals } from '../../reference/terminals.ts'
import type { MemberName } from './names.ts'
import { openPseudonyms, type Pseudonyms } from './pseudonyms.ts'

type Treatment = 'keep' | 'time' | 'id' | 'number' | 'container' | 'imo' | 'ship' | 'voyage' | 'place'

const treatments: Readonly<Partial<Record<MemberName, Treatment>>> = {
  ...each('keep', [
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
  ...each('time', ['eventDateTime', 'eventCreatedDateTime', 'eventUpdatedDateTime']),
  ...each('id', ['eventID', 'retractedEventID', 'transportCallID', 'transportCallReference']),
  ...each('place', ['locationName', 'otherFacility', 'facilityName', 'name', 'location', 'eventLocation']),
  ...each('voyage', [
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
  ...each('number', [
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

function each(treatment: Treatment, names: readonly MemberName[]): Partial<Record<MemberName, Treatment>> {
  return Object.fromEntries(names.map((name) => [name, treatment]))
}

export interface Redacted {
  /** JSON, indented by two blanks. */
  readonly text: string
  /** The replacement of a number of the answer, so that a fixture can be asked the same question. */
  readonly replacementOf: (number: string) => string
}

/**
 * `shiftDays`: the number of days by which all times are moved. Refused: a text that is not JSON, because its parts are
 * unknown.
 */
export function redactAnswer(
  body: Buffer,
  { shiftDays }: { readonly shiftDays: number },
): Result<Redacted, string> {
  let json: unknown
  try {
    json = JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''))
  } catch {
    return refused('it is not JSON, so its numbers and names cannot be found and replaced')
  }
  const texts = new Set<string>()
  gather(json, texts)
  const pseudonyms = openPseudonyms({ taken: texts, shiftDays })
  // Every number found anywhere is also replaced inside the texts that are kept. The first walk finds all numbers; the
  // second one writes the result.
  walk(json, { pseudonyms, treatment: null })
  const text = `${JSON.stringify(walk(json, { pseudonyms, treatment: null }), null, 2)}\n`
  const left = pseudonyms.originals().find((original) => original.length >= 7 && text.includes(original))
  if (left !== undefined)
    return refused('a number of the answer would remain in the result: redact the answer by hand')
  return ok({ text, replacementOf: pseudonyms.number })
}

function gather(value: unknown, texts: Set<string>): void {
  if (typeof value === 'string' || typeof value === 'number') texts.add(String(value).trim())
  else if (Array.isArray(value)) for (const element of value) gather(element, texts)
  else if (isObject(value)) for (const element of Object.values(value)) gather(element, texts)
}

interface At {
  readonly pseudonyms: Pseudonyms
  /** Treatment of the member that has the value, or has the list of the value; null for an unknown member. */
  readonly treatment: Treatment | null
}

function walk(value: unknown, at: At): unknown {
  if (Array.isArray(value)) return value.map((element) => walk(element, at))
  if (isObject(value)) {
    const members = Object.entries(value).map(([name, member]) => {
      const treatment = byLowerCase.get(name.toLowerCase()) ?? null
      return [nameOf(name, at.pseudonyms), walk(member, { ...at, treatment })]
    })
    return Object.fromEntries(members)
  }
  if (typeof value === 'string') return value.trim() === '' ? value : replace(value, at)
  if (typeof value === 'number') {
    if (at.treatment === 'keep') return value
    return at.treatment === null ? 0 : Number(at.pseudonyms.digits(String(value)))
  }
  return value
}

/** Some lines put numbers where names of members should be. */
function nameOf(name: string, pseudonyms: Pseudonyms): string {
  return /^[A-Za-z][A-Za-z_-]{0,60}$/.test(name) ? name : pseudonyms.number(name)
}

function replace(text: string, { pseudonyms, treatment }: At): string {
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
    ].map(plainName),
  )
  return (
    findPlaceByCode(text.trim().toUpperCase()) !== null ||
    findNamesakes(text).length > 0 ||
    known.has(plainName(text))
  )
}
