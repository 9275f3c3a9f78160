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
      return publishNumbers(numbers, access, of, { againHours, next })
    },
    acknowledgeMessages: async (messages, access, context) => {
      if (access.profile.queue !== undefined) await deleteMessages(access.profile.queue, messages, access, context)
    },
  }
}

/** Publishes the numbers that were never published or longer ago than `againHours`, then calls `next`. */
async function publishNumbers(
  numbers: readonly NumberToPoll[],
  access: SourceAccess<FacilityPollProfile>,
  context: FetchContext & { readonly tokens: TokenKeeper },
  { againHours, next }: { readonly againHours: number; readonly next: () => Promise<FetchResult> },
): Promise<FetchResult> {
  const since = context.now() - againHours * hourMs
  const unpublished = numbers.filter(
    ({ publishedAt = null }) => publishedAt === null || Date.parse(publishedAt) < since,
  )
  if (unpublished.length > 0) {
    const answer = await pollFacility(unpublished, access, context)
    const isDone = answer.kind === 'answered' && answer.snapshot.status >= 200 && answer.snapshot.status < 300
    if (!isDone) return answer
  }
  const after = await next()
  const published = unpublished.map(({ number }) => number)
  return after.kind === 'answered' ? { ...after, published } : after
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
  const question = buildFacilityPollRequest(profile, numbers, { secrets, inboundUrl })
  if (question === null)
    return createUnreachableResult(
      'unsupported_kind',
      'the profile does not allow a question about numbers of this kind',
      redactedUrl,
    )
  const { auth, timeoutMs, maxBytes } = profile
  const isJson = question.body !== null
  const result = await fetchAnswer(
    question.url,
    {
      profile: {
        auth,
        headers: {
          ...question.headers,
          ...(isJson && { 'content-type': 'application/json' }),
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
