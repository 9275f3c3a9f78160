/**
 * How a carrier is polled for its arrival notices: `GET /arrival-notices` of DCSA Arrival Notice 1.0.1. Each publisher
 * accepts `transportDocumentReferences`, though perhaps only one at a time, and may refuse any other parameter: the
 * profile states which ones it accepts. The standard leaves authentication to publishers, so the profile describes it
 * as for Track & Trace.
 */

import type { Static } from 'typebox'
import { defaultPollRules, type PollRules } from '../../domain/polling/schedule.ts'
import type { Result } from '../../domain/values/result.ts'
import { Type } from '../../platform/json-schema.ts'
import { checkAgainst } from '../check-schema.ts'
import { fetchAnswer } from '../dcsa/fetch.ts'
import { limitsOf, platformMembers, secretNames } from '../dcsa/profile.ts'
import { stripCarrierPrefix } from '../dcsa/question.ts'
import { TokenKeeper } from '../dcsa/token.ts'
import type { MentionedNumber, SourcePolling } from '../pushed-source.ts'
import { numberKinds } from '../source.ts'

const profileSchema = Type.Object(
  {
    ...platformMembers,
    /** Maximum number of documents in one question: each publisher has its own limit, some accept only one. */
    batchMax: Type.Integer({ minimum: 1, maximum: 100 }),
    pagesMax: Type.Integer({ minimum: 1, maximum: 1000 }),
    /** The upper limit is the maximum size of a delivery. */
    maxBytes: Type.Integer({ minimum: 1_000, maximum: 32_000_000 }),
  },
  { additionalProperties: false },
)
type NoticePollProfile = Static<typeof profileSchema>

/** The values of the standard; an operator's profile gives the address and what is different. */
const standardPollProfile: Omit<NoticePollProfile, 'base'> = {
  path: '/arrival-notices',
  auth: { keyHeaders: {}, oauth: null },
  headers: { accept: 'application/json', 'api-version': '1.0.1' },
  parameters: { bill_of_lading: 'transportDocumentReferences', booking: null, container: null },
  extraParameters: {},
  stripPrefixes: [],
  batchMax: 1,
  pagesMax: 20,
  rate: { perMinute: 60 },
  concurrency: 2,
  timeoutMs: 30_000,
  maxBytes: 32_000_000,
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** A notice is issued some days before the ship arrives, and again when dates, charges or releases change. */
const noticeRules: PollRules = {
  ...defaultPollRules,
  bookedGapMs: dayMs,
  farGapMs: dayMs,
  farBeyondMs: 7 * dayMs,
  underWayGapMs: 12 * hourMs,
  nearGapMs: 4 * hourMs,
  nearWithinMs: 3 * dayMs,
  atTerminalGapMs: 6 * hourMs,
  onRailGapMs: 12 * hourMs,
  outGapMs: dayMs,
  newsWithinMs: 0,
  gapMaxMs: dayMs,
}

/** Each poller has its own tokens. */
export function openNoticePoller(): SourcePolling<NoticePollProfile> {
  const tokens = new TokenKeeper()
  return {
    rules: noticeRules,
    parseProfile: parsePollProfile,
    secretNames,
    supportedKinds: ({ parameters }) => numberKinds.filter((kind) => parameters[kind] !== null),
    batchMax: ({ batchMax }) => batchMax,
    limitsOf,
    fetch: async (numbers, access, context) => {
      const { profile } = access
      const { base, path, pagesMax } = profile
      const question = writeQuestion(profile, numbers)
      if (question === null) {
        const detail = 'the profile does not allow a question about numbers of this kind'
        const nothing = { durationMs: 0, retryAfterMs: null, statusCode: null, url: base + path }
        return { kind: 'unreachable', reason: 'unsupported_kind', detail, ...nothing }
      }
      const tenant = `notices:${question.origin}`
      return fetchAnswer(question, access, { ...context, tokens, tenant, pagesMax, nextOf: nextPage })
    },
  }
}

function parsePollProfile(value: unknown): Result<NoticePollProfile, string> {
  const whole = typeof value === 'object' ? { ...standardPollProfile, ...value } : value
  return checkAgainst(profileSchema, whole)
}

/** Null where the numbers are of several kinds, or of a kind by which the carrier cannot be polled. */
function writeQuestion(profile: NoticePollProfile, numbers: readonly MentionedNumber[]): URL | null {
  const [first] = numbers
  const parameter = first === undefined ? null : profile.parameters[first.kind]
  if (parameter === null || numbers.some(({ kind }) => kind !== first?.kind)) return null
  const url = new URL(profile.base.replace(/\/$/, '') + profile.path)
  url.searchParams.set(parameter, numbers.map((number) => stripCarrierPrefix(profile, number)).join(','))
  for (const [name, values] of Object.entries(profile.extraParameters)) url.searchParams.set(name, values.join(','))
  return url
}

/** The next page: a cursor, added to all parameters of the question. */
function nextPage(current: URL, headers: Readonly<Record<string, string>>): URL | null {
  const cursor = headers['next-page-cursor']?.trim() ?? ''
  if (cursor === '') return null
  const next = new URL(current)
  next.searchParams.set('cursor', cursor)
  return next
}
