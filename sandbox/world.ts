/**
 * All shipments of the world, made on demand: a pure function of the seed and of the moment when the world began. Only
 * caches are kept.
 */
import { between, fraction, howMany, pick } from './chance.ts'
import { lanesOf } from './lanes.ts'
import { type Latecomer, Latecomers, type Told } from './latecomers.ts'
import type { Line } from './lines.ts'
import { billIsBooking, LINES } from './lines.ts'
import { DAY, HOUR } from './local-time.ts'
import { Named } from './named.ts'
import { containerNumber, equipmentOf, writeNumber } from './numbers.ts'
import { firstCall } from './sailing.ts'
import type { Behaviour, Box, Scenario, Shipment } from './shipment.ts'
import { readStories } from './story.ts'
import { nothingTold } from './told-ashore.ts'
import type { Papers } from './voice.ts'
import { speak } from './voice.ts'
import type { Booking, Party } from './voyage.ts'
import { boxCountOf, travel } from './voyage.ts'

/** How long before the world's beginning the first shipments were booked, so that some are already under way. */
export const DAYS_BEFORE_EPOCH = 150
const KEPT_SHIPMENTS = 1000
const AGAIN = 500_000

/** Enough to know a shipment's numbers; the rest is made when somebody asks. */
export interface Outline extends Told {
  readonly line: Line
  readonly serial: number
  readonly behaviour: Behaviour
  readonly bookedAt: number
  readonly boxes: readonly string[]
  readonly booking: string
  readonly bill: string
}

const ROUND: readonly Behaviour[] = [
  'plain',
  'plain',
  'rolled',
  'plain',
  'different_fates',
  'late_containers',
  'plain',
  'cancelled',
  'plain',
  'late_manifest',
  'corrected',
  'plain',
  'retracted',
  'container_reused',
  'plain',
  'bill_entered_late',
]

export class World {
  readonly seed: number
  readonly epoch: number
  private readonly outlines: Outline[] = []
  private readonly byNumber = new Map<string, Outline[]>()
  private readonly serials = new Map<string, number>()
  private readonly made = new Map<string, Shipment>()
  private nextDay: number
  private readonly latecomers: Latecomers

  private readonly stories: readonly Shipment[]
  /** The same stories under their own numbers. The catalogue does not list them. */
  private readonly named: Named

  constructor(seed: number, epoch: number) {
    this.stories = readStories(epoch)
    this.named = new Named(epoch)
    this.seed = seed
    this.epoch = epoch
    this.nextDay = Math.floor(epoch / DAY) - DAYS_BEFORE_EPOCH
    this.latecomers = new Latecomers(seed, epoch)
  }

  /**
   * The shipments that were booked in the last days, the hand-written stories first, and at the end those that have
   * just begun.
   */
  recent(now: number, days: number, line: Line | null): readonly Shipment[] {
    this.bookUntil(now)
    const made = this.outlines.filter(
      ({ bookedAt, line: its }) => bookedAt <= now && bookedAt > now - days * DAY && (line === null || its === line),
    )
    const stories = this.stories.filter((story) => line === null || story.line === line)
    const late = this.latecomers.recent(now, line).map((latecomer) => this.outlineOf(latecomer))
    return [...stories, ...[...made, ...late].map((outline) => this.shipment(outline))]
  }

  /** The shipments with this number at this line. There are several when a container was used again. */
  find(line: Line, number: string, now: number): readonly Shipment[] {
    this.bookUntil(now)
    const written = [...this.stories, ...this.named.of(number)]
    const stories = written.filter((story) => story.line === line && bears(story, number))
    const made = (this.byNumber.get(`${line.scac}|${number}`) ?? []).filter(({ bookedAt }) => bookedAt <= now)
    const late = this.latecomers
      .candidates(line, number, now)
      .map((latecomer) => this.outlineOf(latecomer))
      .filter(({ booking, bill, boxes }) => [booking, bill, ...boxes].includes(number))
    return [...stories, ...[...made, ...late].map((outline) => this.shipment(outline))]
  }

  private outlineOf({ line, serial, bookedAt, beginsAt }: Latecomer): Outline {
    const behaviour = behaviourOf(this.seed, line, serial)
    // A cancelled booking would show nothing, and a reused container needs a second trip, so both become plain
    // shipments.
    const isPlain = behaviour === 'cancelled' || behaviour === 'container_reused'
    const outline = this.outline(line, serial, bookedAt, isPlain ? 'plain' : behaviour, null)
    return { ...outline, beginsAt }
  }

  private bookUntil(now: number): void {
    for (const today = Math.floor(now / DAY); this.nextDay <= today; this.nextDay++) this.book(this.nextDay)
  }

  private shipment(outline: Outline): Shipment {
    const key = keyOf(outline)
    const known = this.made.get(key)
    if (known !== undefined) return known
    const oldest = this.made.keys().next().value
    if (this.made.size >= KEPT_SHIPMENTS && oldest !== undefined) this.made.delete(oldest)
    const shipment = makeShipment(this.seed, outline)
    this.made.set(key, shipment)
    return shipment
  }

  private book(day: number): void {
    for (const line of LINES) {
      const name = `${this.seed}|${line.scac}|${day}`
      for (let n = 0, count = howMany(`count|${name}`, line.rate); n < count; n++) {
        const serial = this.serials.get(line.scac) ?? 0
        this.serials.set(line.scac, serial + 1)
        const bookedAt = day * DAY + Math.floor(fraction(`at|${name}|${n}`) * 24) * HOUR
        const outline = this.outline(line, serial, bookedAt, behaviourOf(this.seed, line, serial), null)
        this.add(outline)
        if (outline.behaviour === 'container_reused') {
          // The box comes back empty and is used again for another shipper.
          const home = this.shipment(outline).endsAt + between(`home|${name}`, 1 * DAY, 6 * DAY)
          this.add(this.outline(line, serial + AGAIN, home, 'container_reused', outline.boxes))
        }
      }
    }
  }

  private outline(
    line: Line,
    serial: number,
    bookedAt: number,
    behaviour: Behaviour,
    reused: readonly string[] | null,
  ): Outline {
    const name = `${line.scac}|${this.seed}|${serial}`
    const key = `${line.scac} ${serial}`
    const booking = writeNumber(line.booking, `${name}|booking`, serial, bookedAt)
    const bill = billIsBooking(line) ? booking : writeNumber(line.bill, `${name}|bill`, serial, bookedAt)
    const count = behaviour === 'container_reused' ? 1 : boxCountOf(`${this.seed}|${key}`, behaviour)
    const boxes =
      reused ?? Array.from({ length: count }, (_, n) => containerNumber(line, `${name}|${n}`, serial * 8 + n))
    return { line, serial, behaviour, bookedAt, boxes, booking, bill, beginsAt: null }
  }

  private add(outline: Outline): void {
    this.outlines.push(outline)
    for (const number of new Set([outline.booking, outline.bill, ...outline.boxes])) {
      const key = `${outline.line.scac}|${number}`
      const others = this.byNumber.get(key)
      if (others === undefined) this.byNumber.set(key, [outline])
      else others.push(outline)
    }
  }
}

function behaviourOf(seed: number, line: Line, serial: number): Behaviour {
  const wanted = ROUND[(serial + Math.floor(fraction(`round|${seed}|${line.scac}`) * 16)) % ROUND.length] ?? 'plain'
  const isByPaper = line.kinds.length > 1 || !line.kinds.includes('container')
  const canCancel = line.kinds.includes('booking') && !line.quirks.has('no_shipment_events')
  if (wanted === 'cancelled') return canCancel ? wanted : 'plain'
  if (wanted === 'late_manifest') return line.kinds.includes('bill_of_lading') ? wanted : 'plain'
  if (wanted === 'late_containers') return isByPaper ? wanted : 'plain'
  if (wanted === 'container_reused') return line.kinds.includes('container') ? wanted : 'plain'
  if (wanted === 'bill_entered_late') return line.quirks.has('late_bill_loses_transports') ? wanted : 'plain'
  if (wanted === 'retracted' && !line.quirks.has('whole_picture')) return 'corrected'
  return wanted
}

function makeShipment(seed: number, outline: Outline): Shipment {
  const { line, behaviour, bookedAt, boxes: numbers } = outline
  const key = `${seed}|${keyOf(outline)}`
  const lane = pick(`lane|${key}`, lanesOf(line.scac))
  const booking: Booking = { seed, key, line, lane, behaviour, bookedAt, boxCount: numbers.length }
  const parties = travel(booking)
  const papers = papersOf(booking, outline, parties)
  const facts = papers.cancelledAt === null ? parties.flatMap((party) => party.facts) : []
  facts.sort((a, b) => a.at - b.at)
  const boxes = numbers.map((number, n): Box => {
    const { code, family } = equipmentOf(`${key}|${n}`)
    const seal = `${line.scac.slice(0, 2)}${String(Math.floor(fraction(`seal|${key}|${n}`) * 1e7)).padStart(7, '0')}`
    return { number, equipmentCode: code, family, seal }
  })
  return {
    key,
    beginsAt: outline.beginsAt,
    line,
    scenario: scenarioOf(booking, parties),
    from: lane.from,
    to: lane.to,
    booking: outline.booking,
    bill: outline.bill,
    bookingKnownAt: papers.bookingKnownAt,
    billKnownAt: papers.billKnownAt,
    cancelledAt: papers.cancelledAt,
    boxes,
    facts,
    statements: speak(booking, papers, parties),
    toldAshore: nothingTold,
    isToldByPartners: null,
    endsAt: Math.max(papers.cancelledAt ?? 0, ...facts.map((fact) => fact.at)),
  }
}

function papersOf(booking: Booking, outline: Outline, parties: readonly Party[]): Papers {
  const { key, behaviour, bookedAt } = booking
  const party = parties[0] as Party
  const leaves = firstCall(party.taken[0] as Party['taken'][number]).departure
  const arrives = Math.max(...party.facts.filter((fact) => fact.code === 'ARRI').map((fact) => fact.at))
  const comesLate = behaviour === 'late_manifest' ? between(`manifest|${key}`, 4 * DAY, 9 * DAY) : 0
  const afterArrival = fraction(`entered|${key}`) < 0.3
  const entered = afterArrival ? arrives + 8 * HOUR : leaves + between(`entered late|${key}`, 1 * DAY, 4 * DAY)
  const usual = leaves + between(`issued|${key}`, -0.8 * DAY, 1.2 * DAY) + comesLate
  const isCancelled = behaviour === 'cancelled'
  return {
    booking: outline.booking,
    bill: outline.bill,
    bookingKnownAt: bookedAt + 2 * HOUR,
    billKnownAt: isCancelled ? null : Math.round(behaviour === 'bill_entered_late' ? entered : usual),
    cancelledAt: isCancelled ? bookedAt + Math.round(between(`cancel|${key}`, 2 * DAY, 6 * DAY)) : null,
    boxesNamedAt: behaviour === 'late_containers' ? leaves + between(`named|${key}`, 0.8 * DAY, 3 * DAY) : 0,
  }
}

function scenarioOf({ behaviour, lane }: Booking, parties: readonly Party[]): Scenario {
  if (behaviour !== 'plain') return behaviour
  const taken = parties[0]?.taken ?? []
  if (taken.some(({ key }) => key.endsWith('/2'))) return 'transshipment'
  const temper = taken.at(-1)?.temper
  if (temper === 'slips') return 'eta_slips'
  return temper === 'jitter' && lane.shape === 'direct' ? 'eta_jitter' : lane.shape
}

function bears({ booking, bill, boxes }: Shipment, number: string): boolean {
  return booking === number || bill === number || boxes.some((box) => box.number === number)
}

function keyOf(outline: Outline): string {
  return `${outline.line.scac} ${outline.serial}`
}
