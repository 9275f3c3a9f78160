// The attacks that the address for partners resists: bodies without proof, floods, and attempts to find out which
// channels exist.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { messagePartsMax } from '../../../src/connectors/pushed-source.ts'
import { containerCheckDigit } from '../../../src/domain/values/identifiers.ts'
import { changeChannel, createChannel, getChannel } from '../../../src/modules/channels/channels.ts'
import { downloadAnyMessage } from '../../../src/modules/inbound-messages/operator-messages.ts'
import { openChannelCapacity, reserveUnverifiedBody } from '../../../src/pipeline/ingestion/channel-quotas.ts'
import { spoolBody } from '../../../src/pipeline/ingestion/spool-body.ts'
import { deliveryBytesMax } from '../../../src/platform/delivery-size.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'

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
  const account = { id: api.context.account.id, isSandbox: api.context.account.isSandbox }
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

test('verifies a long body while it arrives, and passes it on byte by byte', async () => {
  const text = `[${'"ä",'.repeat(400_000)}"end"]`
  const { status } = await send('signed', text, signature('signed', text, 'long'))
  assert.equal(status, 202)
  const { rows } = await api.service.pool.query<{ id: string }>('select id from inbound_messages')
  const stored = await downloadAnyMessage(api.service, { id: rows[0]?.id ?? '', component: 'body' })
  assert.equal(stored.toString(), text)
  assert.deepEqual(spooled(), [], 'nothing is left of it on disk')
})

test('refuses a wrong signature over a long body and stores nothing of it', async () => {
  minute()
  const before = await count()
  const text = `"${'x'.repeat(1_000_000)}"`
  const wrong = { ...signature('signed', `${text} `, 'wrong') }
  assert.equal((await send('signed', text, wrong)).status, 401)
  assert.equal(await count(), before)
  assert.deepEqual(spooled(), [])
})

test('answers the same for an unknown, closed or unsigned channel as for a wrong signature', async () => {
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

test('refuses a signature that is malformed or too old before reading the body', async () => {
  minute()
  const stale = { ...signature('signed', '[]', 'stale'), 'webhook-timestamp': '1700000000' }
  for (const headers of [stale, { 'notification-signature': 'sha256=zz' }, { 'webhook-signature': 'v1,AA==' }])
    for (const name of ['signed', 'nowhere']) assert.equal((await send(name, '[]', headers)).status, 401)
})

test('refuses a body that exceeds the size limit, announced or not, verified or not', async () => {
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

test('a channel that sends too many messages gets 429, and other channels are not limited', async () => {
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

test('limits the bytes a minute of a channel; a signature that had to wait is valid afterwards', async () => {
  minute()
  const text = `"${'x'.repeat(2_400_000)}"`
  for (const id of ['a', 'b']) assert.equal((await send('signed', text, signature('signed', text, id))).status, 202)
  const headers = signature('signed', text, 'c')
  const { status, retryAfter } = await send('signed', text, headers)
  assert.equal(status, 429)
  api.clock.advance(retryAfter * 1_000)
  assert.equal((await send('signed', text, headers)).status, 202)
})

test('limits a sender without a valid key, and does not count its requests against the channel', async () => {
  minute()
  const statuses = new Set<number>()
  for (let at = 0; at < 70; at += 1)
    statuses.add((await send('keyed', '[]', { authorization: `Bearer guess${at}` })).status)
  assert.deepEqual(statuses, new Set([401, 429]))
  minute()
  assert.equal((await send('keyed', '[]', bearer())).status, 202)
})

test('limits the unverified bodies of one address, and frees each slot again', async () => {
  const gives = Array.from({ length: 8 }, () => reserveUnverifiedBody(api.service, '192.0.2.7'))
  assert.throws(() => reserveUnverifiedBody(api.service, '192.0.2.7'))
  reserveUnverifiedBody(api.service, '192.0.2.8')()
  for (const give of gives) give()
  reserveUnverifiedBody(api.service, '192.0.2.7')()
})

test('limits the deliveries in progress of one channel without delaying another channel', async () => {
  minute()
  const { id } = await getChannel(api.service, 'keyed')
  for (const hold of ['holdBytes', 'holdParts'] as const) {
    const capacity = openChannelCapacity(api.service, id)
    capacity[hold](hold === 'holdBytes' ? deliveryBytesMax : messagePartsMax)
    const { status, retryAfter } = await send('keyed', numbers(1), bearer())
    assert.equal(status, 429, hold)
    assert.ok(retryAfter >= 1)
    assert.equal((await send('signed', '[]', signature('signed', '[]', hold))).status, 202)
    capacity.giveBack()
    capacity.giveBack()
    assert.equal((await send('keyed', numbers(1), bearer())).status, 202, hold)
  }
  const alone = openChannelCapacity(api.service, id)
  alone.holdBytes(2 * deliveryBytesMax)
  alone.giveBack()
})

const boxes = (count: number) =>
  Array.from({ length: count }, (_, nth) => `ZZZU${String(nth).padStart(6, '0')}`).map(
    (ten) => ten + containerCheckDigit(ten),
  )
const numbers = (count: number) =>
  JSON.stringify(
    boxes(count).map((container) => ({
      container,
      says: 'vessel_discharged',
      at: '2026-01-03',
      place: 'USLAX',
    })),
  )
const manyParts: Readonly<Record<string, (count: number) => string>> = {
  statements: numbers,
  edifact: (count) =>
    [
      'UNB+UNOC:3+PIER+LANDFALL+260103:1200+R',
      'UNH+1+CODECO:D:95B:UN',
      'BGM+36+1+9',
      'NAD+CF+MSC:172:20',
      ...boxes(count).flatMap((box) => [`EQD+CN+${box}+22G1+++5`, 'DTM+7:202601031200:203']),
      `UNT+${2 * count + 4}+1`,
      "UNZ+1+R'",
    ].join("'"),
  x12: (count) =>
    [
      'ISA*00*          *00*          *ZZ*PIER           *ZZ*LANDFALL       *260103*1200*U*00401*000000001*0*P*>',
      'GS*QO*PIER*LANDFALL*20260103*1200*1*X*004010',
      ...boxes(count).flatMap((box, nth) => [
        `ST*315*${nth}`,
        `B4***UV*20260103*1200**${box.slice(0, 4)}*${box.slice(4, 10)}*L**USLAX*UN*${box.slice(10)}`,
        `SE*3*${nth}`,
      ]),
      `GE*${count}*1`,
      'IEA*1*000000001~',
    ].join('~'),
}
/**
 * Milliseconds that this thread has worked: on a busy machine the clock also counts the work of others. Where the
 * system does not say it, the clock.
 */
function workedMs(): number {
  const path = '/proc/thread-self/schedstat'
  return existsSync(path) ? Number(readFileSync(path, 'utf8').split(' ')[0]) / 1e6 : performance.now()
}

for (const [language, write] of Object.entries(manyParts))
  test(`answers a delivery of 3,000 parts in ${language} without blocking other requests`, async () => {
    minute()
    const account = { id: api.context.account.id, isSandbox: api.context.account.isSandbox }
    const speaker = { kind: 'terminal', code: 'Y258' } as const
    const name = `many-${language}`
    const of = { account, speaker, isFirstHand: true, source: language, profile: {}, name }
    const { key } = await createChannel(api.service, { ...of, keyKind: 'bearer' })
    const sendMany = (count: number) => send(name, write(count), { authorization: `Bearer ${key}` })
    await sendMany(200) // starts the thread that reads
    let [longestMs, last] = [0, workedMs()]
    const watch = setInterval(() => {
      longestMs = Math.max(longestMs, workedMs() - last)
      last = workedMs()
    }, 2)
    const { status, text } = await sendMany(3_000)
    clearInterval(watch)
    assert.equal(status, 202)
    const { counts, items, faults, links } = JSON.parse(text) as Record<string, object>
    // Interchanges have numbers of their sender, so the first parts came before.
    const repeated = language === 'statements' ? 0 : 200
    assert.deepEqual(counts, {
      parts: 3_000,
      accepted: 3_000 - repeated,
      repeated,
      unmapped: 0,
      with_issues: 0,
    })
    assert.deepEqual([items, faults], [[], []])
    assert.match(JSON.stringify(links), /"\/v2\/inbound_messages\/[0-9a-f-]{36}"/)
    assert.ok(longestMs < 200, `nothing else ran for ${Math.round(longestMs)} ms`)
  })

test('deletes the temporary file of a body that breaks off', async () => {
  const pieces = (async function* () {
    yield Buffer.alloc(100_000)
    throw new Error('gone')
  })()
  await assert.rejects(spoolBody(pieces, { bytesMax: 1_000_000, hash: () => {} }), /gone/)
  assert.deepEqual(spooled(), [])
})

test('answers over a connection while a body that is too large or unverified still arrives', async () => {
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
