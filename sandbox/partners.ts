/**
 * Partners that send messages by themselves: what each of them writes about a box, and when. They know the shipments
 * that somebody asks a line about, as a real partner knows those of its customers.
 */
import { type Ashore, ashoreOf } from './ashore.ts'
import { between, fraction } from './chance.ts'
import { writeArrivalNotice } from './edi/arrival-notice.ts'
import { writeCoarri, writeCodeco, writeIftsta } from './edi/edifact.ts'
import type { Said, SaidFact, SaidHold } from './edi/said.ts'
import { writeX12 } from './edi/x12.ts'
import { isNorthAmerica } from './gate-hours.ts'
import { HOUR, MINUTE } from './local-time.ts'
import { day, eventsSaidBy, fact, factsOf, instant, moved, placeOf } from './sayings.ts'
import { portOfDischargeOf, type Shipment } from './shipment.ts'
import type { Stay } from './stay.ts'

export interface Partner {
  /** The name of the installation's channel. */
  readonly channel: string
  readonly speaker: string
  readonly language: 'x12' | 'edifact' | 'arrival_notice'
  readonly profile: object
  readonly contentType: string
  readonly messages: (of: Told) => readonly Message[]
}

export interface Told {
  readonly shipment: Shipment
  readonly box: number
  readonly ashore: Ashore
}

/** A message and the moment of its story at which it is sent. */
export interface Message {
  readonly at: number
  readonly bytes: string
}

/** The share of the shipments that somebody asks about for which a partner also sends messages. */
const TOLD_SHARE = 0.6

const EDI = 'application/octet-stream'

export const PARTNERS: readonly Partner[] = [
  {
    channel: 'sandbox-terminals-315',
    speaker: 'terminal:SBXT',
    language: 'x12',
    profile: { envelopeZone: 'UTC', currency: 'USD' },
    contentType: EDI,
    messages: (told) => (isNorthAmerica(told.ashore.port.place) ? messages315(told) : []),
  },
  {
    channel: 'sandbox-uprr-322',
    speaker: 'rail:UPRR',
    language: 'x12',
    profile: { envelopeZone: 'UTC', currency: 'USD' },
    contentType: EDI,
    messages: messages322,
  },
  {
    channel: 'sandbox-hlcu-iftsta',
    speaker: 'shipping_line:HLCU',
    language: 'edifact',
    profile: {},
    contentType: EDI,
    messages: (told) => (told.shipment.line.scac === 'HLCU' ? messagesIftsta(told) : []),
  },
  {
    channel: 'sandbox-quays-edifact',
    speaker: 'terminal:SBXE',
    language: 'edifact',
    profile: {},
    contentType: EDI,
    messages: (told) => (isNorthAmerica(told.ashore.port.place) ? [] : messagesOfQuay(told)),
  },
  ...['HLCU', 'ONEY', 'MAEU'].map(
    (scac): Partner => ({
      channel: `sandbox-${scac.toLowerCase()}-notices`,
      speaker: `shipping_line:${scac}`,
      language: 'arrival_notice',
      profile: { scac },
      contentType: 'application/json',
      messages: (told) => (told.shipment.line.scac === scac ? notices(told) : []),
    }),
  ),
]

/** All messages of a partner about a box, oldest first. */
export function messagesOf(partner: Partner, shipment: Shipment, box: number): readonly Message[] {
  const isTold = shipment.isToldByPartners ?? fraction(`told of|${partner.channel}|${shipment.key}`) <= TOLD_SHARE
  if (!isTold) return []
  const ashore = shipment.cancelledAt === null ? ashoreOf(shipment, box) : null
  return ashore === null ? [] : partner.messages({ shipment, box, ashore }).toSorted((a, b) => a.at - b.at)
}

/** Statuses of the terminal are sent within minutes, holds when they are set and when they are released. */
function messages315({ shipment, box, ashore: { port } }: Told): readonly Message[] {
  const { number } = shipment.boxes[box] ?? { number: '' }
  const say = (at: number, said: readonly Said[]): Message => ({
    at: at + lag(shipment, number, at),
    bytes: x12('terminal', { shipment, box, at, said }),
  })
  const known = factsOf(shipment, box)
  // A hold that is only expected cannot be expressed in these messages.
  const holds = port.holds.flatMap((hold) => {
    const [set, released] = hold.status === 'pending' ? [null, null] : holdWords(hold.name)
    return [
      ...(set === null ? [] : [say(hold.from, [fact('hold', set, number), ...known])]),
      ...(released === null ? [] : [say(hold.until, [fact('hold', released, number), ...known])]),
    ]
  })
  return [
    ...eventsSaidBy(port, shipment, box).map(({ at, event }) =>
      say(at, [...known, ...spotAt(port, at, number), event]),
    ),
    ...holds,
    ...port.lastFreeDays.map(({ from, value }) =>
      say(from, [...known, fact('pickup_lfd_terminal', day(value), number)]),
    ),
    ...port.appointments.map(({ from, value }) =>
      say(from, [...known, fact('pickup_appointment', instant(value), number)]),
    ),
  ]
}

/** Empty when the box has left. */
function spotAt(port: Stay, at: number, number: string): readonly Said[] {
  if (port.leavesAt !== null && at >= port.leavesAt) return []
  const spot = port.spots.findLast(({ from }) => from <= at)
  return spot === undefined ? [] : [fact('yard_location', spot.value, number)]
}

function messages322({ shipment, box, ashore: { rail, ramp } }: Told): readonly Message[] {
  if (rail === null || rail.destinationCarrier !== 'UPRR') return []
  const { number } = shipment.boxes[box] ?? { number: '' }
  const known = factsOf(shipment, box)
  const say = (at: number, said: readonly Said[]): Message => ({
    at: at + lag(shipment, number, at),
    bytes: x12('rail', { shipment, box, at, said: [...known, ...said] }),
  })
  const moves = rail.moves
    .filter(({ carrier }) => carrier === 'UPRR')
    .map(({ at, what, place }) => say(at, [moved(what, at, place, number)]))
  if (ramp === null) return moves
  return [
    ...moves,
    say(ramp.readyAt, [moved('AVPU LADEN', ramp.readyAt, ramp.place, number)]),
    ...ramp.lastFreeDays.map(({ from, value }) => say(from + MINUTE, [fact('pickup_lfd_rail', day(value), number)])),
    ...ramp.moves.map(({ at, what, place }) => say(at, [moved(what, at, place, number)])),
  ]
}

/** The line's statements about the box, in another language and at the same time. */
function messagesIftsta({ shipment, box }: Told): readonly Message[] {
  const number = shipment.boxes[box]?.number ?? ''
  return shipment.statements.flatMap((statement): readonly Message[] => {
    const { about, boxes, created, classifier } = statement
    if (about.kind !== 'EQUIPMENT' || classifier !== 'ACT' || !boxes.includes(box)) return []
    const event = moved(`${about.code} ${about.load} ${about.call.mode}`, statement.at, about.call.place, number)
    const at = created + 5 * MINUTE
    const journey = {
      ...documentsOf(shipment, created),
      writtenAt: iso(at),
      reference: control(shipment, number, at),
    }
    return [{ at, bytes: writeIftsta({ ...journey, observations: [event] }).toString() }]
  })
}

function messagesOfQuay({ shipment, box, ashore: { port } }: Told): readonly Message[] {
  return eventsSaidBy(port, shipment, box).flatMap(({ at, event }): readonly Message[] => {
    const number = shipment.boxes[box]?.number ?? ''
    const sentAt = at + lag(shipment, number, at)
    const journey = {
      ...documentsOf(shipment, at),
      writtenAt: iso(sentAt),
      reference: control(shipment, number, sentAt),
      observations: [...factsOf(shipment, box), event],
    }
    const reports = event.code === 'DISC' ? writeCoarri(journey) : writeCodeco(journey)
    return reports.map((report) => ({ at: sentAt, bytes: report.toString() }))
  })
}

/** Notices are sent before the ship comes, when the line announces its last free day, and at each release. */
function notices(told: Told): readonly Message[] {
  const { shipment, box, ashore } = told
  const { port, lineLastFreeDay } = ashore
  const number = shipment.boxes[box]?.number ?? ''
  const first = port.knownFrom
  const setDownAt = portOfDischargeOf(shipment, box) ?? port.place
  const moments = [first, lineLastFreeDay.from, ...port.holds.filter(isOfNotice).map(({ until }) => until)]
  return moments
    .filter((at) => shipment.billKnownAt !== null && at >= shipment.billKnownAt)
    .map((at) => {
      const said: Said[] = [
        ...factsOf(shipment, box),
        fact('port_of_loading', placeOf(shipment.from), null),
        fact('port_of_discharge', placeOf(setDownAt), null),
        ...(shipment.to === setDownAt ? [] : [fact('place_of_delivery', placeOf(shipment.to), null)]),
        ...holdsOfNotice(port, at),
        ...(at < lineLastFreeDay.from ? [] : [fact('pickup_lfd_line', day(lineLastFreeDay.value), number)]),
      ]
      const notice = writeArrivalNotice(said, {
        bill: shipment.bill,
        label: `${number}, consignee`,
        issuedAt: iso(at),
      })
      return { at: at + 10 * MINUTE, bytes: JSON.stringify(notice) }
    })
}

/** The latest state of each hold that has begun. */
function holdsOfNotice({ holds }: Stay, at: number): readonly SaidFact[] {
  const begun = holds.filter(isOfNotice).filter(({ from }) => from <= at)
  const latest = new Map(begun.toSorted((a, b) => a.from - b.from).map((hold) => [hold.name, hold]))
  return [...latest.values()].map(({ name, status, until }) =>
    fact('hold', { name, status: at < until ? status : 'released', description: null }, null),
  )
}

function isOfNotice({ name }: { readonly name: string }): boolean {
  return name === 'freight' || name === 'customs'
}

function x12(
  words: 'terminal' | 'rail',
  {
    shipment,
    box,
    at,
    said,
  }: {
    readonly shipment: Shipment
    readonly box: number
    readonly at: number
    readonly said: readonly Said[]
  },
): string {
  const number = shipment.boxes[box]?.number ?? ''
  const journey = { words, box: number, ...documentsOf(shipment, at), said, writtenAt: iso(at) }
  return writeX12({ ...journey, control: Number(control(shipment, number, at)) }).toString()
}

function documentsOf(
  { bill, billKnownAt, booking }: Shipment,
  at: number,
): { readonly bill: string | null; readonly booking: string } {
  return { bill: billKnownAt !== null && at >= billKnownAt ? bill : null, booking }
}

/** The sender's own number of a message. It is the same when the message is sent again. */
function control(shipment: Shipment, number: string, at: number): string {
  return String(Math.floor(fraction(`control|${shipment.key}|${number}|${at}`) * 1e9))
}

function lag(shipment: Shipment, number: string, at: number): number {
  return between(`edi lag|${shipment.key}|${number}|${at}`, 5 * MINUTE, 1.5 * HOUR)
}

/** The hold when set and when released, in the terms that X12 has. Null when X12 has no term. */
function holdWords(name: string): readonly [SaidHold | null, SaidHold | null] {
  if (name === 'customs')
    return [
      { name, status: 'hold', description: 'intensive customs examination' },
      { name, status: 'released', description: 'released by customs' },
    ]
  if (name === 'freight')
    return [
      { name, status: 'hold', description: 'freight is due' },
      { name, status: 'released', description: 'released by the carrier' },
    ]
  return [null, null]
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
