/**
 * Finds the key that a name-based id was made from. Ids of reference data are not stored, because they follow from the
 * natural key. Each entry is one double (eight bytes): the first 32 bits of the id, then the key's number. The entries
 * are sorted.
 */
export interface IdIndex {
  find(id: string): string | null
}

export function makeIdIndex(keys: readonly string[], idOf: (key: string) => string): IdIndex {
  const entries = Float64Array.from(keys, (key, at) => headOf(idOf(key)) * keysMax + at).sort()
  return {
    find: (id) => {
      if (!/^[0-9a-f]{8}-/i.test(id)) return null
      const from = headOf(id) * keysMax
      for (let at = firstNotBelow(from); at < entries.length; at++) {
        const entry = entries[at] ?? 0
        const key = keys[entry % keysMax]
        if (key === undefined || entry >= from + keysMax) return null
        if (idOf(key) === id.toLowerCase()) return key
      }
      return null
    },
  }

  function firstNotBelow(entry: number): number {
    let [low, high] = [0, entries.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((entries[middle] ?? 0) < entry) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** A double holds 53 bits exactly: 32 bits of the id and 20 bits of the key's number. */
const keysMax = 2 ** 20

function headOf(id: string): number {
  return Number.parseInt(id.slice(0, 8), 16)
}
