/**
 * What the fields of a document mean for the shipment. Only transport documents give statements: invoices and packing
 * lists name amounts and goods, and nothing that happens to a container. The key of a statement names the document and
 * the field, so that the place on the page is found again.
 */

import {
  type EventObservation,
  type FactName,
  type FactObservation,
  type FactValues,
  nowhere,
  type Observation,
  type ObservedPlace,
} from '../../../domain/statements/observation.ts'
import { type EventTime, parseEventTime } from '../../../domain/values/time.ts'
import { resolvePlace } from '../../../reference/places.ts'
import type { ReadableType } from '../document.ts'
import { pickupField } from '../secrets/find-pickup-number.ts'
import { type DocumentStatement, mainNumber, type StatedField, type StatedReading } from './document-statement.ts'

const bills: readonly ReadableType[] = ['bill_of_lading', 'sea_waybill']
const notices: readonly ReadableType[] = ['arrival_notice', 'delivery_order']
const speaking: readonly ReadableType[] = [...bills, ...notices, 'booking_confirmation']

const cutOffs = ['vgm_cut_off', 'documentation_cut_off', 'cargo_cut_off'] as const satisfies readonly FactName[]

type FactValue = { [Name in FactName]: { readonly fact: Name; readonly value: FactValues[Name] } }[FactName]

interface FieldMeaning {
  readonly on: readonly ReadableType[]
  /** Null when the field states nothing that is certain. */
  readonly read: (field: StatedField, all: ReadonlyMap<string, StatedField>) => FactValue | null
}

const makeTextFactReader =
  (fact: 'bill_of_lading_number' | 'booking_number' | 'it_number' | 'pickup_number') =>
  ({ value }: StatedField): FactValue | null =>
    typeof value === 'string' ? { fact, value } : null

const makeTimeFactReader =
  (
    fact: 'pickup_lfd_line' | 'pickup_lfd_terminal' | 'empty_return_by' | 'general_order_at' | (typeof cutOffs)[number],
  ) =>
  ({ value }: StatedField): FactValue | null => {
    const read = timeOf(value)
    return read === null ? null : { fact, value: read }
  }

const makePlaceFactReader =
  (fact: 'port_of_loading' | 'port_of_discharge' | 'place_of_delivery') =>
  (field: StatedField): FactValue | null => {
    const read = placeOf(field)
    return read === null ? null : { fact, value: read }
  }

const meanings: Readonly<Record<string, FieldMeaning>> = {
  bill_of_lading_number: { on: speaking, read: makeTextFactReader('bill_of_lading_number') },
  booking_number: { on: speaking, read: makeTextFactReader('booking_number') },
  'port_of_loading.unlocode': { on: speaking, read: makePlaceFactReader('port_of_loading') },
  'port_of_discharge.unlocode': { on: speaking, read: makePlaceFactReader('port_of_discharge') },
  'place_of_delivery.unlocode': { on: speaking, read: makePlaceFactReader('place_of_delivery') },
  // On the carrier's own notice the last free day is the carrier's statement, whoever charges.
  last_free_day: { on: ['arrival_notice'], read: makeTimeFactReader('pickup_lfd_line') },
  demurrage_last_free_day: { on: notices, read: makeTimeFactReader('pickup_lfd_line') },
  storage_last_free_day: { on: notices, read: makeTimeFactReader('pickup_lfd_terminal') },
  detention_last_free_day: { on: notices, read: makeTimeFactReader('empty_return_by') },
  general_order_date: { on: notices, read: makeTimeFactReader('general_order_at') },
  it_number: { on: notices, read: makeTextFactReader('it_number') },
  // Encrypted before it is stored, like the pick-up number of any source.
  [pickupField]: { on: notices, read: makeTextFactReader('pickup_number') },
  ...Object.fromEntries(
    cutOffs.map((fact) => [fact, { on: ['booking_confirmation'], read: makeTimeFactReader(fact) }]),
  ),
  firms_code: {
    on: notices,
    read: ({ value }, all) => {
      const found =
        typeof value === 'string' ? resolvePlace({ facilityCode: value, facilityCodeListProvider: 'FIRMS' }) : null
      if (found === null || found.terminal === null) return null
      const name = all.get('pickup_location')?.value
      const at = { unlocode: found.place.unlocode, terminalId: found.terminal.id, timeZone: found.timeZone }
      return {
        fact: 'pod_terminal',
        value: {
          ...nowhere,
          ...at,
          facilityCode: String(value),
          name: typeof name === 'string' ? name : null,
        },
      }
    },
  },
  freight_released: {
    on: notices,
    read: ({ value }) => createHold('freight', value === true ? 'released' : 'hold', null),
  },
  original_bill_received: {
    on: notices,
    read: ({ value }, all) =>
      value === false && !all.has('freight_released')
        ? createHold('freight', 'pending', 'original bill of lading not received')
        : null,
  },
  // Customs may never inspect what it has not released yet.
  customs_released: {
    on: notices,
    read: ({ value }) => createHold('customs', value === true ? 'released' : 'pending', null),
  },
}

function createHold(
  name: 'freight' | 'customs',
  status: 'hold' | 'pending' | 'released',
  description: string | null,
): FactValue {
  return { fact: 'hold', value: { name, status, description } }
}

/** The statements of the row of a container about it. */
const containerMeanings: Readonly<Record<string, FieldMeaning>> = {
  seal_number: {
    on: [...bills, ...notices],
    read: ({ value }) => (typeof value === 'string' ? { fact: 'seal_number', value } : null),
  },
  // Only a code of ISO 6346: what the trade calls `40HC` is several of them.
  size_type: {
    on: speaking,
    read: ({ value }) =>
      typeof value === 'string' && /^[24L][0-9A-Z][A-Z][0-9]$/.test(value) ? { fact: 'size_type', value } : null,
  },
  weight_kg: {
    on: [...bills, ...notices],
    read: ({ value }) => (typeof value === 'number' ? { fact: 'weight_kg', value } : null),
  },
  last_free_day: { on: ['arrival_notice'], read: makeTimeFactReader('pickup_lfd_line') },
}

/** The observation that a field would give if it counted, under the key that it would have. */
export function observationsOf(statement: DocumentStatement): readonly Observation[] {
  const now = statementsOf(statement, statement)
  const keys = new Set(now.map(({ key }) => key))
  const earlier = statement.before.flatMap((reading) => statementsOf(statement, reading))
  const removed = [...new Map(earlier.map((each) => [each.key, each])).values()].filter(({ key }) => !keys.has(key))
  const current = statement.isTakenBack === true ? [] : now
  return [...current, ...removed.map((each): Observation => ({ ...each, isRetracted: true }))].toSorted((one, other) =>
    one.key < other.key ? -1 : 1,
  )
}

function statementsOf(statement: Pick<DocumentStatement, 'document'>, reading: StatedReading): readonly Observation[] {
  const { fields } = reading
  const about = `${statement.document}|${mainNumber(fields)}`
  const type = speaking.find((each) => each === reading.type)
  if (type === undefined) return []
  const all = new Map(fields.map((field) => [field.name, field]))
  const containerNumbers = [...all].flatMap(([name, { value }]) => (name.endsWith('].number') ? [String(value)] : []))
  const equipment = containerNumbers.length === 0 ? [null] : containerNumbers
  const observations = fields.flatMap((field): readonly Observation[] => {
    const containerMatch = /^containers\[(\d+)\]\.(\w+)$/.exec(field.name)
    const meaning = containerMatch === null ? meanings[field.name] : containerMeanings[containerMatch[2] ?? '']
    const value = meaning?.on.includes(type) === true ? meaning.read(field, all) : null
    if (value === null) return []
    const ownNumber = containerMatch === null ? null : all.get(`containers[${containerMatch[1]}].number`)?.value
    if (containerMatch !== null && typeof ownNumber !== 'string') return []
    const targetNumbers = typeof ownNumber === 'string' ? [ownNumber] : isOfBill(value.fact) ? [null] : equipment
    return targetNumbers.map((containerNumber) => factOf(about, field, value, containerNumber))
  })
  return [
    ...new Map(
      [...observations, ...readEstimates(about, { type, all, equipment })].map((each) => [each.key, each]),
    ).values(),
  ]
}

/**
 * Numbers, places and deadlines before any container is loaded belong to the whole shipment. Other days belong to each
 * of its containers.
 */
function isOfBill(fact: FactName): boolean {
  return (
    (fact.endsWith('_number') && fact !== 'pickup_number') ||
    fact.startsWith('port_of') ||
    fact === 'place_of_delivery' ||
    fact.endsWith('_cut_off')
  )
}

/** `about`: how the keys begin: the document, and the number that it is about. */
function factOf(
  about: string,
  { name }: StatedField,
  value: FactValue,
  containerNumber: string | null,
): FactObservation {
  // A container has the same key when its row moves, and the field of a list is named without its index.
  const field = name.replace(/\[\d+\]/, '[]')
  const key = `${about}|${field}|${containerNumber ?? '-'}`
  return {
    kind: 'fact',
    key,
    equipment: containerNumber,
    statedAt: null,
    isRetracted: false,
    ...value,
  } as FactObservation
}

/** When the ship is expected to sail and to arrive. A document never states that something has happened. */
function readEstimates(
  about: string,
  of: {
    readonly type: ReadableType
    readonly all: ReadonlyMap<string, StatedField>
    readonly equipment: readonly (string | null)[]
  },
): readonly EventObservation[] {
  const { type, all, equipment } = of
  if (bills.includes(type)) return []
  const ship = all.get('vessel_name')?.value
  const voyage = all.get('voyage_number')?.value
  return (
    [
      ['departure_estimate', 'DEPA', 'port_of_loading.unlocode'],
      ['arrival_estimate', 'ARRI', 'port_of_discharge.unlocode'],
    ] as const
  ).flatMap(([field, code, port]) => {
    const estimate = all.get(field)
    const when = estimate === undefined ? null : timeOf(estimate.value)
    const where = all.get(port)
    const at = where === undefined ? null : placeOf(where)
    if (when === null || at === null) return []
    return equipment.map(
      (containerNumber): EventObservation => ({
        kind: 'event',
        key: `${about}|${field}|${containerNumber ?? '-'}`,
        equipment: containerNumber,
        statedAt: null,
        isRetracted: false,
        classifier: 'EST',
        code,
        load: null,
        mode: 'VESSEL',
        time: when,
        place: at,
        vessel: typeof ship === 'string' ? { imo: null, name: ship } : null,
        voyage: typeof voyage === 'string' ? voyage : null,
        callId: null,
        callSequence: null,
        original: estimate?.text ?? null,
      }),
    )
  })
}

function timeOf(value: StatedField['value']): EventTime | null {
  return typeof value === 'string' ? parseEventTime(value) : null
}

function placeOf({ value, text: printed }: StatedField): ObservedPlace | null {
  const found = typeof value === 'string' ? resolvePlace({ unlocode: value }) : null
  return found === null ? null : { ...nowhere, unlocode: found.place.unlocode, name: printed, timeZone: found.timeZone }
}
