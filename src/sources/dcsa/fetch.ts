/** Asks a line for all it knows of one number: access, pages and limits; what comes back is kept as it came. */

import { type Page, type Pages, writePages } from '../pages.ts'
import type { Access, FetchContext, FetchResult, LookRequest, UnreachableReason } from '../source.ts'
import { type DcsaProfile, secretNames } from './profile.ts'
import { findNextPage, writeQuestion } from './question.ts'
import type { TokenKeeper } from './token.ts'

/** Whoever leased the subject waits no longer than this for all pages together. */
const lookMsMax = 150_000

export async function fetchEvents(
  request: LookRequest,
  access: Access<DcsaProfile>,
  context: FetchContext & { readonly tokens: TokenKeeper },
): Promise<FetchResult> {
  const { profile, secrets } = access
  const startedMs = context.now()
  const first = writeQuestion(profile, request)
  const url = first?.href ?? profile.base + profile.path
  const unreachable = ({ reason, detail, retryAfterMs, statusCode }: Refusal): FetchResult => ({
    kind: 'unreachable',
    reason,
    detail,
    durationMs: context.now() - startedMs,
    retryAfterMs,
    statusCode,
    url,
  })
  if (first === null)
    return unreachable(unsent('unsupported_kind', `${profile.scac} cannot be asked by ${request.kind}`))
  const missing = secretNames(profile).filter((name) => !secrets[name])
  if (missing.length > 0) return unreachable(unsent('no_access', `the access lacks ${missing.join(', ')}`))
  const fetched = await fetchPages(first, access, { ...context, untilMs: startedMs + lookMsMax })
  if (fetched.kind === 'unreachable') return unreachable(fetched)
  const snapshot = writePages(fetched, new Date(context.now()).toISOString())
  const { retryAfterMs } = fetched
  return { kind: 'answered', snapshot, durationMs: context.now() - startedMs, retryAfterMs, url }
}

interface FetchedPages extends Pages {
  readonly kind: 'pages'
  readonly retryAfterMs: number | null
}

/** Page after page as the line names them, as far as its limits go. What was read before a page failed is kept. */
async function fetchPages(
  first: URL,
  access: Access<DcsaProfile>,
  context: FetchContext & { readonly tokens: TokenKeeper; readonly untilMs: number },
): Promise<FetchedPages | Unreachable> {
  const { profile } = access
  const pages: Page[] = []
  const seen = new Set<string>()
  let bytesLeft = profile.maxBytes
  let retryAfterMs: number | null = null
  const kept = (complete: boolean): FetchedPages => ({ kind: 'pages', pages, complete, retryAfterMs })
  for (let next: URL | 'elsewhere' | null = first; next !== null; ) {
    // A page named twice has been read: some lines name the last page as its own next one.
    if (next !== 'elsewhere' && seen.has(next.href)) break
    const msLeft = context.untilMs - context.now()
    const isEnough = pages.length >= (profile.paging?.pagesMax ?? 1) || bytesLeft <= 0 || msLeft <= 0
    if (next === 'elsewhere' || isEnough) return kept(false)
    seen.add(next.href)
    const timeoutMs = Math.min(profile.timeoutMs, msLeft)
    const answer = await ask(next, access, { ...context, maxBytes: bytesLeft, timeoutMs })
    if (answer.kind === 'unreachable') return pages.length === 0 ? answer : kept(false)
    retryAfterMs = readRetryAfter(answer.headers['retry-after'], context.now()) ?? retryAfterMs
    const page = pageOf(answer)
    pages.push(page)
    bytesLeft -= answer.body.length
    const isGood = page.status >= 200 && page.status < 300 && !page.truncated
    if (!isGood) return kept(pages.length === 1)
    next = findNextPage(profile, next, answer.headers)
  }
  return kept(true)
}

function pageOf({ status, headers, body, truncated }: Answered): Page {
  const contentType = headers['content-type'] ?? null
  return { status, contentType, body: keptOf(body, truncated), truncated }
}

/** What is cut at the limit can never be read; its beginning is kept to show what it was. */
const keptOfTruncatedBytes = 65_536
function keptOf(body: Buffer, truncated: boolean): Buffer {
  return truncated ? Buffer.from(body.subarray(0, keptOfTruncatedBytes)) : body
}

interface Refusal {
  readonly reason: UnreachableReason
  readonly detail: string
  readonly retryAfterMs: number | null
  readonly statusCode: number | null
}

interface Answered {
  readonly kind: 'answer'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly truncated: boolean
}

type Unreachable = { readonly kind: 'unreachable' } & Refusal

async function ask(
  url: URL,
  { profile, secrets }: Access<DcsaProfile>,
  context: FetchContext & {
    readonly tokens: TokenKeeper
    readonly maxBytes: number
    readonly timeoutMs: number
  },
): Promise<Answered | Unreachable> {
  const { oauth, keyHeaders } = profile.auth
  const keys = Object.entries(keyHeaders).map(([header, secret]) => [header, secrets[secret] ?? ''])
  const headers = { ...profile.headers, ...Object.fromEntries(keys) }
  // The second try is for a token that the line no longer takes before its time.
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
    const answer = await context.egress.request({
      url: url.href,
      method: 'GET',
      headers: token === null ? headers : { ...headers, authorization: `Bearer ${token}` },
      timeoutMs: context.timeoutMs,
      maxBytes: context.maxBytes,
      tenant: `source:${profile.scac}`,
    })
    if (answer.kind === 'refused') return unsent('refused', answer.reason)
    if (answer.kind === 'failed') {
      return unsent(
        answer.reason === 'timeout' ? 'timeout' : 'network',
        `${answer.reason}: ${answer.message}`,
      )
    }
    if (answer.status !== 401 || oauth === null || token === null || triesLeft === 1) return answer
    await context.tokens.forget(oauth, secrets, token)
  }
}

function unsent(reason: UnreachableReason, detail: string): Unreachable {
  return { kind: 'unreachable', reason, detail, retryAfterMs: null, statusCode: null }
}

/** Seconds or an HTTP date (RFC 9110, 10.2.3), as it was said; how much of it is believed is not decided here. */
function readRetryAfter(value: string | undefined, nowMs: number): number | null {
  if (value === undefined) return null
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - nowMs
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), Number.MAX_SAFE_INTEGER)
}
