/** Boxes that somebody wants to be told about, and what is new of them. */
import type { Facility } from './facilities.ts'
import { findComing, isOver, type KnownBox, recordOf, saidSince } from './facility-record.ts'
import type { World } from './world.ts'

interface Entry {
  readonly facility: Facility
  readonly number: string
  box: KnownBox | null
  /** What was told last: the moment since which it stands. */
  told: number | null
  /** A stranger, and one that has gone and may come again, is looked for again then, in real time. */
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

  /** Once more is no more than once. */
  add(facility: Facility, number: string): void {
    const key = `${facility.name} ${number}`
    if (this.entries.has(key)) return
    const oldest = this.entries.keys().next().value
    if (this.entries.size >= WATCHED_MAX && oldest !== undefined) this.entries.delete(oldest)
    this.entries.set(key, { facility, number, box: null, told: null, lookAgainAt: 0 })
  }

  /** Each box of which something else is said than last time. */
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

  /** It did not arrive: it is news again. */
  again({ facility, number }: News): void {
    const entry = this.entries.get(`${facility.name} ${number}`)
    if (entry !== undefined) entry.told = null
  }
}
