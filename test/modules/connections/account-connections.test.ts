// An admin connects a carrier or terminal over the API: it is tried at once over real HTTP, and stored for this account.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../../src/modules/access/context.ts'
import { connectForAccount } from '../../../src/modules/connections/account-connections.ts'
import { createEgress } from '../../../src/platform/egress.ts'
import { equipmentEvent, transportEvent } from '../../connectors/dcsa/events.ts'
import { type LineServer, sendJson, startLine } from '../../connectors/line-server.ts'
import { answerOf, box, lbctBox } from '../../connectors/terminal-api/answers.ts'
import { type Answer, openTestApi, type TestApi } from '../../support/api.ts'
import { findInClear } from '../../support/find-in-clear.ts'
import { serve } from '../../support/loopback-server.ts'

const secret = 'correct-horse-battery-staple'
const wrong = 'stolen-mule-battery-staple'
const number = 'LDF71800000'

let api: TestApi
let line: LineServer
let context: Context
let key: string
let delayMs = 0
before(async () => {
  api = await openTestApi()
  line = await startLine(async ({ headers, url }, response) => {
    await pause(delayMs)
    if (headers['x-key'] !== secret && !url.pathname.includes(secret)) {
      response.writeHead(401, { 'content-type': 'application/json' })
      return void response.end('{"message":"Invalid API key"}')
    }
    const events = [transportEvent({}), equipmentEvent({})]
    sendJson(response, url.pathname.startsWith('/v2') ? events : { containers: [lbctBox] }, {
      'x-ratelimit-limit-minute': '7',
    })
  })
  ;[context, key] = await newTenant()
})
after(async () => {
  await line.close()
  await api.close()
})

async function newTenant(isSandbox = false): Promise<[Context, string]> {
  const made = await api.newAccount({ isSandbox })
  return [made, await api.newKey(made, ['read', 'write', 'admin'])]
}

const keyProfile = () => ({ base: line.base, auth: { keyHeaders: { 'x-key': 'apiKey' }, oauth: null } })
const trial = (changes: object = {}) => ({
  target: 'TRKU',
  number,
  secrets: { apiKey: secret },
  profile: keyProfile(),
  ...changes,
})
const connect = (body: object, by: string = key, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  api.call({ method: 'POST', url: '/v2/connections', key: by, body, headers })
const sourcesOf = async (by: string, code: string) =>
  (await api.call({ url: '/v2/sources', key: by })).many().filter(({ attributes }) => attributes['code'] === code)

test('what can be connected is listed, and each shows what it needs and where to get it', async () => {
  const { body } = await api.call({ url: '/v2/connection_targets', key })
  const targets = body.data as readonly { readonly id: string }[]
  assert.deepEqual(
    targets.filter(({ id }) => ['HLCU', 'lbct', 'bnsf'].includes(id)),
    [
      { id: 'HLCU', name: 'Hapag-Lloyd', kind: 'shipping_line', code: 'HLCU' },
      { id: 'bnsf', name: 'BNSF Railway', kind: 'rail', code: 'BNSF' },
      { id: 'lbct', name: 'Long Beach Container Terminal', kind: 'terminal', code: 'WAC8' },
    ],
  )
  const get = async (id: string) =>
    (await api.call({ url: `/v2/connection_targets/${id}`, key })).body.data as Readonly<Record<string, unknown>> & {
      readonly guide: Readonly<Record<string, unknown>>
    }
  const hapag = await get('hlcu')
  assert.deepEqual(
    [hapag['secret_names'], hapag['profile_fields'], hapag.guide['portal']],
    [['clientId', 'clientSecret'], [], 'https://api-portal.hlag.com'],
  )
  const arkas = await get('ARKU')
  assert.deepEqual([arkas['known'], arkas['profile_fields'], arkas.guide['cost']], [false, ['base'], null])
})

test('a wrong secret is named with what to do, and nothing is stored', async () => {
  const { body } = await connect(trial({ secrets: { apiKey: wrong } }))
  assert.deepEqual([body['works'], body['cause'], body['saved']], [false, 'wrong_secret', null])
  assert.match(String(body['remedy']), /^Copy apiKey again/)
  assert.deepEqual(body['answer'], { status: 401, seconds: (body['answer'] as { seconds: number }).seconds })
  assert.deepEqual(await sourcesOf(key, 'TRKU'), [])
})

test('an access that works is stored for this account only, and its secret is nowhere in clear', async () => {
  assert.equal((await connect(trial({ save: false }))).body['saved'], null)
  const headers = { 'idempotency-key': 'connect-once' }
  const answer = await connect(trial(), key, headers)
  const { works, cause, reading, saved, limits } = answer.body as Readonly<Record<string, Record<string, unknown>>>
  assert.deepEqual([works, cause, reading?.['events'], reading?.['events_understood']], [true, 'works', 2, 2])
  assert.deepEqual(limits, [{ header: 'x-ratelimit-limit-minute', value: '7' }])
  const rate = { per_second: null, per_minute: 7, per_hour: null, per_day: null }
  assert.deepEqual([saved?.['rate_stated'], saved?.['rate']], [true, rate])
  const asked = line.asked.length
  assert.equal((await connect(trial(), key, headers)).text, answer.text)
  assert.equal(line.asked.length, asked, 'a repeated request asks nothing')

  const [source] = await sourcesOf(key, 'TRKU')
  assert.deepEqual([source?.id, source?.attributes['own']], [saved?.['source_id'], true])
  const [, other] = await newTenant()
  assert.deepEqual(await sourcesOf(other, 'TRKU'), [])
  assert.equal((await api.call({ url: `/v2/sources/${source?.id}`, key: other })).status, 404)
  const { rows } = await api.service.pool.query(
    `select action, diff from audit_events where account_id = $1 and action like 'account.%'`,
    [context.account.id],
  )
  assert.deepEqual(rows, [{ action: 'account.carrier_connected', diff: { scac: [null, 'TRKU'] } }])
  const texts = [answer.text, JSON.stringify(api.logged())]
  for (const each of [secret, wrong]) {
    assert.ok(!texts.some((text) => text.includes(each)))
    assert.deepEqual(await findInClear(api.service.pool, each), [])
  }
})

test('a stored access is tried again without its secrets, only by its account and only as it is stored', async () => {
  await api.service.pool.query(`update channels set left_alone_until = now() + interval '1 day' where scac = 'TRKU'`)
  const again = await connect({ target: 'TRKU', number })
  assert.deepEqual([again.body['cause'], (await sourcesOf(key, 'TRKU')).length], ['works', 1])
  const [source] = await sourcesOf(key, 'TRKU')
  assert.equal(source?.attributes['left_alone_until'], null)
  const asked = line.asked.length
  assert.equal((await connect({ target: 'TRKU', number, profile: { base: 'http://evil.example' } })).status, 422)
  const [, other] = await newTenant()
  const theirs = await connect({ target: 'TRKU', number, profile: keyProfile() }, other)
  assert.deepEqual([theirs.status, theirs.error().source?.pointer], [422, '/secrets'])
  assert.equal(line.asked.length, asked)
})

test('a bad input is refused by the name of the field, and nothing is sent', async () => {
  const asked = line.asked.length
  for (const [changes, pointer] of [
    [{ target: 'nobody' }, '/target'],
    [{ number: ' ' }, '/number'],
    [{ kind: 'house_bill' }, '/kind'],
    [{ secrets: { apiKey: 5 } }, '/secrets/apiKey'],
    [{ secrets: {} }, '/secrets'],
    [{ secrets: { apiKey: secret, other: 'x' } }, '/secrets/other'],
    [{ profile: {} }, '/profile'],
    [{ profile: { ...keyProfile(), base: 'no address' } }, '/profile'],
    [{ profile: { ...keyProfile(), isBilled: true } }, '/pay'],
    [{ unknown: 1 }, '/unknown'],
  ] as const) {
    const answer = await connect(trial(changes))
    assert.deepEqual([answer.status, answer.error().source?.pointer], [422, pointer], answer.text)
    assert.ok(!answer.text.includes(secret))
  }
  assert.equal(line.asked.length, asked)
  const missing = await connect(trial({ secrets: {} }))
  assert.deepEqual((missing.error() as { meta?: unknown }).meta, { secret_names: ['apiKey'] })
})

test('only an admin connects, and only in an account with real carriers', async () => {
  const { status, error } = await connect(trial(), await api.newKey(context, ['read', 'write']))
  assert.equal(status, 403)
  assert.match(error().detail, /scope `admin`/)
  const [, sandbox] = await newTenant(true)
  const refused = await connect(trial(), sandbox)
  assert.deepEqual([refused.status, refused.error().source?.pointer], [422, '/target'])
  assert.match(refused.error().detail, /simulated/)
})

test('of two trials of an account at once one runs, and another account does not wait', async () => {
  const [, racer] = await newTenant()
  const [, other] = await newTenant()
  delayMs = 300
  const answers = await Promise.all([connect(trial(), racer), connect(trial(), racer), connect(trial(), other)])
  delayMs = 0
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 409])
  assert.equal((await sourcesOf(racer, 'TRKU')).length, 1)
  assert.equal((await connect(trial(), racer)).status, 200)
  assert.equal((await sourcesOf(racer, 'TRKU')).length, 1)
})

test('a terminal is connected once, however often it is saved', async () => {
  const terminal = {
    target: 'lbct',
    number: box,
    secrets: { key: secret },
    profile: { asking: { base: line.base }, answer: answerOf('lbct') },
  }
  const { secret_names: names } = (await api.call({ url: '/v2/connection_targets/lbct', key })).body.data as Readonly<
    Record<string, readonly string[]>
  >
  const body = { ...terminal, secrets: Object.fromEntries((names ?? []).map((name) => [name, secret])) }
  const first = await connect(body)
  assert.deepEqual([first.status, first.body['cause']], [200, 'works'], first.text)
  assert.ok((first.body['reading'] as { present: readonly string[] }).present.includes('availability'))
  const again = await connect({ target: 'lbct', number: box })
  assert.deepEqual(again.body['saved'], first.body['saved'], again.text)
  assert.equal((await sourcesOf(key, 'WAC8')).length, 1)
  assert.deepEqual(await findInClear(api.service.pool, secret), [])
})

test('the address that a tenant names is reached only if the installation allows it', async (t) => {
  let requests = 0
  const { url } = await serve(t, () => {
    requests += 1
  })
  const egress = createEgress({ allowedNetworks: [], allowLoopback: false })
  t.after(() => egress.close())
  const base = url.replace(/\/$/, '')
  const oauth = { tokenUrl: `${base}/token`, client: 'form', scope: null, keyHeaders: {} }
  for (const [profile, secrets] of [
    [{ ...keyProfile(), base }, { apiKey: 'k' }],
    [{ ...keyProfile(), base: base.replace('127.0.0.1', 'localhost') }, { apiKey: 'k' }],
    [{ ...keyProfile(), base: 'http://169.254.169.254' }, { apiKey: 'k' }],
    [{ ...keyProfile(), base: 'http://10.0.0.1' }, { apiKey: 'k' }],
    [
      { base: 'https://api.example.com', auth: { keyHeaders: {}, oauth } },
      { clientId: 'i', clientSecret: 's' },
    ],
  ] as const) {
    const { trial: tried, saved } = await connectForAccount(
      { ...api.service, carrierEgress: () => egress },
      { ...context, scopes: ['read', 'write', 'admin'] },
      { target: 'TRKU', number, kind: null, secrets, profile, isPaid: false, isSaved: true },
    )
    assert.deepEqual([tried.finding.cause, saved], ['not_sent', null], JSON.stringify(profile))
  }
  assert.equal(requests, 0)
})
