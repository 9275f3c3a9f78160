// The operator's commands for channels: create one with a folder, show its messages in full, and read them again.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { getChannel } from '../../src/modules/channels/channels.ts'
import { ingestDelivery } from '../../src/pipeline/ingestion/ingest-delivery.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { openCommandLine } from '../support/command-line.ts'

let api: TestApi
const { folder, landfall: call } = openCommandLine(() => ({ DATABASE_URL: api.databaseUrl }))

before(async () => {
  api = await openTestApi({ startAt: new Date().toISOString() })
})
after(() => api.close())

const x12 = Buffer.from(
  'ISA*00*          *00*          *ZZ*PIER           *ZZ*LANDFALL       *260201*1200*U*00401*000000007*0*P*>~GS*QO*PIER*LANDFALL*20260201*1200*7*X*004010~ST*315*0001~B4***ZQ*20260117*0900**LDFU*100001*L*45R1*LOS ANGELES*UN*8~N9*BM*HLCUINBD00000001~SE*4*0001~GE*1*7~IEA*1*000000007~',
)

test('a folder of a channel is created, shown, changed and removed, and no two channels share one', async () => {
  const speaks = ['--speaker', 'terminal:Y258', '--language', 'x12', '--installation']
  const made = await call('channels', 'create', 'pier', ...speaks, '--folder', 'pier', '--acknowledge', '997')
  assert.equal(made.code, 0, made.err)
  assert.ok(made.err.includes(join(folder, 'inbound', 'pier')), made.err)
  assert.match(made.out, /^lf_in_\S+\n$/)
  assert.match((await call('channels', 'list')).out, /^pier {2}open {2}.* to the whole installation {2}folder pier$/m)
  const taken = await call('channels', 'create', 'other', ...speaks, '--folder', 'pier')
  assert.equal(taken.code, 1)
  assert.match(taken.err, /Another channel has the folder pier/)
  assert.equal((await call('channels', 'create', 'other', ...speaks, '--folder', '../other')).code, 1)
  assert.equal((await call('channels', 'change', 'pier', '--no-folder', '--folder', 'a')).code, 2)
  assert.equal((await call('channels', 'change', 'pier', '--no-folder')).code, 0)
  assert.doesNotMatch((await call('channels', 'list')).out, /folder/)
  assert.equal((await call('channels', 'change', 'pier', '--folder', 'pier-400')).code, 0)
  assert.match((await call('channels', 'list')).out, /folder pier-400$/m)
})

test('a channel for a terminal or railway is created from its description; the operator only adds the secrets', async () => {
  const { id } = (await api.service.pool.query('select id from accounts limit 1')).rows[0] ?? assert.fail()
  const file = join(folder, 'facility-secrets.json')
  const own = join(folder, 'own.json')
  const write = (to: string, value: unknown) => writeFileSync(to, JSON.stringify(value))
  write(file, { secrets: { apiKey: 'KEY-in-the-path' } })
  const create = (name: string, profile: string, ...more: readonly string[]) =>
    call('channels', 'create', name, '--language', 'facility', '--profile', profile, '--account', id, ...more)
  const made = await create('lbct', 'lbct', '--asking', file)
  assert.equal(made.code, 0, made.err)
  const list = await call('channels', 'list')
  assert.match(list.out, /^lbct {2}open {2}terminal:WAC8 .* asked by container about 0 numbers/m)
  for (const { out, err } of [made, list]) assert.ok(!(out + err).includes('KEY-in-the-path'))
  write(own, { like: 'bnsf', answer: { colour: 'red' } })
  for (const [profile, more, code, says] of [
    ['nobody', [], 2, /that Landfall contains \(apmt, bnsf, cn/],
    [own, [], 1, /The profile cannot be read: \/colour is not a known member: remove it/],
    ['bnsf', ['--asking', file], 1, /needs the secrets certificate, privateKey/],
    ['apmt', ['--asking', file], 2, /the values that the facility gave you: answer\.stands/],
  ] as const) {
    const refused = await create('other', profile, ...more)
    assert.equal(refused.code, code, refused.err)
    assert.match(refused.err, says)
  }
  write(own, { like: 'lbct', answer: { zone: 'place' }, asking: { batchMax: 5 } })
  assert.equal((await call('channels', 'change', 'lbct', '--profile', own, '--asking', file)).code, 0)
  const { profile } = await getChannel(api.service, 'lbct')
  assert.equal(profile['zone'], 'place')
})

test('polling of a channel is configured from a file, and an invalid configuration is refused', async () => {
  const file = join(folder, 'asking.json')
  const write = (value: unknown) => writeFileSync(file, JSON.stringify(value))
  const speaks = ['--speaker', 'shipping_line:HLCU', '--installation', '--asking', file]
  const create = (language: string) => call('channels', 'create', 'notices', ...speaks, '--language', language)
  const profile = {
    base: 'https://line.example',
    auth: { keyHeaders: { 'X-Api-Key': 'apiKey' }, oauth: null },
  }
  write({ profile, secrets: { apiKey: 'KEY-s3cret' } })
  const refusal = await create('x12')
  assert.equal(refusal.code, 1)
  assert.match(refusal.err, /speaks x12 cannot be polled/)
  for (const [value, code, says] of [
    [{ profile: { ...profile, base: 'nowhere' }, secrets: {} }, 1, /asking cannot be read: \/base/],
    [{ profile, secrets: {} }, 1, /needs the secrets apiKey/],
    [{ profile, secrets: { apiKey: 7 } }, 2, /the value of each secret must be a text/],
    [{ secrets: {} }, 2, /needs a profile/],
    [{ profile, secret: {} }, 2, /secret is neither/],
  ] as const) {
    write(value)
    const refused = await create('arrival_notice')
    assert.equal(refused.code, code, refused.err)
    assert.match(refused.err, says)
  }
  write({ profile, secrets: { apiKey: 'KEY-s3cret' } })
  const made = await create('arrival_notice')
  assert.equal(made.code, 0, made.err)
  const asked = / asked by bill_of_lading about 0 numbers, last answer never$/m
  assert.match((await call('channels', 'list')).out, asked)
  for (const { out, err } of [made, await call('channels', 'list', '--json')])
    assert.ok(!(out + err).includes('KEY-s3cret'))
  // Earlier secrets stay if none are given.
  write({ profile: { ...profile, batchMax: 5 } })
  assert.equal((await call('channels', 'change', 'notices', '--asking', file)).code, 0)
  assert.equal((await call('channels', 'change', 'notices', '--asking', file, '--not-asked')).code, 2)
  assert.equal((await call('channels', 'change', 'notices', '--not-asked')).code, 0)
  assert.doesNotMatch((await call('channels', 'list')).out, asked)
  assert.equal((await call('channels', 'change', 'notices', '--asking', file)).code, 1)
})

test('only the operator can list, show, download and replay messages of a channel of the installation', async () => {
  const channel = await getChannel(api.service, 'pier')
  const { messageId: id } = await ingestDelivery(api.service, channel, {
    body: x12,
    contentType: null,
    idempotencyKey: null,
  })
  await api.drain()
  assert.match(
    (await call('channels', 'messages', 'pier')).out,
    new RegExp(`^${id}  \\S+Z  unmapped  \\d+ bytes  1 parts$`, 'm'),
  )
  assert.equal((await call('channels', 'messages', 'pier', '--status', 'heard')).out, '')
  const shown = await call('channels', 'show-message', id)
  assert.match(
    shown.out,
    /to the whole installation[\s\S]* {2}1 {2}bill_of_lading HLCUINBD00000001.* waiting {2}unmapped/,
  )
  const file = join(folder, 'message.edi')
  assert.equal((await call('channels', 'show-message', id, '--download', file)).code, 0)
  assert.deepEqual(readFileSync(file), x12)
  assert.equal((await call('channels', 'show-message', id, '--download', file)).code, 2, 'never over a file')
  const answer = join(folder, 'answer.edi')
  assert.equal((await call('channels', 'show-message', id, '--download', answer, '--acknowledgement')).code, 0)
  assert.match(readFileSync(answer, 'latin1'), /AK1\*QO\*7/)
  const profile = join(folder, 'pier.json')
  writeFileSync(profile, JSON.stringify({ codes: { ZQ: 'hold customs' } }))
  assert.equal((await call('channels', 'change', 'pier', '--profile', profile)).code, 0)
  assert.match((await call('channels', 'replay', id)).out, /^1 parts were read again; 1 of them are understood now\.$/m)
  assert.match((await call('channels', 'messages', 'pier', '--json')).out, /"status": "waiting"/)
  // No account sees the message, not even by its id.
  assert.deepEqual((await api.call({ url: '/v2/inbound_messages' })).many(), [])
  for (const url of [`/v2/inbound_messages/${id}`, `/v2/inbound_messages/${id}/body`])
    assert.equal((await api.call({ url })).status, 404)
  assert.equal((await api.call({ method: 'POST', url: `/v2/inbound_messages/${id}/replay` })).status, 404)
})

test('invalid arguments are refused with the reason', async () => {
  for (const [code, ...words] of [
    [1, 'messages', 'nowhere'],
    [2, 'messages', 'pier', '--status', 'lost'],
    [2, 'messages', 'pier', '--limit', '0'],
    [2, 'show-message', 'pier'],
    [1, 'show-message', '0190f5a2-0000-7000-8000-000000000001'],
    [1, 'replay', '0190f5a2-0000-7000-8000-000000000001'],
  ] as const)
    assert.equal((await call('channels', ...words)).code, code, words.join(' '))
})

test('a code of a channel is listed, mapped and unmapped, also for a channel of the whole installation', async () => {
  const speaks = ['--speaker', 'terminal:Y258', '--language', 'x12', '--installation']
  assert.equal((await call('channels', 'create', 'coded', ...speaks)).code, 0)
  const channel = await getChannel(api.service, 'coded')
  await ingestDelivery(api.service, channel, { body: x12, contentType: null, idempotencyKey: null })
  const listed = await call('codes', 'list', 'coded')
  assert.match(listed.out, /^unmapped {2}status {2}ZQ {2}1 times.* B4\*\*\*ZQ\*/m)
  const tried = await call('codes', 'map', 'coded', 'ZQ', 'hold customs', '--dry-run')
  assert.match(tried.out, /ZQ: 1 messages would be read again for 0 shipments/, tried.err)
  const wrong = await call('codes', 'map', 'coded', 'ZQ', 'hold everything')
  assert.equal(wrong.code, 1)
  assert.match(wrong.err, /No code of this kind means that/)
  assert.equal((await call('codes', 'map', 'coded', 'ZQ', 'x', '--kind', 'song')).code, 2)
  const made = await call('codes', 'map', 'coded', 'ZQ', 'hold customs', '--json')
  const { id } = JSON.parse(made.out) as { readonly id: string }
  const after = JSON.parse((await call('codes', 'list', 'coded', '--json')).out)
  const left = (after.unmapped as readonly { readonly kind: string }[]).filter(({ kind }) => kind === 'status')
  assert.deepEqual([left.length, after.mappings.length], [0, 1])
  assert.deepEqual((await getChannel(api.service, 'coded')).profile, { codes: { ZQ: 'hold customs' } })
  assert.equal((await call('codes', 'unmap', 'coded', id)).code, 0)
  assert.deepEqual((await getChannel(api.service, 'coded')).profile, { codes: {} })
})

test('the list of messages ends with a time graph, but only on a terminal', async () => {
  const speaks = ['--speaker', 'terminal:Y258', '--language', 'x12', '--installation']
  assert.equal((await call('channels', 'create', 'busy', ...speaks)).code, 0)
  const channel = await getChannel(api.service, 'busy')
  const send = (body: string) =>
    ingestDelivery(api.service, channel, { body: Buffer.from(body), contentType: null, idempotencyKey: null })
  const terminal = openCommandLine(() => ({ DATABASE_URL: api.databaseUrl, LANG: 'C.UTF-8' }), {
    isTTY: true,
  })
  await send('one')
  assert.doesNotMatch((await terminal.call('channels messages busy')).out, /[▁-█]/, 'one has no course')
  for (const body of ['two', 'three']) await send(body)
  api.clock.advance(3_600_000)
  await send('four')
  const seen = await terminal.call('channels messages busy')
  const [rest = '', last = ''] = seen.out.trimEnd().split('\n\n')
  assert.equal(rest.split('\n').length, 4)
  assert.match(last, /^\S{19}Z {2}█ {38}▁ {2}\S{19}Z$/)
  assert.doesNotMatch((await call('channels', 'messages', 'busy')).out, /[▁-█]/)
  assert.equal(JSON.parse((await terminal.call('channels messages busy --json')).out).length, 4)
})
