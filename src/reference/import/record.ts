/** The content of a published list as flat records under natural keys, and the rows and values that were refused. */

/** The lists that can be refreshed. */
export const refreshableLists = ['smdg', 'unlocode', 'firms', 'vessels'] as const
export type RefreshableList = (typeof refreshableLists)[number]

export type RecordValue = string | number | null
export type RecordValues = Readonly<Record<string, RecordValue>>

export interface ReferenceRecord {
  /** The key in each list. SMDG: port and code, `USLAX:APMT`. The other lists: UN/LOCODE; FIRMS code; IMO number. */
  readonly key: string
  readonly values: RecordValues
}

/** A row, or one value of a row, that is refused. The known value stays. */
export interface Refusal {
  /** Line of the file, counted from 1. */
  readonly line: number
  readonly key: string
  readonly field: string
  readonly value: string
  readonly why: string
  readonly refused: 'row' | 'value'
}

export interface ReadRecord extends ReferenceRecord {
  readonly line: number
}

/** A list after reading: the number of rows in the file, the records that can be imported, and all refusals. */
export interface ReadList {
  readonly rows: number
  readonly records: readonly ReadRecord[]
  readonly refusals: readonly Refusal[]
}

/** The complete file cannot be imported. The message states the reason and the remedy. */
export class ListFault extends Error {}
