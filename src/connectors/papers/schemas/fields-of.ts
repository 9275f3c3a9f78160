/** Which fields each kind of document has, with their meaning: the one list from which the JSON Schemas are made. */

import type { ReadableType } from '../document.ts'

export interface SchemaField {
  readonly name: string
  readonly shape: 'text' | 'day' | 'moment' | 'number' | 'count' | 'flag' | 'place' | 'texts' | 'box' | 'charge'
  readonly description: string
}

const text = (name: string, description: string): SchemaField => ({ name, shape: 'text', description })
const moment = (name: string, description: string): SchemaField => ({ name, shape: 'moment', description })
const place = (name: string, description: string): SchemaField => ({ name, shape: 'place', description })
const number = (name: string, description: string): SchemaField => ({ name, shape: 'number', description })
const count = (name: string, description: string): SchemaField => ({ name, shape: 'count', description })
const flag = (name: string, description: string): SchemaField => ({ name, shape: 'flag', description })

const numbers: readonly SchemaField[] = [
  text('bill_of_lading_number', 'Number of the (master) bill of lading or sea waybill.'),
  text('booking_number', "The carrier's booking number."),
  text('house_bill_number', 'Number of the house bill.'),
  {
    name: 'reference_numbers',
    shape: 'texts',
    description: 'References of shipper, consignee or forwarder.',
  },
  { name: 'purchase_order_numbers', shape: 'texts', description: 'Purchase orders.' },
]
const parties: readonly SchemaField[] = [
  text('shipper_name', 'Shipper, first line.'),
  text('consignee_name', 'Consignee, first line.'),
  text('notify_party_name', 'Notify party, first line.'),
]
const carriage: readonly SchemaField[] = [
  text('carrier_name', 'Ocean carrier as printed.'),
  text('carrier_scac', 'SCAC of the ocean carrier, where it is printed.'),
  text('vessel_name', 'Name of the ship.'),
  text('vessel_imo_number', 'IMO number of the ship.'),
  text('voyage_number', "The carrier's voyage."),
  place('place_of_receipt', 'Where the carrier takes the cargo over.'),
  place('port_of_loading', 'Where the ship takes the cargo.'),
  place('port_of_discharge', 'Where the ship leaves the cargo.'),
  place('place_of_delivery', 'Where the carrier hands the cargo over.'),
]
const cargo: readonly SchemaField[] = [
  { name: 'containers', shape: 'box', description: 'Containers, each with what its row says.' },
  text('goods_description', 'Description of the goods, first line.'),
  count('package_count', 'Packages in all.'),
  number('gross_weight_kg', 'Gross weight of the cargo in kilograms.'),
  number('volume_m3', 'Volume of the cargo in cubic metres.'),
]
const issued = moment('issue_date', 'Day of issue.')
const etd = moment('departure_estimate', 'Estimated departure from the port of loading.')
const eta = moment('arrival_estimate', 'Estimated arrival at the port of discharge.')
const freight = text('freight_terms', '`prepaid` or `collect`.')
const contract = text('service_contract_number', 'Service contract.')

const releases: readonly SchemaField[] = [
  flag('freight_released', 'Freight is released, or is not.'),
  flag('customs_released', 'Customs has released the cargo, or has not.'),
  flag('original_bill_received', 'The original bill was received, or was not.'),
]
const ashore: readonly SchemaField[] = [
  moment('last_free_day', 'Last free day, if the document does not say for which charge.'),
  moment('demurrage_last_free_day', 'Last day without demurrage of the carrier.'),
  moment('storage_last_free_day', 'Last day without storage of the terminal.'),
  moment('detention_last_free_day', 'Last day on which the empty container comes back without detention (per diem).'),
  count('free_days', 'Free days.'),
  moment('available_from', 'From when the cargo can be picked up.'),
  moment('general_order_date', 'When customs takes cargo that nobody has cleared (US).'),
  text('pickup_location', 'Terminal or place of pick-up as printed.'),
  text('firms_code', 'FIRMS code of the place (US).'),
  text('empty_return_location', 'Where the empty container is to go.'),
  text('it_number', 'Immediate transportation entry (US, in bond).'),
]
const total = number('total_amount', 'Total.')
const currency = text('currency', 'ISO 4217.')
const invoiced = [text('invoice_number', 'Number of the invoice.'), moment('invoice_date', 'Day of the invoice.')]

const ofBills: readonly SchemaField[] = [
  ...numbers,
  ...parties,
  ...carriage,
  ...cargo,
  issued,
  moment('on_board_date', 'Day on which the cargo was taken on board.'),
  etd,
  eta,
  freight,
  contract,
]

export const fieldsOfType: Readonly<Record<ReadableType, readonly SchemaField[]>> = {
  bill_of_lading: ofBills,
  sea_waybill: ofBills,
  arrival_notice: [
    ...numbers,
    ...parties,
    ...carriage,
    ...cargo,
    issued,
    moment('on_board_date', 'Day on which the cargo was taken on board.'),
    etd,
    eta,
    moment('delivery_estimate', 'Estimated arrival at the place of delivery.'),
    ...ashore,
    ...releases,
    freight,
    contract,
    total,
    currency,
  ],
  delivery_order: [...numbers, ...parties, ...carriage, ...cargo, issued, eta, ...ashore, ...releases, freight],
  booking_confirmation: [
    ...numbers,
    ...parties,
    ...carriage,
    ...cargo,
    issued,
    etd,
    eta,
    moment('delivery_estimate', 'Estimated arrival at the place of delivery.'),
    moment('vgm_cut_off', 'By when the verified gross mass is to be sent.'),
    moment('documentation_cut_off', 'By when shipping instructions are to be sent.'),
    moment('cargo_cut_off', 'By when the laden container is to be at the terminal.'),
    text('empty_pickup_location', 'Depot of the empty container.'),
    text('incoterm', 'Incoterms rule.'),
    freight,
    contract,
  ],
  commercial_invoice: [
    ...numbers,
    ...invoiced,
    ...parties,
    ...carriage,
    ...cargo,
    issued,
    moment('due_date', 'Day of payment.'),
    moment('on_board_date', 'Day of shipment.'),
    number('net_weight_kg', 'Net weight in kilograms.'),
    text('incoterm', 'Incoterms rule.'),
    freight,
    total,
    currency,
  ],
  packing_list: [
    ...numbers,
    ...invoiced,
    ...parties,
    ...carriage,
    ...cargo,
    issued,
    number('net_weight_kg', 'Net weight in kilograms.'),
    text('incoterm', 'Incoterms rule.'),
  ],
  demurrage_invoice: [
    ...numbers,
    ...invoiced,
    ...parties,
    ...carriage,
    ...cargo,
    issued,
    ...ashore,
    text('billed_party_name', 'Who is asked to pay, first line.'),
    moment('due_date', 'Day of payment.'),
    moment('free_time_start', 'First day of free time.'),
    moment('free_time_end', 'Last day of free time.'),
    text('charge_basis', 'Rule or tariff on which the charge is based.'),
    text('dispute_contact', 'Where a dispute is sent.'),
    { name: 'charges', shape: 'charge', description: 'What is charged, for each container and period.' },
    total,
    currency,
  ],
}

export const containerFields: readonly SchemaField[] = [
  text('number', 'ISO 6346 number with a right check digit.'),
  text('size_type', 'Size and type as printed, without blanks.'),
  text('seal_number', 'Seal.'),
  number('weight_kg', 'Weight in kilograms.'),
  number('volume_m3', 'Volume in cubic metres.'),
  count('package_count', 'Packages.'),
  moment('last_free_day', 'Last free day of this container.'),
]

export const chargeFields: readonly SchemaField[] = [
  text('container_number', 'ISO 6346 number.'),
  moment('from', 'First day that is charged.'),
  moment('to', 'Last day that is charged.'),
  count('days', 'Days that are charged.'),
  number('rate', 'Price of a day.'),
  number('amount', 'Amount of the line.'),
]

const known = new Map<ReadableType, ReadonlySet<string>>()

/** Names of the fields of a kind as a reading has them: `port_of_loading.name`, `containers[].number`. */
export function schemaFields(type: ReadableType): ReadonlySet<string> {
  const names =
    known.get(type) ??
    new Set(
      fieldsOfType[type].flatMap(({ name, shape }): readonly string[] => {
        if (shape === 'place') return [`${name}.name`, `${name}.unlocode`]
        if (shape === 'texts') return [`${name}[]`]
        if (shape === 'box') return containerFields.map((field) => `${name}[].${field.name}`)
        return shape === 'charge' ? chargeFields.map((field) => `${name}[].${field.name}`) : [name]
      }),
    )
  known.set(type, names)
  return names
}
