/**
 * What an import would change: records added, changed (with the values before and after), retired, and restored.
 * Records are never deleted.
 */

import type { RecordValues, ReferenceRecord } from './record.ts'

export interface KnownRecord extends ReferenceRecord {
  readonly isRetired: boolean
}

export interface ChangedRecord {
  readonly key: string
  readonly before: RecordValues
  readonly after: RecordValues
  /** Names of the values that differ. Empty when a retired record is restored unchanged. */
  readonly fields: readonly string[]
  readonly comesBack: boolean
}

export interface Difference {
  readonly added: readonly ReferenceRecord[]
  readonly changed: readonly ChangedRecord[]
  readonly retired: readonly ReferenceRecord[]
  readonly unchanged: number
}

/** `mayRetire`: whether a known record that is missing in the list came from that list. */
export function compareRecords(
  known: ReadonlyMap<string, KnownRecord>,
  listed: readonly ReferenceRecord[],
  mayRetire: (record: KnownRecord) => boolean,
): Difference {
  const added: ReferenceRecord[] = []
  const changed: ChangedRecord[] = []
  let unchanged = 0
  const keys = new Set<string>()
  for (const { key, values } of listed) {
    keys.add(key)
    const before = known.get(key)
    if (before === undefined) {
      added.push({ key, values })
      continue
    }
    const after = { ...before.values, ...values }
    const fields = Object.keys(after).filter((field) => !isSame(before.values[field], after[field]))
    if (fields.length === 0 && !before.isRetired) unchanged += 1
    else changed.push({ key, before: before.values, after, fields, comesBack: before.isRetired })
  }
  const retired = [...known.values()]
    .filter((record) => !record.isRetired && !keys.has(record.key) && mayRetire(record))
    .map(({ key, values }) => ({ key, values }))
  return { added, changed, retired, unchanged }
}

/** A property that is missing counts as equal to null here. */
function isSame(before: RecordValues[string] | undefined, after: RecordValues[string] | undefined): boolean {
  return (before ?? null) === (after ?? null)
}
