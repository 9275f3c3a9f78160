/**
 * What a line's DCSA interface is like: facts and deviations as data. A profile contains the names of secrets, never
 * the secrets.
 */

import type { Static } from 'typebox'
import { quotaOf } from '../../domain/polling/request-budget.ts'
import type { Result } from '../../domain/values/result.ts'
import { Type } from '../../platform/json-schema.ts'
import { checkAgainst } from '../check-schema.ts'
import type { PollLimits } from '../source.ts'

const text = Type.String({ maxLength: 500 })
const url = Type.String({ pattern: '^https?://[^\\s?#@]+$', maxLength: 500 })
/** May have a query: some token servers want `grant_type` there. */
const tokenUrl = Type.String({ pattern: '^https?://[^\\s#@]+$', maxLength: 500 })
const perUnit = Type.Optional(Type.Integer({ minimum: 1 }))
const parameterName = Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Null()])

export const oauthSchema = Type.Object({
  tokenUrl,
  /**
   * How the client identifies itself to the token server with the secrets `clientId` and `clientSecret`: in the form,
   * in a Basic header, in a JSON body, or (`certificate`) by a signature with `privateKey` of `certificate`, both PEM
   * (RFC 7523).
   */
  client: Type.Union([Type.Literal('form'), Type.Literal('basic'), Type.Literal('json'), Type.Literal('certificate')]),
  scope: Type.Union([text, Type.Null()]),
  /** Headers that the token server also wants: header → name of the secret. */
  keyHeaders: Type.Record(Type.String(), Type.String()),
  /** Further members of the form or the JSON body; nothing secret. */
  fields: Type.Optional(Type.Record(Type.String(), text)),
  /** Names of the two secrets in a JSON body; absent: `client_id` and `client_secret`. */
  names: Type.Optional(Type.Object({ clientId: text, clientSecret: text })),
  /** The member of the answer that has the token; absent: `access_token`. */
  tokenMember: Type.Optional(text),
})

/** Common members of all interfaces of lines: address, access, kinds of numbers, and limits. */
export const platformMembers = {
  base: url,
  path: Type.String({ pattern: '^(/[^\\s?#]*)?$', maxLength: 500 }),
  auth: Type.Object({
    /** Header → name of the secret that is sent in it. */
    keyHeaders: Type.Record(Type.String(), Type.String()),
    /** Mutual TLS with the secrets `certificate` and `privateKey`, both PEM. */
    certificate: Type.Optional(Type.Boolean()),
    oauth: Type.Union([oauthSchema, Type.Null()]),
  }),
  /** Sent with every request; nothing secret. */
  headers: Type.Record(Type.String(), text),
  /** The parameter for each kind of number; null when the carrier cannot be polled by this kind. */
  parameters: Type.Object({
    container: parameterName,
    bill_of_lading: parameterName,
    booking: parameterName,
  }),
  extraParameters: Type.Record(Type.String(), Type.Array(text)),
  /** Prefixes to remove from bills and bookings before the carrier is polled. */
  stripPrefixes: Type.Array(Type.String({ pattern: '^[A-Z]{4}$' })),
  /** Maximum number of requests (each page is one) in any second, minute, hour and 24 hours. */
  rate: Type.Object({ perSecond: perUnit, perMinute: perUnit, perHour: perUnit, perDay: perUnit }),
  /** Hard limit for calls that cost money: maximum in one day and one month, UTC. */
  ceiling: Type.Optional(Type.Object({ perDay: perUnit, perMonth: perUnit }, { additionalProperties: false })),
  concurrency: Type.Integer({ minimum: 1, maximum: 100 }),
  /** For each page. All pages of an answer together have 150 s, whatever the profile states. */
  timeoutMs: Type.Integer({ minimum: 100, maximum: 120_000 }),
  /** Maximum of one answer, all pages together. */
  maxBytes: Type.Integer({ minimum: 1_000, maximum: 100_000_000 }),
}

export const dcsaProfileSchema = Type.Object(
  {
    ...platformMembers,
    /** The line whose platform this is. */
    scac: Type.String({ pattern: '^[A-Z]{4}$' }),
    /** True once an operator has seen it work with the line itself. */
    verified: Type.Boolean(),
    /** True: a list is a repeated parameter; false: one parameter with commas (DCSA 2.1 and later). */
    explode: Type.Boolean(),
    /**
     * The filter by time of creation, with the operator in the parameter's name (`x:gte=…`) or in its value
     * (`x=gte:…`).
     */
    createdSince: Type.Union([
      Type.Object({ parameter: text, operatorIn: Type.Union([Type.Literal('name'), Type.Literal('value')]) }),
      Type.Null(),
    ]),
    /** Shape of the answer. `parts`: each type of event in a list of its own. */
    body: Type.Union([Type.Literal('array'), Type.Literal('events'), Type.Literal('parts'), Type.Literal('any')]),
    /**
     * The header that names the next page, by a link or by a cursor for `parameter`; null: the answer has only one
     * page.
     */
    paging: Type.Union([
      Type.Object({
        header: text,
        parameter: text,
        pagesMax: Type.Integer({ minimum: 1, maximum: 1000 }),
      }),
      Type.Null(),
    ]),
    /** Meaning of a time without a zone: local time at its place, if this line is known to mean that, or unknown. */
    zoneFallback: Type.Union([Type.Literal('place'), Type.Literal('none')]),
    /** True: midnight is not a time of day, because the line knows only the day. */
    hasDayOnlyTimes: Type.Boolean(),
    /** The carrier's own codes and texts, in upper case → DCSA codes. */
    enumAliases: Type.Record(Type.String(), Type.String()),
    /** How the carrier states that it does not know a number. */
    notFound: Type.Object({
      statuses: Type.Array(Type.Integer({ minimum: 400, maximum: 599 })),
      /** What a valid answer without events means. */
      emptyAnswer: Type.Union([Type.Literal('not_found'), Type.Literal('known_without_data')]),
      /** Phrases in an error's text (lower case) that mean "not found", whatever the status. */
      phrases: Type.Array(text),
    }),
    /**
     * True: the carrier always sends everything that it knows. A statement that is missing in two valid answers in a
     * row is withdrawn.
     */
    isFullPicture: Type.Boolean(),
    /** Members that the standard requires and that this line is known to leave out. Their absence is no issue. */
    mayLack: Type.Array(
      Type.Union([
        Type.Literal('vesselIMONumber'),
        Type.Literal('transportCall'),
        Type.Literal('eventCreatedDateTime'),
      ]),
    ),
    /**
     * True: the carrier gives the day of the question as the time at which it stated its transport events, so this time
     * has no meaning. Stored profiles do not have this member.
     */
    restatesTransport: Type.Optional(Type.Boolean()),
    /**
     * Phrases (lower case) in the text of a 400 or 422 which state that the number is wrong. Absent: every 400 and 422
     * means that. An empty list: none does, because the carrier gives these statuses for every fault in the question.
     */
    refusalPhrases: Type.Optional(Type.Array(text)),
    /** Every call costs money, refused ones too. */
    isBilled: Type.Boolean(),
    /** True: answers have an ETag, and the line answers 304 to a question with the last ETag when nothing is new. */
    hasEtags: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type DcsaProfile = Static<typeof dcsaProfileSchema>

/** Checks a profile as stored or as an operator wrote it; the reason names the first field that is wrong. */
export function parseDcsaProfile(value: unknown): Result<DcsaProfile, string> {
  return checkAgainst(dcsaProfileSchema, value)
}

/** Standard DCSA Track & Trace 2.2; a profile states only what is different. */
export const standardProfile: Omit<DcsaProfile, 'scac' | 'base'> = {
  verified: false,
  path: '/v2/events',
  auth: { keyHeaders: {}, oauth: null },
  headers: { accept: 'application/json', 'api-version': '2' },
  parameters: {
    container: 'equipmentReference',
    bill_of_lading: 'transportDocumentReference',
    booking: 'carrierBookingReference',
  },
  extraParameters: { limit: ['100'] },
  explode: false,
  createdSince: { parameter: 'eventCreatedDateTime', operatorIn: 'name' },
  stripPrefixes: [],
  body: 'array',
  paging: { header: 'next-page', parameter: 'cursor', pagesMax: 20 },
  rate: { perMinute: 60 },
  concurrency: 2,
  timeoutMs: 30_000,
  maxBytes: 16_000_000,
  zoneFallback: 'none',
  hasDayOnlyTimes: false,
  enumAliases: {},
  notFound: { statuses: [404], emptyAnswer: 'not_found', phrases: [] },
  isFullPicture: false,
  mayLack: [],
  isBilled: false,
}

/** The names of the secrets that an operator has to give for this profile. */
export function secretNames({ auth }: Pick<DcsaProfile, 'auth'>): readonly string[] {
  const names = [...Object.values(auth.keyHeaders), ...(auth.certificate === true ? ['privateKey', 'certificate'] : [])]
  if (auth.oauth !== null) {
    names.push(...Object.values(auth.oauth.keyHeaders), 'clientId')
    names.push(...(auth.oauth.client === 'certificate' ? ['privateKey', 'certificate'] : ['clientSecret']))
  }
  return [...new Set(names)].sort()
}

/** The limits of the profile. */
export function limitsOf({
  rate,
  concurrency,
  ...profile
}: Pick<DcsaProfile, 'rate' | 'ceiling' | 'concurrency'> & {
  readonly isBilled?: boolean | undefined
}): PollLimits {
  return { rate, concurrency, ...quotaOf(profile) }
}
