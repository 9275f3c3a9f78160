/** The content of the envelope of an EDI interchange: who sends it to whom, when, and its number. */

import type { EdiIds } from '../../modules/webhooks/webhooks-sql.ts'

export interface Envelope {
  readonly ids: EdiIds
  /** ISO instant in UTC. */
  readonly writtenAt: string
  /** From 1, rising for one account. */
  readonly control: number
}

/** The date of an instant as `20260105`, and its time as `083000`. */
export function toDateTimeDigits(at: string): { readonly day: string; readonly time: string } {
  return { day: at.slice(0, 10).replaceAll('-', ''), time: at.slice(11, 19).replaceAll(':', '') }
}
