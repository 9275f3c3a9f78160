/** What a line's DCSA interface is like: facts and deviations as data. Secrets are named here and never given. */

import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { ceilingOf } from '../../core/request-budget.ts'
import { ok, type Result, refused } from '../../core/result.ts'
import type { AskedLimits } from '../source.ts'

const text = Type.String({ maxLength: 500 })
const url = Type.String({ pattern: '^https?://[^\\s?#@]+$', maxLength: 500 })
/** May carry a query: some token servers want `grant_type` there. */
const tokenUrl = Type.String({ pattern: '^https?://[^\\s#@]+$', maxLength: 500 })
const perUnit = Type.Optional(Type.Integer({ minimum: 1 }))
const parameterName = Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Null()])

export const oauthSchema = Type.Object({
  tokenUrl,
  /**
   * How the client proves itself to the token's server with the secrets `clientId` and `clientSecret`: in the form, in a
   * Basic header, in a JSON body, or (`certificate`) by signing with `privateKey` of `certificate`, both PEM (RFC 7523).
   */
  client: Type.Union([
    Type.Literal('form'),
    Type.Literal('basic'),
    Type.Literal('json'),
    Type.Literal('certificate'),
  ]),
  scope: Type.Union([text, Type.Null()]),
  /** Headers that the token's server wants besides: header → name of the secret. */
  keyHeaders: Type.Record(Type.String(), Type.String()),
  /** What else goes into the form or the JSON body; nothing secret. */
  fields: Type.Optional(Type.Record(Type.String(), text)),
  /** What a JSON body calls the two secrets; `client_id` and `client_secret` where it is left out. */
  names: Type.Optional(Type.Object({ clientId: text, clientSecret: text })),
  /** The member of the answer that is the token; `access_token` where it is left out. */
  tokenMember: Type.Optional(text),
})

/** What each of a line's interfaces has: where it is, who may ask, by which numbers, and how much. */
export const platformMembers = {
  base: url,
  path: Type.String({ pattern: '^(/[^\\s?#]*)?$', maxLength: 500 }),
  auth: Type.Object({
    /** Header → name of the secret that goes into it. */
    keyHeaders: Type.Record(Type.String(), Type.String()),
    oauth: Type.Union([oauthSchema, Type.Null()]),
  }),
  /** Sent with every request; nothing secret. */
  headers: Type.Record(Type.String(), text),
  /** The parameter for each kind of number; null when the line cannot be asked by it. */
  parameters: Type.Object({
    container: parameterName,
    bill_of_lading: parameterName,
    booking: parameterName,
  }),
  extraParameters: Type.Record(Type.String(), Type.Array(text)),
  /** Taken off the front of bills and bookings before the line is asked. */
  stripPrefixes: Type.Array(Type.String({ pattern: '^[A-Z]{4}$' })),
  /** Requests, each page one: in any second, minute, hour and day (24 hours). */
  rate: Type.Object({ perSecond: perUnit, perMinute: perUnit, perHour: perUnit, perDay: perUnit }),
  /** Where it ends, for calls that cost: so many in a day and a month of UTC. */
  ceiling: Type.Optional(
    Type.Object({ perDay: perUnit, perMonth: perUnit }, { additionalProperties: false }),
  ),
  concurrency: Type.Integer({ minimum: 1, maximum: 100 }),
  /** Of each page; all pages of an answer together end after 150 s whatever the profile says. */
  timeoutMs: Type.Integer({ minimum: 100, maximum: 120_000 }),
  /** Of one answer, all pages together. */
  maxBytes: Type.Integer({ minimum: 1_000, maximum: 100_000_000 }),
}

const dcsaProfileSchema = Type.Object(
  {
    ...platformMembers,
    /** The line whose platform this is. */
    scac: Type.String({ pattern: '^[A-Z]{4}$' }),
    /** True once an operator has seen it work with the line itself. */
    verified: Type.Boolean(),
    /** True: a list is a repeated parameter; false: one parameter with commas (DCSA 2.1 and later). */
    explode: Type.Boolean(),
    /** The filter by time of creation: its operator in the parameter's name (`x:gte=…`) or value (`x=gte:…`). */
    createdSince: Type.Union([
      Type.Object({ parameter: text, operatorIn: Type.Union([Type.Literal('name'), Type.Literal('value')]) }),
      Type.Null(),
    ]),
    /** `parts`: each type of event in a list of its own. */
    body: Type.Union([
      Type.Literal('array'),
      Type.Literal('events'),
      Type.Literal('parts'),
      Type.Literal('any'),
    ]),
    /** The header that names the next page, by a link or by a cursor for `parameter`; null: one page is all. */
    paging: Type.Union([
      Type.Object({
        header: text,
        parameter: text,
        pagesMax: Type.Integer({ minimum: 1, maximum: 1000 }),
      }),
      Type.Null(),
    ]),
    /** What a time without a zone is: local at its place, as this line is known to mean it, or left open. */
    zoneFallback: Type.Union([Type.Literal('place'), Type.Literal('none')]),
    /** True: a midnight is no time of day, the line only knows the day. */
    hasDayOnlyTimes: Type.Boolean(),
    /** The line's words for DCSA codes, upper case. */
    enumAliases: Type.Record(Type.String(), Type.String()),
    /** How the line says that it does not know a number. */
    notFound: Type.Object({
      statuses: Type.Array(Type.Integer({ minimum: 400, maximum: 599 })),
      /** What a valid answer without events means. */
      emptyAnswer: Type.Union([Type.Literal('not_found'), Type.Literal('known_without_data')]),
      /** Words in an error's text (lower case) that mean it, whatever the status. */
      phrases: Type.Array(text),
    }),
    /** The line always sends all it knows: what it leaves out of two valid answers in a row is withdrawn. */
    isFullPicture: Type.Boolean(),
    /** What the standard requires and the line is known to leave out; no issue. */
    mayLack: Type.Array(
      Type.Union([
        Type.Literal('vesselIMONumber'),
        Type.Literal('transportCall'),
        Type.Literal('eventCreatedDateTime'),
      ]),
    ),
    /**
     * True: the line gives the day of the question as the time at which it stated its transport events, so it tells
     * nothing. Profiles that are stored do not have it.
     */
    restatesTransport: Type.Optional(Type.Boolean()),
    /**
     * Words (lower case) in the text of a 400 or 422 that say that the number is wrong. Absent: each of them says so.
     * An empty list: none does, for the line answers so whatever it misses in the question.
     */
    refusalPhrases: Type.Optional(Type.Array(text)),
    /** Every call costs money, refused ones too. */
    isBilled: Type.Boolean(),
    /** Its answers bear an ETag, and to a question that names the last one it says 304 when nothing is new. */
    hasEtags: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type DcsaProfile = Static<typeof dcsaProfileSchema>

/** A profile as stored or as an operator wrote it; the reason names the first field that is wrong. */
export function parseDcsaProfile(value: unknown): Result<DcsaProfile, string> {
  if (Value.Check(dcsaProfileSchema, value)) return ok(value)
  const [fault] = Value.Errors(dcsaProfileSchema, value)
  return refused(fault === undefined ? 'is no profile' : `${fault.instancePath || '/'} ${fault.message}`)
}

/** DCSA Track & Trace 2.2 as the standard has it; a profile states what is different. */
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
  const names = Object.values(auth.keyHeaders)
  if (auth.oauth !== null) {
    names.push(...Object.values(auth.oauth.keyHeaders), 'clientId')
    names.push(...(auth.oauth.client === 'certificate' ? ['privateKey', 'certificate'] : ['clientSecret']))
  }
  return [...new Set(names)].sort()
}

/** What stands in the profile of how much it may be asked. */
export function limitsOf({
  rate,
  concurrency,
  ...profile
}: Pick<DcsaProfile, 'rate' | 'ceiling' | 'concurrency'> & {
  readonly isBilled?: boolean | undefined
}): AskedLimits {
  return { rate, concurrency, ...ceilingOf(profile) }
}
