/**
 * The possible fields of a column, and the headings that mean them: English spellings of the trade. Data, not code: a
 * missing heading is added here. They are compared without case, blanks, punctuation and words such as `no.`; none is
 * listed under two fields of one kind of table.
 */

import { invoiceHeadings, type OwnInvoiceField } from './invoice-headings.ts'

/**
 * Fields of tracking requests. List fields (`listFields`) may have several columns, and several values in one cell,
 * separated by a line end, `;`, `,` or `|`.
 */
export const requestFields = [
  'request_number',
  'request_type',
  'bill_of_lading_number',
  'booking_number',
  'container_number',
  'scac',
  'ref_numbers',
  'shipment_tags',
] as const
export type RequestField = (typeof requestFields)[number]

export const momentFields = [
  'empty_out',
  'full_in',
  'vessel_loaded',
  'vessel_departed',
  'vessel_arrived',
  'vessel_discharged',
  'rail_departed',
  'rail_arrived',
  'full_out',
  'empty_in',
  'estimated_departure',
  'estimated_arrival',
] as const
export type MomentField = (typeof momentFields)[number]

export const statementFields = [
  'bill_of_lading_number',
  'booking_number',
  'container_number',
  'last_free_day',
  'last_free_day_line',
  'last_free_day_terminal',
  'last_free_day_rail',
  'holds',
  'hold_freight',
  'hold_customs',
  'hold_usda',
  'hold_vacis',
  'hold_tmf',
  'fee_demurrage',
  'fee_exam',
  'fee_extended_dwell_time',
  'fee_other',
  'fee_total',
  'currency',
  'available',
  'pickup_appointment',
  'yard_location',
  'chassis_number',
  'weight',
  'weight_kg',
  'weight_lb',
  'seal_number',
  'empty_return_place',
  'empty_return_by',
  'port_of_loading',
  'port_of_discharge',
  'vessel',
  'voyage',
  ...momentFields,
] as const
export type StatementField = (typeof statementFields)[number]

export type TableField = RequestField | StatementField | OwnInvoiceField
/** Those that a column map may name. */
export const tableFields: readonly TableField[] = [...new Set([...requestFields, ...statementFields])]

export const listFields: ReadonlySet<TableField> = new Set(['ref_numbers', 'shipment_tags', 'holds'])

export const headings: Readonly<Record<TableField, readonly string[]>> = {
  ...invoiceHeadings,
  request_number: ['request number', 'tracking number', 'tracking ref', 'shipment number', 'number'],
  request_type: ['request type', 'number type', 'tracking type', 'type of number'],
  bill_of_lading_number: [
    'bill of lading',
    'bill of lading number',
    'bill',
    'bills',
    'B/L',
    'BL',
    'BOL',
    'MBL',
    'MBOL',
    'M B/L',
    'master',
    'master bill',
    'master B/L',
    'master BL',
    'master BOL',
    'master bill of lading',
    'ocean bill',
    'ocean bill of lading',
    'OBL',
    'carrier B/L',
    'carrier bill of lading',
    'transport document',
    'TRD',
  ],
  booking_number: ['booking', 'bkg', 'BKG', 'carrier booking', 'booking reference', 'booking ref', 'BK'],
  container_number: [
    'container',
    'CTR',
    'CNTR',
    'CNTNR',
    'CONT',
    'box',
    'equipment',
    'unit',
    'container id',
    'equipment id',
  ],
  scac: [
    'SCAC',
    'SCAC code',
    'carrier',
    'carrier code',
    'carrier SCAC',
    'shipping line',
    'shipping line SCAC',
    'line',
    'SSL',
    'steamship line',
    'ocean carrier',
    'VOCC',
    'liner',
  ],
  ref_numbers: [
    'ref',
    'refs',
    'reference',
    'references',
    'ref numbers',
    'customer reference',
    'customer ref',
    'your ref',
    'our ref',
    'PO',
    'P.O.',
    'purchase order',
    'order',
    'file',
    'job',
    'invoice',
  ],
  shipment_tags: ['tag', 'tags', 'shipment tags', 'label', 'labels'],
  last_free_day: [
    'last free day',
    'last free date',
    'LFD',
    'last free',
    'free time expires',
    'free time end',
    'storage last free day',
  ],
  last_free_day_line: ['line last free day', 'line LFD', 'carrier LFD', 'demurrage LFD'],
  last_free_day_terminal: ['terminal last free day', 'terminal LFD', 'storage LFD'],
  last_free_day_rail: ['rail last free day', 'rail LFD', 'ramp LFD'],
  holds: ['hold', 'holds', 'hold status', 'holds list'],
  hold_freight: ['freight hold', 'line hold', 'carrier hold', 'freight status', 'freight'],
  hold_customs: ['customs hold', 'CBP hold', 'customs status', 'customs'],
  hold_usda: ['USDA hold', 'USDA', 'agriculture hold'],
  hold_vacis: ['VACIS hold', 'VACIS'],
  hold_tmf: ['TMF hold', 'TMF', 'traffic mitigation fee hold'],
  fee_demurrage: ['demurrage', 'demurrage due', 'demurrage amount', 'demurrage owed'],
  fee_exam: ['exam fee', 'exam fees', 'exam charges'],
  fee_extended_dwell_time: ['extended dwell time', 'extended dwell', 'dwell fee', 'extended dwell fee'],
  fee_other: ['other fees', 'other charges'],
  fee_total: ['total fees', 'fees', 'total due', 'amount due', 'total charges', 'fees due'],
  currency: ['currency', 'currency code', 'CCY', 'cur'],
  available: [
    'available',
    'availability',
    'available for pickup',
    'available for pick up',
    'ready for pickup',
    'ready',
  ],
  pickup_appointment: [
    'appointment',
    'pickup appointment',
    'pick up appointment',
    'appointment time',
    'appointment date',
    'appt',
    'pickup appt',
  ],
  yard_location: ['yard location', 'location', 'yard', 'yard spot', 'yard position', 'position', 'spot', 'row'],
  chassis_number: ['chassis', 'chassis id'],
  weight: ['weight', 'gross weight', 'cargo weight', 'GWT'],
  weight_kg: ['weight kg', 'weight kgs', 'weight in kg', 'gross weight kg', 'gross weight kgs', 'KG', 'KGS'],
  weight_lb: ['weight lb', 'weight lbs', 'weight in lbs', 'gross weight lb', 'gross weight lbs', 'LB', 'LBS', 'pounds'],
  seal_number: ['seal', 'seal id', 'carrier seal'],
  empty_return_place: [
    'empty return',
    'empty return location',
    'empty return depot',
    'return location',
    'return depot',
    'empty depot',
  ],
  empty_return_by: [
    'empty return by',
    'return by',
    'per diem last free day',
    'detention LFD',
    'detention last free day',
    'last free day detention',
    'per diem LFD',
    'empty due',
  ],
  port_of_loading: ['port of loading', 'port of lading', 'POL', 'load port', 'loading port'],
  port_of_discharge: ['port of discharge', 'POD', 'discharge port', 'port of unlading'],
  vessel: ['vessel', 'vessel name', 'ship'],
  voyage: ['voyage', 'voy', 'VVD'],
  empty_out: ['empty out', 'empty pickup', 'empty picked up', 'empty gate out', 'gate out empty'],
  full_in: ['full in', 'gate in', 'full gate in', 'gate in full', 'ingate', 'in gate'],
  vessel_loaded: ['loaded', 'vessel loaded', 'loaded on board', 'load date', 'on board date'],
  vessel_departed: ['departed', 'vessel departed', 'ATD', 'actual departure', 'sailed', 'sailing date'],
  vessel_arrived: ['arrived', 'vessel arrived', 'ATA', 'actual arrival'],
  vessel_discharged: ['discharged', 'vessel discharged', 'discharge date', 'discharge', 'unloaded'],
  rail_departed: ['rail departed', 'rail departure', 'on rail'],
  rail_arrived: ['rail arrived', 'rail arrival'],
  full_out: [
    'full out',
    'gate out',
    'outgate',
    'out gate',
    'full gate out',
    'gate out full',
    'picked up',
    'pickup date',
  ],
  empty_in: ['empty in', 'empty returned', 'empty gate in', 'gate in empty', 'empty return date', 'returned'],
  estimated_departure: ['ETD', 'estimated departure', 'estimated time of departure'],
  estimated_arrival: ['ETA', 'estimated arrival', 'estimated time of arrival', 'POD ETA'],
}

/** Words that do not change the meaning of a heading. */
const noise = new Set(['no', 'nr', 'num', 'number', 'numbers', 'nos', 'nbr', 'the', 'id'])

/** A key that is equal for different spellings of one heading. */
export function headingKey(text: string): string {
  const words = text
    .normalize('NFKC')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/\b([a-z])\.?\/([a-z])\b/g, '$1$2')
    .replace(/\b([a-z])\.(?=[a-z]\b)/g, '$1')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const significantWords = words.filter((word) => !noise.has(word))
  const keyWords = significantWords.length === 0 ? words : significantWords
  return keyWords.join(' ').replace(/^(container|booking|bill|bl|bol|mbl|ref|seal|chassis)(?:no|nr|number|id)$/, '$1')
}

/** Fields by the key of a heading. */
export const fieldsByHeading: ReadonlyMap<string, readonly TableField[]> = new Map(
  [
    ...Map.groupBy(
      Object.entries(headings).flatMap(([field, names]) =>
        // safe: the fields are the keys
        [...new Set([field, ...names].map(headingKey))].map((key) => ({ key, field: field as TableField })),
      ),
      ({ key }) => key,
    ),
  ].map(([key, named]) => [key, [...new Set(named.map(({ field }) => field))]]),
)
