// The address to which partners send: who may send, what is answered, and what happens to the messages.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Webhook } from 'standardwebhooks'
import { changeChannel, createChannel, rotateChannelKey } from '../../../src/modules/channels/channels.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { giveAccess } from '../../support/service.ts'
import { journey } from '../../support/tracking-harness.ts'

let api: TestApi
let carrier: Carrier
let key: string
let secret: string
let foreignKey: string
const bill = 'HLCUINBD00000001'
const box = 'LDFU1000018'

before(async () => {
  api = await openTestApi({
    startAt: '2026-02-01T00:00:00Z',
    env: { LANDFALL_FAILED_KEYS_PER_MINUTE: '30' },
  })
  carrier = await openCarrier()
  await giveAccess(api, { scac: 'HLCU', profile: carrier.profile('HLCU') })
  const account = { id: api.context.account.id, isSandbox: api.context.account.isSandbox }
  const speaker = { kind: 'shipping_line', code: 'HLCU' } as const
  const common = { account, speaker, isFirstHand: true }
  key = (
    await createChannel(api.service, {
      ...common,
      name: 'hapag',
      source: 'dcsa',
      profile: { scac: 'HLCU' },
      keyKind: 'bearer',
    })
  ).key
  secret = (
    await createChannel(api.service, {
      ...common,
      name: 'signed',
      source: 'dcsa',
      profile: { scac: 'HLCU' },
      keyKind: 'hmac',
    })
  ).key
  foreignKey = (
    await createChannel(api.service, {
      ...common,
      speaker: { kind: 'terminal', code: 'Y258' },
      name: 'pier',
      source: 'x12',
      profile: {},
      keyKind: 'bearer',
    })
  ).key
  carrier.answers({ json: journey(bill, 'sailed') })
  const attributes = { request_type: 'bill_of_lading', request_number: bill, scac: 'HLCU' }
  const body = { data: { type: 'tracking_request', attributes } }
  assert.equal((await api.call({ method: 'POST', url: '/v2/tracking_requests', body })).status, 201)
  await api.drain()
})
after(async () => {
  await carrier.close()
  await api.close()
})

async function send(channel: string, body: Buffer | string, headers: Record<string, string> = {}) {
  const answer = await api.call({
    method: 'POST',
    url: `/v2/inbound/${channel}`,
    key: null,
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
  return { status: answer.status, json: JSON.parse(answer.text) as Taken }
}
interface Taken {
  readonly id: string
  readonly is_repeated: boolean
  readonly items: readonly {
    readonly result: string
    readonly about: readonly { readonly number: string }[]
  }[]
  readonly faults: readonly unknown[]
}
const bearer = (of: string) => ({ authorization: `Bearer ${of}` })
const container = async () => {
  const answer = await api.call({ url: `/v2/containers?filter[number]=${box}` })
  return answer.many()[0] ?? assert.fail(answer.text)
}

test('answers a wrong key, the key of another channel and an unknown channel in the same way', async () => {
  const answers = [
    await send('hapag', '[]'),
    await send('hapag', '[]', bearer('lf_in_wrong')),
    await send('hapag', '[]', bearer(foreignKey)),
    await send('nowhere', '[]', bearer(key)),
    await send('hapag', '[]', bearer(api.key)),
  ]
  for (const { status, json } of answers) {
    assert.equal(status, 401)
    assert.deepEqual(json, answers[0]?.json)
  }
  assert.equal((await api.service.pool.query('select 1 from inbound_messages')).rowCount, 0)
})

test('a pushed event is accepted and processed, and its message and bytes are shown only to the account', async () => {
  const body = JSON.stringify(journey(bill, 'arrived').slice(-1))
  const { status, json } = await send('hapag', body, { ...bearer(key), 'idempotency-key': 'one' })
  assert.equal(status, 202)
  assert.deepEqual(
    json.items.map(({ result }) => result),
    ['accepted'],
  )
  await api.drain()
  assert.ok((await container()).attributes['pod_arrived_at'])
  const again = await send('hapag', body, { ...bearer(key), 'idempotency-key': 'one' })
  assert.equal(again.json.id, json.id)
  assert.equal(again.json.is_repeated, true)
  const message = (await api.call({ url: `/v2/inbound_messages/${json.id}` })).one()
  assert.equal(message.attributes['status'], 'heard')
  const download = await api.app.inject({
    url: `/v2/inbound_messages/${json.id}/body`,
    headers: { authorization: `Token ${api.key}`, host: 'landfall.test' },
  })
  assert.equal(download.body, body)
  const other = await api.newKey(await api.newAccount(), ['read', 'write'])
  for (const url of [`/v2/inbound_messages/${json.id}`, `/v2/inbound_messages/${json.id}/body`])
    assert.equal((await api.call({ url, key: other })).status, 404)
  assert.deepEqual((await api.call({ url: '/v2/inbound_messages', key: other })).many(), [])
})

test('U+0000 in a body causes no internal error', async () => {
  const [event] = journey(bill, 'arrived')
  for (const body of [
    [{ ...event, eventID: 'a\u0000b' }],
    [{ ...event, equipmentReference: 'MSCU\u00004000005' }],
    [
      {
        ...event,
        'un\u0000known': '\u0000',
        documentReferences: [{ documentReferenceType: 'BKG', documentReferenceValue: 'A\u0000B1' }],
      },
    ],
  ]) {
    const { status } = await send('hapag', JSON.stringify(body), bearer(key))
    assert.ok(status < 500, String(status))
  }
})

test('accepts a signature by an independent library once, for five minutes, and only over the same bytes', async () => {
  const body = JSON.stringify(journey(bill, 'discharged').filter((event) => event['equipmentEventTypeCode'] === 'DISC'))
  const signer = new Webhook(secret)
  const signedAt = (ms: number, id: string, over = body) => ({
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(ms / 1_000)),
    'webhook-signature': signer.sign(id, new Date(ms), over),
  })
  const now = api.service.clock.now()
  assert.equal((await send('signed', body, signedAt(now, 'm1'))).status, 202)
  assert.equal((await send('signed', body, signedAt(now, 'm1'))).status, 401, 'seen before')
  assert.equal((await send('signed', body, signedAt(now - 400_000, 'm2'))).status, 401, 'too old')
  assert.equal((await send('signed', `${body} `, signedAt(now, 'm3'))).status, 401, 'other bytes')
  assert.equal((await send('signed', body, bearer(secret))).status, 401, 'the secret itself')
  await api.drain()
  assert.ok((await container()).attributes['pod_discharged_at'])
})

test('a terminal sets and lifts a hold by X12, and its own codes wait for a mapping', async () => {
  const status = (code: string, day: string, control: string) =>
    `ISA*00*          *00*          *ZZ*PIER           *ZZ*LANDFALL       *260201*1200*U*00401*${control}*0*P*>~GS*QO*PIER*LANDFALL*20260201*1200*${Number(control)}*X*004010~ST*315*0001~B4***${code}*${day}*0900**LDFU*100001*L*45R1*LOS ANGELES*UN*8~N9*BM*${bill}~R4*D*UN*USLAX*LOS ANGELES*US~DTM*140*${day}*0900*LT~SE*6*0001~GE*1*${Number(control)}~IEA*1*${control}~`
  const sent = await send('pier', status('ZQ', '20260124', '000000007'), bearer(foreignKey))
  assert.equal(sent.status, 202, JSON.stringify(sent.json))
  assert.deepEqual(
    sent.json.items.map(({ result }) => result),
    ['unmapped'],
  )
  await api.drain()
  assert.deepEqual((await container()).attributes['holds_at_pod_terminal'], [])
  const waiting = (await api.call({ url: '/v2/inbound_messages?filter[status]=unmapped' })).many()
  assert.deepEqual(
    waiting.map(({ id }) => id),
    [sent.json.id],
  )
  await changeChannel(api.service, { name: 'pier', profile: { codes: { ZQ: 'hold customs' } } })
  const replayed = await api.call({ method: 'POST', url: `/v2/inbound_messages/${sent.json.id}/replay` })
  assert.deepEqual(JSON.parse(replayed.text), { parts: 1, understood: 1 })
  await api.drain()
  const holds = (await container()).attributes['holds_at_pod_terminal'] as readonly {
    readonly name: string
  }[]
  assert.deepEqual(
    holds.map(({ name }) => name),
    ['customs'],
  )
})

test('accepts a replaced key during the overlap, and no longer', async () => {
  const next = await rotateChannelKey(api.service, { name: 'hapag', kind: 'bearer', overlapHours: 1 })
  assert.equal((await send('hapag', '[]', bearer(key))).status, 202)
  assert.equal((await send('hapag', '[]', bearer(next))).status, 202)
  api.clock.advance(3_700_000)
  assert.equal((await send('hapag', '[]', bearer(key))).status, 401)
  assert.equal((await send('hapag', '[]', bearer(next))).status, 202)
  key = next
})

test('decompresses a body within limits', async () => {
  const packed = gzipSync(
    JSON.stringify(journey(bill, 'out').filter((event) => event['equipmentEventTypeCode'] === 'GTOT')),
  )
  const gzip = { ...bearer(key), 'content-encoding': 'gzip' }
  assert.equal((await send('hapag', packed, gzip)).status, 202)
  assert.equal((await send('hapag', gzipSync(Buffer.alloc(40 * 1_048_576)), gzip)).status, 413)
  await api.drain()
})

test('recognises a repeated delivery by its Idempotency-Key even if it contains nothing that is understood', async () => {
  const headers = { ...bearer(key), 'idempotency-key': 'nothing' }
  const first = await send('hapag', '[]', headers)
  const again = await send('hapag', '[]', headers)
  assert.deepEqual([first.json.is_repeated, again.json.is_repeated, again.json.id], [false, true, first.json.id])
})

test('refuses an unacceptable delivery and stores nothing of it', async () => {
  const count = async () => (await api.service.pool.query('select 1 from inbound_messages')).rowCount
  const before = await count()
  const refusals = [
    [{ 'idempotency-key': 'a b' }, 400],
    [{ 'content-encoding': 'br' }, 415],
    [{ 'content-encoding': 'gzip' }, 400],
    [{ 'idempotency-key': 'one' }, 422],
  ] as const
  for (const [headers, status] of refusals)
    assert.equal((await send('hapag', '[]', { ...bearer(key), ...headers })).status, status)
  const { pool } = api.service
  const { query } = pool
  const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' })
  try {
    pool.query = (() => Promise.reject(away)) as unknown as typeof query
    assert.equal((await send('hapag', '[]', bearer(key))).status, 503)
    pool.query = (() => Promise.reject(new Error('unforeseen'))) as unknown as typeof query
    const url = '/v2/inbound/hapag'
    const crashed = await api.call({
      method: 'POST',
      url,
      key: null,
      body: '[]',
      headers: bearer(key),
      isToCrash: true,
    })
    assert.equal(crashed.status, 500)
  } finally {
    pool.query = query
  }
  const guesses = new Set<number>()
  for (let guess = 0; guess < 40; guess += 1)
    guesses.add((await send('hapag', '[]', bearer(`lf_in_guess${guess}`))).status)
  assert.ok(guesses.has(429))
  assert.equal(await count(), before)
})

test('shows which messages state the values of a container, now and at a past time', async () => {
  api.clock.advance(60_000)
  const [told] = (await api.call({ url: `/v2/containers?filter[number]=${box}` })).many()
  api.clock.advance(1_000)
  const at = new Date(api.clock.now() - 500).toISOString()
  const [now, then] = [
    await api.call({ url: `/v2/containers/${told?.id}?provenance=true` }),
    await api.call({ url: `/v2/containers/${told?.id}?provenance=true&as_of=${at}` }),
  ]
  assert.equal(then.status, 200, then.text)
  assert.deepEqual(then.one().attributes, now.one().attributes)
  const { status, text } = await api.call({ url: `/v2/containers/${told?.id}/history` })
  assert.equal(status, 200)
  assert.match(text, /"heard"/)
})

test('a rebuild from the ledger restores everything that the messages stated', async () => {
  const fold = foldBy(readRules(api.service.config))
  const report = await rebuildProjections(api.service, fold, {
    repair: false,
    differencesMax: 20,
    progress: () => {},
  })
  assert.deepEqual(report.differences, [])
})
