/**
 * Journeys that begin after the world has caught up with the real clock: one every five seconds, for as long as the
 * sandbox runs. Each begins 60 days back and runs at a day per second until it has caught up too, as the world itself
 * did. So people who come after the first minutes also see things happen. Like everything here, these journeys are a
 * function of seed, epoch and now. They are too many for a list, so a journey is found from its number, by reversing
 * the function that made the number.
 */
import { fraction } from './chance.ts'
import { LINES, type Line } from './lines.ts'
import { DAY } from './local-time.ts'
import { boxSerialsOf, serialsOf } from './numbers.ts'

/**
 * How far the world began before the real clock (`--anchor-sim`). After the same time by the sandbox's clock it has
 * caught up.
 */
const WORLD_BEGAN_BACK = 90 * DAY
const EVERY = 5_000
const BEGINS_BACK = 60 * DAY
/** Fixed, unlike the world's speed: a restart may change that, and statements that were visible must stay visible. */
const PACE = 86_400
/** How long a journey is shown in the catalogue: twice as long as it runs fast. */
const SHOWN = 120_000
/** Serials above those of the shipments that are booked day by day. */
const SERIALS_FROM = 20_000

/** Something with a story that may begin late. */
export interface Told {
  /** When its first statement appeared; null for a story that runs with the world's clock. */
  readonly beginsAt: number | null
}

export interface Latecomer {
  readonly line: Line
  readonly serial: number
  readonly beginsAt: number
  /** The date in its story at which it begins. */
  readonly bookedAt: number
}

/** The moment of the story that is reached now. It never goes back. */
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

  /** The journeys that began within the last two minutes, the newest first. */
  recent(now: number, line: Line | null): readonly Latecomer[] {
    const begun = this.begun(now)
    const found: Latecomer[] = []
    for (let turn = begun - 1; turn >= Math.max(0, begun - SHOWN / EVERY); turn--) {
      const latecomer = this.at(turn)
      if (line === null || latecomer.line === line) found.push(latecomer)
    }
    return found
  }

  /** Journeys that may have this number at this line. The caller has to compare the numbers. */
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

  /** The lines take turns: each turn gives one journey of the next line. */
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
