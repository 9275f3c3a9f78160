/**
 * Remembers what was read recently, by version. The reader compares this version with that of the row, and reads the
 * row only when they differ. So nothing out of date is ever served, and what has not changed is not unpacked again
 * (docs/decisions/0021).
 */

import type { Db } from './database.ts'

/** Some 20 MB for containers with their shipments. The entry that was requested the longest ago is dropped first. */
const entriesMax = 2_000

interface CacheEntry<Value> {
  readonly version: string
  readonly value: Value
}

export interface RowCache<Value> {
  readonly find: (db: Db, key: string) => CacheEntry<Value> | null
  readonly put: (db: Db, key: string, remembered: CacheEntry<Value>) => void
}

/** Separate for each pool or connection, so that two databases in one process never mix. */
export function makeRowCache<Value>(): RowCache<Value> {
  const memories = new WeakMap<Db, Map<string, CacheEntry<Value>>>()
  return {
    find(db, key) {
      const entries = memories.get(db)
      const found = entries?.get(key)
      if (entries === undefined || found === undefined) return null
      entries.delete(key)
      entries.set(key, found)
      return found
    },
    put(db, key, remembered) {
      const entries = memories.get(db) ?? new Map<string, CacheEntry<Value>>()
      memories.set(db, entries)
      entries.delete(key)
      entries.set(key, remembered)
      const oldest = entries.size > entriesMax ? entries.keys().next().value : undefined
      if (oldest !== undefined) entries.delete(oldest)
    },
  }
}
