/** Asks a terminal or railway as its profile says. The answer is kept as it came. */

import { X509Certificate } from 'node:crypto'
import { defaultLookRules, type LookRules } from '../../core/looking/schedule.ts'
import { fetchAnswer } from '../dcsa/fetch.ts'
import { limitsOf } from '../dcsa/profile.ts'
import { type Secrets, TokenKeeper } from '../dcsa/token.ts'
import type { Access, FetchContext, FetchResult, UnreachableReason } from '../source.ts'
import type { AskedOf, Asking } from '../told.ts'
import { type FacilityAsking, parseFacilityAsking, secretNames } from './asking-profile.ts'
import { writeQuestion } from './question.ts'
import { receive, settle } from './queue.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * How often a box is asked about: once a day early in its journey, more often shortly before its arrival and while it
 * waits at the terminal, and most often around its last free day.
 */
const facilityRules: LookRules = {
  ...defaultLookRules,
  bookedGapMs: dayMs,
  farGapMs: dayMs,
  farBeyondMs: 7 * dayMs,
  underWayGapMs: 12 * hourMs,
  nearGapMs: 2 * hourMs,
  nearWithinMs: 2 * dayMs,
  atTerminalGapMs: 3 * hourMs,
  onRailGapMs: 4 * hourMs,
  outGapMs: dayMs,
  newsWithinMs: 0,
  gapMaxMs: dayMs,
}

/** Each asking keeps its own tokens. */
export function openFacilityAsking(): Asking<FacilityAsking> {
  const tokens = new TokenKeeper()
  return {
    rules: facilityRules,
    rulesOf: ({ queue, subscription }) => {
      if (queue !== undefined) return everyMs(queue.everyMinutes * 60_000)
      return subscription === undefined ? facilityRules : everyMs(dayMs)
    },
    parseProfile: parseFacilityAsking,
    secretNames,
    asksBy: () => ['container'],
    batchMax: ({ batchMax }) => batchMax,
    limitsOf: (profile) => ({
      ...limitsOf(profile),
      ...(profile.queue !== undefined && { queueRate: profile.queue.rate }),
    }),
    fetch: (numbers, access, context) => {
      const { queue, subscription } = access.profile
      const of = { ...context, tokens }
      if (queue === undefined && subscription === undefined) return ask(numbers, access, of)
      const againHours = queue?.publishAgainHours ?? subscription?.againHours ?? 1
      const next = () => (queue === undefined ? nothingNow(access.profile, of) : receive(queue, access, of))
      return publish(numbers, access, of, { againHours, next })
    },
    settle: async (messages, access, context) => {
      if (access.profile.queue !== undefined) await settle(access.profile.queue, messages, access, context)
    },
  }
}

/** Publishes the numbers that were never published or longer ago than `againHours`, then calls `next`. */
async function publish(
  numbers: readonly AskedOf[],
  access: Access<FacilityAsking>,
  context: FetchContext & { readonly tokens: TokenKeeper },
  { againHours, next }: { readonly againHours: number; readonly next: () => Promise<FetchResult> },
): Promise<FetchResult> {
  const since = context.now() - againHours * hourMs
  const unpublished = numbers.filter(
    ({ publishedAt = null }) => publishedAt === null || Date.parse(publishedAt) < since,
  )
  if (unpublished.length > 0) {
    const answer = await ask(unpublished, access, context)
    const isDone = answer.kind === 'answered' && answer.snapshot.status >= 200 && answer.snapshot.status < 300
    if (!isDone) return answer
  }
  const after = await next()
  const published = unpublished.map(({ number }) => number)
  return after.kind === 'answered' ? { ...after, published } : after
}

/**
 * The response to a subscription is not an answer about a box: those are delivered later. So the look has an empty
 * answer.
 */
async function nothingNow({ base, path }: FacilityAsking, { now }: FetchContext): Promise<FetchResult> {
  const fetchedAt = new Date(now()).toISOString()
  const snapshot = { status: 204, contentType: null, body: Buffer.alloc(0), fetchedAt }
  return { kind: 'answered', snapshot, retryAfterMs: null, durationMs: 0, url: base + path }
}

function isDelivered({ path, query, headers, body }: FacilityAsking): boolean {
  return JSON.stringify([path, query, headers, body]).includes('{inbound}')
}

function everyMs(gapMs: number): LookRules {
  const gaps = Object.fromEntries(Object.keys(facilityRules).map((name) => [name, gapMs]))
  const { farBeyondMs, nearWithinMs, freeWithinMs, newsWithinMs, quietAfterMs, jitterShare } = facilityRules
  const spans = { farBeyondMs, nearWithinMs, freeWithinMs, newsWithinMs, quietAfterMs }
  return { ...facilityRules, ...gaps, ...spans, quietFactor: 1, jitterShare }
}

async function ask(
  numbers: readonly AskedOf[],
  { profile, secrets }: Access<FacilityAsking>,
  context: FetchContext & { readonly tokens: TokenKeeper },
): Promise<FetchResult> {
  const shown = profile.base + profile.path
  const missing = secretNames(profile).filter((name) => !secrets[name])
  if (missing.length > 0) return unsent('no_access', `the access lacks ${missing.join(', ')}`, shown)
  const { inboundUrl = null } = context
  if (inboundUrl === null && isDelivered(profile))
    return unsent('no_access', 'this installation has no public address: set LANDFALL_PUBLIC_URL', shown)
  const question = writeQuestion(profile, numbers, { secrets, inboundUrl })
  if (question === null)
    return unsent(
      'unsupported_kind',
      'the profile does not allow a question about numbers of this kind',
      shown,
    )
  const client = profile.auth.certificate === true ? clientOf(secrets, context.now()) : null
  if (client?.kind === 'unusable') return unsent('no_access', client.detail, shown)
  const { auth, timeoutMs, maxBytes } = profile
  const isJson = question.body !== null
  const result = await fetchAnswer(
    question.url,
    {
      profile: {
        auth: { keyHeaders: auth.keyHeaders, oauth: auth.oauth },
        headers: {
          ...question.headers,
          ...(isJson && { 'content-type': 'application/json' }),
          ...(auth.basic === true && { authorization: basicOf(secrets) }),
        },
        timeoutMs,
        maxBytes,
      },
      secrets,
    },
    {
      ...context,
      tenant: `facility:${question.url.origin}`,
      pagesMax: 1,
      nextOf: () => null,
      asked: {
        method: profile.method,
        body: question.body,
        shown: question.shown,
        ...(client !== null && { clientCertificate: client }),
      },
    },
  )
  return result.kind === 'answered' && profile.notFoundStatuses.includes(result.snapshot.status)
    ? { ...result, snapshot: { ...result.snapshot, status: 404 } }
    : result
}

function basicOf({ username = '', password = '' }: Secrets): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

type Client =
  | { readonly kind: 'usable'; readonly certificate: string; readonly privateKey: string }
  | { readonly kind: 'unusable'; readonly detail: string }

/** The texts of certificate and key must never get into a message. */
function clientOf({ certificate = '', privateKey = '' }: Secrets, nowMs: number): Client {
  try {
    const { validToDate, validFromDate } = new X509Certificate(certificate)
    if (validToDate.getTime() < nowMs)
      return {
        kind: 'unusable',
        detail: `the client certificate expired on ${validToDate.toISOString().slice(0, 10)}`,
      }
    if (validFromDate.getTime() > nowMs)
      return {
        kind: 'unusable',
        detail: `the client certificate is not valid before ${validFromDate.toISOString().slice(0, 10)}`,
      }
    return { kind: 'usable', certificate, privateKey }
  } catch {
    // Not a PEM certificate: reported without its text.
    return { kind: 'unusable', detail: 'the client certificate cannot be read' }
  }
}

function unsent(reason: UnreachableReason, detail: string, url: string): FetchResult {
  return { kind: 'unreachable', reason, detail, durationMs: 0, retryAfterMs: null, statusCode: null, url }
}
