// Codes that a sender made up itself: they are listed with an example, mapped, read again, and withdrawn.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changeChannel, createChannel } from '../../../src/modules/channels/channels.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { giveAccess } from '../../support/service.ts'
import { journey } from '../../support/tracking-harness.ts'

let api: TestApi
let carrier: Carrier
const keys = new Map<string, string>()
const bill = 'HLCUCODE00000001'
const box = 'LDFU1000018'

before(async () => {
  api = await openTestApi({ startAt: '2026-02-01T00:00:00Z' })
  carrier = await openCarrier()
  await giveAccess(api, { scac: 'HLCU', profile: carrier.profile('HLCU') })
  await open('pier', api.context.account, {})
  await open('quay', api.context.account, {}, 'edifact')
  await open('yard', api.context.account, yard, 'facility')
  await open('line', api.context.account, { scac: 'HLCU' }, 'dcsa')
  carrier.answers({ json: journey(bill, 'arrived') })
  const attributes = { request_type: 'bill_of_lading', request_number: bill, scac: 'HLCU' }
  const body = { data: { type: 'tracking_request', attributes } }
  assert.equal((await api.call({ method: 'POST', url: '/v2/tracking_requests', body })).status, 201)
  await api.drain()
})
after(async () => {
  await carrier.close()
  await api.close()
})

const yard = {
  verified: false,
  boxes: '/boxes/*',
  number: '/number',
  holds: [{ list: '/holds/*', word: '', names: { 'LINE HOLD': 'freight' } }],
  facts: { available: { at: '/ready', yes: ['YES'], no: ['NO'] } },
}

async function open(
  name: string,
  { id, isSandbox }: { readonly id: string; readonly isSandbox: boolean },
  profile: Readonly<Record<string, unknown>>,
  source = 'x12',
) {
  const speaker =
    source === 'dcsa'
      ? ({ kind: 'shipping_line', code: 'HLCU' } as const)
      : ({ kind: 'terminal', code: 'Y258' } as const)
  const { key } = await createChannel(api.service, {
    name,
    account: {
      id,
      isSandbox,
    },
    speaker,
    source,
    profile,
    isFirstHand: true,
    keyKind: 'bearer',
  })
  keys.set(name, key)
}

let count = 0
const status = (code: string, number = box) => {
  count += 1
  const control = String(count).padStart(9, '0')
  const content = `ST*315*0001~B4***${code}*20260212*0900**${number.slice(0, 4)}*${number.slice(4, 10)}*L*45R1*USLAX*UN*${number.slice(10)}~N9*BM*${bill}~SE*4*0001~`
  return `ISA*00*          *00*          *ZZ*PIER           *ZZ*LANDFALL       *260212*1200*U*00401*${control}*0*P*>~GS*QO*PIER*LANDFALL*20260212*1200*${count}*X*004010~${content}GE*1*${count}~IEA*1*${control}~`
}

async function send(channel: string, body: string, type = 'application/edi-x12') {
  const headers = { 'content-type': type, authorization: `Bearer ${keys.get(channel)}` }
  const answer = await api.call({ method: 'POST', url: `/v2/inbound/${channel}`, key: null, body, headers })
  assert.equal(answer.status, 202, answer.text)
  await api.drain()
  return (JSON.parse(answer.text) as { readonly id: string }).id
}

const mapping = (attributes: object) => ({ data: { type: 'code_mapping', attributes } })
const map = (attributes: object, more: { readonly query?: string; readonly key?: string } = {}) =>
  api.call({
    method: 'POST',
    url: `/v2/code_mappings${more.query ?? ''}`,
    body: mapping(attributes),
    ...(more.key === undefined ? {} : { key: more.key }),
  })
const unmapped = async (key = api.key) =>
  (await api.call({ url: '/v2/unmapped_codes', key })).many().map(({ attributes }) => attributes)
const container = async () =>
  (await api.call({ url: `/v2/containers?filter[number]=${box}` })).many()[0]?.attributes ?? assert.fail()
const holds = async () => ((await container())['holds_at_pod_terminal'] ?? []) as readonly { readonly name: string }[]
const toldEvents = async () => (await api.service.pool.query('select 1 from events')).rowCount ?? 0

test('lists an unmapped code with its count, last time and original text', async () => {
  const first = await send('pier', status('ZQ'))
  const second = await send('pier', status('ZQ'))
  assert.notEqual(first, second)
  const [code, ...others] = await unmapped()
  assert.deepEqual(others, [])
  const { example, first_seen_at, last_seen_at, ...rest } = code ?? {}
  assert.deepEqual(rest, {
    channel: 'pier',
    language: 'x12',
    kind: 'status',
    field: '/codes',
    code: 'ZQ',
    reason: '',
    text: '',
    parts: 2,
  })
  assert.ok(typeof first_seen_at === 'string' && typeof last_seen_at === 'string')
  const { message_id, words } = example as Record<string, string>
  assert.ok([first, second].includes(message_id ?? ''))
  assert.match(words ?? '', /^B4\*\*\*ZQ\*20260212\*0900\*/)
  const answer = JSON.parse((await api.call({ url: '/v2/unmapped_codes' })).text)
  assert.equal(answer.meta.is_cut, false)
  const listed = answer.meta.meanings[0].meanings as readonly { readonly means: string }[]
  assert.ok(listed.some(({ means }) => means === 'hold customs'))
})

test('a code mapping with an invalid field is refused, the error names the field, and nothing is stored', async () => {
  const fits = { channel: 'pier', kind: 'status', code: 'ZQ', means: 'hold customs' }
  const faults = [
    ['channel', { channel: 'nowhere' }],
    ['kind', { kind: 'fee' }],
    ['field', { field: '/places' }],
    ['code', { code: 'TOO LONG' }],
    ['reason', { reason: '7' }],
    ['text', { text: 'x' }],
    ['means', { means: 'hold everything' }],
    ['means', { kind: 'place', code: '380000', means: 'USXXXX' }],
    ['means', { kind: 'terminal', code: 'PCT', means: 'QQQQ' }],
    ['means', { kind: 'reference', code: 'IT', means: 'a song' }],
  ] as const
  for (const [field, wrong] of faults) {
    const answer = await map({ ...fits, ...wrong })
    assert.equal(answer.status, 422, `${field}: ${answer.text}`)
    assert.match(answer.text, new RegExp(`"pointer":"/data/attributes/${field}"`))
  }
  assert.deepEqual((await api.call({ url: '/v2/code_mappings?filter[channel]=pier' })).many(), [])
  assert.equal((await api.service.pool.query('select 1 from code_rereads')).rowCount, 0)
})

test('a dry run reports how many messages and shipments would be read again, and changes nothing', async () => {
  const wanted = { channel: 'pier', kind: 'status', code: 'ZQ', means: 'hold customs' }
  const answer = await map(wanted, { query: '?dry_run=true' })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(JSON.parse(answer.text).data.meta, { dry_run: true, messages: 2, shipments: 1 })
  await api.drain()
  assert.equal((await unmapped()).length, 1)
  assert.deepEqual(await holds(), [])
})

test('a mapping rereads earlier messages and announces the events once; its deletion withdraws them', async () => {
  const before = await toldEvents()
  const wanted = { channel: 'pier', kind: 'status', code: 'ZQ', means: 'hold customs' }
  const made = await map(wanted)
  assert.equal(made.status, 201, made.text)
  const { id, attributes } = made.one()
  assert.equal(attributes['words'], 'held: customs')
  assert.deepEqual(await unmapped(), [])
  await api.drain()
  assert.deepEqual(
    (await holds()).map(({ name }) => name),
    ['customs'],
  )
  const announced = await toldEvents()
  assert.ok(announced > before)
  const messages = (await api.call({ url: '/v2/inbound_messages' })).many()
  assert.ok(messages.every((message) => message.attributes['status'] === 'heard'))
  // The second pass finds nothing more to announce.
  api.clock.advance(120_000)
  await api.drain()
  assert.equal(await toldEvents(), announced)
  assert.equal((await api.service.pool.query('select 1 from code_rereads')).rowCount, 0)

  const twice = await map(wanted)
  assert.equal(twice.status, 409, twice.text)
  assert.match(twice.text, /"pointer":"\/data\/attributes\/code"/)

  const url = `/v2/code_mappings/${id}`
  assert.equal((await api.call({ url })).one().attributes['means'], 'hold customs')
  const body = { data: { type: 'code_mapping', id, attributes: { means: 'hold USDA' } } }
  const other = { data: { ...body.data, id: '018f0000-0000-7000-8000-0000000000aa' } }
  assert.equal((await api.call({ method: 'PATCH', url, body: other })).error().source?.pointer, '/data/id')
  const changed = await api.call({ method: 'PATCH', url, body })
  assert.equal(changed.status, 200, changed.text)
  await api.drain()
  assert.deepEqual(
    (await holds()).map(({ name }) => name),
    ['USDA'],
  )

  // Stated by the mapping after it was made: the end of the mapping concerns it too.
  await send('pier', status('ZQ'))
  const wrong = await api.call({ method: 'DELETE', url: `${url}?dry_run=maybe` })
  assert.deepEqual([wrong.status, wrong.error().source?.parameter], [422, 'dry_run'])
  assert.equal((await api.call({ method: 'DELETE', url: `${url}?dry_run=true` })).status, 200)
  assert.equal((await api.call({ url })).status, 200)
  const ended = await api.call({ method: 'DELETE', url })
  assert.deepEqual(JSON.parse(ended.text).data.meta, { dry_run: false, messages: 3, shipments: 1 })
  await api.drain()
  assert.deepEqual(await holds(), [])
  assert.equal((await unmapped())[0]?.['parts'], 3)
  assert.equal((await api.call({ url })).status, 404)
  const admin = await api.newKey(api.context, ['read', 'write', 'admin'])
  const audit = await api.call({ url: '/v2/audit_events?page[size]=50', key: admin })
  const actions = audit.many().map((entry) => entry.attributes['action'])
  for (const action of ['created', 'updated', 'deleted'])
    assert.equal(actions.filter((each) => each === `code_mapping.${action}`).length, 1)
})

test('another account neither sees nor changes the mappings and codes of a channel', async () => {
  const other = await api.newAccount()
  const key = await api.newKey(other, ['read', 'write'])
  await open('their-pier', other.account, {})
  const wanted = { channel: 'pier', kind: 'status', code: 'ZQ', means: 'hold customs' }
  assert.deepEqual(await unmapped(key), [])
  assert.equal((await map(wanted, { key })).status, 422)
  const own = await map({ ...wanted, channel: 'their-pier' }, { key })
  assert.equal(own.status, 201)
  await api.drain()
  assert.equal((await unmapped())[0]?.['code'], 'ZQ')
  const url = `/v2/code_mappings/${own.one().id}`
  const body = { data: { type: 'code_mapping', id: own.one().id, attributes: { means: 'note' } } }
  assert.equal((await api.call({ url })).status, 404)
  assert.equal((await api.call({ method: 'PATCH', url, body })).status, 404)
  assert.equal((await api.call({ method: 'DELETE', url })).status, 404)
})

test('refuses one of two concurrent mappings of a code, and stores both for different codes', async () => {
  const answers = await Promise.all([
    map({ channel: 'pier', kind: 'status', code: 'Q1', means: 'hold customs' }),
    map({ channel: 'pier', kind: 'status', code: 'Q1', means: 'note' }),
    map({ channel: 'pier', kind: 'status', code: 'Q2', means: 'note' }),
    map({ channel: 'pier', kind: 'place', code: '380000', means: 'USCHI' }),
  ])
  assert.deepEqual(answers.map(({ status: is }) => is).sort(), [201, 201, 201, 409])
  assert.equal((await api.call({ url: '/v2/code_mappings?filter[channel]=pier' })).many().length, 3)
  const places = (await api.call({ url: '/v2/code_mappings?filter[kind]=place' })).many()
  assert.deepEqual(
    places.map(({ attributes }) => attributes['means']),
    ['USCHI'],
  )
})

test('maps the codes of a terminal, of EDIFACT and of DCSA in the same way', async () => {
  const content = { boxes: [{ number: box, holds: ['Line Hold', 'Mystery stop'], ready: 'PERHAPS' }] }
  await send('yard', JSON.stringify(content), 'application/json')
  const event = {
    ...journey(bill, 'arrived').find((each) => each['equipmentEventTypeCode'] !== undefined),
    eventID: 'made-up-code',
    equipmentEventTypeCode: 'ODD_ONE',
  }
  await send('line', JSON.stringify([event]), 'application/json')
  await send(
    'quay',
    `UNB+UNOA:1+PIER+LANDFALL+260212:1200+1'UNH+1+IFTSTA:D:00B:UN'BGM+77+1+9'CNI+1+${bill}'STS+1+Z9:::Odd words'RFF+BM:${bill}'DTM+334:202602120900:203'LOC+175+USLAX'EQD+CN+${box}'UNT+8+1'UNZ+1+1'`,
    'application/edifact',
  )
  const codes = (await unmapped()).filter(({ channel }) => channel !== 'pier')
  const shown = codes.map(({ channel, kind, code }) => `${channel} ${kind} ${code}`).sort()
  assert.deepEqual(shown, ['line event ODD_ONE', 'quay status Z9', 'yard available PERHAPS', 'yard hold MYSTERY STOP'])
  const meanings = { event: 'GTOT', status: 'release freight', available: 'no', hold: 'customs' } as const
  for (const { channel, kind, code, reason, text } of codes) {
    const means = meanings[kind as keyof typeof meanings]
    const edi = channel === 'quay' ? { reason, text } : {}
    const answer = await map({ channel, kind, code, means, ...edi })
    assert.equal(answer.status, 201, answer.text)
  }
  await api.drain()
  assert.deepEqual(
    (await unmapped()).filter(({ channel }) => channel !== 'pier'),
    [],
  )
  assert.ok((await holds()).some(({ name }) => name === 'customs'))
  for (const { id } of (await api.call({ url: '/v2/code_mappings?filter[channel]=quay' })).many())
    assert.equal((await api.call({ method: 'DELETE', url: `/v2/code_mappings/${id}` })).status, 200)
  await api.drain()
  assert.ok((await unmapped()).some(({ channel }) => channel === 'quay'))
})

test('a code mapping in the channel profile is listed like a mapping created through the API', async () => {
  await changeChannel(api.service, { name: 'pier', profile: { codes: { ZQ: 'release customs, available' } } })
  const mappings = (await api.call({ url: '/v2/code_mappings?filter[channel]=pier' })).many()
  assert.deepEqual(
    mappings.map(({ attributes }) => [attributes['code'], attributes['means']]),
    [['ZQ', 'release customs, available']],
  )
})

test('records the codes of messages that were received before codes were recorded', async () => {
  const { pool } = api.service
  await pool.query('delete from said_codes')
  await pool.query('update mentions set codes_noted = false')
  const { noteOldCodes } = await import('../../../src/pipeline/ingestion/reread-codes.ts')
  const { foldBy } = await import('../../../src/pipeline/ledger/fold.ts')
  const { readRules } = await import('../../../src/pipeline/ledger/rules.ts')
  const fold = foldBy(readRules(api.service.config))
  assert.ok((await noteOldCodes(api.service, fold)) > 0)
  assert.equal(await noteOldCodes(api.service, fold), 0)
  assert.ok(((await pool.query('select 1 from said_codes')).rowCount ?? 0) > 0)
})
