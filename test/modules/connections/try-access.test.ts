// An operator tries an access: every usual fault is named as what it is, with what to do. Carriers answer over real HTTP.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, before, type TestContext, test } from 'node:test'
import { findConnectionTarget } from '../../../src/modules/connections/connection-target.ts'
import { describeFinding } from '../../../src/modules/connections/describe-finding.ts'
import { tryAccess } from '../../../src/modules/connections/try-access.ts'
import { createEgress } from '../../../src/platform/egress.ts'
import { selfSignedCertificate } from '../../connectors/dcsa/certificate.ts'
import { equipmentEvent, transportEvent } from '../../connectors/dcsa/events.ts'
import { serve } from '../../support/loopback-server.ts'
import { openTestService, type TestService } from '../../support/service.ts'

let running: TestService
before(async () => {
  running = await openTestService()
})
after(() => running.close())

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const certificate = selfSignedCertificate({ ...keys, isLoopback: true })
const endedCertificate = selfSignedCertificate({ ...keys, isLoopback: true, ends: '210101' })
const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

type Answer = { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body: unknown }

const listener =
  (answers: Readonly<Record<string, Answer>>): RequestListener =>
  (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://carrier')
    const { status = 200, headers = {}, body } = answers[pathname] ?? { status: 404, body: '<html>nothing here</html>' }
    const type = typeof body === 'string' ? 'text/html' : 'application/json'
    response.writeHead(status, { 'content-type': type, ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

interface TrialInput {
  readonly base: string
  readonly auth?: unknown
  readonly secrets?: Readonly<Record<string, string>>
  readonly ca?: string
}

/** The words of the finding for access to Turkon, which has no interface of its own here. */
async function wordsOf(
  t: TestContext,
  { base, auth = { keyHeaders: { 'x-key': 'apiKey' }, oauth: null }, ...of }: TrialInput,
) {
  const egress = createEgress({
    allowedNetworks: [],
    allowLoopback: true,
    ...(of.ca !== undefined && { ca: of.ca }),
    resolver: async (host) =>
      host.endsWith('example') ? [{ address: '127.0.0.1', family: 4 }] : Promise.reject(new Error('ENOTFOUND')),
  })
  t.after(() => egress.close())
  const target = findConnectionTarget('TRKU', { base: base.replace(/\/$/, ''), auth })
  const { secrets = { apiKey: 'k' } } = of
  const input = { number: 'LDF71800000', kind: null, secrets, isPaid: false }
  const trial = await tryAccess({ ...running.service, carrierEgress: () => egress }, target, input)
  const { summary, remedy } = describeFinding(trial.finding, {
    name: 'Turkon',
    secretNames: target.secretNames,
    portal: 'https://turkon.example',
    product: 'Tracking',
  })
  return { trial, cause: trial.finding.cause, words: `${summary} ${remedy}`.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST') }
}

const oauth = (base: string, changes: object = {}) => ({
  keyHeaders: {},
  oauth: { tokenUrl: `${base}token`, client: 'form', scope: null, keyHeaders: {}, ...changes },
})
const clientSecrets = { clientId: 'id', clientSecret: 'secret' }
const token = { body: { access_token: 'T', expires_in: 600 } }
const events = { body: [transportEvent({}), equipmentEvent({})] }

const told: Readonly<Record<string, readonly [Answer, string]>> = {
  wrong_secret: [
    { status: 401, body: { httpCode: '401', moreInformation: 'Client id not registered.' } },
    'Turkon does not accept the secret (HOST answered 401). Copy apiKey again at https://turkon.example, without blanks and quotes. A new secret may need some minutes.',
  ],
  wrong_plan: [
    { status: 403, body: { httpMessage: 'Forbidden', moreInformation: 'Not registered to plan' } },
    'Turkon knows the secret, but your plan does not include this interface (HOST answered 403). Add the product “Tracking” to your application at https://turkon.example, and wait for the approval.',
  ],
  missing_scope: [
    { status: 403, headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' }, body: {} },
    'The token of Turkon lacks the permission for tracking (HOST answered 403). Set `auth.oauth.scope` to the scope that the carrier gave you, or ask the carrier to grant it.',
  ],
  ip_not_allowed: [
    {
      status: 403,
      body: {
        fault: {
          faultstring: 'Access Denied for client ip : 203.0.113.7',
          detail: { errorcode: 'accesscontrol.IPDeniedAccess' },
        },
      },
    },
    'Turkon does not accept requests from the address of this machine (HOST answered 403). Give the carrier the public IP address from which this machine sends requests, and ask for an entry in its list.',
  ],
  rate_limited: [
    { status: 429, headers: { 'retry-after': '90' }, body: { message: 'Too many requests' } },
    'The limit of Turkon is used up: ask again after 90 s. Other programs may use the same secret. Wait, or ask for a plan with more requests.',
  ],
  unknown_number: [
    { status: 404, body: { statusCode: 404, errors: [{ message: 'No events found.' }] } },
    'The access works, but Turkon does not know this number, or your customer code is no party to the shipment. Check the number and its kind. Try a number that you see in your own account of the carrier.',
  ],
  wrong_address: [
    { status: 404, body: '<html>Not found</html>' },
    'There is no interface at this address: HOST answered 404. Compare `base` and `path` with what the carrier gave you.',
  ],
  refused: [
    { status: 403, body: {} },
    'Turkon refuses the request and does not state why (HOST answered 403). The usual reasons: the plan does not include this interface, or the carrier allows only known IP addresses. Ask at https://turkon.example.',
  ],
  not_understood: [
    { body: '<html><form>Sign in</form></html>' },
    'Something answered, but not the interface of Turkon: a page for people, or another format. Compare `base` and `path` with what the carrier gave you. `landfall sources read` shows how an answer is read.',
  ],
  no_answer: [
    { status: 503, body: {} },
    'Turkon gave no usable answer (HOST answered 503). Try again later. If it stays so, check whether a firewall or a proxy blocks requests to this host.',
  ],
  question_refused: [
    { status: 400, body: { errors: [{ message: 'bad reference' }] } },
    'Turkon refuses the question (HOST answered 400). Check the kind of the number, and whether this carrier can be asked by it.',
  ],
}

for (const [cause, [answer, expected]] of Object.entries(told))
  test(`the answer of a carrier is named as ${cause}, with what to do`, async (t) => {
    const { url } = await serve(t, listener({ '/v2/events': answer }))
    const { words, ...finding } = await wordsOf(t, { base: url })
    assert.deepEqual([finding.cause, words], [cause, expected])
  })

for (const [cause, error] of Object.entries({
  wrong_secret: 'invalid_client',
  missing_scope: 'invalid_scope',
  wrong_plan: 'unauthorized_client',
}))
  test(`a token server that answers ${error} is named as ${cause}`, async (t) => {
    const { url } = await serve(t, listener({ '/token': { status: 400, body: { error } } }))
    assert.equal((await wordsOf(t, { base: url, auth: oauth(url), secrets: clientSecrets })).cause, cause)
  })

test('a wrong clock is named where the request is signed with the time', async (t) => {
  const date = new Date(running.service.clock.now() - 600_000).toUTCString()
  const { url } = await serve(
    t,
    listener({ '/token': { status: 401, headers: { date }, body: { error: 'invalid_client' } } }),
  )
  const secrets = { clientId: 'id', certificate, privateKey }
  const { cause, words } = await wordsOf(t, { base: url, auth: oauth(url, { client: 'certificate' }), secrets })
  assert.equal(cause, 'clock_skew')
  assert.match(
    words,
    /^The clock of this machine is (?:599|600|601) s ahead of the clock of HOST, and Turkon refuses requests that are signed with a wrong time\. Set the clock with NTP/,
  )
  const withSecret = await wordsOf(t, { base: url, auth: oauth(url), secrets: clientSecrets })
  assert.equal(withSecret.cause, 'wrong_secret')
})

test('a test system is named, although it answers', async (t) => {
  const { port } = await serve(t, listener({ '/v2/events': events }))
  const { cause, words } = await wordsOf(t, { base: `http://api-uat.turkon.example:${port}` })
  assert.equal(cause, 'test_address')
  assert.equal(
    words,
    'api-uat.turkon.example is a test system of Turkon: its answers are examples, not your shipments. Set `base` to the address of the real system, and use the secrets of the real system.',
  )
})

async function serveSecurely(t: TestContext, cert: string, isClientAsked: boolean): Promise<string> {
  const asks = { ca: certificate, requestCert: isClientAsked, rejectUnauthorized: isClientAsked }
  const server = createSecureServer({ key: privateKey, cert, ...asks }, listener({ '/v2/events': events }))
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('an expired certificate is named, of the carrier or of the operator', async (t) => {
  const theirs = await wordsOf(t, { base: await serveSecurely(t, endedCertificate, false), ca: endedCertificate })
  assert.equal(
    theirs.words,
    'A certificate has expired: the certificate of HOST. Only Turkon can renew it. Tell its support; Landfall does not send secrets to a server that it cannot verify.',
  )
  const ours = await wordsOf(t, {
    base: await serveSecurely(t, certificate, true),
    ca: certificate,
    auth: { keyHeaders: {}, oauth: null, certificate: true },
    secrets: { certificate: endedCertificate, privateKey },
  })
  assert.equal(
    ours.words,
    'A certificate has expired: your certificate on 2021-01-01. Renew it at https://turkon.example, and give the new certificate with its private key.',
  )
})

test('a carrier that demands a client certificate answers only with one', async (t) => {
  const base = await serveSecurely(t, certificate, true)
  const without = await wordsOf(t, { base, ca: certificate })
  assert.equal(without.cause, 'certificate_needed')
  const auth = { keyHeaders: {}, oauth: null, certificate: true }
  const { trial, cause } = await wordsOf(t, { base, ca: certificate, auth, secrets: { certificate, privateKey } })
  assert.equal(cause, 'works')
  assert.equal(trial.reading?.counts.understood, 2)
})

test('a certificate that nobody vouches for, an unknown host and a closed port are named', async (t) => {
  const base = await serveSecurely(t, certificate, false)
  assert.equal((await wordsOf(t, { base })).cause, 'certificate_untrusted')
  assert.equal((await wordsOf(t, { base: 'https://api.turkon.nowhere' })).cause, 'wrong_address')
  assert.equal((await wordsOf(t, { base: 'http://127.0.0.1:9' })).cause, 'no_answer')
})

test('the trial shows what the answer has, what it lacks, and the limits that the carrier states', async (t) => {
  const headers = {
    'x-ratelimit-limit-hour': '400',
    'ratelimit-policy': '"burst";q=10;w=60',
    'x-ratelimit-remaining': '399',
  }
  const { url } = await serve(t, listener({ '/token': token, '/v2/events': { ...events, headers } }))
  const { trial, cause } = await wordsOf(t, { base: url, auth: oauth(url), secrets: clientSecrets })
  assert.equal(cause, 'works')
  assert.deepEqual(trial.limits.rate, { perHour: 400, perMinute: 10 })
  assert.ok(trial.reading?.data.present.includes('IMO number of the vessel'))
  assert.ok(trial.reading?.data.absent.includes('weight'))
  assert.ok(trial.reading?.statements.some((statement) => statement.includes('USLAX')))
})

test('an incomplete trial is refused by the name of the field, and nothing is sent', async (t) => {
  let requests = 0
  const { url } = await serve(t, () => {
    requests += 1
  })
  for (const [secrets, pattern] of [
    [{}, /Turkon Line needs the secrets apiKey/],
    [{ apiKey: 'k', apikey: 'k' }, /Turkon Line has no secret apikey; it needs apiKey/],
  ] as const)
    await assert.rejects(wordsOf(t, { base: url, secrets }), pattern)
  assert.throws(() => findConnectionTarget('TRKU', { base: 'no address' }), /profile cannot be read/)
  assert.throws(() => findConnectionTarget('nobody'), /neither a carrier nor one of apmt/)
  assert.equal(requests, 0)
})
