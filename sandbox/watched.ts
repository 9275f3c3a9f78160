/** Boxes that somebody wants news about, and the news about them. */
import type { Facility } from './facilities.ts'
import { findComing, isOver, type KnownBox, recordOf, saidSince } from './facility-record.ts'
import type { World } from './world.ts'

interface Entry {
  readonly facility: Facility
  readonly number: string
  box: KnownBox | null
  /** The report that was sent last, by the moment since which it was valid. */
  told: number | null
  /**
   * When to look for the box again, in real time: for a box that the facility does not know, or one that has gone and
   * may come again.
   */
  lookAgainAt: number
}

export interface News {
  readonly facility: Facility
  readonly number: string
  readonly record: object
}

const WATCHED_MAX = 5_000
const LOOK_AGAIN_MS = 20_000

export class Watched {
  private readonly entries = new Map<string, Entry>()
  private readonly world: World
  private readonly now: () => number

  constructor(world: World, now: () => number) {
    this.world = world
    this.now = now
  }

  /** Adding a box a second time changes nothing. */
  add(facility: Facility, number: string): void {
    const key = `${facility.name} ${number}`
    if (this.entries.has(key)) return
    const oldest = this.entries.keys().next().value
    if (this.entries.size >= WATCHED_MAX && oldest !== undefined) this.entries.delete(oldest)
    this.entries.set(key, { facility, number, box: null, told: null, lookAgainAt: 0 })
  }

  /** Each box with a report that differs from the last one that was sent. */
  news(): readonly News[] {
    const now = this.now()
    return [...this.entries.values()].flatMap((entry) => {
      const { facility, number } = entry
      const isFound = entry.box !== null && !(isOver(entry.box, now) && entry.told !== null)
      if (!isFound && Date.now() >= entry.lookAgainAt) {
        entry.box = findComing(this.world, facility, number, now)
        entry.lookAgainAt = Date.now() + LOOK_AGAIN_MS
      }
      const since = entry.box === null ? null : saidSince(entry.box, now)
      if (entry.box === null || since === null || since === entry.told) return []
      const record = recordOf(entry.box, now)
      entry.told = since
      return record === null ? [] : [{ facility, number, record }]
    })
  }

  /** Called when a delivery failed: the report becomes news again. */
  again({ facility, number }: News): void {
    const entry = this.entries.get(`${facility.name} ${number}`)
    if (entry !== undefined) entry.told = null
  }
}
