/**
 * What really happens to a box between ship and truck: at the terminal where it is discharged, on trains, and at the
 * ramp where they end. A pure function of the box's facts (`voyage.ts`) and of chance. `docs/sandbox.md` lists the
 * ranges and their sources.
 */
import { between, fraction, pick, wholeBetween } from './chance.ts'
import { clearances, overstay } from './clearances.ts'
import { gateHourFrom, hourOf, isNorthAmerica, lastOfFreeDays, laterDay, type Site } from './gate-hours.ts'
import { DAY, HOUR, MINUTE } from './local-time.ts'
import { getPlace } from './places.ts'
import { byRail, type RailTrip } from './rail-trip.ts'
import type { Call, Fact, Shipment } from './shipment.ts'
import type { Hold, Move, Said, Stay } from './stay.ts'
import { withTold } from './told-ashore.ts'

export interface Ashore {
  readonly port: Stay
  readonly rail: RailTrip | null
  readonly ramp: Stay | null
  /** The last free day by the line's own contract, as its arrival notice gives it. */
  readonly lineLastFreeDay: Said<string>
}

const known = new WeakMap<Shipment, Map<number, Ashore | null>>()

/** Null for a box that is never discharged. */
export function ashoreOf(shipment: Shipment, box: number): Ashore | null {
  const made = known.get(shipment) ?? new Map<number, Ashore | null>()
  known.set(shipment, made)
  const before = made.get(box)
  if (before !== undefined) return before
  const ashore = makeAshore(shipment, box)
  made.set(box, ashore)
  return ashore
}

function makeAshore(shipment: Shipment, box: number): Ashore | null {
  const facts = shipment.facts.filter(({ boxes }) => boxes.includes(box))
  const landed = facts.findLast(({ code, call }) => code === 'DISC' && call.mode !== 'RAIL')
  if (landed === undefined) return null
  const after = facts.filter(({ at }) => at > landed.at)
  const arrived = facts.findLast(({ code, call }) => code === 'ARRI' && call.id === landed.call.id)
  const rail = byRail(shipment, box, after)
  const out = after.find(({ code, load }) => code === 'GTOT' && load === 'LADEN')
  const onTrain = after.find(({ code, call }) => code === 'LOAD' && call.mode === 'RAIL')
  const key = `${shipment.key}|${shipment.boxes[box]?.number ?? box}`
  const arrivedAt = arrived?.at ?? landed.at - 8 * HOUR
  const port = stayAtPort({
    key,
    shipment,
    landed,
    arrivedAt,
    leaves: onTrain ?? (rail === null ? out : undefined),
  })
  const { toldAshore } = shipment
  const offTrain = after.find(({ code, call }) => code === 'DISC' && call.mode === 'RAIL')
  const isReefer = shipment.boxes[box]?.family === 'reefer'
  const ramp = rail === null || offTrain === undefined ? null : stayAtRamp({ key, rail, offTrain, out })
  const days = wholeBetween(`line free|${shipment.line.scac}|${landed.call.place}`, 4, 7) - (isReefer ? 1 : 0)
  const day = lastOfFreeDays(landed.call.place, {
    from: landed.at,
    days,
    working: isNorthAmerica(landed.call.place),
  })
  return {
    port: withTold(port, toldAshore.port),
    rail,
    ramp: ramp === null ? null : withTold(ramp, toldAshore.ramp),
    lineLastFreeDay: toldAshore.lineLastFreeDay ?? {
      from: landed.at + between(`line lfd|${key}`, HOUR, 9 * HOUR),
      value: day,
    },
  }
}

interface AtPort {
  readonly key: string
  readonly shipment: Shipment
  readonly landed: Fact
  readonly arrivedAt: number
  readonly leaves: Fact | undefined
}

function stayAtPort({ key, landed, arrivedAt, leaves }: AtPort): Stay {
  const { call, at: landedAt } = landed
  const { place } = call
  const leavesBy = leaves?.call.mode === 'RAIL' ? 'RAIL' : 'TRUCK'
  // A box that is never fetched in its story is cleared as if it were fetched after five days.
  const end = leaves?.at ?? landedAt + 5 * DAY
  const readyAt = landedAt + between(`ready|${key}`, 1 * HOUR, Math.min(7 * HOUR, (end - landedAt) / 4))
  const isForTruck = leavesBy === 'TRUCK'
  const cleared = clearances({ key, place, arrivedAt, landedAt, end, isForTruck })
  const days = isNorthAmerica(place) ? 4 : wholeBetween(`free days|${place}`, 5, 8)
  const free = { from: landedAt, days, working: isNorthAmerica(place) }
  const freeTime = isForTruck ? freeTimeOf({ key, place, free, exam: cleared.exam }) : []
  const late = overstay({ key, place, site: 'port', freeTime, end, isForTruck })
  return {
    site: 'port',
    place,
    terminal: call.terminalCode,
    name: call.facilityName ?? `${getPlace(place).name} terminal`,
    knownFrom: arrivedAt - between(`manifest|${key}`, 2 * DAY, 3.5 * DAY),
    landedAt,
    readyAt: minute(readyAt),
    leavesAt: leaves?.at ?? null,
    leavesBy,
    holds: [...cleared.holds, ...late.holds],
    fees: [...cleared.fees, ...late.fees],
    closed: [],
    silent: [],
    lastFreeDays: freeTime,
    spots: spotsOf(key, landedAt, end),
    appointments: leaves !== undefined && isForTruck ? appointmentsOf({ key, place, site: 'port', landedAt, end }) : [],
    chassis: isForTruck && isNorthAmerica(place) ? chassisOf(key) : null,
    pickupNumber: null,
    moves: [moveOf(landed), ...(leaves === undefined ? [] : [moveOf(leaves)])],
    oddMoves: [],
  }
}

/**
 * The last free day is announced some hours after the landing. When an examination used up free time, the facility
 * sometimes extends it.
 */
function freeTimeOf(of: {
  readonly key: string
  readonly place: string
  readonly free: { readonly from: number; readonly days: number; readonly working: boolean }
  readonly exam: Hold | null
}): readonly Said<string>[] {
  const { key, place, free, exam } = of
  const from = minute(free.from + between(`lfd said|${key}`, 1 * HOUR, 5 * HOUR))
  const first = { from, value: lastOfFreeDays(place, free) }
  if (exam === null || exam.until <= from || fraction(`longer|${key}`) > 0.5) return [first]
  const value = laterDay(first.value, wholeBetween(`longer by|${key}`, 1, 2))
  return [first, { from: exam.until, value }]
}

/**
 * An appointment is made some time before the box is fetched, for the hour in which it is fetched. Some are first made
 * for an earlier day and then moved.
 */
function appointmentsOf(of: {
  readonly key: string
  readonly place: string
  readonly site: Site
  readonly landedAt: number
  readonly end: number
}): readonly Said<number>[] {
  const { key, place, site, landedAt, end } = of
  if (fraction(`booked slot|${key}`) > (isNorthAmerica(place) ? 0.95 : 0.75)) return []
  const at = hourOf(place, end)
  const made = minute(Math.max(landedAt + 90 * MINUTE, at - between(`slot made|${key}`, 9 * HOUR, 40 * HOUR)))
  const final = { from: made, value: at }
  const missed = gateHourFrom(place, site, at - between(`missed|${key}`, 20 * HOUR, 30 * HOUR))
  const firstMade = made - 4 * HOUR
  if (fraction(`moved slot|${key}`) > 0.15 || missed >= at || missed < made || firstMade < landedAt) return [final]
  return [{ from: firstMade, value: missed }, final]
}

function stayAtRamp({
  key,
  rail,
  offTrain,
  out,
}: {
  readonly key: string
  readonly rail: RailTrip
  readonly offTrain: Fact
  readonly out: Fact | undefined
}): Stay {
  const { place } = offTrain.call
  const name = `ramp|${key}`
  const end = out?.at ?? offTrain.at + 4 * DAY
  const notifiedAt = minute(
    offTrain.at + between(`notified|${name}`, 0.5 * HOUR, Math.min(4 * HOUR, (end - offTrain.at) / 3)),
  )
  const days = wholeBetween(`free days|${rail.destinationCarrier}`, 1, 2)
  const free = lastOfFreeDays(place, { from: notifiedAt, days, working: false })
  const freeTime = [{ from: notifiedAt, value: free }]
  const late = overstay({ key: name, place, site: 'ramp', freeTime, end, isForTruck: true })
  const inBond: readonly Hold[] =
    fraction(`in bond|${name}`) < 0.15
      ? [
          {
            name: 'customs',
            status: 'hold',
            description: 'in-bond movement not closed',
            from: notifiedAt,
            until: minute(notifiedAt + (end - notifiedAt) * between(`closed|${name}`, 0.1, 0.6)),
          },
        ]
      : []
  return {
    site: 'ramp',
    place,
    terminal: null,
    name: offTrain.call.facilityName ?? `${getPlace(place).name} ramp`,
    knownFrom: rail.departsAt,
    landedAt: offTrain.at,
    readyAt: notifiedAt,
    leavesAt: out?.at ?? null,
    leavesBy: 'TRUCK',
    holds: [...inBond, ...late.holds],
    fees: late.fees,
    closed: [],
    silent: [],
    lastFreeDays: freeTime,
    spots: spotsOf(name, offTrain.at, end),
    appointments:
      out === undefined ? [] : appointmentsOf({ key: name, place, site: 'ramp', landedAt: offTrain.at, end }),
    chassis: chassisOf(name),
    pickupNumber: String(wholeBetween(`pickup number|${name}`, 100_000, 999_999)),
    moves: out === undefined ? [] : [moveOf(out)],
    oddMoves: [],
  }
}

/** Row and position in the stacks. Some boxes are moved once to reach others. */
function spotsOf(key: string, landedAt: number, end: number): readonly Said<string>[] {
  const spot = (n: number): string => {
    const name = `spot ${n}|${key}`
    const row = String(wholeBetween(`row|${name}`, 1, 60)).padStart(2, '0')
    return `${pick(name, Array.from('ABCDEFGH'))}${row}-${wholeBetween(`bay|${name}`, 10, 40)}-${wholeBetween(`tier|${name}`, 1, 5)}`
  }
  const first = { from: landedAt, value: spot(1) }
  if (fraction(`restowed|${key}`) > 0.3) return [first]
  return [first, { from: minute(landedAt + (end - landedAt) * 0.4), value: spot(2) }]
}

function chassisOf(key: string): string {
  const owner = pick(`chassis|${key}`, ['DCLZ', 'TSXZ', 'METZ', 'FLXZ', 'NSPZ'])
  return `${owner}${wholeBetween(`chassis number|${key}`, 100_000, 999_999)}`
}

function moveOf({ at, code, load, call }: Fact): Move {
  return { at, what: [code, load, ...modeOf(call)].join(' '), place: call.place }
}

/** A terminal reports a feeder as a vessel. */
function modeOf({ mode }: Call): readonly string[] {
  return mode === 'TRUCK' ? [] : [mode === 'FEEDER' ? 'VESSEL' : mode]
}

function minute(at: number): number {
  return Math.round(at / MINUTE) * MINUTE
}
