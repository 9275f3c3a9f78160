/**
 * Why an access did not work, from what was sent and what came back. The rules follow RFC 6749 and RFC 6750, and the
 * error texts of the gateways that carriers use. What nothing states stays `refused`.
 */

import { X509Certificate } from 'node:crypto'
import type { AnswerOutcome, FetchResult } from '../../connectors/source.ts'
import type { EgressResult } from '../../platform/egress.ts'

export const accessCauses = [
  'works',
  'unknown_number',
  'test_address',
  'wrong_secret',
  'wrong_plan',
  'missing_scope',
  'ip_not_allowed',
  'clock_skew',
  'certificate_expired',
  'certificate_needed',
  'certificate_untrusted',
  'rate_limited',
  'wrong_address',
  'question_refused',
  'refused',
  'no_answer',
  'not_sent',
  'not_understood',
] as const
export type AccessCause = (typeof accessCauses)[number]

export interface AccessFinding {
  readonly cause: AccessCause
  /** What differs from trial to trial: a date, seconds, a host. Empty where there is nothing. */
  readonly detail: string
}

/** One request of a trial, and what came back. */
export interface Exchange {
  readonly host: string
  readonly isForToken: boolean
  readonly result: EgressResult
  /** Our clock at that moment, ms since 1970. */
  readonly nowMs: number
}

export interface TrialEvidence {
  readonly exchanges: readonly Exchange[]
  readonly answer: FetchResult
  /** Null where nothing was read. */
  readonly outcome: AnswerOutcome | null
  /** Host of the profile. */
  readonly host: string
  readonly secrets: Readonly<Record<string, string>>
  /** Requests, or the request for a token, are signed with the time. */
  readonly isSigned: boolean
  readonly nowMs: number
}

/** Whether requests can be answered with this access. */
export function isWorking(cause: AccessCause): boolean {
  return cause === 'works' || cause === 'unknown_number' || cause === 'test_address'
}

export function diagnoseAccess(evidence: TrialEvidence): AccessFinding {
  const { host, answer, outcome } = evidence
  const expired = findExpiredCertificate(evidence)
  if (expired !== null) return expired
  if (testHost.test(host)) return { cause: 'test_address', detail: host }
  const last = evidence.exchanges.at(-1)
  if (last?.result.kind === 'failed') return diagnoseFailure(last.host, last.result)
  const isRefused = answer.kind === 'unreachable' || outcome === 'access_denied' || outcome === 'unreachable'
  if (isRefused || (last !== undefined && statusOf(last) >= 400 && outcome !== 'not_found'))
    return diagnoseRefusal(evidence, last)
  if (outcome === 'not_found') return { cause: 'unknown_number', detail: '' }
  if (outcome === 'unrecognized') return { cause: 'not_understood', detail: '' }
  return { cause: 'works', detail: '' }
}

/** Labels that carriers use in the host names of their test systems. */
const testHost = /(?:^|[.-])(?:test|uat|stage|staging|sandbox|sit|dev|preprod|mock|demo)\d*(?:[.-]|$)/

function findExpiredCertificate({ secrets, nowMs }: TrialEvidence): AccessFinding | null {
  const { certificate } = secrets
  if (certificate === undefined) return null
  try {
    const { validToDate } = new X509Certificate(certificate)
    const day = validToDate.toISOString().slice(0, 10)
    return validToDate.getTime() < nowMs ? { cause: 'certificate_expired', detail: `your certificate on ${day}` } : null
  } catch {
    // Not a certificate: the request says so.
    return null
  }
}

function diagnoseFailure(
  host: string,
  { reason, message }: Extract<EgressResult, { readonly kind: 'failed' }>,
): AccessFinding {
  if (reason === 'dns') return { cause: 'wrong_address', detail: `there is no host ${host}` }
  if (reason !== 'tls' && !message.includes('SSL')) return { cause: 'no_answer', detail: `${host}: ${message}` }
  if (message.includes('EXPIRED')) return { cause: 'certificate_expired', detail: `the certificate of ${host}` }
  return /ALERT|HANDSHAKE/.test(message)
    ? { cause: 'certificate_needed', detail: message }
    : { cause: 'certificate_untrusted', detail: `${host}: ${message}` }
}

const skewMs = 120_000

function diagnoseRefusal(evidence: TrialEvidence, last: Exchange | undefined): AccessFinding {
  const { answer } = evidence
  if (last === undefined || last.result.kind !== 'answer')
    return { cause: 'not_sent', detail: answer.kind === 'unreachable' ? answer.detail : '' }
  const { status, headers, body } = last.result
  const text = `${headers['www-authenticate'] ?? ''} ${body.subarray(0, 4_000).toString()}`.toLowerCase()
  const skew = describeSkew(last)
  const detail = `${last.host} answered ${status}`
  const stated = phrases.find(([, phrase]) => phrase.test(text))?.[0]
  const isDenied = status === 400 || status === 401 || status === 403
  if (isDenied && skew !== null && (stated === 'clock_skew' || evidence.isSigned))
    return { cause: 'clock_skew', detail: skew }
  if (status === 429) return { cause: 'rate_limited', detail: readPause(headers['retry-after']) }
  if (status >= 500) return { cause: 'no_answer', detail }
  if (stated !== undefined && isDenied) return { cause: stated, detail }
  if (status === 404) return { cause: 'wrong_address', detail }
  if (!last.isForToken && (status === 400 || status === 422)) return { cause: 'question_refused', detail }
  if (status === 400 || status === 401) return { cause: 'wrong_secret', detail }
  return { cause: 'refused', detail }
}

/** In order: a text may have words of several rules. */
const phrases: readonly (readonly [AccessCause, RegExp])[] = [
  ['clock_skew', /valid time range|aadsts700024|clock|timestamp|x-date|date header|request (?:has )?expired|tooskewed/],
  ['certificate_expired', /certificate (?:has |is )?expired/],
  [
    'certificate_needed',
    /(?:no|missing) (?:required )?(?:ssl|client|tls) certificate|client certificate (?:is )?required/,
  ],
  [
    'ip_not_allowed',
    /\bips?\b[^.]{0,40}(?:not |deni|block|restrict)|ipdenied|allow-?list|whitelist|aadsts53003|code:? 1020/,
  ],
  ['rate_limited', /too many requests|rate limit|quota|call volume|900802|spikearrest/],
  ['missing_scope', /invalid_scope|insufficient_scope|\bscopes?\b|aadsts70011|aadsts500011|900910/],
  [
    'wrong_plan',
    /\bplans?\b|\bproducts?\b|productmatch|forgivenresource|subscription validation|not subscribed|cannot consume|unauthorized_client|900908/,
  ],
  [
    'wrong_secret',
    /invalid_client|aadsts70002|invalid[ _-]?(?:api|consumer|subscription|client|key|cred|signature)|apikey|client id|not registered|900901|invalid authentication/,
  ],
]

function statusOf({ result }: Exchange): number {
  return result.kind === 'answer' ? result.status : 0
}

/** Null when the clocks agree to two minutes, or the answer has no `Date`. */
function describeSkew({ result, nowMs, host }: Exchange): string | null {
  const theirs = result.kind === 'answer' ? Date.parse(result.headers['date'] ?? '') : Number.NaN
  const aheadMs = nowMs - theirs
  if (Number.isNaN(aheadMs) || Math.abs(aheadMs) <= skewMs) return null
  const seconds = Math.round(Math.abs(aheadMs) / 1_000)
  return `${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock of ${host}`
}

function readPause(retryAfter: string | undefined): string {
  return /^\d+$/.test(retryAfter ?? '') ? `ask again after ${retryAfter} s` : ''
}
