/** What the writer of X12 is given: what was said of one box, and in whose words it is to be written. */

import type { Said } from './said.ts'

export interface X12Journey<Saying extends Said = Said> {
  readonly words: 'line' | 'terminal' | 'rail'
  readonly box: string
  readonly bill: string | null
  readonly booking: string | null
  /** Of this box; what X12 cannot say is left out (`x12-carries.ts`). */
  readonly said: readonly Saying[]
  /** When the interchange was written, ISO instant, in UTC; left out: on the first day of 2026. */
  readonly writtenAt?: string
  /** Of the interchange, the sender's own; left out: 1. */
  readonly control?: number
}

/** Each as its tag and its elements. */
export type Segments = readonly (readonly string[])[]
