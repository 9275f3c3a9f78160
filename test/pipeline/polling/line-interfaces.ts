/**
 * What the interface of each line requires of a question. This comes from its published documents and public client
 * code, not from our profiles. Any other question is refused as the line refuses it.
 */

import { createHash, createHmac, generateKeyPairSync, verify } from 'node:crypto'
import { selfSignedCertificate } from '../../connectors/dcsa/certificate.ts'
import type { Asked } from '../../connectors/line-server.ts'

export interface Refusal {
  readonly status: number
  readonly json: unknown
}

export interface LineInterface {
  readonly scac: string
  /** The path of the question for a number of its story, without the query. */
  readonly path: RegExp
  /** What the line gives a customer. */
  readonly secrets: Readonly<Record<string, string>>
  /** What an operator adds to Landfall's profile, for a line at `base`. */
  readonly sets?: (base: string) => Readonly<Record<string, unknown>>
  /** The refusal of a wrong question; null if the line answers it. `token`: the token that it gave. */
  readonly refusal: (asked: Asked, token: string) => Refusal | null
  /** The address for tokens, and whether it gives one for this request. */
  readonly grants?: { readonly path: string; readonly accepts: (asked: Asked) => boolean }
}

const badRequest: Refusal = { status: 400, json: { statusCode: 400, errors: [{ message: 'Bad request.' }] } }
const noAccess: Refusal = { status: 401, json: { statusCode: 401, errors: [{ message: 'Unauthorized.' }] } }

const references = ['transportDocumentReference', 'carrierBookingReference', 'equipmentReference']

/** Names in the query that are not in this list. */
function others({ url }: Asked, known: readonly string[]): readonly string[] {
  return [...new Set(url.searchParams.keys())].filter((name) => !known.includes(name))
}

function referenceIn({ url }: Asked): string | null {
  const given = references.flatMap((name) => url.searchParams.get(name) ?? [])
  return given.length === 1 ? (given[0] ?? null) : null
}

function hasHeaders({ headers }: Asked, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([name, value]) => headers[name.toLowerCase()] === value)
}

function isBasic({ headers }: Asked, id: string, secret: string): boolean {
  return headers.authorization === `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
}

/** For a line that accepts a key in headers, and in the query only one of the three references and `also`. */
function byKey(keys: Readonly<Record<string, string>>, also: readonly string[]): LineInterface['refusal'] {
  return (asked) => {
    if (!hasHeaders(asked, keys)) return noAccess
    const isProper = referenceIn(asked) !== null && others(asked, [...references, ...also]).length === 0
    return isProper ? null : badRequest
  }
}

const mscKeys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const mscCertificate = selfSignedCertificate(mscKeys)

/** RFC 7523: signed with the key of the certificate by which the line knows the client. */
function isSignedByCertificate(asked: Asked): boolean {
  const form = new URLSearchParams(asked.body)
  const [head = '', claims = '', signature = ''] = (form.get('client_assertion') ?? '').split('.')
  const { aud, iss, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}') as Record<string, unknown>
  return (
    form.get('grant_type') === 'client_credentials' &&
    form.get('scope') === 'api://example/.default' &&
    String(aud).endsWith(asked.url.pathname) &&
    iss === 'C-msc' &&
    sub === 'C-msc' &&
    verify('sha256', Buffer.from(`${head}.${claims}`), mscKeys.publicKey, Buffer.from(signature, 'base64url'))
  )
}

/** The check of the line: it signs the request again with the secret that it knows. */
function isSignedForCosco({ method, url, headers }: Asked): boolean {
  const [date, digest, once] = ['date', 'digest', 'content-md5'].map((name) => String(headers[`x-coscon-${name}`]))
  const empty = createHash('sha256').update('').digest('base64')
  const lines = [
    `X-Coscon-Date: ${date}`,
    `X-Coscon-Digest: ${digest}`,
    `X-Coscon-Content-Md5: ${once}`,
    `${method} ${url.pathname}${url.search} HTTP/1.1`,
  ]
  const signature = createHmac('sha1', 'S-cosco').update(lines.join('\n')).digest('base64')
  const said = String(headers['x-coscon-authorization'])
  return (
    digest === `SHA-256=${empty}` && said.includes('username="K-cosco"') && said.includes(`signature="${signature}"`)
  )
}

export const lineInterfaces: readonly LineInterface[] = [
  {
    scac: 'MAEU',
    path: /^\/track-and-trace-private\/events$/,
    secrets: { consumerKey: 'K-maersk', clientId: 'C-maersk', clientSecret: 'S-maersk' },
    grants: {
      path: '/customer-identity/oauth/v2/access_token',
      accepts: (asked) => {
        const form = new URLSearchParams(asked.body)
        return (
          hasHeaders(asked, { 'consumer-key': 'K-maersk' }) &&
          form.get('client_id') === 'C-maersk' &&
          form.get('client_secret') === 'S-maersk' &&
          form.get('grant_type') === 'client_credentials'
        )
      },
    },
    refusal: (asked, token) => {
      if (!hasHeaders(asked, { 'consumer-key': 'K-maersk', authorization: `Bearer ${token}` })) return noAccess
      const bill = asked.url.searchParams.get('transportDocumentReference')
      const isProper = referenceIn(asked) !== null && (bill === null || /^[A-Za-z0-9]{9}$/.test(bill))
      return isProper ? null : badRequest
    },
  },
  {
    scac: 'MSCU',
    path: /^\/msc\/trackandtrace\/v2\.2\/events$/,
    secrets: {
      clientId: 'C-msc',
      certificate: mscCertificate,
      privateKey: mscKeys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    },
    sets: (base) => ({
      auth: {
        keyHeaders: {},
        oauth: {
          tokenUrl: `${base}/example/oauth2/v2.0/token`,
          client: 'certificate',
          scope: 'api://example/.default',
          keyHeaders: {},
        },
      },
    }),
    grants: { path: '/example/oauth2/v2.0/token', accepts: isSignedByCertificate },
    refusal: (asked, token) => {
      if (!hasHeaders(asked, { authorization: `Bearer ${token}` })) return noAccess
      return referenceIn(asked) !== null && others(asked, references).length === 0 ? null : badRequest
    },
  },
  {
    scac: 'CMDU',
    path: /^\/operation\/trackandtrace\/v1\/events$/,
    secrets: { keyId: 'K-cma' },
    refusal: (asked, token) => {
      if (asked.url.searchParams.get('eventType')?.includes('SHIPMENT') === true) return badRequest
      const also = ['eventType', 'limit', 'cursor', 'behalfOf', 'eventCreatedDateTime:gte']
      return byKey({ keyId: 'K-cma' }, also)(asked, token)
    },
  },
  {
    scac: 'HLCU',
    path: /^\/hlag\/external\/v2\/events$/,
    secrets: { clientId: 'C-hapag', clientSecret: 'S-hapag' },
    refusal: byKey({ 'X-IBM-Client-Id': 'C-hapag', 'X-IBM-Client-Secret': 'S-hapag' }, [
      'eventType',
      'limit',
      'cursor',
      'eventCreatedDateTime:gte',
    ]),
  },
  {
    scac: 'ONEY',
    path: /^\/v2\/cargotracking\/events$/,
    secrets: { apiKey: 'K-one', clientId: 'C-one', clientSecret: 'S-one' },
    grants: {
      path: '/v1/oauth/accesstoken',
      accepts: (asked) =>
        hasHeaders(asked, { apikey: 'K-one' }) &&
        isBasic(asked, 'C-one', 'S-one') &&
        asked.url.searchParams.get('grant_type') === 'client_credentials',
    },
    refusal: (asked, token) => {
      if (!hasHeaders(asked, { apikey: 'K-one', authorization: `Bearer ${token}` })) return noAccess
      const types = asked.url.searchParams.getAll('eventType')
      const isProper = types.every((type) => type === 'TRANSPORT' || type === 'EQUIPMENT')
      return isProper && referenceIn(asked) !== null ? null : badRequest
    },
  },
  {
    scac: 'YMLU',
    path: /^\/v2\/events$/,
    secrets: { keyId: 'K-yangming' },
    refusal: byKey({ KeyId: 'K-yangming' }, ['eventType']),
  },
  {
    scac: 'EGLV',
    path: /^\/customer-7\/apimg\/tnt\/v2\/events$/,
    secrets: { clientId: 'C-evergreen', clientSecret: 'S-evergreen' },
    sets: (base) => ({
      base: `${base}/customer-7`,
      auth: {
        keyHeaders: {},
        oauth: { tokenUrl: `${base}/customer-7/token`, client: 'basic', scope: null, keyHeaders: {} },
      },
    }),
    grants: {
      path: '/customer-7/token',
      accepts: (asked) => isBasic(asked, 'C-evergreen', 'S-evergreen'),
    },
    refusal: (asked, token) => {
      if (!hasHeaders(asked, { authorization: `Bearer ${token}` })) return noAccess
      const reference = referenceIn(asked)
      if (reference === null) return badRequest
      // With the letters of the line before it, a bill is longer than the line accepts.
      return reference.startsWith('EGLV') ? { status: 500, json: { message: 'Internal error' } } : null
    },
  },
  {
    scac: 'HDMU',
    path: /^\/gateway\/dcsaCargoTracking\/v1\/cargo-tracking-dcsa$/,
    secrets: { apiKey: 'K-hmm' },
    refusal: (asked) => {
      if (!hasHeaders(asked, { 'x-Gateway-APIKey': 'K-hmm' })) return noAccess
      const { searchParams } = asked.url
      const booking = searchParams.get('carrierBookingReference')
      const isWhole = booking !== null && searchParams.has('equipmentReference')
      return isWhole && !booking.startsWith('HDMU') ? null : badRequest
    },
  },
  {
    scac: 'ZIMU',
    path: /^\/trackAndTrace\/v2\/$/,
    secrets: { subscriptionKey: 'K-zim' },
    refusal: byKey({ 'Ocp-Apim-Subscription-Key': 'K-zim' }, []),
  },
  {
    scac: 'COSU',
    path: /^\/service\/info\/tracking\/\d{10}$/,
    secrets: { apiKey: 'K-cosco', secretKey: 'S-cosco' },
    refusal: (asked) => {
      if (!isSignedForCosco(asked)) return noAccess
      return asked.url.searchParams.get('numberType') === 'bl' ? null : badRequest
    },
  },
]
