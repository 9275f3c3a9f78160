/**
 * Journeys that begin once the world has caught up with the real clock: one every five seconds, for as long as it runs.
 * Each is told as fast as the world itself began, a day a second, from 60 days back until it has caught up too. So whoever
 * comes later than the first minutes also sees things happen. Like all else here they are a function of seed, epoch and now;
 * there are too many to keep a list of, so they are found by undoing what made their numbers.
 */
import { fraction } from './chance.ts'
import { LINES, type Line } from './lines.ts'
import { DAY } from './local-time.ts'
import { boxSerialsOf, serialsOf } from './numbers.ts'

/** The world began this long before the real clock (`--anchor-sim`), so after as long it has caught up. */
const WORLD_BEGAN_BACK = 90 * DAY
const EVERY = 5_000
const BEGINS_BACK = 60 * DAY
/** Not the world's speed, which a start may change: what was told once must not become untold. */
const PACE = 86_400
/** Shown in the catalogue for so long: twice as long as it is told fast. */
const SHOWN = 120_000
/** Beyond the serials of those that are booked day by day. */
const SERIALS_FROM = 20_000

/** Something that may begin late: null for what is told as it happens. */
export interface Told {
  /** When the first word of it was said. */
  readonly beginsAt: number | null
}

export interface Latecomer {
  readonly line: Line
  readonly serial: number
  readonly beginsAt: number
  /** Where on the calendar its story begins. */
  readonly bookedAt: number
}

/** Up to which moment its story is told now; it never goes back. */
export function storyTime({ beginsAt }: Told, now: number): number {
  return beginsAt === null ? now : Math.min(now, beginsAt - BEGINS_BACK + (now - beginsAt) * PACE)
}

export class Latecomers {
  private readonly seed: number
  private readonly from: number
  private readonly turns: readonly Line[]

  constructor(seed: number, epoch: number) {
    this.seed = seed
    this.from = epoch + WORLD_BEGAN_BACK
    const place = ({ scac }: Line): number => fraction(`late|${seed}|${scac}`)
    this.turns = [...LINES].sort((a, b) => place(a) - place(b))
  }

  /** Those that began within the last two minutes, the newest first. */
  recent(now: number, line: Line | null): readonly Latecomer[] {
    const begun = this.begun(now)
    const found: Latecomer[] = []
    for (let turn = begun - 1; turn >= Math.max(0, begun - SHOWN / EVERY); turn--) {
      const latecomer = this.at(turn)
      if (line === null || latecomer.line === line) found.push(latecomer)
    }
    return found
  }

  /** Those that may bear this number at this line: whoever asks compares. */
  candidates(line: Line, number: string, now: number): readonly Latecomer[] {
    const turn = this.turns.indexOf(line)
    const serialsTo = SERIALS_FROM + Math.ceil((this.begun(now) - turn) / this.turns.length)
    const range = { from: SERIALS_FROM, to: serialsTo }
    const world = `${line.scac}|${this.seed}`
    const serials = new Set([
      ...serialsOf(line.booking, world, number, range),
      ...serialsOf(line.bill, world, number, range),
      ...boxSerialsOf(world, number, range),
    ])
    return [...serials].map((serial) => this.at((serial - SERIALS_FROM) * this.turns.length + turn))
  }

  private begun(now: number): number {
    return Math.max(0, Math.floor((now - this.from) / EVERY) + 1)
  }

  /** The lines take turns. */
  private at(turn: number): Latecomer {
    const beginsAt = this.from + turn * EVERY
    return {
      line: this.turns[turn % this.turns.length] as Line,
      serial: SERIALS_FROM + Math.floor(turn / this.turns.length),
      beginsAt,
      bookedAt: beginsAt - BEGINS_BACK,
    }
  }
}
