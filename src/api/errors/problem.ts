/**
 * A refusal as the client gets it, and how anything that was thrown becomes one: JSON:API errors, without internal
 * details.
 */

import type { FastifyError } from 'fastify'
import { type ErrorSource, refusalOf } from '../../modules/errors.ts'
import { errorTable, type ProblemCode } from '../shape/error-table.ts'
import { isOutage } from './outage.ts'

export interface Fault {
  readonly detail: string
  readonly source?: ErrorSource
  readonly meta?: Readonly<Record<string, unknown>>
}

/** A refusal by an API. All its faults have the same code, so there is one status. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly faults: readonly Fault[]
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ProblemCode, faults: Fault | readonly Fault[], headers: Readonly<Record<string, string>> = {}) {
    super(code)
    this.name = 'Problem'
    this.code = code
    this.faults = Array.isArray(faults) ? faults : [faults as Fault]
    this.headers = headers
  }
}

export function parameterFault(code: 'malformed' | 'invalid', parameter: string, detail: string): Problem {
  return new Problem(code, { detail, source: { parameter } })
}

export function headerFault(code: 'malformed' | 'invalid', header: string, detail: string): Problem {
  return new Problem(code, { detail, source: { header } })
}

export function pointerFault(
  code: 'malformed' | 'invalid' | 'conflict' | 'forbidden',
  pointer: string,
  detail: string,
): Problem {
  return new Problem(code, { detail, source: { pointer } })
}

export interface ErrorDocument {
  readonly errors: readonly (Fault & {
    readonly status: string
    readonly code: string
    readonly title: string
  })[]
}

export function writeProblem({ code, faults }: Problem): ErrorDocument {
  const { status, title } = errorTable[code]
  return { errors: faults.map((fault) => ({ status: String(status), code, title, ...fault })) }
}

/** Converts anything that was thrown into a problem. An unknown error becomes `internal`, and the caller logs it. */
export function problemOf(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown
  const refusal = refusalOf(thrown)
  if (refusal !== null) {
    const { code, detail, source, meta, retryAfterSeconds } = refusal
    const fault = { detail, ...(source === null ? {} : { source }), ...(meta === null ? {} : { meta }) }
    const wait = retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) }
    return new Problem(code, fault, code === 'unavailable' ? { ...retrySoon, ...wait } : wait)
  }
  if (isOutage(thrown)) return unavailableProblem()
  const { code, statusCode } = (thrown ?? {}) as Partial<FastifyError>
  const known = fastifyFaults[code ?? '']
  if (known !== undefined) {
    const [problem, detail, header] = known
    return new Problem(problem, { detail, ...(header === undefined ? {} : { source: { header } }) })
  }
  if (statusCode === 413) return new Problem('too_large', { detail: 'The body is larger than 1 MB.' })
  return new Problem('internal', {
    detail: 'Something went wrong on our side. Our log has the details under the request id.',
  })
}

const retrySoon = { 'retry-after': '5' }

function unavailableProblem(): Problem {
  return new Problem(
    'unavailable',
    { detail: 'The service cannot answer just now. Try again in a few seconds.' },
    retrySoon,
  )
}

/** Code and detail for Fastify's own errors, and the header at fault if there is one. */
const fastifyFaults: Readonly<Record<string, readonly [ProblemCode, string, string?]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'Send the body as application/vnd.api+json or application/json.',
    'Content-Type',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['malformed', 'The body is not as long as Content-Length says.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', 'The body is larger than 1 MB.'],
  FST_ERR_BAD_URL: ['malformed', 'The address cannot be read: it has a broken percent encoding.'],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', 'There is nothing at this address.'],
}

/** A name as part of a pointer (RFC 6901, 3). A very long name is cut. */
export function toPointerToken(name: string): string {
  return name.slice(0, 80).replaceAll('~', '~0').replaceAll('/', '~1')
}
