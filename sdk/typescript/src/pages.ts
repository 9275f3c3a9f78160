/** A list of the API, page after page. */

export interface Page<Item> {
  readonly items: readonly Item[]
  /** Path and query of the next page, null after the last. */
  readonly next: string | null
  readonly meta: Readonly<Record<string, unknown>>
}

/** `for await` goes over all of it, reading a page when it is needed. Nothing is read before. */
export class Pages<Item> implements AsyncIterable<Item> {
  readonly #read: (next: string | null) => Promise<Page<Item>>

  constructor(read: (next: string | null) => Promise<Page<Item>>) {
    this.#read = read
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items
  }

  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let page = await this.#read(null)
    yield page
    while (page.next !== null) {
      page = await this.#read(page.next)
      yield page
    }
  }

  /** The first page alone; its `meta` says how many there are in all. */
  page(): Promise<Page<Item>> {
    return this.#read(null)
  }

  /** The first of the list, null of an empty one. */
  async first(): Promise<Item | null> {
    return (await this.page()).items[0] ?? null
  }

  /** All of it, `max` at most. */
  async all(max = Number.POSITIVE_INFINITY): Promise<readonly Item[]> {
    const all: Item[] = []
    for await (const item of this) {
      if (all.length >= max) break
      all.push(item)
    }
    return all
  }
}
