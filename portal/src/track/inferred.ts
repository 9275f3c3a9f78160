/** What a pasted number probably is, as `POST /v2/tracking_requests/infer_number` says it. */

import { type Connection, Refusal } from '../api/connection.ts'

export type Kind = 'container' | 'bill_of_lading' | 'booking_number'
export interface Candidate {
  readonly scac: string
  readonly name: string
  readonly confidence: number
}
/** A number with what is chosen for it. `scac` empty: the lines are asked one after the other. */
export interface Row {
  readonly number: string
  /** Null: found out together with the line. */
  readonly kind: Kind | null
  readonly scac: string
  readonly candidates: readonly Candidate[]
  readonly decision: 'auto_select' | 'needs_confirmation' | 'no_prediction' | null
  readonly isBadCheckDigit: boolean
  /** Why the number cannot be tracked as it is; empty when nothing is known against it. */
  readonly fault: string
}

interface Inferred {
  readonly data: {
    readonly attributes: {
      readonly number_type: 'container' | 'bill_of_lading' | 'booking'
      readonly validation: { readonly check_digit_passed: boolean | null }
      readonly shipping_line: {
        readonly decision: NonNullable<Row['decision']>
        readonly selected: Candidate | null
        readonly candidates: readonly Candidate[]
      }
    }
  }
}

const atOnce = 4

export const notInferred = (number: string): Row => ({
  number,
  kind: null,
  scac: '',
  candidates: [],
  decision: null,
  isBadCheckDigit: false,
  fault: '',
})

/** Infers all numbers, some at a time, and gives each result as it comes. */
export async function inferAll(
  connection: Connection,
  numbers: readonly string[],
  given: { readonly onRow: (row: Row) => void; readonly signal: AbortSignal },
): Promise<void> {
  const waiting = [...numbers]
  const work = async (): Promise<void> => {
    for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) {
      if (given.signal.aborted) return
      given.onRow(await inferOne(connection, number, given.signal))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

async function inferOne(connection: Connection, number: string, signal: AbortSignal): Promise<Row> {
  try {
    const answer = await connection.ask('POST', '/v2/tracking_requests/infer_number', { number })
    return rowOf(number, answer as Inferred)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.retryAfterS === null) return { ...notInferred(number), fault: error.message }
    await new Promise((resolve) => setTimeout(resolve, (error.retryAfterS ?? 1) * 1_000))
    return signal.aborted ? notInferred(number) : inferOne(connection, number, signal)
  }
}

function rowOf(number: string, { data: { attributes } }: Inferred): Row {
  const { number_type: type, validation, shipping_line: line } = attributes
  return {
    number,
    kind: type === 'booking' ? 'booking_number' : type,
    scac: line.decision === 'auto_select' ? (line.selected?.scac ?? '') : '',
    candidates: line.candidates,
    decision: line.decision,
    isBadCheckDigit: validation.check_digit_passed === false,
    fault: '',
  }
}
