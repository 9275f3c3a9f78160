/**
 * Polls a carrier for everything that it knows about one number: access, pages and limits. The answer is stored as it
 * came.
 */

import type { EgressResult } from '../../platform/egress.ts'
import { type Page, type Pages, writePages } from '../pages.ts'
import type { FetchContext, FetchResult, PollRequest, SourceAccess, UnreachableReason } from '../source.ts'
import { type DcsaProfile, secretNames } from './profile.ts'
import { findNextPage, writeQuestion } from './question.ts'
import { type ClientCertificate, readClientCertificate, type TokenKeeper } from './token.ts'

/** Maximum time for all pages together. The lease of the poll target must not run out before the end. */
const answerMsMax = 150_000

/** The members of a profile that are needed once the question is written. */
export type RequestProfile = Pick<DcsaProfile, 'auth' | 'headers' | 'timeoutMs' | 'maxBytes' | 'hasEtags'>

export interface PagingContext {
  readonly tokens: TokenKeeper
  /** Open connections are shared only within one tenant. */
  readonly tenant: string
  readonly pagesMax: number
  /** How the first page is requested, if not with a plain GET. */
  readonly requestOptions?: RequestOptions
  /** The address of the next page, from the headers of an answer. */
  readonly nextOf: (current: URL, headers: Readonly<Record<string, string>>) => URL | 'elsewhere' | null
  /** Further headers of each page's request, for a line whose requests must be signed. */
  readonly sign?: (page: URL) => Readonly<Record<string, string>>
  /** ETag of the last answer. Sent only with the first page, and only if the profile has `hasEtags`. */
  readonly etag?: string | null
}

export interface RequestOptions {
  readonly method: 'GET' | 'POST'
  readonly body: string | null
  /** The address for logs: the real one may contain secrets. */
  readonly loggedUrl: string
}

export async function fetchEvents(
  request: PollRequest,
  access: SourceAccess<DcsaProfile>,
  context: FetchContext & { readonly tokens: TokenKeeper },
): Promise<FetchResult> {
  const { profile } = access
  const first = writeQuestion(profile, request)
  if (first === null) {
    const refusal = makeUnreachable('unsupported_kind', `${profile.scac} cannot be polled by ${request.kind}`)
    return { ...refusal, durationMs: 0, url: profile.base + profile.path }
  }
  return fetchAnswer(first, access, {
    ...context,
    tenant: `source:${profile.scac}`,
    pagesMax: profile.paging?.pagesMax ?? 1,
    etag: request.etag ?? null,
    nextOf: (current, headers) => findNextPage(profile, current, headers),
  })
}

/** Everything that is answered to one question, page after page. Never rejects. */
export async function fetchAnswer(
  first: URL,
  access: SourceAccess<RequestProfile>,
  context: FetchContext & PagingContext,
): Promise<FetchResult> {
  const startedMs = context.now()
  const url = context.requestOptions?.loggedUrl ?? first.href
  const about = () => ({ durationMs: context.now() - startedMs, url })
  const missing = secretNames(access.profile).filter((name) => !access.secrets[name])
  if (missing.length > 0)
    return { ...makeUnreachable('no_access', `the access lacks ${missing.join(', ')}`), ...about() }
  const client = access.profile.auth.certificate === true ? readClientCertificate(access.secrets, startedMs) : null
  if (client?.kind === 'unusable') return { ...makeUnreachable('no_access', client.detail), ...about() }
  const fetched = await fetchPages(first, access, { ...context, client, untilMs: startedMs + answerMsMax })
  if (fetched.kind === 'unreachable') return { ...fetched, ...about() }
  const { retryAfterMs, etag } = fetched
  const snapshot = writePages(fetched, new Date(context.now()).toISOString())
  const isUnchanged = context.etag != null && access.profile.hasEtags === true && snapshot.status === 304
  return {
    kind: 'answered',
    snapshot,
    retryAfterMs,
    etag,
    ...(isUnchanged && { isUnchanged }),
    ...about(),
  }
}

interface ClientContext {
  /** Sent with every request to the source itself; null where it demands no certificate. */
  readonly client: Extract<ClientCertificate, { readonly kind: 'usable' }> | null
}

interface FetchedPages extends Pages {
  readonly kind: 'pages'
  readonly retryAfterMs: number | null
  readonly etag: string | null
}

/**
 * Requests page after page, as the carrier names them, up to the limits of the profile. Pages that were read before a
 * page failed are stored.
 */
async function fetchPages(
  first: URL,
  access: SourceAccess<RequestProfile>,
  context: FetchContext & PagingContext & ClientContext & { readonly untilMs: number },
): Promise<FetchedPages | Unreachable> {
  const { profile } = access
  const pages: Page[] = []
  const seen = new Set<string>()
  let bytesLeft = profile.maxBytes
  let retryAfterMs: number | null = null
  let etag: string | null = null
  const finishPages = (complete: boolean): FetchedPages => {
    const isWhole = complete && pages.length === 1 && pages[0]?.status === 200
    return { kind: 'pages', pages, complete, retryAfterMs, etag: isWhole ? etag : null }
  }
  for (let next: URL | 'elsewhere' | null = first; next !== null; ) {
    // A page that is named a second time was already read: some lines name the last page as its own next one.
    if (next !== 'elsewhere' && seen.has(next.href)) break
    const msLeft = context.untilMs - context.now()
    const isEnough = pages.length >= context.pagesMax || bytesLeft <= 0 || msLeft <= 0
    if (next === 'elsewhere' || isEnough) return finishPages(false)
    seen.add(next.href)
    const timeoutMs = Math.min(profile.timeoutMs, msLeft)
    const lastEtag = pages.length === 0 && profile.hasEtags === true ? (context.etag ?? null) : null
    const answer = await sendRequest(next, access, {
      ...context,
      etag: lastEtag,
      maxBytes: bytesLeft,
      timeoutMs,
    })
    if (answer.kind === 'unreachable') return pages.length === 0 ? answer : finishPages(false)
    retryAfterMs = readRetryAfter(answer.headers['retry-after'], context.now()) ?? retryAfterMs
    const page = pageOf(answer)
    pages.push(page)
    if (profile.hasEtags === true) etag = etagOf(answer.headers['etag'])
    bytesLeft -= answer.body.length
    const isGood = page.status >= 200 && page.status < 300 && !page.truncated
    if (!isGood) return finishPages(pages.length === 1)
    next = context.nextOf(next, answer.headers)
  }
  return finishPages(true)
}

/** The ETag as it came, with its quotes; null for one that is too long to be stored. */
function etagOf(header: string | undefined): string | null {
  const etag = header?.trim() ?? ''
  return /^(W\/)?"[\x21\x23-\x7e]{0,200}"$/.test(etag) ? etag : null
}

function pageOf({ status, headers, body, truncated }: HttpAnswer): Page {
  const contentType = headers['content-type'] ?? null
  return { status, contentType, body: storedBodyOf(body, truncated), truncated }
}

/** An answer that is cut at the size limit can never be read. Only its beginning is stored, to show its kind. */
const truncatedBytesMax = 65_536
function storedBodyOf(body: Buffer, truncated: boolean): Buffer {
  return truncated ? Buffer.from(body.subarray(0, truncatedBytesMax)) : body
}

interface Refusal {
  readonly reason: UnreachableReason
  readonly detail: string
  readonly retryAfterMs: number | null
  readonly statusCode: number | null
}

interface HttpAnswer {
  readonly kind: 'answer'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly truncated: boolean
}

type Unreachable = { readonly kind: 'unreachable' } & Refusal

async function sendRequest(
  url: URL,
  { profile, secrets }: SourceAccess<RequestProfile>,
  context: FetchContext & PagingContext & ClientContext & { readonly maxBytes: number; readonly timeoutMs: number },
): Promise<HttpAnswer | Unreachable> {
  const { oauth, keyHeaders } = profile.auth
  const { requestOptions, etag } = context
  const keys = Object.entries(keyHeaders).map(([header, secret]) => [header, secrets[secret] ?? ''])
  const headers = {
    ...profile.headers,
    ...Object.fromEntries(keys),
    ...context.sign?.(url),
    ...(etag != null && { 'if-none-match': etag }),
  }
  // The second try is for a token that the line refuses before its lifetime is over.
  for (let triesLeft = oauth === null ? 1 : 2; ; triesLeft -= 1) {
    let token: string | null = null
    if (oauth !== null) {
      const found = await context.tokens.find(oauth, secrets, context)
      if (found.kind === 'none') {
        const { detail, retryAfterMs, statusCode } = found
        return { kind: 'unreachable', reason: 'no_access', detail, retryAfterMs, statusCode }
      }
      token = found.token
    }
    if (context.requestPermit !== undefined && !(await context.requestPermit()))
      return makeUnreachable(
        'no_leave',
        'the rate limit of the profile is used up, so the request was not sent in time',
      )
    const answer = await context.egress.request({
      url: url.href,
      method: requestOptions?.method ?? 'GET',
      ...(requestOptions?.body != null && { body: requestOptions.body }),
      ...(context.client !== null && { clientCertificate: context.client }),
      headers: token === null ? headers : { ...headers, authorization: `Bearer ${token}` },
      timeoutMs: context.timeoutMs,
      maxBytes: context.maxBytes,
      tenant: context.tenant,
    })
    if (answer.kind !== 'answer') return toUnreachable(answer)
    if (answer.status !== 401 || oauth === null || token === null || triesLeft === 1) return answer
    await context.tokens.forget(oauth, secrets, token)
  }
}

/** Why a request got no answer. */
export function toUnreachable(result: Exclude<EgressResult, { readonly kind: 'answer' }>): Unreachable {
  if (result.kind === 'refused') return makeUnreachable('refused', result.reason)
  return makeUnreachable(result.reason === 'timeout' ? 'timeout' : 'network', `${result.reason}: ${result.message}`)
}

/** The result when nothing was sent, or nothing came back. */
export function makeUnreachable(reason: UnreachableReason, detail: string): Unreachable {
  return { kind: 'unreachable', reason, detail, retryAfterMs: null, statusCode: null }
}

/** Seconds or an HTTP date (RFC 9110, 10.2.3), as the source gave it; callers decide how long they really wait. */
export function readRetryAfter(value: string | undefined, nowMs: number): number | null {
  if (value === undefined) return null
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - nowMs
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), Number.MAX_SAFE_INTEGER)
}
