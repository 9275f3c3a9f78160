// The stored answers of sources: the original bytes, for an account that used them, and nothing of another account.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { extractMentionedNumbers } from '../../../src/modules/provenance/numbers-named.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { journey, seededAt } from '../../support/seed.ts'
import { giveAccess } from '../../support/service.ts'

let api: TestApi
let carrier: Carrier
let other: string
before(async () => {
  api = await openTestApi({ startAt: seededAt })
  carrier = await openCarrier()
  // One access for every account of the installation.
  await giveAccess(api, { scac: 'ONEY', profile: carrier.profile('ONEY') })
  other = await api.newKey(await api.newAccount(), ['read', 'write'])
})
after(async () => {
  await carrier.close()
  await api.close()
})

const track = async (number: string, key = api.key, kind = 'bill_of_lading') => {
  const attributes = { request_type: kind, request_number: number, scac: 'ONEY' }
  const made = await api.call({
    method: 'POST',
    url: '/v2/tracking_requests',
    key,
    body: { data: { type: 'tracking_request', attributes } },
  })
  assert.equal(made.status, 201, made.text)
  await api.drain()
}
/** The snapshot that reported the arrival of the shipment, as its provenance names it. */
const snapshotOf = async (bill: string, key = api.key) => {
  const [shipment] = (await api.call({ url: `/v2/shipments?number=${bill}`, key })).many()
  const answer = await api.call({ url: `/v2/shipments/${shipment?.id}?provenance=true`, key })
  return /"snapshot_id":"([0-9a-f-]{36})"/.exec(answer.text)?.[1] ?? ''
}
const bodyOf = (id: string, key = api.key) => api.call({ url: `/v2/snapshots/${id}/body`, key })
const statuses = async (id: string, key: string) => [
  (await api.call({ url: `/v2/snapshots/${id}`, key })).status,
  (await bodyOf(id, key)).status,
]

test('serves the answer behind a value as it was received, with what is known about it', async () => {
  const journeyEvents = journey(['MSCU4000005'], 'first')
  carrier.answers({ json: journeyEvents, headers: { 'x-secret': 'of the line' } }, 'CNSH12345678')
  await track('CNSH12345678')
  const id = await snapshotOf('CNSH12345678')
  const answer = await bodyOf(id)
  assert.deepEqual(JSON.parse(answer.text), journeyEvents)
  assert.deepEqual(
    ['content-type', 'content-security-policy', 'x-content-type-options'].map((name) => answer.headers[name]),
    ['text/plain; charset=utf-8', "sandbox; default-src 'none'", 'nosniff'],
  )
  assert.match(String(answer.headers['content-disposition']), /^attachment; /)
  const about = (await api.call({ url: `/v2/snapshots/${id}` })).one().attributes
  assert.deepEqual(about, {
    read_at: about['read_at'],
    source: { kind: 'shipping_line', code: 'ONEY' },
    is_asked: true,
    about: { kind: 'bill_of_lading', number: 'CNSH12345678' },
    status: 200,
    media_type: 'application/json',
    bytes: Buffer.byteLength(answer.text),
    sha256: hash('sha256', answer.text),
  })
  assert.doesNotMatch(answer.text + JSON.stringify(about), /x-secret|of the line|127\.0\.0\.1/)
})

test('a raw event leads to the answer that stated it', async () => {
  const [container] = (await api.call({ url: '/v2/containers' })).many()
  const [event] = (await api.call({ url: `/v2/containers/${container?.id}/raw_events` })).many()
  const found = (await api.call({ url: `/v2/snapshots?filter[claim]=${event?.id}` })).many()
  assert.deepEqual(
    found.map(({ id }) => id),
    [await snapshotOf('CNSH12345678')],
  )
  assert.deepEqual((await api.call({ url: `/v2/snapshots?filter[claim]=${event?.id}`, key: other })).many(), [])
  assert.equal((await api.call({ url: '/v2/snapshots' })).error().source?.parameter, 'filter[claim]')
})

test('hides an answer from an account with the same credentials until that account tracks the number', async () => {
  const id = await snapshotOf('CNSH12345678')
  assert.deepEqual(await statuses(id, other), [404, 404])
  assert.equal((await bodyOf(id, other)).error().detail, 'No such snapshot.')
  await track('CNSH12345678', other)
  assert.equal(await snapshotOf('CNSH12345678', other), id, 'one look serves both')
  assert.deepEqual(await statuses(id, other), [200, 200])
  assert.deepEqual(await statuses(id, api.key), [200, 200])
})

test("withholds an answer that also names another account's number, unless the reader tracks both", async () => {
  const aside = { remark: 'moved together with CNSH87654321' }
  carrier.answers({ json: [...journey(['MSCU4000026'], 'first'), aside] }, 'CNSH55555555')
  carrier.answers({ json: journey(['MSCU4000031'], 'first') }, 'CNSH87654321')
  await track('CNSH55555555')
  const id = await snapshotOf('CNSH55555555')
  assert.deepEqual(await statuses(id, api.key), [200, 200], 'nobody tracks the other number yet')
  await track('CNSH87654321', other)
  assert.deepEqual(await statuses(id, api.key), [404, 404])
  assert.match((await bodyOf(id)).error().detail, /names what another account tracks/)
  assert.deepEqual(await statuses(await snapshotOf('CNSH87654321', other), other), [200, 200])
  await track('CNSH87654321')
  assert.deepEqual(await statuses(id, api.key), [200, 200])
})

test('withholds an answer that names a container of another account', async () => {
  const named = 'MSCU4000047'
  carrier.answers({ json: [...journey(['MSCU4000052'], 'first'), { remark: `next to ${named}` }] }, 'CNSH66666666')
  carrier.answers({ json: journey([named], 'first') }, 'CNSH77777777')
  await track('CNSH66666666')
  const id = await snapshotOf('CNSH66666666')
  await track('CNSH77777777', other)
  assert.deepEqual(await statuses(id, api.key), [404, 404])
})

test('never shows an answer that repeats our credentials', async () => {
  const secret = 'k9-Access+Key/of=us'
  const next = `https://line.example/events?key=${encodeURIComponent(secret)}`
  carrier.answers({ json: [...journey(['MSCU4000068'], 'first'), { next }] }, 'CNSH88888888')
  await track('CNSH88888888')
  const id = await snapshotOf('CNSH88888888')
  assert.deepEqual(await statuses(id, api.key), [200, 200], 'the access has no secret yet')
  await api.service.pool.query(`update channels set secret_sealed = $1 where scac = 'ONEY'`, [
    api.service.encryption.encrypt(JSON.stringify({ key: secret })),
  ])
  assert.deepEqual(await statuses(id, api.key), [404, 404])
  assert.match((await bodyOf(id)).error().detail, /contains the credentials/)
  await api.service.pool.query(`update channels set secret_sealed = null where scac = 'ONEY'`)
})

test('the stored answer is hidden if it came through a channel shared by several accounts or from a document', async () => {
  const id = await snapshotOf('CNSH12345678')
  for (const change of [`is_told = true, is_asked = false, name = 'x'`, `speaker_kind = 'document'`]) {
    await api.service.pool.query(`update channels set ${change} where scac = 'ONEY'`)
    assert.deepEqual(await statuses(id, api.key), [404, 404], change)
    await api.service.pool.query(
      `update channels set is_told = false, is_asked = true, name = null, speaker_kind = 'shipping_line' where scac = 'ONEY'`,
    )
  }
  assert.deepEqual(await statuses(id, api.key), [200, 200])
})

test('the search for numbers in a stored answer finds any spelling, with and without the line code', () => {
  const named = extractMentionedNumbers(Buffer.from('{"a":"mscu4000005"} N7*MSCU*4000010~ ONEYAB123'), 'ONEY')
  assert.deepEqual(named?.containerNumbers, ['MSCU4000005', 'MSCU4000010'])
  assert.ok(named?.spellings.flat().includes('AB123'))
  const many = Array.from({ length: 6_000 }, (_, at) => `A${10_000 + at}`).join(' ')
  assert.equal(extractMentionedNumbers(Buffer.from(many), 'ONEY'), null)
})
