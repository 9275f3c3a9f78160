/** The JSON Schemas (draft 2020-12) of what is read of each kind of document, in versions. */

import { type ReadableType, readableTypes } from '../document.ts'
import { chargeFields, containerFields, fieldsOfType, type SchemaField } from './fields-of.ts'

export interface DocumentSchema {
  readonly documentType: ReadableType
  readonly label: string
  /** A version is never changed once it is current. */
  readonly version: string
  readonly isCurrent: boolean
  readonly isDraft: boolean
  readonly activeAt: string | null
  readonly description: string | null
  readonly payload: Readonly<Record<string, unknown>>
  readonly createdAt: string
}

export const typeLabels: Readonly<Record<ReadableType, string>> = {
  bill_of_lading: 'Bill of lading',
  sea_waybill: 'Sea waybill',
  arrival_notice: 'Arrival notice',
  delivery_order: 'Delivery order',
  booking_confirmation: 'Booking confirmation',
  commercial_invoice: 'Commercial invoice',
  packing_list: 'Packing list',
  demurrage_invoice: 'Demurrage invoice',
}

const born = '2026-11-25T00:00:00.000Z'

/** What the next version of the schema of demurrage invoices adds (46 CFR 541.6). Not read yet. */
const comingOfDemurrage: readonly SchemaField[] = [
  { name: 'dispute_days', shape: 'count', description: 'Days within which the invoice may be disputed.' },
  {
    name: 'availability_notice_date',
    shape: 'moment',
    description: 'When the container was made available, for imports.',
  },
  { name: 'earliest_return_date', shape: 'moment', description: 'Earliest return date, for exports.' },
]

/** A day, or a wall clock at the place, or an instant with its zone. */
const moment = '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2})?(Z|[+-]\\d{2}:\\d{2})?)?$'

const plain = {
  text: { type: 'string', minLength: 1, maxLength: 300 },
  day: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  moment: { type: 'string', pattern: moment },
  number: { type: 'number', minimum: 0 },
  count: { type: 'integer', minimum: 0 },
  flag: { type: 'boolean' },
  texts: { type: 'array', items: { type: 'string', minLength: 1, maxLength: 60 }, maxItems: 50 },
  place: {
    type: 'object',
    additionalProperties: false,
    properties: {
      name: { type: 'string', description: 'As printed.', minLength: 1, maxLength: 120 },
      unlocode: {
        type: 'string',
        description: 'Where one place is surely meant.',
        pattern: '^[A-Z]{2}[A-Z2-9]{3}$',
      },
    },
  },
} as const

const shapes: Readonly<Record<SchemaField['shape'], object>> = {
  ...plain,
  // Lists of objects are made of the shapes above.
  get box() {
    return { type: 'array', maxItems: 600, items: objectOf(containerFields) }
  },
  get charge() {
    return { type: 'array', maxItems: 1_000, items: objectOf(chargeFields) }
  },
}

export const documentSchemas: readonly DocumentSchema[] = [
  ...readableTypes.map((type) => schemaOf(type, { version: '1.0', isDraft: false, more: [] })),
  schemaOf('demurrage_invoice', { version: '1.1', isDraft: true, more: comingOfDemurrage }),
]

function schemaOf(
  type: ReadableType,
  of: { readonly version: string; readonly isDraft: boolean; readonly more: readonly SchemaField[] },
): DocumentSchema {
  const { version, isDraft, more } = of
  return {
    documentType: type,
    label: typeLabels[type],
    version,
    isCurrent: !isDraft,
    isDraft,
    activeAt: isDraft ? null : born,
    description: `Values that are read from a document of the kind "${typeLabels[type].toLowerCase()}". Every field may be missing: values that cannot be read with certainty are left out.`,
    payload: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: typeLabels[type],
      type: 'object',
      additionalProperties: false,
      properties: propertiesOf([...fieldsOfType[type], ...more]),
    },
    createdAt: born,
  }
}

function propertiesOf(fields: readonly SchemaField[]): Readonly<Record<string, object>> {
  return Object.fromEntries(fields.map(({ name, shape, description }) => [name, { description, ...shapes[shape] }]))
}

function objectOf(fields: readonly SchemaField[]): object {
  return { type: 'object', additionalProperties: false, properties: propertiesOf(fields) }
}
