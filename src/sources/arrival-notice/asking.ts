/**
 * How a line is asked for its arrival notices: `GET /arrival-notices` of DCSA Arrival Notice 1.0.1. Each publisher takes
 * `transportDocumentReferences`, though perhaps one at a time, and may refuse any other parameter: what it takes besides
 * stands in the profile. How one proves who asks is left to publishers, so it is said as for Track & Trace.
 */

import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { ok, type Result, refused } from '../../core/result.ts'
import { defaultLookRules, type LookRules } from '../../core/schedule.ts'
import { fetchAnswer } from '../dcsa/fetch.ts'
import { limitsOf, platformMembers, secretNames } from '../dcsa/profile.ts'
import { numberFor } from '../dcsa/question.ts'
import { TokenKeeper } from '../dcsa/token.ts'
import { numberKinds } from '../source.ts'
import type { Asking, SpokenOf } from '../told.ts'

const profileSchema = Type.Object(
  {
    ...platformMembers,
    /** So many documents in one question: each publisher has its own limit, some take one only. */
    batchMax: Type.Integer({ minimum: 1, maximum: 100 }),
    pagesMax: Type.Integer({ minimum: 1, maximum: 1000 }),
    /** No more than what is taken in of one delivery. */
    maxBytes: Type.Integer({ minimum: 1_000, maximum: 32_000_000 }),
  },
  { additionalProperties: false },
)
type NoticeAsking = Static<typeof profileSchema>

/** As the standard has it; an operator's profile states the address and what is different. */
const standardAsking: Omit<NoticeAsking, 'base'> = {
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

/** A notice is issued when the ship is some days off, and again when dates, charges or releases change. */
const noticeRules: LookRules = {
  ...defaultLookRules,
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

/** Each keeps its own tokens. */
export function openNoticeAsking(): Asking<NoticeAsking> {
  const tokens = new TokenKeeper()
  return {
    rules: noticeRules,
    parseProfile: parseAsking,
    secretNames,
    asksBy: ({ parameters }) => numberKinds.filter((kind) => parameters[kind] !== null),
    batchMax: ({ batchMax }) => batchMax,
    limitsOf,
    fetch: async (numbers, access, context) => {
      const { profile } = access
      const { base, path, pagesMax } = profile
      const question = writeQuestion(profile, numbers)
      if (question === null) {
        const detail = 'it cannot be asked by these numbers'
        const nothing = { durationMs: 0, retryAfterMs: null, statusCode: null, url: base + path }
        return { kind: 'unreachable', reason: 'unsupported_kind', detail, ...nothing }
      }
      const tenant = `notices:${question.origin}`
      return fetchAnswer(question, access, { ...context, tokens, tenant, pagesMax, nextOf: nextPage })
    },
  }
}

function parseAsking(value: unknown): Result<NoticeAsking, string> {
  const whole = typeof value === 'object' ? { ...standardAsking, ...value } : value
  if (Value.Check(profileSchema, whole)) return ok(whole)
  const [fault] = Value.Errors(profileSchema, whole)
  return refused(fault === undefined ? 'is no profile' : `${fault.instancePath || '/'} ${fault.message}`)
}

/** Null where they are not of one kind by which it is asked. */
function writeQuestion(profile: NoticeAsking, numbers: readonly SpokenOf[]): URL | null {
  const [first] = numbers
  const parameter = first === undefined ? null : profile.parameters[first.kind]
  if (parameter === null || numbers.some(({ kind }) => kind !== first?.kind)) return null
  const url = new URL(profile.base.replace(/\/$/, '') + profile.path)
  url.searchParams.set(parameter, numbers.map((number) => numberFor(profile, number)).join(','))
  for (const [name, values] of Object.entries(profile.extraParameters))
    url.searchParams.set(name, values.join(','))
  return url
}

/** A cursor, put to all the parameters of before. */
function nextPage(current: URL, headers: Readonly<Record<string, string>>): URL | null {
  const cursor = headers['next-page-cursor']?.trim() ?? ''
  if (cursor === '') return null
  const next = new URL(current)
  next.searchParams.set('cursor', cursor)
  return next
}
