/** The layouts of the corpus: how a paper is arranged, which words it has for what, and how it writes days and figures. */

import type { ReadableType } from '../../src/connectors/papers/document.ts'
import { type CellName, cellNames, days, figures, type Habits, type RoleName, roles } from './roles.ts'

/** `boxed`: labels small in ruled boxes, values below. `list`: `Label: value`. `columns`: labels left, values right, in
 * two columns. `table`: one label and one value in each row. `letter`: sentences around a list. `cards`: values large
 * under capital labels, three beside one another. `ledger`: labels end where values begin. */
export type Style = 'boxed' | 'list' | 'columns' | 'table' | 'letter' | 'cards' | 'ledger'

export interface Layout {
  readonly name: string
  readonly type: ReadableType
  readonly title: string
  readonly style: Style
  readonly font: 'Helvetica' | 'Times-Roman' | 'Courier'
  readonly size: number
  readonly habits: Habits
  readonly lines: readonly (readonly [role: RoleName, label: string])[]
  /** Columns of the table of boxes, with their headings. */
  readonly columns: readonly (readonly [cell: CellName, heading: string])[]
}

const habits = {
  modern: { day: days.letters, figure: figures.english, isVoyageBehind: true, hasCodes: false },
  plain: { day: days.iso, figure: figures.plain, isVoyageBehind: false, hasCodes: true },
  hyphens: { day: days.hyphens, figure: figures.english, isVoyageBehind: true, hasCodes: true },
  american: { day: days.american, figure: figures.english, isVoyageBehind: false, hasCodes: false },
  dots: { day: days.dots, figure: figures.plain, isVoyageBehind: true, hasCodes: false },
} as const satisfies Readonly<Record<string, Habits>>

export const layouts: readonly Layout[] = [
  paper(
    'bill-boxed',
    'bill_of_lading',
    'BILL OF LADING',
    { style: 'boxed', font: 'Helvetica', size: 9, habits: habits.modern },
    'shipper=Shipper|bill=B/L No.|consignee=Consignee|booking=Booking No.|notify=Notify Party|reference=Export references|ship=Vessel / Voyage|pol=Port of Loading|pod=Port of Discharge|delivery=Place of Delivery|onBoard=Shipped on Board Date|issued=Place and date of issue|goods=Description of Goods|weight=Total Gross Weight|prepaid=Freight Terms',
    'number=Container No|seal=Seal No|size=Type|packages=Packages|weight=Gross Weight|volume=Measurement CBM',
  ),
  paper(
    'bill-columns',
    'bill_of_lading',
    'OCEAN BILL OF LADING',
    { style: 'columns', font: 'Times-Roman', size: 10, habits: habits.hyphens },
    'bill=Bill of Lading Number|booking=Booking Number|shipper=Shipper/Exporter|consignee=Consignee Name|notify=Notify Address|ship=Ocean Vessel/Voyage|pol=Load Port|pod=Discharge Port|onBoard=Laden on Board|goods=Commodity|packages=Total Packages|volume=Total Measurement',
    'number=Container|seal=Seal|size=Size/Type|weight=Weight',
  ),
  paper(
    'waybill-boxed',
    'sea_waybill',
    'SEA WAYBILL',
    { style: 'boxed', font: 'Helvetica', size: 8, habits: habits.plain },
    'bill=Sea Waybill No|booking=Booking Ref|shipper=Shipper|consignee=Consignee|ship=Vessel|voyage=Voyage No|pol=Port of Loading|pod=Port of Discharge|onBoard=Shipped on board|issued=Date of Issue',
    'number=Container No|seal=Seal No|size=Type|packages=Packages|weight=Gross Weight|volume=Measurement CBM',
  ),
  paper(
    'arrival-list',
    'arrival_notice',
    'ARRIVAL NOTICE',
    { style: 'list', font: 'Helvetica', size: 10, habits: habits.hyphens },
    'bill=Master B/L No|consignee=Consignee|notify=Notify Party|ship=Vessel/Voyage|pol=Port of Loading|pod=Port of Discharge|delivery=Final Destination|eta=ETA|lfd=Last Free Day|terminal=Pick-up Terminal|firms=FIRMS Code|pickup=Pickup Number|emptyReturn=Empty Return Location|freightReleased=Freight Released|customsReleased=Customs Released',
    'number=Container|size=Size/Type|seal=Seal|weight=Gross Weight',
  ),
  paper(
    'arrival-boxed',
    'arrival_notice',
    'CARGO ARRIVAL NOTICE',
    { style: 'boxed', font: 'Times-Roman', size: 10, habits: habits.modern },
    'bill=Bill of Lading|issued=Notice Date|shipper=Shipper|consignee=Consignee|ship=Vessel and Voyage|eta=Estimated Arrival|pol=Port of Loading|pod=Discharge Port|lfdDemurrage=Demurrage Free Until|lfdStorage=Terminal Last Free Day|lfdDetention=Return Empty By|terminal=Cargo Location|generalOrder=G.O. Date|freeDays=Free Days',
    'number=Container No|seal=Seal No|size=Type|packages=Pkgs|weight=Weight',
  ),
  paper(
    'arrival-letter',
    'arrival_notice',
    'Notice of Arrival',
    { style: 'letter', font: 'Times-Roman', size: 11, habits: habits.american },
    'bill=Bill of lading no|ship=Vessel|voyage=Voyage|pod=Port of discharge|eta=Expected arrival|terminal=Available at|lfd=Free time expires|pickup=Release number',
    'number=Container|weight=Gross Weight',
  ),
  paper(
    'arrival-table',
    'arrival_notice',
    'IMPORT ARRIVAL NOTICE',
    { style: 'table', font: 'Courier', size: 9, habits: habits.plain },
    'bill=MBL NUMBER|booking=BOOKING|ship=VESSEL NAME|voyage=VOYAGE|pol=LOADING PORT|pod=PORT OF DISCHARGE|delivery=PLACE OF DELIVERY|eta=ETA POD|available=AVAILABLE FROM|lfd=LFD|terminal=TERMINAL|firms=FIRMS',
    'number=Container No|seal=Seal|packages=Packages|weight=Gross Wt',
  ),
  paper(
    'order-list',
    'delivery_order',
    'DELIVERY ORDER',
    { style: 'list', font: 'Helvetica', size: 11, habits: habits.american },
    'bill=Ocean B/L|consignee=Deliver to|ship=Ocean Vessel|voyage=Voy No|pod=Port of Discharge|terminal=Pickup Location|pickup=Pick-up No|lfd=Free until|freightReleased=Freight release|emptyReturn=Empty return to',
    'number=Container No|size=Size|seal=Seal',
  ),
  paper(
    'order-table',
    'delivery_order',
    'FREIGHT RELEASE',
    { style: 'table', font: 'Helvetica', size: 10, habits: habits.dots },
    'bill=B/L Number|consignee=Consignee|ship=Vessel / Voyage|pod=Discharge Port|terminal=Terminal|pickup=PIN|lfdDetention=Empty return by|eta=ETA',
    'number=Container|size=ISO Code|weight=Gross Weight',
  ),
  paper(
    'booking-list',
    'booking_confirmation',
    'BOOKING CONFIRMATION',
    { style: 'list', font: 'Helvetica', size: 10, habits: habits.plain },
    'booking=Booking Number|shipper=Shipper|reference=Customer Reference|ship=Vessel|voyage=Voyage|pol=Port of Loading|pod=Port of Discharge|etd=ETD|eta=ETA|vgm=VGM Cut-off|documents=SI Cut-off|cargo=CY Cut-off|emptyPickup=Empty Pick-up Depot',
    '',
  ),
  paper(
    'booking-boxed',
    'booking_confirmation',
    'Booking Confirmation',
    { style: 'boxed', font: 'Helvetica', size: 9, habits: habits.hyphens },
    'booking=Carrier Booking No.|shipper=Shipper|ship=Intended Vessel / Voyage|pol=Port of Loading|pod=Port of Discharge|delivery=Final Destination|etd=Estimated Departure|eta=Estimated Arrival|vgm=VGM Deadline|documents=Documentation Cut-Off|cargo=Port Cut-Off|goods=Commodity',
    '',
  ),
  paper(
    'invoice-table',
    'commercial_invoice',
    'COMMERCIAL INVOICE',
    { style: 'columns', font: 'Helvetica', size: 10, habits: habits.american },
    'invoice=Invoice No|invoiceDate=Invoice Date|shipper=Seller|consignee=Buyer|order=PO Number|incoterm=Incoterms|pol=Port of Loading|pod=Port of Discharge|goods=Description of goods|weight=Gross weight|goodsTotal=Total Amount',
    '',
  ),
  paper(
    'packing-table',
    'packing_list',
    'PACKING LIST',
    { style: 'table', font: 'Times-Roman', size: 10, habits: habits.modern },
    'invoice=Invoice No|order=PO No|shipper=Exporter|consignee=Importer|goods=Goods|packages=Total packages|weight=Total gross weight|volume=Total volume',
    'number=Container No|seal=Seal No|packages=Cartons|weight=Gross Weight',
  ),
  paper(
    'demurrage-table',
    'demurrage_invoice',
    'DEMURRAGE INVOICE',
    { style: 'table', font: 'Helvetica', size: 10, habits: habits.hyphens },
    'invoice=Invoice Number|invoiceDate=Invoice Date|due=Due Date|bill=Bill of Lading|billed=Bill to|pod=Port of Discharge|freeDays=Free time allowed|freeStart=Free time start|freeEnd=Free time end|basis=Applicable tariff|dispute=Dispute contact|total=Total amount due',
    'number=Container|from=From|to=To|days=Days|rate=Rate per day|amount=Amount',
  ),
  paper(
    'detention-list',
    'demurrage_invoice',
    'DETENTION INVOICE',
    { style: 'list', font: 'Helvetica', size: 9, habits: habits.plain },
    'invoice=Invoice no|invoiceDate=Date of invoice|due=Payment due|bill=B/L No|billed=Invoice to|pod=Port of discharge|freeDays=Free days|freeStart=First free day|freeEnd=End of free time|total=Grand total',
    'number=Container No|from=Start date|to=End date|days=Chargeable days|rate=Daily rate|amount=Charge',
  ),
]

/** Made after the rules, and never looked at while they were made: how well other papers are read. */
export const leftOut: readonly Layout[] = [
  paper(
    'bill-cards',
    'bill_of_lading',
    'MULTIMODAL TRANSPORT BILL OF LADING',
    { style: 'cards', font: 'Helvetica', size: 9, habits: habits.dots },
    'bill=Document number|booking=Booking reference|shipper=Shipper|consignee=Consignee|notify=Notify|ship=Ship / voyage|pol=Loaded at|pod=Discharged at|delivery=Destination|onBoard=Date of loading|goods=Cargo',
    'number=Equipment|size=ISO type|seal=Carrier seal|packages=No. of pieces|weight=Cargo weight',
  ),
  paper(
    'arrival-cards',
    'arrival_notice',
    'ARRIVAL NOTIFICATION',
    { style: 'cards', font: 'Helvetica', size: 10, habits: habits.american },
    'bill=Carrier bill|booking=Booking|ship=Arriving vessel|voyage=Voyage|pod=Arrival port|eta=Expected on|lfdDemurrage=Demurrage-free through|lfdStorage=Storage-free through|terminal=Discharge facility|pickup=Collection code|consignee=Receiver',
    'number=Unit|size=Equipment type|weight=Total weight',
  ),
  paper(
    'order-ledger',
    'delivery_order',
    'PICK-UP ORDER',
    { style: 'ledger', font: 'Times-Roman', size: 11, habits: habits.plain },
    'bill=Master bill of lading|consignee=Release to|ship=Import vessel|pod=Port|terminal=Collect at|pickup=Reference for gate|lfd=Last free date|emptyReturn=Bring back empty to',
    'number=Container|seal=Seal #|weight=Gross',
  ),
  paper(
    'booking-ledger',
    'booking_confirmation',
    'BOOKING ACKNOWLEDGEMENT',
    { style: 'ledger', font: 'Helvetica', size: 10, habits: habits.hyphens },
    'booking=Our booking|shipper=Booked for|ship=Vessel/voyage|pol=Origin port|pod=Destination port|etd=Planned departure|eta=Planned arrival|vgm=VGM to be sent by|documents=Shipping instructions to be sent by|cargo=Container yard closes|emptyPickup=Fetch empty at',
    '',
  ),
  paper(
    'demurrage-cards',
    'demurrage_invoice',
    'INVOICE FOR DEMURRAGE',
    { style: 'cards', font: 'Helvetica', size: 9, habits: habits.modern },
    'invoice=Number|invoiceDate=Dated|due=Payable until|bill=Bill of lading|billed=Debtor|freeStart=Free from|freeEnd=Free to|dispute=Objections to|total=To pay',
    'number=Box|from=First day|to=Last day|days=No. of days|rate=Price per day|amount=Line total',
  ),
]

/** `lines` and `columns`: `role=label`, parted by `|`. */
function paper(
  name: string,
  type: ReadableType,
  title: string,
  look: Pick<Layout, 'style' | 'font' | 'size' | 'habits'>,
  lines: string,
  columns: string,
): Layout {
  return { name, type, title, ...look, lines: pairsOf(lines, isRole), columns: pairsOf(columns, isCell) }
}

function pairsOf<Name extends string>(
  text: string,
  isName: (name: string) => name is Name,
): readonly (readonly [Name, string])[] {
  return text
    .split('|')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', label = ''] = pair.split('=')
      if (!isName(name)) throw new Error(`no paper says ${name}`)
      return [name, label]
    })
}

function isRole(name: string): name is RoleName {
  return name in roles
}

function isCell(name: string): name is CellName {
  return (cellNames as readonly string[]).includes(name)
}
