/**
 * The 38 lines of the world: by which numbers they can be asked, what they leave out, and how their DCSA differs from
 * the standard. Coverage and gaps are those that are published. The shapes of numbers are those that the lines print.
 */

export const NUMBER_KINDS = ['bill_of_lading', 'booking', 'container'] as const
export type NumberKind = (typeof NUMBER_KINDS)[number]

export const QUIRKS = [
  'events_wrapper', // the body is {events: []}, not a bare array
  'some_times_without_zone',
  'day_only_times',
  'plan_for_pln',
  'empty_vessel_fields',
  'some_transports_without_call',
  'some_vessels_without_imo',
  'no_shipment_events',
  'only_issued_and_confirmed', // of the shipment events only ISSU and CONF, for BKG and TRD
  'spelled_out_enums', // "BKG (Booking)"
  'feeder_mode',
  'no_actual_transports', // departures and arrivals are never reported, only planned and estimated
  'late_bill_loses_transports', // what the ship did before the bill was entered is never reported
  'no_seal',
  'no_equipment_type',
  'whole_picture', // only statements that hold now: superseded estimates and withdrawn events are left out
  'no_paging', // ignores limit and cursor
  'page_links', // paging headers hold links instead of cursors
  'all_trips', // a question by container number also gives earlier trips
  'newest_first',
] as const
export type Quirk = (typeof QUIRKS)[number]

export const EQUIPMENT_FAMILIES = ['dry', 'reefer', 'flatrack', 'open_top', 'tank'] as const
export type EquipmentFamily = (typeof EQUIPMENT_FAMILIES)[number]

export interface Line {
  readonly scac: string
  readonly otherScacs: readonly string[]
  readonly kinds: readonly NumberKind[]
  readonly quirks: ReadonlySet<Quirk>
  /**
   * Patterns of numbers: # digit of the serial, % other digit, @ letter, Y year and month. Other characters are
   * literal.
   */
  readonly bill: string
  readonly booking: string
  readonly owners: readonly string[]
  /** Shipments per day. */
  readonly rate: number
  readonly unknownNumber: 'not_found' | 'empty'
  readonly unsupportedKind: 400 | 404
  readonly mappedEquipment: readonly EquipmentFamily[]
  /** The usual delay between an event and the line's statement, in hours. */
  readonly lagHours: number
}

// scac(+alternatives) | kinds | shipments a day | bill | booking | owner codes | unknown | unsupported | quirks
const LINES_TEXT = `
ACLU           | BKC | 0.22 | SA%%######      | A########     | ACLU GCNU      | 404   | 400 |
ANNU           | BKC | 0.22 | ANLC@@@#######  | @@@#######    | ANLU ANNU      | empty | 400 | no_shipment_events no_seal spelled_out_enums
APLU           | BKC | 0.30 | @@@#######      | =             | APHU APZU      | empty | 400 | no_shipment_events no_seal spelled_out_enums
ARKU           | BKC | 0.22 | @@@%%%######    | @@@######     | ARKU           | 404   | 400 |
CHVW QWJA PLLU | BK  | 0.22 | CHVW%%######    | SWB######     |                | 404   | 404 |
CLAM CWLQ      | BK  | 0.22 | CAT######       | C%######      | CMCU SEFU      | 404   | 400 |
CMDU           | BKC | 0.55 | @@@#######      | =             | CMAU CGMU      | empty | 400 | no_shipment_events no_seal spelled_out_enums newest_first
COSU           | BK  | 0.55 | 6%%#######      | =             | CSNU CBHU CSLU | empty | 400 | no_actual_transports
CULU           | BKC | 0.22 | CULVSHA%######  | CUL######     | CULU           | 404   | 400 |
EGLV           | C   | 0.55 | %%%%%#######    | =             | EGHU EITU EMCU | empty | 400 | day_only_times plan_for_pln empty_vessel_fields all_trips
GOSU           | BK  | 0.22 | GOSU@@@#######  | GSL######     | GSLU GMOU      | 404   | 404 |
HDMU           | BKC | 0.55 | @@@@%#######    | =             | HMMU HDMU      | 404   | 400 | no_equipment_type
HDUJ           | BKC | 0.22 | HDUJ@@@######   | HD######      |                | empty | 400 |
HLCU           | BKC | 0.55 | HLCU@@@Y@####   | %#######      | HLBU HLXU UACU | 404   | 400 | no_seal only_issued_and_confirmed whole_picture page_links
IILU           | BK  | 0.22 | IILU@@######    | ICL######     | ICUU           | 404   | 404 |
KMTU           | BKC | 0.22 | KMTC@@@#######  | KR@######     | KMTU           | 404   | 400 | whole_picture
MAEU           | BKC | 0.55 | 2%#######       | =             | MSKU MRKU MAEU | 404   | 400 | events_wrapper some_times_without_zone late_bill_loses_transports no_seal
MATS           | BK  | 0.22 | %%%######       | =             | MATU           | empty | 400 |
MSCU MEDU      | BKC | 0.55 | MEDU@@######    | %%%@@#######  | MSDU MEDU MSNU | empty | 400 | no_seal no_paging
ONEY           | BKC | 0.55 | @@@%@@######    | =             | ONEU NYKU MOTU | 404   | 400 | no_shipment_events feeder_mode some_vessels_without_imo whole_picture
OOLU           | BKC | 0.55 | 2%%#######      | =             | OOCU OOLU      | empty | 400 | no_seal whole_picture
PCIU           | C   | 0.30 | @@@@%%######    | PIL######     | PCIU PILU      | 404   | 404 |
SAFM           | BK  | 0.22 | 9%#######       | =             |                | 404   | 400 | events_wrapper some_times_without_zone late_bill_loses_transports no_seal
SMLU           | BK  | 0.22 | SMLU@@@######   | SML######     | SMLU           | 404   | 400 |
SEAU SEAL      | BKC | 0.22 | 5%#######       | =             | SEAU           | 404   | 400 | events_wrapper some_times_without_zone late_bill_loses_transports no_seal
SEJJ           | BKC | 0.22 | 8%#######       | =             |                | 404   | 400 | events_wrapper some_times_without_zone late_bill_loses_transports no_seal
SQQY SJHH      | BKC | 0.22 | SJHH@@@######   | SL########    |                | empty | 400 | page_links
SSPH           | BK  | 0.22 | SSPH@@@#######  | SSP######     |                | 404   | 400 |
SMLM           | BK  | 0.30 | @@@@%@######    | SM@######     | SMCU           | 404   | 400 | whole_picture
SSBF WWSU      | BK  | 0.22 | SSBF%%######    | WW######      | WSLU AWSU      | empty | 404 |
TRBR TBIE PYRR | K   | 0.22 | TBIE########    | TB#######     |                | 404   | 400 |
TJFH           | BK  | 0.22 | TJFH@@@######   | TF######      |                | empty | 400 |
TXZJ           | C   | 0.30 | TS@@@######     | TS######      | TSSU TSTU      | 404   | 400 | all_trips
TRKU           | BKC | 0.22 | 10######@       | =             | TRKU           | 404   | 400 | whole_picture
WHLC           | BKC | 0.30 | %%%@######      | =             | WHSU WHLU      | empty | 400 |
WDSB           | C   | 0.22 | WDS@@######     | WD######      |                | 404   | 400 |
YMLU YMPR YMSG YMJA | BKC | 0.55 | @%%%######  | @@@######     | YMMU YMLU      | 404   | 400 | no_shipment_events some_vessels_without_imo no_paging
ZIMU           | BK  | 0.55 | ZIMU@@@#######  | =             | ZCSU ZMOU      | 404   | 400 | no_seal some_transports_without_call whole_picture
`

const MAPPED_ELSEWHERE: Readonly<Record<string, readonly EquipmentFamily[]>> = {
  EGLV: ['dry', 'reefer', 'flatrack'],
  ONEY: ['dry', 'reefer'],
  SSBF: ['dry'],
}
const LAG_HOURS: Readonly<Record<string, number>> = { EGLV: 14, COSU: 2, MAEU: 1, MSCU: 9, PCIU: 20, HLCU: 2 }

export const LINES: readonly Line[] = LINES_TEXT.trim().split('\n').map(parseLine)

const byScac = new Map(LINES.flatMap((line) => [line.scac, ...line.otherScacs].map((scac) => [scac, line])))

export function findLine(scac: string): Line | null {
  return byScac.get(scac.toUpperCase()) ?? null
}

function parseLine(text: string): Line {
  const cells = text.split('|').map((cell) => cell.trim())
  const [names = '', kinds = '', rate, bill = '', booking = '', owners = '', unknown, unsupported, quirks = ''] = cells
  const [scac = '', ...otherScacs] = names.split(/\s+/)
  return {
    scac,
    otherScacs,
    kinds: NUMBER_KINDS.filter((_, n) => kinds.includes('BKC'.charAt(n))),
    quirks: new Set(quirks.split(/\s+/).filter((word): word is Quirk => QUIRKS.some((quirk) => quirk === word))),
    bill,
    booking: booking === '=' ? bill : booking,
    owners: owners.split(/\s+/).filter((owner) => owner !== ''),
    rate: Number(rate),
    unknownNumber: unknown === 'empty' ? 'empty' : 'not_found',
    unsupportedKind: unsupported === '404' ? 404 : 400,
    mappedEquipment: MAPPED_ELSEWHERE[scac] ?? EQUIPMENT_FAMILIES,
    lagHours: LAG_HOURS[scac] ?? 3,
  }
}

/** Whether the line uses one number for bill and booking. */
export function billIsBooking(line: Line): boolean {
  return line.bill === line.booking
}
