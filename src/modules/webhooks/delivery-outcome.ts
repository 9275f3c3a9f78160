/** What an answer to a delivery means: success, failure worth another attempt, or a receiver that wants no more. */

import type { EgressResult } from '../../platform/egress.ts'
import { parseRetryAfterMs } from './retry-schedule.ts'

export interface DeliveryOutcome {
  readonly kind: 'succeeded' | 'failed' | 'gone'
  readonly statusCode: number | null
  /** As text, where the status code alone is not enough. */
  readonly error: string | null
  readonly address: string | null
  readonly durationMs: number
  readonly responseBody: string | null
  readonly retryAfterMs: number | null
}

const storedBytesMax = 1_024

export function readOutcome(result: EgressResult, nowMs: number): DeliveryOutcome {
  if (result.kind !== 'answer') {
    return {
      kind: 'failed',
      statusCode: null,
      error: result.kind === 'refused' ? `refused: ${result.reason}` : `${result.reason}: ${result.message}`,
      address: null,
      durationMs: result.kind === 'refused' ? 0 : result.durationMs,
      responseBody: null,
      retryAfterMs: null,
    }
  }
  const { status } = result
  const mayAskToWait = status === 429 || status === 503
  return {
    kind: status >= 200 && status < 300 ? 'succeeded' : status === 410 ? 'gone' : 'failed',
    statusCode: status,
    error: status >= 300 && status < 400 ? 'redirects are not followed' : null,
    address: result.address,
    durationMs: result.durationMs,
    responseBody: result.bodyFault === undefined ? decodeStoredExcerpt(result.body) : null,
    retryAfterMs: mayAskToWait ? parseRetryAfterMs(result.headers['retry-after'] ?? null, nowMs) : null,
  }
}

/** The first kilobyte as text. A character that the cut splits is left out; Postgres text cannot hold NUL. */
export function decodeStoredExcerpt(body: Buffer): string {
  return new TextDecoder().decode(body.subarray(0, storedBytesMax), { stream: true }).replaceAll('\0', '')
}
