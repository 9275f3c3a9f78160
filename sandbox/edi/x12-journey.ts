/** The input of the X12 writer: the statements about one box, and the dialect in which to write them. */

import type { Said } from './said.ts'

export interface X12Journey<Saying extends Said = Said> {
  readonly words: 'line' | 'terminal' | 'rail'
  readonly box: string
  readonly bill: string | null
  readonly booking: string | null
  /** Statements about this box. Those that X12 cannot express are left out (`x12-carries.ts`). */
  readonly said: readonly Saying[]
  /** When the interchange was written: an ISO instant in UTC. Default: the first day of 2026. */
  readonly writtenAt?: string
  /** The sender's number of the interchange. Default: 1. */
  readonly control?: number
}

/** Each segment is its tag followed by its elements. */
export type Segments = readonly (readonly string[])[]
