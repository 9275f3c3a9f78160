/** The queue and the counters that the simulation of polling uses. */

/** A queue: first in, first out. */
export class Line<Item> {
  #items: Item[] = []
  #from = 0

  push(item: Item): void {
    this.#items.push(item)
  }

  get length(): number {
    return this.#items.length - this.#from
  }

  first(count: number): Item[] {
    return this.#items.slice(this.#from, this.#from + count)
  }

  drop(count: number): void {
    this.#from += count
    if (this.#from < 1_000 || this.#from < this.#items.length / 2) return
    this.#items = this.#items.slice(this.#from)
    this.#from = 0
  }
}

const windowSeconds = { perMinute: 60, perHour: 3_600, perDay: 86_400 } as const
export const windowNames = ['perMinute', 'perHour', 'perDay'] as const
/** How many requests were sent in each window that ends with a tick. */
export class RollingCounts {
  readonly fullest = { perMinute: 0, perHour: 0, perDay: 0 }
  readonly #sums = { perMinute: 0, perHour: 0, perDay: 0 }
  readonly #counts: Uint32Array
  readonly #tick: number

  constructor(tick: number) {
    this.#tick = tick
    this.#counts = new Uint32Array(Math.ceil(86_400 / tick) + 1)
  }

  add(place: number, sent: number): void {
    const size = this.#counts.length
    for (const window of windowNames) {
      const length = Math.max(1, Math.floor(windowSeconds[window] / this.#tick))
      const gone = place >= length ? (this.#counts[(place - length) % size] ?? 0) : 0
      this.#sums[window] += sent - gone
      this.fullest[window] = Math.max(this.fullest[window], this.#sums[window])
    }
    this.#counts[place % size] = sent
  }
}
