/** What a published list says, as flat records under natural keys, and what of it could not be taken. */

/** The lists that can be refreshed. */
export const refreshableLists = ['smdg', 'unlocode', 'firms', 'vessels'] as const
export type RefreshableList = (typeof refreshableLists)[number]

export type RecordValue = string | number | null
export type RecordValues = Readonly<Record<string, RecordValue>>

export interface ReferenceRecord {
  /** SMDG: port and code, `USLAX:APMT`; UN/LOCODE; FIRMS code; IMO number. */
  readonly key: string
  readonly values: RecordValues
}

/** A row, or one value of it, that is not taken; what is there stays. */
export interface Refusal {
  /** Line of the file, from 1. */
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

/** A list as read: rows that the file holds, records that can be taken, and everything that cannot. */
export interface ReadList {
  readonly rows: number
  readonly records: readonly ReadRecord[]
  readonly refusals: readonly Refusal[]
}

/** The whole file cannot be taken: the sentence says why and what to do. */
export class ListFault extends Error {}
