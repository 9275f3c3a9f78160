/** What a verb refuses, and why, as text that may be shown. The APIs map each code to a status in one table. */

import { ShareExhausted } from '../db/account-shares.ts'
import { isErrorCode } from '../platform/error-code.ts'

export const errorCodes = [
  'not_found',
  'malformed',
  'invalid',
  'duplicate',
  'duplicate_document',
  'unknown_scac',
  'carrier_not_configured',
  'carrier_not_enabled',
  'unsupported_number_type',
  'forbidden',
  'conflict',
  'precondition_failed',
  'rate_limited',
  'too_large',
  'took_too_long',
  'unavailable',
  'issuer_unavailable',
] as const
export type ErrorCode = (typeof errorCodes)[number]

/** Where in the request the fault is: a JSON pointer into the body, or the name of a query parameter or of a header. */
export type ErrorSource = { readonly pointer: string } | { readonly parameter: string } | { readonly header: string }

/** A refusal. `detail` is public; `cause` is for the log alone. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly detail: string
  readonly source: ErrorSource | null
  readonly meta: Readonly<Record<string, unknown>> | null
  /** Whole seconds after which the same request may be sent again; null when waiting does not help. */
  readonly retryAfterSeconds: number | null

  constructor(
    code: ErrorCode,
    detail: string,
    extra: {
      readonly source?: ErrorSource
      readonly meta?: Readonly<Record<string, unknown>>
      readonly cause?: unknown
      readonly retryAfterSeconds?: number
    } = {},
  ) {
    super(detail, extra.cause === undefined ? undefined : { cause: extra.cause })
    this.name = 'ServiceError'
    this.code = code
    this.detail = detail
    this.source = extra.source ?? null
    this.meta = extra.meta ?? null
    this.retryAfterSeconds = extra.retryAfterSeconds ?? null
  }
}

/** The answer is the same for a thing of another account and for one that never existed. */
export function notFound(what: string): ServiceError {
  return new ServiceError('not_found', `No such ${what}.`)
}

/** The value at this place of the body is refused. */
export function refusedAt(pointer: string, detail: string): ServiceError {
  return new ServiceError('invalid', detail, { source: { pointer } })
}

/** For an error about a number: the number that was probably intended, if it is known. */
export function suggestion(suggestedNumber: string | null): { readonly meta?: Readonly<Record<string, unknown>> } {
  return suggestedNumber === null ? {} : { meta: { suggested_number: suggestedNumber } }
}

/**
 * After this time the database may be less busy, so that a statement that it stopped (SQLSTATE 57014) can succeed; but
 * that is rare.
 */
const cutOffRetrySeconds = 30

/** Converts a thrown error into its refusal; null for an error without one: an outage, or a fault of ours. */
export function refusalOf(thrown: unknown): ServiceError | null {
  if (thrown instanceof ServiceError) return thrown
  if (thrown instanceof ShareExhausted)
    return new ServiceError(
      'rate_limited',
      'The other requests of this account used all of its database connections for too long. Send fewer requests at once.',
      { retryAfterSeconds: thrown.retryAfterSeconds },
    )
  if (isErrorCode(thrown, '57014'))
    return new ServiceError(
      'took_too_long',
      'The database query took too long and was cancelled. Ask for less: narrower filters, longer words, a smaller page.',
      { retryAfterSeconds: cutOffRetrySeconds, cause: thrown },
    )
  // Postgres stores no U+0000: 22021 as itself, 22P05 as an escape of JSON.
  if (isErrorCode(thrown, '22021') || isErrorCode(thrown, '22P05'))
    return new ServiceError('malformed', 'A text or the address contains the character U+0000, which is not allowed.', {
      cause: thrown,
    })
  return null
}
