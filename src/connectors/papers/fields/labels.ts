/**
 * The labels of values on documents of the trade, field by field. Different carriers use different words; only the
 * meaning of words is described here, never a layout.
 */

import { type ReadableType, readableTypes } from '../document.ts'

/** How the text beside a label is understood. */
export type ValueKind =
  | 'number'
  | 'text'
  | 'name'
  | 'place'
  | 'moment'
  | 'count'
  | 'weight'
  | 'volume'
  | 'money'
  | 'terms'
  | 'code'
  | 'vessel'

export interface FieldLabels {
  readonly field: string
  readonly kind: ValueKind
  /** In small letters without punctuation. The longest label that fits decides whose value it is. */
  readonly labels: readonly string[]
  /** The kinds of documents on which the label has this meaning. */
  readonly on: readonly ReadableType[]
}

/** Kinds of documents for which a label often has the same meaning. */
const groups: Readonly<Record<string, readonly ReadableType[]>> = {
  all: readableTypes,
  notices: ['arrival_notice', 'delivery_order', 'demurrage_invoice'],
  invoices: ['commercial_invoice', 'packing_list', 'demurrage_invoice'],
}

/** A line for each field: its name, the kind of its value, and on which documents; below it its labels. */
const table = `
bill_of_lading_number number all
  bill of lading, bill of lading no, bill of lading number, b l no, b l number, bl no, bl number, b l, bol,
  bol no, bol number, mbl, mbl no, mbl number, master bl, master b l, master b l no, master bill,
  master bill of lading, master bill no, ocean bill of lading, ocean b l, ocean b l no, obl, obl no,
  carrier bill of lading, carrier s bill of lading, waybill no, waybill number, sea waybill no,
  sea waybill number, swb no, transport document, transport document no, b l reference, document no,
  bill no, bl reference, b l ref, our b l
booking_number number all
  booking, booking no, booking number, booking ref, booking reference, carrier booking, carrier booking no,
  carrier booking number, bkg no, bkg, bkg number, bkg ref, booking confirmation no,
  booking confirmation number, our booking, your booking
house_bill_number number all
  house bill, house bill no, house b l, house b l no, house bl, hbl, hbl no, hbl number,
  house bill of lading, house bl no
reference_numbers number all
  reference, references, reference no, reference number, ref no, our ref, your ref, customer ref,
  customer reference, shipper s reference, shippers reference, shipper reference, export references,
  consignee reference, consignee s reference, file no, forwarder ref, shipment ref, shipment no, job no,
  file number, customer order no
purchase_order_numbers number all
  po, po no, po number, p o, p o no, p o number, purchase order, purchase order no, purchase order number,
  order no, order number, buyer s order no, customer po
invoice_number number invoices
  invoice, invoice no, invoice number, commercial invoice no, inv no, invoice ref, number of invoice,
  invoice reference
service_contract_number number all
  service contract, service contract no, contract no, contract number, tariff contract, agreement no,
  s c no
it_number number notices
  it no, it number, i t no, i t number, in bond no, in bond number, immediate transportation no,
  it entry no
shipper_name name all
  shipper, shipper exporter, shipper name, shipper consignor, consignor, exporter, seller, sold by,
  shipper name and address, seller exporter, supplier, from shipper
consignee_name name all
  consignee, consignee name, consigned to, consignee name and address, importer, buyer, ship to, receiver,
  cargo receiver, consignee not negotiable unless consigned to order, buyer importer, deliver to, sold to,
  consignee importer, importer of record
notify_party_name name all
  notify, notify party, notify address, notify party name and address, also notify, notify party 1,
  1st notify
billed_party_name name demurrage_invoice
  bill to, billed to, invoice to, invoiced to, billing party, payer, invoice party, customer, billed party
carrier_name name all
  carrier, shipping line, ocean carrier, line, steamship line, vessel operator, issued by carrier,
  carrier name, ssl
carrier_scac code all
  scac, scac code, carrier code, carrier scac
vessel_name vessel all
  vessel, vessel name, ocean vessel, ship, ship name, name of vessel, arriving vessel, import vessel,
  mother vessel, export vessel, vessel voyage, vessel voy, vessel and voyage, vessel voyage no,
  ocean vessel voyage, ocean vessel voyage no, vsl voy, vessel voyage number, vessel name voyage,
  vessel name voyage no, vsl, intended vessel, intended vessel voyage, carried by, arriving on,
  ship voyage, vessel voy no, m v, mv
voyage_number number all
  voyage, voyage no, voyage number, voy, voy no, voyage ref, import voyage, export voyage, voy number
vessel_imo_number code all
  imo, imo no, imo number, vessel imo, lloyds no, lloyd s code, vessel imo no
place_of_receipt place all
  place of receipt, place of acceptance, receipt place, por, received at, origin,
  place of receipt by pre carrier
port_of_loading place all
  port of loading, load port, loading port, pol, port of lading, port of load, from port, loaded at,
  shipped from, port of export, departure port, port of departure
port_of_discharge place all
  port of discharge, discharge port, pod, port of unloading, port of unlading, discharging port,
  port of disch, unloading port, arrival port, port of arrival, port of entry, discharged at,
  port of destination
place_of_delivery place all
  place of delivery, final destination, delivery place, destination, pod del, final dest,
  place of delivery by on carrier, delivery at, fnd, final place of delivery, dest, place of destination
issue_date moment all
  date of issue, issue date, issued on, date issued, place and date of issue, notice date, date of notice,
  date, issued, document date, date of document, confirmation date, booking date, date of b l issue
invoice_date moment invoices
  invoice date, date of invoice, inv date, invoice issue date
due_date moment commercial_invoice,demurrage_invoice
  due date, payment due, payment due date, pay by, date due, invoice due date, payable by
on_board_date moment bill_of_lading,sea_waybill,arrival_notice,commercial_invoice
  shipped on board, on board date, shipped on board date, laden on board, date laden on board, on board,
  sob date, date of shipment, shipment date, loaded on board, shipped on
departure_estimate moment all
  etd, estimated departure, estimated time of departure, est departure, sailing date, departure date,
  etd pol, estimated sailing, expected departure, ets, vessel etd, estimated date of departure, departs
arrival_estimate moment all
  eta, estimated arrival, estimated time of arrival, est arrival, arrival date, eta pod, eta at pod,
  expected arrival, eta at port of discharge, vessel eta, eta discharge port, date of arrival,
  estimated date of arrival, est arrival date, estimated arrival date, eta port, expected to arrive,
  due to arrive, arrives, ship due
delivery_estimate moment all
  eta at final destination, eta final destination, eta destination, eta place of delivery, eta fnd,
  eta dest, final eta, arrival at destination
vgm_cut_off moment booking_confirmation
  vgm cut off, vgm cutoff, vgm deadline, vgm closing, vgm closing date, vgm submission deadline, vgm due,
  verified gross mass cut off, vgm cut off date, verified gross mass by, weight declaration by
documentation_cut_off moment booking_confirmation
  si cut off, si cutoff, doc cut off, docs cut off, documentation cut off, shipping instruction cut off,
  shipping instructions cut off, si deadline, document cut off, si closing, documentation closing,
  shipping instruction deadline, si due, shipping instructions due, document closing,
  shipping instructions by
cargo_cut_off moment booking_confirmation
  cy cut off, cy cutoff, cargo cut off, port cut off, terminal cut off, gate in cut off, cargo closing,
  cy closing, fcl cut off, gate cut off, container yard cut off, full gate in deadline, cut off date,
  port closing, fcl delivery cut off, closing, cy deadline, bring in by, laden gate in by
empty_pickup_location text booking_confirmation
  empty pick up, empty pickup, empty pick up location, empty pickup location, empty pick up depot,
  empty container depot, empty depot, empty release depot, empty pick up at, collect empty at
last_free_day moment notices
  last free day, lfd, last free date, free time expires, free time ends, free time expiry, free until,
  last day of free time, free time expiration, free time until, free time through, last free time,
  free days end, no charge until
demurrage_last_free_day moment notices
  demurrage last free day, last free day demurrage, demurrage free until, demurrage lfd,
  last free day for demurrage, import demurrage free until, demurrage free time expires,
  line last free day, line lfd, carrier last free day, demurrage starts after,
  demurrage free until and including
storage_last_free_day moment notices
  storage last free day, last free day storage, terminal last free day, terminal lfd,
  port storage free until, storage free until, terminal storage last free day, storage starts after,
  port lfd, wharfage lfd
detention_last_free_day moment notices
  detention last free day, last free day detention, detention free until, per diem last free day,
  per diem free until, return empty by, empty return by, empty return due, last day to return empty,
  return by, empty due back, detention lfd
free_days count notices
  free days, free time days, number of free days, free time, days free, free time allowed,
  allowed free time
available_from moment notices
  available from, available date, date available, cargo available, availability date, available for pickup,
  available on, cargo availability date, container availability, container available,
  container availability date, available
general_order_date moment notices
  general order date, go date, g o date, g o, general order, go deadline, general order deadline,
  goes to general order
pickup_location text notices
  terminal, discharge terminal, pick up location, pickup location, pick up terminal, pickup terminal,
  cargo location, cargo available at, container location, available at, pick up at, pickup at,
  delivery terminal, location of goods, freight location, place of pick up, pick up from, collect from,
  pier, pier terminal, terminal name, where to collect, cy location, unloading terminal
firms_code code notices
  firms, firms code, firm code, firms no
empty_return_location text notices
  empty return, empty return location, return empty to, empty return to, return location,
  empty return depot, return depot, return empty at, mt return, return terminal, take the empty to,
  empty drop off, bring empty back to
package_count count all
  total packages, no of packages, number of packages, packages, total cartons, total no of packages,
  total pkgs, pkgs, package count, total pieces, number of pieces, quantity of packages, total cases
gross_weight_kg weight all
  gross weight, total gross weight, gross wt, total weight, cargo weight, gross weight kgs,
  gross weight kg, g w, total gross wt, weight, gross mass, total g w, weight gross, cargo gross weight
net_weight_kg weight packing_list,commercial_invoice
  net weight, total net weight, net wt, n w, net weight kg, total n w, net weight kgs, weight net
volume_m3 volume all
  measurement, volume, total volume, total measurement, cbm, cube, total cbm, measurement cbm,
  cubic meters, measure, total cube
goods_description text all
  description of goods, goods description, commodity, description, description of packages and goods,
  cargo description, nature of goods, said to contain, cargo, goods, commodity description, kind of goods
freight_terms terms all
  freight, freight terms, freight payable, freight payment, payment of freight, freight status,
  ocean freight, freight is, payment term, freight charges
incoterm code commercial_invoice,packing_list,booking_confirmation
  incoterm, incoterms, terms of delivery, delivery terms, terms of sale, trade terms, price terms,
  delivery term, incoterms 2020
total_amount money commercial_invoice,demurrage_invoice,arrival_notice
  total, total amount, total due, amount due, grand total, invoice total, total amount due, balance due,
  total invoice, total payable, total invoice amount, total charges, total invoice value, to be paid,
  sum total, amount payable
currency code commercial_invoice,demurrage_invoice
  currency, invoice currency, currency code, all amounts in, amounts in
free_time_start moment demurrage_invoice
  free time start, free time starts, start of free time, free time start date, free time commenced,
  free time from, free time begins, first free day, free time began, free period from
free_time_end moment demurrage_invoice
  free time end, end of free time, free time end date, free time ended, free time to, free time lapsed,
  free period to, last day free
charge_basis text demurrage_invoice
  basis for invoice, basis of charges, basis, charge basis, applicable rule, applicable tariff, rate basis,
  charged under, basis for billing
dispute_contact text demurrage_invoice
  dispute contact, disputes, for disputes contact, fee mitigation contact, dispute email,
  to dispute this invoice, questions or disputes, dispute by e mail, mitigation requests, dispute e mail,
  disputes to, object by mail to, contact for disputes
`

export const fieldLabels: readonly FieldLabels[] = table
  .trim()
  .split(/\n(?=\S)/)
  .map((entry) => {
    const [head = '', ...lines] = entry.split('\n')
    const [field = '', kind, on = ''] = head.split(' ')
    const labels = lines
      .join(' ')
      .split(',')
      .map((label) => label.trim().replace(/\s+/g, ' '))
    // The table is ours; a test reads every entry of it.
    return { field, kind: kind as ValueKind, labels, on: groups[on] ?? (on.split(',') as ReadableType[]) }
  })
