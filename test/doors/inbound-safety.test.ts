// The attacks that the address for partners resists: bodies without proof, floods, and attempts to find out which
// channels exist.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { changeChannel, createChannel } from '../../src/service/hearing/intake/channels.ts'
import { takeUnprovenRoom } from '../../src/service/hearing/intake/door-quotas.ts'
import { downloadAnyMessage } from '../../src/service/hearing/intake/operator-messages.ts'
import { spoolBody } from '../../src/service/hearing/intake/unproven-body.ts'
import { openTestApi, type TestApi } from '../support/api.ts'

let api: TestApi
const keys = new Map<string, string>()

before(async () => {
  api = await openTestApi({
    startAt: '2026-02-01T00:00:00Z',
    env: {
      LANDFALL_INBOUND_PER_CHANNEL: '20',
      LANDFALL_INBOUND_MB_PER_CHANNEL: '5',
      LANDFALL_INBOUND_PER_ADDRESS: '60',
      LANDFALL_INBOUND_MB_PER_ADDRESS: '100',
    },
  })
  const account = { id: api.context.account.id, isFiction: api.context.account.isFiction }
  const speaker = { kind: 'terminal', code: 'Y258' } as const
  for (const [name, keyKind] of [
    ['keyed', 'bearer'],
    ['signed', 'hmac'],
    ['closed', 'hmac'],
  ] as const) {
    const common = { account, speaker, isFirstHand: true, source: 'statements', profile: {} }
    keys.set(name, (await createChannel(api.service, { ...common, name, keyKind })).key)
  }
  await changeChannel(api.service, { name: 'closed', isEnabled: false })
})
after(() => api.close())

async function send(channel: string, body: string | Buffer | Readable, headers: Record<string, string>) {
  const answer = await api.app.inject({
    method: 'POST',
    url: `/v2/inbound/${channel}`,
    payload: body,
    headers: { 'content-type': 'application/json', host: 'landfall.test', ...headers },
  })
  return { status: answer.statusCode, text: answer.body, retryAfter: Number(answer.headers['retry-after']) }
}
const bearer = () => ({ authorization: `Bearer ${keys.get('keyed')}` })
function signature(name: string, body: string, id: string) {
  const now = api.service.clock.now()
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / 1_000)),
    'webhook-signature': new Webhook(keys.get(name) ?? '').sign(id, new Date(now), body),
  }
}
const count = async () => (await api.service.pool.query('select 1 from inbound_messages')).rowCount
const spooled = () => readdirSync(tmpdir()).filter((name) => name.startsWith('landfall-body-'))
const minute = () => api.clock.advance(60_000)

test('a long body is proved while it comes, and given on byte by byte', async () => {
  const text = `[${'"ä",'.repeat(400_000)}"end"]`
  const { status } = await send('signed', text, signature('signed', text, 'long'))
  assert.equal(status, 202)
  const { rows } = await api.service.pool.query<{ id: string }>('select id from inbound_messages')
  const kept = await downloadAnyMessage(api.service, { id: rows[0]?.id ?? '', part: 'body' })
  assert.equal(kept.toString(), text)
  assert.deepEqual(spooled(), [], 'nothing is left of it on disk')
})

test('a wrong signature over a long body is refused and nothing of it is kept', async () => {
  minute()
  const before = await count()
  const text = `"${'x'.repeat(1_000_000)}"`
  const wrong = { ...signature('signed', `${text} `, 'wrong') }
  assert.equal((await send('signed', text, wrong)).status, 401)
  assert.equal(await count(), before)
  assert.deepEqual(spooled(), [])
})

test('an unknown channel, a closed channel and a channel without signatures answer like a wrong signature', async () => {
  minute()
  const text = `"${'x'.repeat(200_000)}"`
  const { pool } = api.service
  const { query } = pool
  const answers: unknown[] = []
  for (const name of ['signed', 'nowhere', 'closed', 'keyed']) {
    const asked: unknown[] = []
    pool.query = ((statement: { readonly name?: string }, ...rest: unknown[]) => {
      asked.push(statement.name)
      return (query as (...all: unknown[]) => unknown).call(pool, statement, ...rest)
    }) as unknown as typeof query
    let read = 0
    const body = Readable.from(
      (function* () {
        for (let at = 0; at < text.length; at += 50_000) {
          read += 1
          yield Buffer.from(text.slice(at, at + 50_000))
        }
      })(),
    )
    const { status, text: said } = await send(name, body, signature('closed', `${text} `, 'probe'))
    pool.query = query
    answers.push({ status, said: said.replace(/"id":"[^"]*"/g, ''), asked, read })
  }
  for (const answer of answers) assert.deepEqual(answer, answers[0])
  assert.equal((answers[0] as { readonly status: number }).status, 401)
})

test('a signature that no body can prove is refused before the body is read', async () => {
  minute()
  const stale = { ...signature('signed', '[]', 'stale'), 'webhook-timestamp': '1700000000' }
  for (const headers of [
    stale,
    { 'notification-signature': 'sha256=zz' },
    { 'webhook-signature': 'v1,AA==' },
  ])
    for (const name of ['signed', 'nowhere']) assert.equal((await send(name, '[]', headers)).status, 401)
})

test('a body that is larger than may be is refused, announced or not, proved or not', async () => {
  minute()
  const piece = Buffer.alloc(1_048_576, 0x20)
  const pieces = () =>
    Readable.from(
      (function* () {
        for (let at = 0; at < 34; at += 1) yield piece
      })(),
    )
  const before = await count()
  const senders = [
    ['keyed', bearer()],
    ['signed', signature('signed', '[]', 'large')],
  ] as const
  for (const [name, headers] of senders) {
    assert.equal((await send(name, pieces(), headers)).status, 413)
    for (let wait = 0; wait < 2; wait += 1) minute()
  }
  for (const [name, headers] of [senders[0], ['signed', signature('signed', '[]', 'announced')]] as const) {
    const announced = { ...headers, 'content-length': '40000000' }
    assert.equal((await send(name, pieces(), announced)).status, 413)
    for (let wait = 0; wait < 2; wait += 1) minute()
  }
  assert.equal(await count(), before)
  assert.deepEqual(spooled(), [])
})

test('a channel that sends without end waits, and no other with it', async () => {
  minute()
  const statuses: number[] = []
  for (let at = 0; at < 21; at += 1) statuses.push((await send('keyed', '[]', bearer())).status)
  assert.deepEqual(new Set(statuses.slice(0, 20)), new Set([202]))
  const { status, retryAfter } = await send('keyed', '[]', bearer())
  assert.deepEqual([statuses[20], status], [429, 429])
  assert.ok(retryAfter >= 1 && retryAfter <= 60, String(retryAfter))
  assert.equal((await send('signed', '[]', signature('signed', '[]', 'other'))).status, 202)
  api.clock.advance(retryAfter * 1_000)
  assert.equal((await send('keyed', '[]', bearer())).status, 202)
})

test('so many bytes a minute come through a channel; a signature that had to wait counts afterwards', async () => {
  minute()
  const text = `"${'x'.repeat(2_400_000)}"`
  for (const id of ['a', 'b'])
    assert.equal((await send('signed', text, signature('signed', text, id))).status, 202)
  const headers = signature('signed', text, 'c')
  const { status, retryAfter } = await send('signed', text, headers)
  assert.equal(status, 429)
  api.clock.advance(retryAfter * 1_000)
  assert.equal((await send('signed', text, headers)).status, 202)
})

test('whoever has no key uses up nothing of a channel, and is itself slowed down', async () => {
  minute()
  const statuses = new Set<number>()
  for (let at = 0; at < 70; at += 1)
    statuses.add((await send('keyed', '[]', { authorization: `Bearer guess${at}` })).status)
  assert.deepEqual(statuses, new Set([401, 429]))
  minute()
  assert.equal((await send('keyed', '[]', bearer())).status, 202)
})

test('an address has so many bodies unproved at once; each room is given back', async () => {
  const gives = Array.from({ length: 8 }, () => takeUnprovenRoom(api.service, '192.0.2.7'))
  assert.throws(() => takeUnprovenRoom(api.service, '192.0.2.7'))
  takeUnprovenRoom(api.service, '192.0.2.8')()
  for (const give of gives) give()
  takeUnprovenRoom(api.service, '192.0.2.7')()
})

test('a body that breaks off leaves nothing behind', async () => {
  const pieces = (async function* () {
    yield Buffer.alloc(100_000)
    throw new Error('gone')
  })()
  await assert.rejects(spoolBody(pieces, { bytesMax: 1_000_000, hash: () => {} }), /gone/)
  assert.deepEqual(spooled(), [])
})

test('over a connection, a body that is too large or not proved is answered while it still comes', async () => {
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' })
  const sendLong = (headers: Record<string, string>, name: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const asked = request(`${url}/v2/inbound/${name}`, { method: 'POST', headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
      asked.on('error', reject)
      Readable.from(
        (function* () {
          for (let at = 0; at < 40; at += 1) yield Buffer.alloc(1_048_576, 0x20)
        })(),
      ).pipe(asked)
    })
  const json = { 'content-type': 'application/json' }
  minute()
  assert.equal(await sendLong({ ...json, ...bearer() }, 'keyed'), 413)
  for (let wait = 0; wait < 2; wait += 1) minute()
  assert.equal(await sendLong({ ...json, ...signature('signed', '[]', 'socket') }, 'signed'), 413)
  assert.deepEqual(spooled(), [])
})
