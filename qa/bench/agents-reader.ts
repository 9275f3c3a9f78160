/**
 * What really happened to the tracked shipments, and what each source had said of it by a moment: taken from the
 * sandbox's world alone, in the words that its lines, terminals and railways send. Null is what nobody has said.
 */

import { look } from '../../sandbox/answer.ts'
import { ashoreOf } from '../../sandbox/ashore.ts'
import { writeEvent } from '../../sandbox/dcsa.ts'
import { channelOf, FACILITIES, type Facility, terminalOperatorAt } from '../../sandbox/facilities.ts'
import { findBox, recordOf } from '../../sandbox/facility-record.ts'
import { DAY, fromLocal, MINUTE, writeDay, writeLocal } from '../../sandbox/local-time.ts'
import { messagesOf, PARTNERS } from '../../sandbox/partners.ts'
import { getPlace, terminalsOf } from '../../sandbox/places.ts'
import { boxKnownAt, portOfDischargeOf, type Shipment, type Statement } from '../../sandbox/shipment.ts'
import type { Stay } from '../../sandbox/stay.ts'
import type { World } from '../../sandbox/world.ts'
import type { Json } from './agents-client.ts'
import {
  type Moment,
  type Question,
  statusOfBox,
  statusOfShipment,
  type Told,
  type TrueBox,
  type TrueShipment,
} from './agents-record.ts'

/**
 * Whose truth is one: the line knows the container at first, all boxes go together, and no barge or feeder behind the ship makes the port of discharge a matter
 * of opinion (decision 0009).
 */
export function isClear(shipment: Shipment, requestType: string, fromMs: number): boolean {
  const { scenario, facts, boxes, cancelledAt } = shipment
  const landed = facts.findLast(({ code, call }) => code === 'DISC' && call.mode !== 'RAIL')
  const isPlain =
    scenario !== 'different_fates' &&
    cancelledAt === null &&
    landed?.call.mode === 'VESSEL' &&
    facts.every(({ call }) => call.mode !== 'BARGE')
  const isBoxKnown = boxes.length === 1 && (boxKnownAt(shipment, 0) ?? Number.POSITIVE_INFINITY) < fromMs
  return isPlain && (requestType !== 'container' || isBoxKnown)
}

const kinds = { bill_of_lading: 'bill_of_lading', booking_number: 'booking', container: 'container' } as const

interface Asking {
  /** When the account first asked; from then on each line is asked step by step. */
  readonly fromMs: number
  readonly stepMs: number
  /** When everybody was asked. */
  readonly nowMs: number
  /** An operator that nobody asks. */
  readonly silent: string
}

export class RecordReader {
  readonly #world: World
  readonly #asking: Asking

  constructor(world: World, asking: Asking) {
    this.#world = world
    this.#asking = asking
  }

  /** Null as long as its line does not know the number. */
  read(shipment: Shipment, question: Question): TrueShipment | null {
    const kind = kinds[question.request_type as keyof typeof kinds]
    const visible = (at: number): readonly Statement[] =>
      look(this.#world, shipment.line, kind, question.request_number, at)
        .filter((each) => each.shipment.key === shipment.key)
        .map(({ statement }) => statement)
    const { fromMs, nowMs, stepMs } = this.#asking
    const now = visible(nowMs)
    if (now.length === 0) return null
    const polls = Array.from({ length: Math.ceil((nowMs - fromMs) / stepMs) }, (_, nth) => fromMs + nth * stepMs)
    const heard = [...new Set([...polls.flatMap(visible), ...now])].toSorted((a, b) => a.created - b.created)
    const pod = portOfDischargeOf(shipment, 0) ?? shipment.to
    const isTold = (each: Statement): boolean => 'transportCall' in (JSON.parse(writeEvent(shipment, each)) as object)
    const arrivals = (among: readonly Statement[], isActual: boolean): readonly Statement[] =>
      among.filter(
        (each) =>
          each.about.kind === 'TRANSPORT' &&
          each.about.code === 'ARRI' &&
          each.about.call.place === pod &&
          (each.classifier === 'ACT') === isActual &&
          isTold(each),
      )
    const moment = (each: Statement | undefined): Moment | null =>
      each === undefined ? null : momentOf(shipment, pod, each.at)
    const isAnyAt = (place: string): boolean =>
      now.some((each) => each.about.kind !== 'SHIPMENT' && each.about.call.place === place && isTold(each))
    const { billKnownAt } = shipment
    const isBillSaid =
      kind === 'bill_of_lading' || now.some(({ created }) => billKnownAt !== null && created >= billKnownAt)
    const coming = arrivals(now, false)
    const last = [...coming, ...arrivals(now, true)].toSorted((a, b) => a.created - b.created).at(-1)
    const ship: { -readonly [Name in keyof TrueShipment]: TrueShipment[Name] } = {
      scac: shipment.line.scac,
      asked: question.request_number,
      bill: isBillSaid ? shipment.bill : null,
      isBooking: kind === 'booking',
      isByBox: kind === 'container',
      paper: shipment.bill,
      refs: question.ref_numbers,
      tags: question.shipment_tags,
      pol: shipment.from,
      pod: isAnyAt(pod) ? pod : null,
      inland: shipment.to !== pod && this.#isInlandSaid(shipment, now) ? shipment.to : null,
      plan: moment(arrivals(heard, false).find(({ classifier }) => classifier === 'PLN')),
      first: moment(arrivals(heard, false)[0]),
      eta: moment(coming.at(-1)),
      etaToldAt: coming.at(-1)?.created ?? null,
      etaBefore: moment(coming.at(-2)),
      ata: moment(arrivals(now, true).at(-1)),
      vessel: last?.about.kind === 'TRANSPORT' ? (last.about.call.vessel?.name ?? null) : null,
      isRolled: shipment.scenario === 'rolled' && heard.some(({ key }) => key.includes('rolled')),
      status: 'pending',
      boxes: [],
      zone: getPlace(pod).zone,
    }
    ship.boxes = shipment.boxes.flatMap((_, place) =>
      (boxKnownAt(shipment, place) ?? Number.POSITIVE_INFINITY) > this.#asking.nowMs
        ? []
        : [this.#readBox(ship, shipment, place, now.filter(isTold))],
    )
    ship.status = statusOfShipment(
      ship,
      now.some((each) => isActualDeparture(each) && isTold(each)),
    )
    return ship
  }

  #readBox(ship: TrueShipment, shipment: Shipment, place: number, said: readonly Statement[]): TrueBox {
    const number = shipment.boxes[place]?.number ?? ''
    const port = portOfDischargeOf(shipment, place) ?? shipment.to
    const byLine = said.flatMap((each): readonly Told[] => {
      const { about, classifier, boxes, created } = each
      if (about.kind === 'SHIPMENT' || classifier !== 'ACT' || !boxes.includes(place)) return []
      const what = about.kind === 'EQUIPMENT' ? `${about.code} ${about.load}` : about.code
      return [{ what, call: about.call, toldAt: created, ...momentOf(shipment, about.call.place, each.at) }]
    })
    // The terminal is asked from three days before the ship comes, unless the box was out when the account began to ask.
    const hasCome = byLine.some(({ what, call }) => /^(DISC|ARRI)/.test(what) && call.place === ship.pod)
    const isNear = hasCome || (ship.eta !== null && ship.eta.at - 3 * DAY <= this.#asking.nowMs)
    const wasOut = byLine.some(({ what, toldAt }) => what === 'GTOT LADEN' && toldAt <= this.#asking.fromMs)
    const isAsked = isNear && !wasOut
    const ashore = ashoreOf(shipment, place)
    const isNamed = terminalsOf(port).length <= 1 || said.some((each) => namesTerminal(each, port))
    const operator = isAsked && isNamed ? terminalOperatorAt(port) : null
    const isSilent = terminalOperatorAt(port)?.name === this.#asking.silent
    const atPort = isSilent ? null : this.#reportOf(operator, number)
    const railway = FACILITIES.find(({ code }) => code === ashore?.rail?.destinationCarrier) ?? null
    const onRail = isAsked ? this.#reportOf(railway, number) : null
    const byFacilities = [
      ...(atPort === null && !(isSilent && this.#isTold('quays-edifact', shipment, place))
        ? []
        : (ashore?.port.moves ?? [])),
      ...(onRail === null ? [] : [...(ashore?.rail?.moves ?? []), ...(ashore?.ramp?.moves ?? [])]),
    ].flatMap(({ at, what, place: where }): readonly Told[] => {
      if (at > this.#asking.nowMs) return []
      const [code = '', load = ''] = what.split(' ')
      const mode = (['RAIL', 'VESSEL', 'BARGE'] as const).find((each) => what.endsWith(each)) ?? 'TRUCK'
      const words = /^(DISC|LOAD|GTOT|GTIN)$/.test(code) ? `${code} ${load}` : code
      return [
        {
          what: words,
          call: { place: where, mode },
          at,
          says: writeLocal(getPlace(where).zone, at).slice(0, 16),
          toldAt: at,
        },
      ]
    })
    const told = [...byLine, ...byFacilities].toSorted((a, b) => a.at - b.at)
    const hasLeftByRail = told.some(({ call }) => call.mode === 'RAIL')
    const report = hasLeftByRail ? onRail : atPort
    const goesOn = ship.inland !== null || (atPort !== null && atPort['railCarrier'] !== '-')
    const available = report?.['available']
    const isAvailable = available === undefined ? null : available === 'Y'
    const lastFreeDays = {
      line: this.#lineFreeDay(shipment, place),
      terminal: dayOf(atPort?.['lastFreeDay']) ?? this.#freeDay('terminals-315', shipment, place, ashore?.port),
      rail: dayOf(onRail?.['lastFreeDay']) ?? this.#freeDay('uprr-322', shipment, place, ashore?.ramp),
    }
    const { line, rail, terminal } = lastFreeDays
    const days = [line, rail, hasLeftByRail ? null : terminal].flatMap((day) => day ?? [])
    return {
      number,
      ship,
      told,
      status: statusOfBox(told, { port, goesOn, isAvailable }),
      report,
      lastFreeDays,
      freeUntil: days.toSorted()[0] ?? null,
      fees: duesOf(report, 'charges', ({ amount, currency }) =>
        Number(amount) > 0 ? [`${Number(amount)} ${currency}`] : [],
      ),
      holds: duesOf(report, 'holds', ({ code, status }) => (status === 'HOLD' ? [String(code).toLowerCase()] : [])),
      isAvailable,
    }
  }

  /** Whether a partner sends messages about the box: each move and day within one and a half hours. */
  #isTold(channel: string, shipment: Shipment, place: number): boolean {
    const partner = PARTNERS.find((each) => each.channel === channelOf(channel))
    return partner !== undefined && messagesOf(partner, shipment, place).some(({ at }) => at <= this.#asking.nowMs)
  }

  #freeDay(channel: string, shipment: Shipment, place: number, stay: Stay | null | undefined): string | null {
    const said = stay?.lastFreeDays.findLast(({ from }) => from <= this.#asking.nowMs)
    return said !== undefined && this.#isTold(channel, shipment, place) ? said.value : null
  }

  #reportOf(facility: Facility | null, number: string): Json | null {
    const box = facility === null ? null : findBox(this.#world, facility, number, this.#asking.nowMs)
    return box === null ? null : (recordOf(box, this.#asking.nowMs) as Json | null)
  }

  /** By the line, a railway, or an arrival notice. */
  #isInlandSaid(shipment: Shipment, now: readonly Statement[]): boolean {
    const railway = FACILITIES.find(({ code }) => code === ashoreOf(shipment, 0)?.rail?.destinationCarrier) ?? null
    const isByLine = now.some(({ about }) => about.kind !== 'SHIPMENT' && about.call.place === shipment.to)
    return (
      isByLine ||
      this.#notices(shipment, 0).length > 0 ||
      this.#reportOf(railway, shipment.boxes[0]?.number ?? '') !== null
    )
  }

  /** The line's own last free day stands in its arrival notices only. */
  #lineFreeDay(shipment: Shipment, place: number): string | null {
    const free = ashoreOf(shipment, place)?.lineLastFreeDay
    const isSaid = this.#notices(shipment, place).some(({ at }) => free !== undefined && at - 10 * MINUTE >= free.from)
    return isSaid ? (free?.value ?? null) : null
  }

  /** The arrival notices of the line that were sent. */
  #notices(shipment: Shipment, place: number) {
    const name = channelOf(`${shipment.line.scac.toLowerCase()}-notices`)
    const partner = PARTNERS.find(({ channel }) => channel === name)
    return partner === undefined
      ? []
      : messagesOf(partner, shipment, place).filter(({ at }) => at <= this.#asking.nowMs)
  }
}

function momentOf({ line }: Shipment, place: string, at: number): Moment {
  const { zone } = getPlace(place)
  if (!line.quirks.has('day_only_times')) return { at, says: writeLocal(zone, at).slice(0, 16) }
  const day = writeDay(zone, at)
  return { at: fromLocal(zone, Date.parse(`${day}T00:00:00Z`)), says: day }
}

function isActualDeparture({ about, classifier }: Statement): boolean {
  return about.kind === 'TRANSPORT' && about.code === 'DEPA' && classifier === 'ACT'
}

function namesTerminal({ about }: Statement, place: string): boolean {
  return about.kind !== 'SHIPMENT' && about.call.place === place && about.call.terminalCode !== null
}

function dayOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** Null where there is no report, or one that leaves them out. */
function duesOf(report: Json | null, name: string, write: (due: Json) => readonly string[]): readonly string[] | null {
  const dues = report?.[name]
  return Array.isArray(dues) ? (dues as readonly Json[]).flatMap(write).toSorted() : null
}
