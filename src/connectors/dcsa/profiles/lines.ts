/**
 * The lines that offer DCSA Track & Trace, according to their published specifications and public client code. None has
 * been tried with the line itself: each is `verified: false` until an operator has seen it work.
 */

import { type DcsaProfile, standardProfile } from '../profile.ts'

export interface LineProfile {
  readonly profile: DcsaProfile
  /** Fields of the profile that the line gives to each customer and that the operator must set. */
  readonly operatorSets: readonly string[]
  /** Other information that an operator needs before the first call. */
  readonly remarks: string
}

/** The built-in profile of a line; null for a line without a known DCSA interface. */
export function findDcsaProfile(scac: string): DcsaProfile | null {
  return lineProfiles.find(({ profile }) => profile.scac === scac)?.profile ?? null
}

type Deviations = Partial<DcsaProfile> & { readonly base: string }

function linesOf(
  scacs: readonly string[],
  deviations: Deviations,
  about: Omit<LineProfile, 'profile'>,
): readonly LineProfile[] {
  return scacs.map((scac) => ({ profile: { ...standardProfile, ...deviations, scac }, ...about }))
}

/** RFC 2606: a host name that never resolves, until the operator sets the real one. */
const placeholderUrl = 'https://given-by-the-line.invalid'

const withoutShipmentEvents = { eventType: ['TRANSPORT', 'EQUIPMENT'] }

export const lineProfiles: readonly LineProfile[] = [
  ...linesOf(
    ['MAEU', 'SEAU', 'SEJJ', 'SAFM'],
    {
      base: 'https://api.maersk.com',
      path: '/track-and-trace-private/events',
      auth: {
        keyHeaders: { 'Consumer-Key': 'consumerKey' },
        oauth: {
          tokenUrl: 'https://api.maersk.com/customer-identity/oauth/v2/access_token',
          client: 'form',
          scope: null,
          keyHeaders: { 'Consumer-Key': 'consumerKey' },
        },
      },
      headers: { accept: 'application/json' },
      createdSince: { parameter: 'eventCreatedDateTime', operatorIn: 'value' },
      stripPrefixes: ['MAEU', 'SEAU', 'SEJJ', 'SAFM'],
      body: 'events',
      restatesTransport: true,
      rate: { perHour: 4_000 },
    },
    {
      operatorSets: [],
      remarks:
        'Answers 404 also when the customer code registered with the key is no party to the shipment. Some times come without a zone. If you have the product Public Access instead, its profile is in docs/writing-a-profile.md.',
    },
  ),
  ...linesOf(
    ['MSCU'],
    {
      base: 'https://api.tech.msc.com',
      path: '/msc/trackandtrace/v2.2/events',
      auth: {
        keyHeaders: {},
        oauth: {
          tokenUrl: `${placeholderUrl}/oauth2/v2.0/token`,
          client: 'certificate',
          scope: null,
          keyHeaders: {},
        },
      },
      extraParameters: {},
      createdSince: null,
      paging: null,
    },
    {
      operatorSets: ['auth.oauth.tokenUrl', 'auth.oauth.scope'],
      remarks:
        'Client id, tenant, scope and certificate are issued when the line accepts a customer. The limits are not published. One report says that the line also pushes events, through a queue that Landfall does not read.',
    },
  ),
  ...linesOf(
    ['CMDU', 'APLU', 'ANNU'],
    {
      base: 'https://apis.cma-cgm.net',
      path: '/operation/trackandtrace/v1/events',
      auth: { keyHeaders: { keyId: 'keyId' }, oauth: null },
      extraParameters: { ...withoutShipmentEvents, limit: ['100'] },
      concurrency: 1,
      isBilled: true,
    },
    {
      operatorSets: [],
      remarks:
        'The private tier wants OAuth (https://auth.cma-cgm.com/as/token.oauth2, scope tandtcommercial:read:be) in place of the key; a third party adds the parameter behalfOf. The line also pushes events; Landfall does not subscribe to them yet.',
    },
  ),
  ...linesOf(
    ['HLCU'],
    {
      base: 'https://api.hlag.com',
      path: '/hlag/external/v2/events',
      auth: {
        keyHeaders: { 'X-IBM-Client-Id': 'clientId', 'X-IBM-Client-Secret': 'clientSecret' },
        oauth: null,
      },
      rate: { perMinute: 10, perDay: 100 },
      concurrency: 1,
      mayLack: ['vesselIMONumber'],
    },
    {
      operatorSets: [],
      remarks:
        'The rate is that of the smallest tier; the larger ones are 6,000 a day (10 a minute) and 100,000 a day (150 a minute). One report says that no next page is documented: an answer of exactly 100 events may then be cut.',
    },
  ),
  ...linesOf(
    ['ONEY'],
    {
      base: 'https://apis.one-line.com',
      path: '/v2/cargotracking/events',
      auth: {
        keyHeaders: { apikey: 'apiKey' },
        oauth: {
          tokenUrl: 'https://apis.one-line.com/v1/oauth/accesstoken?grant_type=client_credentials',
          client: 'basic',
          scope: null,
          keyHeaders: { apikey: 'apiKey' },
        },
      },
      headers: { accept: 'application/json' },
      extraParameters: { ...withoutShipmentEvents, limit: ['100'] },
      explode: true,
      enumAliases: { FEEDER: 'BARGE' },
      mayLack: ['vesselIMONumber'],
    },
    {
      operatorSets: [],
      remarks: 'Advises 60 calls a minute, at most three rounds a day, and asking by container rather than by bill.',
    },
  ),
  ...linesOf(
    ['YMLU'],
    {
      base: 'https://apidoc.yangming.com',
      auth: { keyHeaders: { KeyId: 'keyId' }, oauth: null },
      extraParameters: {},
      createdSince: null,
      stripPrefixes: ['YMLU'],
      paging: null,
      // A 400 of this line gives a reason, and no reason states that the number is wrong.
      notFound: { statuses: [404], emptyAnswer: 'not_found', phrases: ['nodatafound', 'no data found'] },
      refusalPhrases: [],
      mayLack: ['vesselIMONumber'],
    },
    {
      operatorSets: [],
      remarks:
        'The base is that of the specification; customers may be given another. The older interface (path /1.1.0/events) asks by bookingReference and billOfLadingNumber.',
    },
  ),
  ...linesOf(
    ['EGLV'],
    {
      base: placeholderUrl,
      path: '/apimg/tnt/v2/events',
      auth: {
        keyHeaders: {},
        oauth: { tokenUrl: `${placeholderUrl}/token`, client: 'basic', scope: null, keyHeaders: {} },
      },
      stripPrefixes: ['EGLV'],
      hasDayOnlyTimes: true,
      enumAliases: { PLAN: 'PLN' },
      mayLack: ['vesselIMONumber'],
    },
    {
      operatorSets: ['base', 'auth.oauth.tokenUrl'],
      remarks:
        'Calls are accepted from registered addresses only. History begins when the customer goes live. One report says that the line requires the header api-version 2.2: if 2 is refused, set headers. It also says that the line pushes DCSA events to a subscriber, which a channel can receive (docs/sending.md).',
    },
  ),
  ...linesOf(
    ['HDMU'],
    {
      base: 'https://apigw.hmm21.com',
      path: '/gateway/dcsaCargoTracking/v1/cargo-tracking-dcsa',
      auth: { keyHeaders: { 'x-Gateway-APIKey': 'apiKey' }, oauth: null },
      // It wants a booking and a container. Its bill numbers are its booking numbers with its letters before them.
      parameters: {
        container: null,
        bill_of_lading: 'carrierBookingReference',
        booking: 'carrierBookingReference',
      },
      extraParameters: { equipmentReference: ['ZZ'] },
      createdSince: null,
      stripPrefixes: ['HDMU'],
      body: 'parts',
      paging: null,
      refusalPhrases: [],
    },
    {
      operatorSets: [],
      remarks:
        'Requires a booking and a container together; Landfall requests all containers (ZZ) of a booking, or of a bill used as a booking number, and does not poll by container. That a 400 never means a wrong number is our cautious assumption.',
    },
  ),
  ...linesOf(
    ['ZIMU'],
    {
      base: 'https://apigw.zim.com',
      path: '/trackAndTrace/v2/',
      auth: { keyHeaders: { 'Ocp-Apim-Subscription-Key': 'subscriptionKey' }, oauth: null },
      extraParameters: {},
      createdSince: null,
      paging: null,
      mayLack: ['transportCall'],
    },
    {
      operatorSets: [],
      remarks:
        'Other filters than the three numbers are not supported. Public client code also shows an older version 1 (path /trackAndTrace/v1) with OAuth and the key.',
    },
  ),
]
