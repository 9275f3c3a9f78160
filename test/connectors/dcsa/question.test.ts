/**
 * The real requests to each line, over HTTP: the number in the form that the line expects, and the other parameters
 * that it requires.
 */

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { openDcsaSource } from '../../../src/connectors/dcsa/dcsa-source.ts'
import { secretNames } from '../../../src/connectors/dcsa/profile.ts'
import { findDcsaProfile } from '../../../src/connectors/dcsa/profiles/lines.ts'
import type { FetchResult, NumberKind, PollRequest } from '../../../src/connectors/source.ts'
import { createEgress } from '../../../src/platform/egress.ts'
import { sendJson, startLine } from '../line-server.ts'

const egress = createEgress({ allowedNetworks: [], allowLoopback: true })
after(() => egress.close())

const source = openDcsaSource()

/** The line's own profile, at a line on loopback that gives this answer. */
async function ask(
  { scac, kind, number }: PollRequest,
  answer: { readonly status: number; readonly body: unknown } = { status: 200, body: [] },
): Promise<{ readonly asked: string | null; readonly result: FetchResult; readonly verdict: string }> {
  const known = findDcsaProfile(scac)
  assert.ok(known)
  const line = await startLine((requested, response) => {
    if (requested.method === 'POST') sendJson(response, { access_token: 'token', expires_in: 600 })
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
  })
  try {
    const { oauth, keyHeaders } = known.auth
    // Signing with a certificate is tested in fetch.test.ts.
    const client = oauth?.client === 'certificate' ? 'basic' : oauth?.client
    const profile = {
      ...known,
      base: line.base,
      auth: {
        keyHeaders,
        oauth: oauth && client ? { ...oauth, client, tokenUrl: `${line.base}/token` } : null,
      },
    }
    const secrets = Object.fromEntries(secretNames(profile).map((name) => [name, 'x']))
    const request = { scac, kind, number }
    const result = await source.fetch(request, { profile, secrets }, { egress, now: Date.now })
    const requested = line.asked.find(({ method }) => method === 'GET') ?? null
    return {
      asked: requested && decodeURIComponent(requested.url.pathname + requested.url.search),
      result,
      verdict: result.kind === 'answered' ? source.read(result.snapshot, request, profile).outcome : result.reason,
    }
  } finally {
    await line.close()
  }
}

const questions: readonly (readonly [string, NumberKind, string, string])[] = [
  [
    'MAEU',
    'bill_of_lading',
    'MAEU247310655',
    '/track-and-trace-private/events?transportDocumentReference=247310655&limit=100',
  ],
  ['MSCU', 'bill_of_lading', 'MEDUZQ004310', '/msc/trackandtrace/v2.2/events?transportDocumentReference=MEDUZQ004310'],
  [
    'CMDU',
    'container',
    'CMAU7302645',
    '/operation/trackandtrace/v1/events?equipmentReference=CMAU7302645&eventType=TRANSPORT,EQUIPMENT&limit=100',
  ],
  ['HLCU', 'container', 'HLXU8305517', '/hlag/external/v2/events?equipmentReference=HLXU8305517&limit=100'],
  [
    'ONEY',
    'container',
    'ONEU1183453',
    '/v2/cargotracking/events?equipmentReference=ONEU1183453&eventType=TRANSPORT&eventType=EQUIPMENT&limit=100',
  ],
  ['YMLU', 'bill_of_lading', 'YMLUW241187306', '/v2/events?transportDocumentReference=W241187306'],
  ['YMLU', 'bill_of_lading', 'W241187306', '/v2/events?transportDocumentReference=W241187306'],
  ['YMLU', 'booking', 'YMLUE241187306', '/v2/events?carrierBookingReference=E241187306'],
  // The letters of a container number are its owner code, so they are not removed.
  ['YMLU', 'container', 'YMLU5308176', '/v2/events?equipmentReference=YMLU5308176'],
  [
    'EGLV',
    'bill_of_lading',
    'EGLV143600412785',
    '/apimg/tnt/v2/events?transportDocumentReference=143600412785&limit=100',
  ],
  [
    'HDMU',
    'booking',
    'SELM61273900',
    '/gateway/dcsaCargoTracking/v1/cargo-tracking-dcsa?carrierBookingReference=SELM61273900&equipmentReference=ZZ',
  ],
  [
    'HDMU',
    'bill_of_lading',
    'HDMUSELM61273900',
    '/gateway/dcsaCargoTracking/v1/cargo-tracking-dcsa?carrierBookingReference=SELM61273900&equipmentReference=ZZ',
  ],
  ['ZIMU', 'bill_of_lading', 'ZIMUHFA80211947', '/trackAndTrace/v2/?transportDocumentReference=ZIMUHFA80211947'],
]

describe('Each line is polled in its own form', () => {
  for (const [scac, kind, number, question] of questions) {
    it(`${scac} by ${kind} ${number}`, async () => {
      assert.equal((await ask({ scac, kind, number })).asked, question)
    })
  }
})

describe('HMM', () => {
  it('is not polled by container number, which its API does not support', async () => {
    const { asked: requested, verdict: outcome } = await ask({
      scac: 'HDMU',
      kind: 'container',
      number: 'HMMU6122900',
    })
    assert.deepEqual([requested, outcome], [null, 'unsupported_kind'])
  })

  it('answers 400 for any missing parameter, so a 400 does not mean an invalid number', async () => {
    const answer = { status: 400, body: { message: 'equipmentReference is required' } }
    const requested = { kind: 'booking', number: 'SELM61273900' } as const
    assert.equal((await ask({ scac: 'HDMU', ...requested }, answer)).verdict, 'unrecognized')
    assert.equal((await ask({ scac: 'ZIMU', ...requested }, answer)).verdict, 'question_refused')
  })
})

describe('Yang Ming', () => {
  const requested = { scac: 'YMLU', kind: 'bill_of_lading', number: 'W241187306' } as const
  const refusal = (reason: string) => ({ status: 400, body: { statusCode: 400, errors: [{ reason }] } })

  it('states by a 400 that it does not know a number, and never that the number is invalid', async () => {
    assert.equal((await ask(requested, refusal('noDataFound'))).verdict, 'not_found')
    assert.equal((await ask(requested, refusal('invalidQuery'))).verdict, 'unrecognized')
    assert.equal((await ask(requested, refusal('systemException'))).verdict, 'unrecognized')
  })
})
