/** What a line of a paper says: its text as it is printed, and the fields that are right to read there. */

import type { Truth } from './truth.ts'

export type Fields = Readonly<Record<string, string | number | boolean>>

export interface Printed {
  readonly text: string
  readonly fields: Fields
}

/** How a layout prints days and figures. */
export interface Habits {
  readonly day: (day: string) => string
  readonly figure: (value: number, decimals: number) => string
  /** The voyage is printed behind the ship. */
  readonly isVoyageBehind: boolean
  readonly hasCodes: boolean
}

const names = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
export const days = {
  letters: (day: string): string => `${day.slice(8)} ${names[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`,
  hyphens: (day: string): string => `${day.slice(8)}-${names[Number(day.slice(5, 7)) - 1]}-${day.slice(0, 4)}`,
  iso: (day: string): string => day,
  american: (day: string): string => {
    const name = names[Number(day.slice(5, 7)) - 1] ?? ''
    return `${name.charAt(0)}${name.slice(1).toLowerCase()} ${Number(day.slice(8))}, ${day.slice(0, 4)}`
  },
  dots: (day: string): string => `${day.slice(8)}.${day.slice(5, 7)}.${day.slice(0, 4)}`,
} as const

export const figures = {
  english: (value: number, decimals: number): string =>
    value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
  plain: (value: number, decimals: number): string => value.toFixed(decimals),
} as const

type Role = (truth: Truth, habits: Habits) => Printed

const one =
  (field: string, value: (truth: Truth) => string): Role =>
  (truth) => ({ text: value(truth), fields: { [field]: value(truth) } })
const on =
  (field: string, after: number): Role =>
  (truth, { day }) => ({ text: day(truth.day(after)), fields: { [field]: truth.day(after) } })
const at =
  (field: string, of: (truth: Truth) => readonly [string, string]): Role =>
  (truth, { hasCodes }) => {
    const [name, unlocode] = of(truth)
    return { text: hasCodes ? `${name} (${unlocode})` : name, fields: { [`${field}.unlocode`]: unlocode } }
  }
const cutOff =
  (field: string, before: number, clock: string): Role =>
  (truth, { day }) => ({
    text: `${day(truth.day(-before))} ${clock}`,
    fields: { [field]: `${truth.day(-before)}T${clock}` },
  })
const sum = (truth: Truth, of: (box: Truth['boxes'][number]) => number): number =>
  truth.boxes.reduce((all, box) => all + of(box), 0)

export const roles = {
  bill: one('bill_of_lading_number', ({ bill }) => bill),
  booking: one('booking_number', ({ booking }) => booking),
  order: one('purchase_order_numbers[0]', ({ order }) => order),
  reference: one('reference_numbers[0]', ({ reference }) => reference),
  invoice: one('invoice_number', ({ invoice }) => invoice),
  shipper: one('shipper_name', ({ shipper }) => shipper),
  consignee: one('consignee_name', ({ consignee }) => consignee),
  notify: one('notify_party_name', ({ notify }) => notify),
  billed: one('billed_party_name', ({ consignee }) => consignee),
  ship: ({ ship, voyage }, { isVoyageBehind }) =>
    isVoyageBehind
      ? { text: `${ship} / ${voyage}`, fields: { vessel_name: ship, voyage_number: voyage } }
      : { text: ship, fields: { vessel_name: ship } },
  voyage: one('voyage_number', ({ voyage }) => voyage),
  pol: at('port_of_loading', ({ pol }) => pol),
  pod: at('port_of_discharge', ({ pod }) => pod),
  delivery: at('place_of_delivery', ({ delivery }) => delivery),
  issued: on('issue_date', 1),
  onBoard: on('on_board_date', 0),
  etd: on('departure_estimate', 0),
  eta: on('arrival_estimate', 18),
  lfd: on('last_free_day', 24),
  lfdDemurrage: on('demurrage_last_free_day', 25),
  lfdStorage: on('storage_last_free_day', 24),
  lfdDetention: on('detention_last_free_day', 30),
  generalOrder: on('general_order_date', 33),
  available: on('available_from', 20),
  freeDays: () => ({ text: '4', fields: { free_days: 4 } }),
  terminal: one('pickup_location', ({ terminal }) => terminal),
  firms: one('firms_code', ({ firms }) => firms),
  /** Opens the gate to the cargo: printed, and never kept of a paper. */
  pickup: ({ pickup }) => ({ text: pickup, fields: {} }),
  emptyReturn: one('empty_return_location', ({ terminal }) => `${terminal} Depot`),
  emptyPickup: one('empty_pickup_location', ({ terminal }) => `${terminal} Depot`),
  goods: one('goods_description', ({ goods }) => goods),
  packages: (truth) => {
    const value = sum(truth, ({ packages }) => packages)
    return { text: `${value} CARTONS`, fields: { package_count: value } }
  },
  weight: (truth, { figure }) => {
    const value = sum(truth, ({ weightKg }) => weightKg)
    return { text: `${figure(value, 2)} KGS`, fields: { gross_weight_kg: value } }
  },
  volume: (truth, { figure }) => {
    const value = Math.round(sum(truth, ({ volume }) => volume) * 100) / 100
    return { text: `${figure(value, 2)} CBM`, fields: { volume_m3: value } }
  },
  prepaid: () => ({ text: 'FREIGHT PREPAID', fields: { freight_terms: 'prepaid' } }),
  incoterm: () => ({ text: 'FOB', fields: { incoterm: 'FOB' } }),
  vgm: cutOff('vgm_cut_off', 3, '17:00'),
  documents: cutOff('documentation_cut_off', 4, '12:00'),
  cargo: cutOff('cargo_cut_off', 2, '16:30'),
  freightReleased: () => ({ text: 'YES', fields: { freight_released: true } }),
  customsReleased: () => ({ text: 'NO', fields: { customs_released: false } }),
  invoiceDate: on('invoice_date', 28),
  due: on('due_date', 58),
  freeStart: on('free_time_start', 20),
  freeEnd: on('free_time_end', 23),
  basis: one('charge_basis', () => 'Tariff rule 23 item 4'),
  dispute: one('dispute_contact', () => 'disputes@example.com'),
  total: (truth, { figure }) => {
    const value = truth.boxes.length * chargedDays * dailyRate
    return { text: `USD ${figure(value, 2)}`, fields: { total_amount: value, currency: 'USD' } }
  },
  goodsTotal: (truth, { figure }) => {
    const value = truth.boxes.length * 12_500
    return { text: `USD ${figure(value, 2)}`, fields: { total_amount: value, currency: 'USD' } }
  },
} as const satisfies Readonly<Record<string, Role>>
export type RoleName = keyof typeof roles

export const dailyRate = 250
export const chargedDays = 5

export const cellNames = [
  'number',
  'seal',
  'size',
  'weight',
  'volume',
  'packages',
  'from',
  'to',
  'days',
  'rate',
  'amount',
] as const
export type CellName = (typeof cellNames)[number]

/** A cell of the row of a box, and the field of it. */
export function cellOf(name: CellName, truth: Truth, place: number, { day, figure }: Habits): Printed {
  const box = truth.boxes[place]
  if (box === undefined) throw new Error('no such box')
  const ofBox = `containers[${place}]`
  const ofCharge = `charges[${place}]`
  switch (name) {
    case 'number':
      return { text: box.number, fields: { [`${ofBox}.number`]: box.number } }
    case 'seal':
      return { text: box.seal, fields: { [`${ofBox}.seal_number`]: box.seal } }
    case 'size':
      return { text: box.size, fields: { [`${ofBox}.size_type`]: box.size } }
    case 'weight':
      return { text: `${figure(box.weightKg, 2)} KG`, fields: { [`${ofBox}.weight_kg`]: box.weightKg } }
    case 'volume':
      return { text: figure(box.volume, 2), fields: { [`${ofBox}.volume_m3`]: box.volume } }
    case 'packages':
      return { text: String(box.packages), fields: { [`${ofBox}.package_count`]: box.packages } }
    case 'from':
      return { text: day(truth.day(24)), fields: { [`${ofCharge}.from`]: truth.day(24) } }
    case 'to':
      return {
        text: day(truth.day(23 + chargedDays)),
        fields: { [`${ofCharge}.to`]: truth.day(23 + chargedDays) },
      }
    case 'days':
      return { text: String(chargedDays), fields: { [`${ofCharge}.days`]: chargedDays } }
    case 'rate':
      return { text: figure(dailyRate, 2), fields: { [`${ofCharge}.rate`]: dailyRate } }
    case 'amount':
      return {
        text: figure(dailyRate * chargedDays, 2),
        fields: { [`${ofCharge}.amount`]: dailyRate * chargedDays },
      }
  }
}
