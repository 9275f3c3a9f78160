/** Polls a terminal or railway as its profile describes. The answer is stored as it came. */

import { defaultPollRules, type PollRules } from '../../domain/polling/schedule.ts'
import { fetchAnswer } from '../dcsa/fetch.ts'
import { limitsOf } from '../dcsa/profile.ts'
import { type Secrets, TokenKeeper } from '../dcsa/token.ts'
import type { NumberToPoll, SourcePolling } from '../pushed-source.ts'
import type { FetchContext, FetchResult, SourceAccess, UnreachableReason } from '../source.ts'
import { type FacilityPollProfile, parseFacilityPollProfile, secretNames } from './poll-profile.ts'
import { buildFacilityPollRequest } from './question.ts'
import { deleteMessages, receiveMessages } from './queue.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * How often a container is polled: once a day early in its journey, more often shortly before its arrival and while it
 * waits at the terminal, and most often around its last free day.
 */
const facilityRules: PollRules = {
  ...defaultPollRules,
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

/** Each poller has its own tokens. */
export function openFacilityPoller(): SourcePolling<FacilityPollProfile> {
  const tokens = new TokenKeeper()
  return {
    rules: facilityRules,
    rulesOf: ({ queue, subscription }) => {
      if (queue !== undefined) return makeConstantRules(queue.everyMinutes * 60_000)
      return subscription === undefined ? facilityRules : makeConstantRules(dayMs)
    },
    parseProfile: parseFacilityPollProfile,
    secretNames,
    supportedKinds: () => ['container'],
    batchMax: ({ batchMax }) => batchMax,
    limitsOf: (profile) => ({
      ...limitsOf(profile),
      ...(profile.queue !== undefined && { queueRate: profile.queue.rate }),
    }),
    fetch: (numbers, access, context) => {
      const { queue, subscription } = access.profile
      const of = { ...context, tokens }
      if (queue === undefined && subscription === undefined) return pollFacility(numbers, access, of)
      const againHours = queue?.publishAgainHours ?? subscription?.againHours ?? 1
      const next = () =>
        queue === undefined ? makeEmptyAnswer(access.profile, of) : receiveMessages(queue, access, of)
      return publishNumbers(numbers, access, of, { againHours, publishMax: queue?.publishMax, next })
    },
    acknowledgeMessages: async (messages, access, context) => {
      if (access.profile.queue !== undefined) await deleteMessages(access.profile.queue, messages, access, context)
    },
  }
}

/** No publication begins later in a round: the lease of the poll must not run out. */
const publishMsMax = 20_000

/**
 * Publishes the numbers that were never published or longer ago than `againHours`, then calls `next`. Numbers that
 * were not published in this round are the first of a later one; only if nothing was published is that a failure.
 */
async function publishNumbers(
  numbers: readonly NumberToPoll[],
  access: SourceAccess<FacilityPollProfile>,
  context: FetchContext & { readonly tokens: TokenKeeper },
  of: {
    readonly againHours: number
    readonly publishMax: number | undefined
    readonly next: () => Promise<FetchResult>
  },
): Promise<FetchResult> {
  const startedMs = context.now()
  const since = startedMs - of.againHours * hourMs
  const unpublished = numbers.filter(
    ({ publishedAt = null }) => publishedAt === null || Date.parse(publishedAt) < since,
  )
  const published: string[] = []
  while (published.length < unpublished.length && context.now() - startedMs <= publishMsMax) {
    const part = unpublished.slice(published.length).slice(0, of.publishMax)
    const answer = await pollFacility(part, access, context)
    if (!isPublished(answer, access.profile)) {
      if (published.length === 0) return answer
      break
    }
    published.push(...part.map(({ number }) => number))
  }
  const after = await of.next()
  return after.kind === 'answered' ? { ...after, published } : after
}

function isPublished(answer: FetchResult, { queue }: FacilityPollProfile): boolean {
  if (answer.kind !== 'answered') return false
  const { status, body } = answer.snapshot
  if (status >= 200 && status < 300) return true
  const before = queue?.publishedBefore
  return before?.status === status && new RegExp(`\\b${before.word}\\b`).test(body.toString())
}

/**
 * The response to a subscription is not an answer about a container: those are delivered later. So the poll has an
 * empty answer.
 */
async function makeEmptyAnswer({ base, path }: FacilityPollProfile, { now }: FetchContext): Promise<FetchResult> {
  const fetchedAt = new Date(now()).toISOString()
  const snapshot = { status: 204, contentType: null, body: Buffer.alloc(0), fetchedAt }
  return { kind: 'answered', snapshot, retryAfterMs: null, durationMs: 0, url: base + path }
}

function isAnsweredByDelivery({ path, query, headers, body }: FacilityPollProfile): boolean {
  return JSON.stringify([path, query, headers, body]).includes('{inbound}')
}

function makeConstantRules(gapMs: number): PollRules {
  const gaps = Object.fromEntries(Object.keys(facilityRules).map((name) => [name, gapMs]))
  const { farBeyondMs, nearWithinMs, freeWithinMs, newsWithinMs, quietAfterMs, jitterShare } = facilityRules
  const spans = { farBeyondMs, nearWithinMs, freeWithinMs, newsWithinMs, quietAfterMs }
  return { ...facilityRules, ...gaps, ...spans, quietFactor: 1, jitterShare }
}

async function pollFacility(
  numbers: readonly NumberToPoll[],
  { profile, secrets }: SourceAccess<FacilityPollProfile>,
  context: FetchContext & { readonly tokens: TokenKeeper },
): Promise<FetchResult> {
  const redactedUrl = profile.base + profile.path
  const missing = secretNames(profile).filter((name) => !secrets[name])
  if (missing.length > 0)
    return createUnreachableResult('no_access', `the access lacks ${missing.join(', ')}`, redactedUrl)
  const { inboundUrl = null } = context
  if (inboundUrl === null && isAnsweredByDelivery(profile))
    return createUnreachableResult(
      'no_access',
      'this installation has no public address: set LANDFALL_PUBLIC_URL',
      redactedUrl,
    )
  const question = buildFacilityPollRequest(profile, numbers, { secrets, inboundUrl, nowMs: context.now() })
  if (question === null)
    return createUnreachableResult(
      'unsupported_kind',
      'the profile does not allow a question about numbers of this kind',
      redactedUrl,
    )
  const { auth, timeoutMs, maxBytes } = profile
  const bodyType = typeof profile.body === 'string' ? 'text/plain' : 'application/json'
  const result = await fetchAnswer(
    question.url,
    {
      profile: {
        auth,
        headers: {
          ...question.headers,
          ...(question.body !== null && { 'content-type': bodyType }),
          ...(auth.basic === true && { authorization: writeBasicAuthorization(secrets) }),
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
      requestOptions: {
        method: profile.method,
        body: question.body,
        loggedUrl: question.redactedUrl,
      },
    },
  )
  return result.kind === 'answered' && profile.notFoundStatuses.includes(result.snapshot.status)
    ? { ...result, snapshot: { ...result.snapshot, status: 404 } }
    : result
}

function writeBasicAuthorization({ username = '', password = '' }: Secrets): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

function createUnreachableResult(reason: UnreachableReason, detail: string, url: string): FetchResult {
  return { kind: 'unreachable', reason, detail, durationMs: 0, retryAfterMs: null, statusCode: null, url }
}
