// Terminals and railways are polled by the descriptions that Landfall contains, with real requests to servers that
// simulate what is known about them.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { NumberToPoll } from '../../../src/connectors/pushed-source.ts'
import type { FetchResult } from '../../../src/connectors/source.ts'
import type { FacilityPollProfile } from '../../../src/connectors/terminal-api/poll-profile.ts'
import type { ObservedPlace } from '../../../src/domain/statements/observation.ts'
import { createEgress } from '../../../src/platform/egress.ts'
import { selfSignedCertificate } from '../dcsa/certificate.ts'
import { type Asked, sendJson, startLine } from '../line-server.ts'
import {
  answerOf,
  askingOf,
  bnsfUnit,
  box,
  cnBox,
  factsOf,
  hear,
  issuesOf,
  lbctBox,
  otherBox,
  source,
} from './answers.ts'

const { polling = assert.fail() } = source
const loopback = createEgress({ allowedNetworks: [], allowLoopback: true })
const containers: readonly NumberToPoll[] = [
  { kind: 'container', number: box },
  { kind: 'container', number: otherBox },
]
const one = containers.slice(0, 1)

interface Of {
  readonly numbers?: readonly NumberToPoll[]
  readonly secrets?: Readonly<Record<string, string>>
  readonly changes?: Readonly<Record<string, unknown>>
  readonly egress?: typeof loopback
}

async function ask(
  name: string,
  { numbers = one, secrets = {}, changes = {}, egress = loopback }: Of,
): Promise<FetchResult> {
  const parsed = polling.parseProfile(askingOf(name, changes))
  if (!parsed.ok) throw new Error(parsed.reason)
  const access = { profile: parsed.value, secrets }
  return polling.fetch(numbers, access, { egress, now: () => Date.now() })
}

async function standIn(t: TestContext, answer: Parameters<typeof startLine>[0]) {
  const server = await startLine(answer)
  t.after(() => server.close())
  return server
}

function bodyOf(result: FetchResult): unknown {
  assert.equal(result.kind, 'answered', JSON.stringify(result))
  return result.kind === 'answered' ? JSON.parse(result.snapshot.body.toString()) : null
}

test('the poller sends the key for Long Beach in the address and shows it in no output', async (t) => {
  const key = 'K3Y-of the/operator'
  const server = await standIn(t, (_, response) => sendJson(response, { payload: { containers: [lbctBox] } }))
  const result = await ask('lbct', {
    numbers: containers,
    secrets: { apiKey: key },
    changes: { base: server.base },
  })
  assert.equal(
    server.asked[0]?.url.pathname,
    `/${encodeURIComponent(key)}/API/LBCTCargoSearchWebService/cargo-numbers/${box},${otherBox}`,
  )
  assert.equal(factsOf(hear(answerOf('lbct'), bodyOf(result)))['available'], true)
  assert.ok(result.url.includes('{secret:apiKey}'))
  await server.close()
  const failed = await ask('lbct', { secrets: { apiKey: key }, changes: { base: server.base } })
  assert.equal(failed.kind, 'unreachable')
  const shown = JSON.stringify([{ ...result, snapshot: null }, failed])
  for (const form of [key, encodeURIComponent(key), 'K3Y']) assert.ok(!shown.includes(form), shown)
})

test('the poller finds the address and the token of APM Terminals in the shipped description', () => {
  const parsed = polling.parseProfile(askingOf('apmt'))
  assert.ok(parsed.ok)
  const profile = parsed.value as FacilityPollProfile
  assert.equal(profile.base + profile.path, 'https://api.apmterminals.com/container-event-history')
  assert.match(profile.auth.oauth?.tokenUrl ?? '', /^https:\/\/api\.apmterminals\.com\/oauth\/client_credential\//)
  assert.equal(polling.limitsOf(profile).isQuotaDefault, true)
})

test('the poller requests each port of an operator by its facility code, with a token', async (t) => {
  const history = [
    {
      containerId: box,
      eventDetails: [{ eventType: 'LIFT', performedDateTimeLocal: '2026-02-03T10:00:00' }],
    },
  ]
  const server = await standIn(t, ({ url }, response) =>
    sendJson(response, url.pathname === '/token' ? { access_token: 'T1', expires_in: 1800 } : history),
  )
  const changes = { base: server.base, auth: { oauth: { tokenUrl: `${server.base}/token` } } }
  const numbers = one.map((each) => ({ ...each, facility: 'USLAX' }))
  const result = await ask('apmt', { numbers, secrets: { clientId: 'c', clientSecret: 's' }, changes })
  const [token, question] = server.asked
  assert.equal(token?.body, 'grant_type=client_credentials&client_id=c&client_secret=s')
  assert.equal(question?.headers.authorization, 'Bearer T1')
  assert.deepEqual(Object.fromEntries(question?.url.searchParams ?? []), {
    facilityCode: 'USLAX',
    assetId: box,
  })
  const profile = answerOf('apmt', { stands: [{ port: 'USLAX', code: 'USLAX' }] })
  const [stated] = hear(profile, bodyOf(result))?.observations ?? []
  assert.ok(stated?.kind === 'event' && stated.code === null && stated.original === 'LIFT')
  assert.deepEqual(stated.time, { kind: 'instant', at: '2026-02-03T18:00:00.000Z' })
  const several = [...numbers, { kind: 'container', number: otherBox, facility: 'USMOB' } as const]
  const mixed = await ask('apmt', {
    numbers: several,
    secrets: { clientId: 'c', clientSecret: 's' },
    changes,
  })
  assert.ok(mixed.kind === 'unreachable' && mixed.reason === 'unsupported_kind')
})

test('the poller requests one container of one facility from Houston', async (t) => {
  const unit = {
    unitId: box,
    category: 'IMPRT',
    stoppedRoad: true,
    impediments: ['CUSTOMS 1H'],
    lastFreeDay: '2026-02-07 23:59:00',
    ufvPosition: 'Y-BCT-12',
    'scope.facility_id': 'BCT',
  }
  const server = await standIn(t, ({ url }, response) =>
    sendJson(response, url.pathname === '/token' ? { access_token: 'T1' } : { data: [unit] }),
  )
  const changes = { base: server.base, auth: { oauth: { tokenUrl: `${server.base}/token` } } }
  const numbers = one.map((each) => ({ ...each, facility: 'BCT' }))
  const result = await ask('port-houston', {
    numbers,
    secrets: { clientId: 'c', clientSecret: 's' },
    changes,
  })
  const { searchParams } = server.asked[1]?.url ?? assert.fail()
  assert.equal(searchParams.get('facility'), 'BCT')
  assert.equal(searchParams.get('predicate'), `unitId = ${box}`)
  await ask('port-houston', { secrets: { clientId: 'c', clientSecret: 's' }, changes })
  assert.equal(server.asked.at(-1)?.url.searchParams.has('facility'), false)
  assert.deepEqual(factsOf(hear(answerOf('port-houston'), bodyOf(result))), {
    available: false,
    holds: [{ name: 'other', status: 'hold', description: 'CUSTOMS 1H' }],
    pickup_lfd_terminal: { kind: 'day', on: '2026-02-07' },
    pod_terminal: 'USHOU S787',
    yard_location: 'Y-BCT-12',
  })
})

test('the poller gets a token with a name and password in JSON, and sends the site in a header and the boxes in a GET', async (t) => {
  const server = await standIn(t, ({ url }, response) =>
    sendJson(response, url.pathname === '/login' ? { token: 'T7', userName: 'me' } : [{ id: box, ok: 'Y' }]),
  )
  const changes = {
    base: server.base,
    auth: { oauth: { tokenUrl: `${server.base}/login` } },
  }
  const numbers = containers.map((each) => ({ ...each, facility: 'SGT_BAL' }))
  await ask('ports-america', { numbers, secrets: { clientId: 'me', clientSecret: 'pw' }, changes })
  const [login, question] = server.asked
  assert.deepEqual(JSON.parse(login?.body ?? ''), { userName: 'me', password: 'pw' })
  assert.equal(question?.headers['siteid'], 'SGT_BAL')
  assert.equal(question?.headers.authorization, 'Bearer T7')
  assert.equal(question?.method, 'GET')
  assert.deepEqual(JSON.parse(question?.body ?? ''), [{ containerNumber: box }, { containerNumber: otherBox }])
})

test('the poller sends Maher the container as text with the present time, and reads the answer', async (t) => {
  const about = {
    Container: box,
    Available: 'No',
    ComplexPosition: 'B 14 2',
    SealNumber1: 'SEAL5',
    ContainerHolds: [
      { ContainerHoldType: 'CUSTOMS', ContainerHoldDescription: 'Exam ordered' },
      { ContainerHoldType: 'STEAMSHIP LINE', ContainerHoldDescription: 'Not released' },
    ],
  }
  const server = await standIn(t, (_, response) => sendJson(response, { MaherApiInquiryService: about }))
  const secrets = { sid: 'me', authorization: 'Code 7' }
  const before = Date.now()
  const result = await ask('maher', { secrets, changes: { base: server.base } })
  const [{ method, headers, body } = assert.fail()] = server.asked
  assert.deepEqual([method, body, headers['content-type']], ['GET', `Container=${box}`, 'text/plain'])
  assert.deepEqual([headers['sid'], headers.authorization], ['me', 'Code 7'])
  assert.ok(Number(headers['timestamp']) >= before && Number(headers['timestamp']) <= Date.now())
  const reading = hear(answerOf('maher'), bodyOf(result))
  assert.deepEqual(factsOf(reading), {
    available: false,
    holds: [
      { name: 'customs', status: 'hold', description: 'Exam ordered' },
      { name: 'other', status: 'hold', description: 'Not released' },
    ],
    pod_terminal: 'USNYC E416',
    seal_number: 'SEAL5',
    yard_location: 'B 14 2',
  })
  assert.deepEqual(issuesOf(reading), ['unmapped_code /ContainerHolds/1/ContainerHoldType'])
})

test('the poller sends Union Pacific the present time as the header Date, and reads no last free day', async (t) => {
  const shipment = {
    load: {
      equipment: { id: box.slice(0, 10) },
      pickup_number: 'PN77',
      yard_block: 'C4',
      assessorial_information: { storage_first_chargeable_day: '2026-02-09' },
    },
    route: { destination: { location: { city: 'Chicago', state_abbreviation: 'IL', country_abbreviation: 'US' } } },
    current_event: { event_code: 'X1', date_time: '2026-02-05T08:30:00Z' },
  }
  const server = await standIn(t, ({ url }, response) =>
    sendJson(response, url.pathname === '/token' ? { access_token: 'J' } : [shipment]),
  )
  const changes = { base: server.base, auth: { oauth: { tokenUrl: `${server.base}/token` } } }
  const result = await ask('up', { numbers: containers, secrets: { clientId: 'c', clientSecret: 's' }, changes })
  const { url, headers } = server.asked[1] ?? assert.fail()
  assert.equal(url.searchParams.get('equipment_id'), `${box.slice(0, 10)},${otherBox.slice(0, 10)}`)
  assert.equal(new Date(headers['date'] ?? '').toUTCString(), headers['date'])
  const reading = hear(answerOf('up'), bodyOf(result), box, 'rail')
  const { place_of_delivery: place, ...facts } = factsOf(reading)
  assert.deepEqual(facts, { pickup_number: 'PN77', yard_location: 'C4' })
  assert.equal((place as ObservedPlace).unlocode, 'USCHI')
  assert.deepEqual(issuesOf(reading), ['unmapped_code /current_event/event_code'])
})

test('the poller requests containers from Canadian National without check digits', async (t) => {
  const server = await standIn(t, ({ url }, response) =>
    sendJson(
      response,
      url.pathname === '/token' ? { access_token: 'J' } : { ThirdPartyIntermodalShipment: { Equipment: [cnBox] } },
    ),
  )
  const changes = {
    base: server.base,
    auth: { oauth: { tokenUrl: `${server.base}/token?grant_type=client_credentials` } },
  }
  const result = await ask('cn', {
    numbers: containers,
    secrets: { clientId: 'c', clientSecret: 's' },
    changes,
  })
  const [token, question] = server.asked
  assert.equal(token?.headers['x-apikey'], 'c')
  assert.equal(token?.headers.authorization, `Basic ${Buffer.from('c:s').toString('base64')}`)
  assert.equal(question?.url.searchParams.get('equipmentIds'), `${box.slice(0, 10)},${otherBox.slice(0, 10)}`)
  assert.equal(factsOf(hear(answerOf('cn'), bodyOf(result), box, 'rail'))['chassis_number'], 'TSFZ123456')
})

const serverKeys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const clientKeys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const serverCertificate = selfSignedCertificate({ ...serverKeys, isLoopback: true })
const clientCertificate = selfSignedCertificate(clientKeys)
const pem = (keys: typeof clientKeys) => keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

async function startRailway(t: TestContext) {
  const requested: Pick<Asked, 'body'>[] = []
  const server = createServer(
    {
      key: pem(serverKeys),
      cert: serverCertificate,
      ca: clientCertificate,
      requestCert: true,
      rejectUnauthorized: true,
    },
    async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      requested.push({ body })
      sendJson(response, { intermodalUnits: [bnsfUnit] })
    },
  )
  server.on('tlsClientError', () => {})
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const egress = createEgress({ allowedNetworks: [], allowLoopback: true, ca: serverCertificate })
  t.after(() => egress.close())
  return { base: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: requested, egress }
}

test('the poller requests containers from the railway with a client certificate', async (t) => {
  const { base, asked: requested, egress } = await startRailway(t)
  const secrets = { certificate: clientCertificate, privateKey: pem(clientKeys) }
  const result = await ask('bnsf', { numbers: containers, secrets, changes: { base }, egress })
  assert.deepEqual(JSON.parse(requested[0]?.body ?? ''), {
    intermodalUnits: [
      { equipmentInitial: 'LDFU', equipmentNumber: box.slice(4, 10) },
      { equipmentInitial: 'LDFU', equipmentNumber: otherBox.slice(4, 10) },
    ],
  })
  assert.equal(factsOf(hear(answerOf('bnsf'), bodyOf(result), box, 'rail'))['seal_number'], 'SEAL77')
})

test('the poller reports a certificate that is not accepted, expired or invalid, without its text', async (t) => {
  const { base, egress } = await startRailway(t)
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const ended = selfSignedCertificate({ ...clientKeys, ends: '210101' })
  const results = await Promise.all(
    [
      { certificate: selfSignedCertificate(stranger), privateKey: pem(stranger) },
      { certificate: ended, privateKey: pem(clientKeys) },
      { certificate: 'no PEM', privateKey: pem(clientKeys) },
      { certificate: clientCertificate, privateKey: pem(stranger) },
    ].map((secrets) => ask('bnsf', { secrets, changes: { base }, egress })),
  )
  assert.deepEqual(
    results.map((result) => result.kind === 'unreachable' && result.reason),
    ['network', 'no_access', 'no_access', 'refused'],
  )
  assert.ok(results[1]?.kind === 'unreachable' && results[1].detail === 'the client certificate expired on 2021-01-01')
  assert.ok(!JSON.stringify(results).includes('BEGIN'))
  const none = await ask('bnsf', { changes: { base }, egress })
  assert.ok(none.kind === 'unreachable' && none.detail === 'the access lacks certificate, privateKey')
})

test('the poller sends the API key in the query, and name and password in the Authorization header', async (t) => {
  const server = await standIn(t, (_, response) => sendJson(response, { containers: [] }))
  const changes = {
    base: server.base,
    path: '/{numbers}',
    auth: { keyQuery: { key: 'apiKey' }, basic: true },
  }
  const secrets = { apiKey: 'a&b', username: 'u', password: 'p' }
  const result = await ask('lbct', { secrets, changes })
  assert.equal(server.asked[0]?.url.searchParams.get('key'), 'a&b')
  assert.equal(server.asked[0]?.headers.authorization, `Basic ${Buffer.from('u:p').toString('base64')}`)
  assert.ok(!result.url.includes('a&b') && !result.url.includes('a%26b'))
})

test('the poller treats the status code that a facility returns for an unknown number as not found', async (t) => {
  const server = await standIn(t, (_, response) => response.writeHead(422).end('{}'))
  const secrets = { apiKey: 'k' }
  const status = async (changes: object) => {
    const result = await ask('lbct', { secrets, changes: { base: server.base, ...changes } })
    return result.kind === 'answered' ? result.snapshot.status : null
  }
  assert.deepEqual([await status({}), await status({ notFoundStatuses: [422] })], [422, 404])
})
