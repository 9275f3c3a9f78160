/**
 * What a line says about a shipment, and when: confirmed bookings, plans, estimates that change, actuals some hours
 * after the event, corrections, withdrawals. The time of the question does not change any of it.
 */
import { between, fraction } from './chance.ts'
import { DAY, HOUR, MINUTE } from './local-time.ts'
import type { Sailing } from './sailing.ts'
import { expectedAt, firstCall, lastCall } from './sailing.ts'
import type { Call, DocumentCode, Fact, Statement, TransportCode } from './shipment.ts'
import type { Booking, Party } from './voyage.ts'
import { sailingCall } from './voyage.ts'

export interface Papers {
  readonly booking: string
  readonly bill: string
  readonly bookingKnownAt: number
  readonly billKnownAt: number | null
  readonly cancelledAt: number | null
  /** Until then the line does not name the boxes of the bill. */
  readonly boxesNamedAt: number
}

/** At a line that shows only the present state, a statement replaces the earlier ones with the same slot. */
interface Said extends Statement {
  readonly slot: string
}

export function speak(booking: Booking, papers: Papers, parties: readonly Party[]): readonly Statement[] {
  const said: Said[] = documents(booking, papers, parties)
  parties.forEach((party, n) => {
    said.push(
      ...plans(booking, papers, party, n),
      ...estimates(booking, party, n),
      ...actuals(booking, papers, party, n),
    )
  })
  const { quirks } = booking.line
  const kept = said.filter((statement) => {
    if (papers.cancelledAt !== null && statement.created > papers.cancelledAt) return isCancellation(statement)
    if (statement.about.kind === 'SHIPMENT') return !quirks.has('no_shipment_events')
    if (statement.about.kind !== 'TRANSPORT' || statement.classifier !== 'ACT') return true
    if (quirks.has('no_actual_transports')) return false
    const isUnseen = booking.behaviour === 'bill_entered_late' && statement.at < (papers.billKnownAt ?? 0)
    return !isUnseen
  })
  const settled = quirks.has('whole_picture') ? withdrawOutdated(kept) : kept
  return settled
    .filter((statement) => statement.until === null || statement.until > statement.created)
    .sort((a, b) => a.created - b.created || (a.key < b.key ? -1 : 1))
}

function documents(booking: Booking, papers: Papers, parties: readonly Party[]): Said[] {
  const { key, line } = booking
  const said: Said[] = []
  const say = (code: DocumentCode, document: string, at: number, reason: string | null = null): void => {
    const about = { kind: 'SHIPMENT' as const, code, document, reason }
    const created = minute(at + between(`paper|${key}|${code}|${document}`, 2 * MINUTE, 25 * MINUTE))
    const name = `${code} ${document}`
    said.push({
      key: name,
      slot: name,
      created,
      until: null,
      classifier: 'ACT',
      at: minute(at),
      boxes: [],
      odd: null,
      about,
    })
  }
  say('CONF', 'BKG', papers.bookingKnownAt - HOUR)
  if (papers.cancelledAt !== null) {
    say(
      fraction(`cancel|${line.scac}`) < 0.5 ? 'CANC' : 'VOID',
      'BKG',
      papers.cancelledAt - 30 * MINUTE,
      'Cancelled by shipper',
    )
    return said
  }
  if (papers.billKnownAt !== null) say('ISSU', 'TRD', papers.billKnownAt - 30 * MINUTE)
  const party = parties[0]
  if (party === undefined || line.quirks.has('only_issued_and_confirmed')) return said
  const arrival = lastCall(party.taken.at(-1) as Sailing).arrival
  say('RECE', 'VGM', firstCall(party.planned[0] as Sailing).departure - 1.2 * DAY)
  say('ISSU', 'ARN', arrival - Math.min(3.5 * DAY, (arrival - firstCall(party.taken[0] as Sailing).departure) / 3))
  return said
}

/** All boxes of a booking are planned together, on one ship, which some of them may miss. */
function plans(booking: Booking, papers: Papers, party: Party, n: number): readonly Said[] {
  const [first, last] = ends(booking, party.planned)
  const boxes = Array.from({ length: booking.boxCount }, (_, box) => box)
  const depa = { slot: `${n} DEPA first`, code: 'DEPA', call: first.call, boxes } as const
  const arri = { slot: `${n} ARRI last`, code: 'ARRI', call: last.call, boxes } as const
  const { plannedDeparture, departure } = first.port
  const [ship, final] = [party.planned[0], party.planned.at(-1)] as [Sailing, Sailing]
  const said: Said[] = []
  if (n === 0) {
    const created = papers.bookingKnownAt + between(`plan|${booking.key}`, 5 * MINUTE, 4 * HOUR)
    const plan = { classifier: 'PLN', created } as const
    const from = { ...first.call, vessel: ship.plannedVessel }
    const to = { ...last.call, vessel: final.plannedVessel }
    said.push(transport({ ...depa, ...plan, key: 'PLN DEPA', call: from, at: plannedDeparture }))
    said.push(transport({ ...arri, ...plan, key: 'PLN ARRI', call: to, at: last.port.plannedArrival }))
    if (ship.plannedVessel !== ship.vessel) {
      const swapped = { classifier: 'EST', created: plannedDeparture - 4 * DAY } as const
      said.push(transport({ ...depa, ...swapped, key: 'EST DEPA swapped', at: plannedDeparture }))
    }
  }
  if (n === 0 && Math.abs(departure - plannedDeparture) > 5 * HOUR) {
    const at = departure + between(`etd|${booking.key}`, -HOUR, HOUR)
    const late = { classifier: 'EST', created: Math.min(departure, plannedDeparture) - 9 * HOUR } as const
    said.push(transport({ ...depa, ...late, key: 'EST DEPA late', at }))
  }
  if (party.rolledAt !== null) {
    const [to, there] = ends(booking, party.taken)
    const rolled = { classifier: 'EST', created: party.rolledAt, boxes: party.boxes } as const
    const key = `rolled ${n}`
    said.push(transport({ ...depa, ...rolled, key: `EST DEPA ${key}`, call: to.call, at: to.port.plannedDeparture }))
    said.push(
      transport({
        ...arri,
        ...rolled,
        key: `EST ARRI ${key}`,
        call: there.call,
        at: expectedAt(party.taken.at(-1) as Sailing, party.rolledAt),
      }),
    )
  }
  return said
}

function estimates(booking: Booking, party: Party, n: number): readonly Said[] {
  const said: Said[] = []
  const arrival = { classifier: 'EST', code: 'ARRI', boxes: party.boxes } as const
  const final = ends(booking, party.taken)[1]
  party.taken.forEach((sailing, leg) => {
    const isLast = leg === party.taken.length - 1
    const call = sailingCall(booking.line, sailing, sailing.calls.length - 1)
    const slot = isLast ? `${n} ARRI last` : `${n} ARRI ${call.id}`
    // Before the cargo is meant for this ship, the line says nothing of it.
    const before = party.taken[leg - 1]
    const from = before === undefined ? (party.rolledAt ?? 0) : lastCall(before).arrival
    sailing.estimates.forEach(({ at, eta }, k) => {
      if (at < from) return
      const created = heardAt(booking, at, `${n} ${leg} ${k}`, 0.4)
      said.push(transport({ ...arrival, key: `EST ARRI ${n} ${leg} ${k}`, slot, call, at: eta, created }))
    })
    if (isLast) return
    const next = party.taken.at(-1) as Sailing
    const created = heardAt(booking, lastCall(sailing).arrival, `${n} ${leg} onward`, 1)
    const onward = { key: `EST ARRI ${n} ${leg} onward`, slot: `${n} ARRI last`, created }
    said.push(transport({ ...arrival, ...onward, call: final.call, at: expectedAt(next, created) }))
  })
  const trains = party.facts.filter(({ call, code }) => call.mode === 'RAIL' && (code === 'DEPA' || code === 'ARRI'))
  const [left, there] = [trains[0], trains.at(-1)]
  if (left !== undefined && there !== undefined) {
    const at = there.at + between(`rail eta|${booking.key}`, -5 * HOUR, 5 * HOUR)
    const created = heardAt(booking, left.at, `${n} rail`, 1)
    const slot = `${n} ARRI ${there.call.id}`
    said.push(transport({ ...arrival, key: `EST ARRI ${n} rail`, slot, call: there.call, at, created }))
  }
  // An estimate that would be made after the event is left out.
  return said.filter(({ about, created }) => {
    const fact = party.facts.find((f) => f.code === about.code && 'call' in about && f.call.id === about.call.id)
    return fact === undefined || created < fact.at
  })
}

function actuals(booking: Booking, papers: Papers, party: Party, n: number): readonly Said[] {
  const { key, behaviour, line } = booking
  const repaired = party.facts.findLast((f) => f.code === 'DISC' && f.call.mode !== 'RAIL' && f.boxes[0] === 0)
  return party.facts.flatMap((fact): readonly Said[] => {
    const name = `ACT ${fact.code} ${fact.load} ${fact.call.id} ${fact.boxes.join()}`
    const slot = slotOf(booking, party, n, fact)
    const heard = heardAt(booking, fact.at, name, 1)
    if (fact.code === 'DEPA' || fact.code === 'ARRI') {
      const { code, call, at, boxes } = fact
      return [transport({ key: name, slot, classifier: 'ACT', code, call, at, created: heard, boxes })]
    }
    const named = papers.boxesNamedAt + between(`named|${key}|${name}`, 0, HOUR)
    const about = { kind: 'EQUIPMENT' as const, code: fact.code, call: fact.call, load: fact.load }
    const created = minute(Math.max(heard, named))
    const right: Said = {
      key: name,
      slot,
      created,
      until: null,
      classifier: 'ACT',
      at: fact.at,
      boxes: fact.boxes,
      odd: null,
      about,
    }
    if (fact !== repaired) return [right]
    const arrived = party.facts.find((f) => f.code === 'ARRI' && f.call.id === fact.call.id)?.at ?? fact.at
    if (behaviour === 'corrected' || (behaviour === 'retracted' && !line.quirks.has('whole_picture'))) {
      const wrongAt = minute(arrived + (fact.at - arrived) * 0.3)
      const later = created + between(`mend|${key}`, 18 * HOUR, 50 * HOUR)
      return [
        { ...right, key: `${name} at first`, at: wrongAt },
        { ...right, created: minute(later) },
      ]
    }
    if (behaviour !== 'retracted') return [right]
    const false_ = { ...right, key: `${name} in error`, slot: `${slot} in error`, at: arrived + 20 * MINUTE }
    const said = minute(arrived + HOUR)
    return [{ ...false_, created: said, until: minute(Math.min(said + 14 * HOUR, created - 2 * HOUR)) }, right]
  })
}

/** At lines that show only the present state, each statement ends when the next one of its slot begins. */
function withdrawOutdated(said: readonly Said[]): readonly Said[] {
  const bySlot = new Map<string, Said[]>()
  for (const statement of [...said].sort((a, b) => a.created - b.created)) {
    const earlier = bySlot.get(statement.slot)
    if (earlier === undefined) bySlot.set(statement.slot, [statement])
    else earlier.push(statement)
  }
  return [...bySlot.values()].flatMap((slot) =>
    slot.map((statement, n) => ({ ...statement, until: slot[n + 1]?.created ?? statement.until })),
  )
}

function slotOf(booking: Booking, party: Party, n: number, { code, load, call, boxes }: Fact): string {
  const [first, last] = ends(booking, party.taken)
  if (code === 'DEPA') return `${n} DEPA ${call.id === first.call.id ? 'first' : call.id}`
  if (code === 'ARRI') return `${n} ARRI ${call.id === last.call.id ? 'last' : call.id}`
  return `${code} ${load} ${call.id} ${boxes.join()}`
}

function ends(booking: Booking, sailings: readonly Sailing[]) {
  const first = sailings[0] as Sailing
  const last = sailings.at(-1) as Sailing
  return [
    { call: sailingCall(booking.line, first, 0), port: firstCall(first) },
    { call: sailingCall(booking.line, last, last.calls.length - 1), port: lastCall(last) },
  ] as const
}

interface Movement {
  readonly key: string
  readonly slot: string
  readonly classifier: Statement['classifier']
  readonly code: TransportCode
  readonly call: Call
  readonly at: number
  readonly created: number
  readonly boxes: readonly number[]
}

function transport({ code, call, at, created, ...rest }: Movement): Said {
  return {
    ...rest,
    created: minute(created),
    until: null,
    at: minute(at),
    odd: null,
    about: { kind: 'TRANSPORT', code, call },
  }
}

/** When the line reports an event: `share` of its usual delay later. */
function heardAt(booking: Booking, at: number, name: string, share: number): number {
  const hours = booking.line.lagHours * between(`lag|${booking.key}|${name}`, 0.2, 1.7) * share
  return at + Math.max(2 * MINUTE, hours * HOUR)
}

function isCancellation({ about }: Said): boolean {
  return about.kind === 'SHIPMENT' && (about.code === 'CANC' || about.code === 'VOID')
}

function minute(at: number): number {
  return Math.round(at / MINUTE) * MINUTE
}
