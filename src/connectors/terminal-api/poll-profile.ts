/**
 * How a terminal or railway is polled, as data. `path`, `query`, `headers` and `body` may contain placeholders:
 * `{number}` (one container), `{numbers}` (all containers of a request, joined with `separator`), `{letters}` and
 * `{serial}` (the two halves of a number), `{facility}` (the source's own code of the facility), `{inbound}` (the
 * address to which it may deliver), `{date}` (the present time as in an HTTP header), `{epochMs}` (the same in
 * milliseconds since 1970) and `{secret:name}`. If the body has a list whose only element contains a number, the
 * element is repeated for each number.
 */

import type { Static } from 'typebox'
import { err, ok, type Result } from '../../domain/values/result.ts'
import { isConnectionHeader, isHeaderName } from '../../platform/header-names.ts'
import { Type } from '../../platform/json-schema.ts'
import { checkAgainst } from '../check-schema.ts'
import { oauthSchema, platformMembers, secretNames as secretNamesOf } from '../dcsa/profile.ts'

const closed = { additionalProperties: false }
const text = Type.String({ maxLength: 1_000 })
const secret = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9]{0,40}$' })
const { base, rate, ceiling, concurrency, timeoutMs } = platformMembers

const queueSchema = Type.Object(
  {
    base,
    path: Type.String({ pattern: '^/[^\\s?#{}]+$', maxLength: 500 }),
    query: Type.Record(Type.String({ minLength: 1, maxLength: 100 }), text),
    /** Header → name of the secret that is sent in it. */
    keyHeaders: Type.Record(Type.String(), secret),
    /** `receive_and_delete` for a queue that cannot lock: a message that is read but not stored is lost there. */
    mode: Type.Union([Type.Literal('peek_lock'), Type.Literal('receive_and_delete')]),
    /** Maximum in one round. */
    messagesMax: Type.Integer({ minimum: 1, maximum: 200 }),
    /** Time between two rounds, while any number is tracked. */
    everyMinutes: Type.Integer({ minimum: 1, maximum: 1_440 }),
    /**
     * Rate limit of requests to the queue, both to receive and to delete. It is separate from the limit of questions.
     */
    rate,
    /** The queue forgets published numbers after some time, so they are published again. */
    publishAgainHours: Type.Integer({ minimum: 1, maximum: 8_760 }),
    /** Maximum numbers in one publication; absent: all numbers of a round. */
    publishMax: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
    /** The status, and a word in the answer, which state that a number is published already. */
    publishedBefore: Type.Optional(
      Type.Object(
        { status: Type.Integer({ minimum: 400, maximum: 499 }), word: Type.String({ pattern: '^\\w+$' }) },
        closed,
      ),
    ),
  },
  closed,
)

const usualQueue = {
  query: {},
  keyHeaders: {},
  mode: 'peek_lock',
  messagesMax: 20,
  everyMinutes: 10,
  publishAgainHours: 168,
  rate: { perSecond: 20 },
} as const

const pollProfileSchema = Type.Object(
  {
    base,
    path: Type.String({ pattern: '^(/[^\\s?#]*)?$', maxLength: 500 }),
    method: Type.Union([Type.Literal('GET'), Type.Literal('POST')]),
    query: Type.Record(Type.String({ minLength: 1, maxLength: 100 }), text),
    /** JSON with placeholders, or a text, which is sent as plain text; null for a question without a body. */
    body: Type.Unknown(),
    headers: Type.Record(Type.String(), text),
    auth: Type.Object(
      {
        /** Header → name of the secret that is sent in it. */
        keyHeaders: Type.Record(Type.String(), secret),
        /** Parameter of the query → name of the secret. */
        keyQuery: Type.Optional(Type.Record(Type.String({ minLength: 1, maxLength: 100 }), secret)),
        /** HTTP Basic with the secrets `username` and `password`. */
        basic: Type.Optional(Type.Boolean()),
        /** Mutual TLS with the secrets `certificate` and `privateKey`, both PEM. */
        certificate: Type.Optional(Type.Boolean()),
        oauth: Type.Union([oauthSchema, Type.Null()]),
      },
      closed,
    ),
    /** The question only subscribes: the facility then delivers its data to `{inbound}`. */
    subscription: Type.Optional(Type.Object({ againHours: Type.Integer({ minimum: 1, maximum: 8_760 }) }, closed)),
    /** The question only publishes numbers: the data then come from a queue (`queue.ts`). */
    queue: Type.Optional(queueSchema),
    /** False when numbers are sent without their check digit. */
    hasCheckDigit: Type.Boolean(),
    separator: Type.String({ minLength: 1, maxLength: 5 }),
    batchMax: Type.Integer({ minimum: 1, maximum: 500 }),
    rate,
    ceiling,
    /** Every call costs money, refused ones too. */
    isBilled: Type.Optional(Type.Boolean()),
    concurrency,
    timeoutMs,
    maxBytes: Type.Integer({ minimum: 1_000, maximum: 32_000_000 }),
    /** Statuses that mean that none of the containers is known; 404 always means that. */
    notFoundStatuses: Type.Array(Type.Integer({ minimum: 400, maximum: 499 }), { maxItems: 10 }),
  },
  closed,
)
export type FacilityPollProfile = Static<typeof pollProfileSchema>

const usual: Omit<FacilityPollProfile, 'base'> = {
  path: '',
  method: 'GET',
  query: {},
  body: null,
  headers: { accept: 'application/json' },
  auth: { keyHeaders: {}, oauth: null },
  hasCheckDigit: true,
  separator: ',',
  batchMax: 1,
  rate: { perMinute: 30 },
  concurrency: 1,
  timeoutMs: 30_000,
  maxBytes: 8_000_000,
  notFoundStatuses: [],
}

/**
 * Checks a profile as stored or as an operator wrote it. Missing members have the values of `usual`. The reason names
 * the field that is wrong.
 */
export function parseFacilityPollProfile(value: unknown): Result<FacilityPollProfile, string> {
  const given = typeof value === 'object' && value !== null ? value : null
  const auth = given !== null && 'auth' in given ? { ...usual.auth, ...Object(given.auth) } : usual.auth
  const queue = given !== null && 'queue' in given ? { queue: { ...usualQueue, ...Object(given.queue) } } : {}
  const checked = checkAgainst(pollProfileSchema, given === null ? value : { ...usual, ...given, auth, ...queue })
  if (!checked.ok) return checked
  const isMethodOmitted = given !== null && !('method' in given) && checked.value.body !== null
  const fault = isMethodOmitted ? '/method is missing: state it if there is a /body' : findFault(checked.value)
  return fault === null ? ok(checked.value) : err(fault)
}

function findFault(profile: FacilityPollProfile): string | null {
  const { body, batchMax, headers, auth } = profile
  for (const [where, names] of [
    ['/headers', headers],
    ['/auth/keyHeaders', auth.keyHeaders],
    ['/queue/keyHeaders', profile.queue?.keyHeaders ?? {}],
  ] as const)
    for (const name of Object.keys(names))
      if (!isHeaderName(name) || isConnectionHeader(name))
        return `${where}/${name} is not a header that a profile may set`
  if (profile.subscription !== undefined && profile.queue !== undefined)
    return '/subscription and /queue exclude each other: remove one of them'
  if (auth.basic === true && auth.oauth !== null)
    return '/auth/basic and /auth/oauth exclude each other: remove one of them'
  const placed = listPlaceholders(profile)
  const unknown = placed.find((place) => !known.test(place))
  if (unknown !== undefined) return `${locatePlaceholder(profile, unknown)} has the unknown placeholder {${unknown}}`
  const isOne = placed.some((place) => place === 'number' || place === 'letters' || place === 'serial')
  if (!isOne && !placed.includes('numbers')) return '/path, /query or /body must contain {number} or {numbers}'
  const isInBody = typeof body !== 'string' && /"[^"]*\{(number|letters|serial)\}/.test(JSON.stringify(body))
  if (batchMax > 1 && isOne && !isInBody) return '/batchMax must be 1, because the question contains only one {number}'
  return null
}

const known = /^(number|numbers|letters|serial|facility|inbound|date|epochMs|secret:[A-Za-z][A-Za-z0-9]{0,40})$/
const placePattern = /\{([A-Za-z_:][A-Za-z0-9_:]*)\}/g

function listTemplateTexts({ path, query, body, headers }: FacilityPollProfile): Readonly<Record<string, string>> {
  const members = Object.entries(query).map(([name, value]) => [`/query/${name}`, value] as const)
  const heads = Object.entries(headers).map(([name, value]) => [`/headers/${name}`, value] as const)
  return { '/path': path, ...Object.fromEntries([...members, ...heads]), '/body': JSON.stringify(body) }
}

function listPlaceholders(profile: FacilityPollProfile): readonly string[] {
  return Object.values(listTemplateTexts(profile)).flatMap((each) =>
    [...each.matchAll(placePattern)].map(([, name = '']) => name),
  )
}

function locatePlaceholder(profile: FacilityPollProfile, place: string): string {
  return Object.entries(listTemplateTexts(profile)).find(([, each]) => each.includes(`{${place}}`))?.[0] ?? '/'
}

/** The names of the secrets that an operator has to give. */
export function secretNames(profile: FacilityPollProfile): readonly string[] {
  const { auth } = profile
  const named = listPlaceholders(profile).flatMap((place) => (place.startsWith('secret:') ? [place.slice(7)] : []))
  return [
    ...new Set([
      ...secretNamesOf({ auth }),
      ...Object.values(auth.keyQuery ?? {}),
      ...Object.values(profile.queue?.keyHeaders ?? {}),
      ...(auth.basic === true ? ['username', 'password'] : []),
      ...named,
    ]),
  ].sort()
}
