/**
 * Finds what a hash or a name-based id was made from. Ids of reference data are not stored, because they follow from the
 * natural key. Each entry is one double (eight bytes): 32 bits of the hash, then a number. The entries are sorted.
 */

export interface HashIndex {
  /** The numbers under this hash, in their order. */
  find(hash: number): readonly number[]
}

export function makeHashIndex(entries: Iterable<{ readonly hash: number; readonly number: number }>): HashIndex {
  const sorted = Float64Array.from(entries, ({ hash, number }) => hash * numbersMax + number).sort()
  return {
    find: (hash) => {
      const from = hash * numbersMax
      const found: number[] = []
      for (let at = firstNotBelow(from); (sorted[at] ?? Number.POSITIVE_INFINITY) < from + numbersMax; at++)
        found.push((sorted[at] ?? 0) - from)
      return found
    },
  }

  function firstNotBelow(entry: number): number {
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((sorted[middle] ?? 0) < entry) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** A double holds 53 bits exactly: 32 bits of the hash and 20 bits of the number. */
const numbersMax = 2 ** 20

export interface IdIndex {
  /** The key. */
  find(id: string): string | null
}

/** `keyAt` gives null for a number that has no id. */
export function makeIdIndex(of: {
  readonly count: number
  readonly keyAt: (number: number) => string | null
  readonly idOf: (key: string) => string
}): IdIndex {
  const index = makeHashIndex(entries())
  return {
    find: (id) => {
      if (!/^[0-9a-f]{8}-/i.test(id)) return null
      const keys = index.find(headOf(id)).map(of.keyAt)
      return keys.find((key) => key !== null && of.idOf(key) === id.toLowerCase()) ?? null
    },
  }

  function* entries() {
    for (let number = 0; number < of.count; number++) {
      const key = of.keyAt(number)
      if (key !== null) yield { hash: headOf(of.idOf(key)), number }
    }
  }
}

function headOf(id: string): number {
  return Number.parseInt(id.slice(0, 8), 16)
}
