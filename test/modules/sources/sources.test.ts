// The sources of an account: who is polled, who sends, and what is known about each. An account does not see the sources
// of another.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { standardProfile } from '../../../src/connectors/dcsa/profile.ts'
import { createChannel } from '../../../src/modules/channels/channels.ts'
import { findPolledAccess, markAccessVerified } from '../../../src/modules/sources/polled-access-sql.ts'
import { ingestDelivery } from '../../../src/pipeline/ingestion/ingest-delivery.ts'
import { transportEvent } from '../../connectors/dcsa/events.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { giveAccess } from '../../support/service.ts'

let api: TestApi
before(async () => {
  api = await openTestApi()
})
after(() => api.close())

const profile = { ...standardProfile, scac: 'TRKU', base: 'https://line.invalid' }
const list = async (key = api.key) => (await api.call({ url: '/v2/sources', key })).many()
const only = async (code: string, key = api.key) => {
  const found = (await list(key)).filter(({ attributes }) => attributes['code'] === code)
  assert.equal(found.length, 1, code)
  return found[0] as (typeof found)[number]
}
const open = (name: string, account: { readonly id: string; readonly isSandbox: boolean } | null) =>
  createChannel(api.service, {
    name,
    account,
    speaker: { kind: 'terminal', code: name.toUpperCase() },
    source: 'statements',
    profile: {},
    isFirstHand: true,
    keyKind: 'bearer',
  })

test('answers an empty list without sources', async () => {
  assert.deepEqual(await list(), [])
})

test('shows a polled line: its kinds of number, that it is not verified, and since when it is', async () => {
  await giveAccess(api, { scac: 'TRKU', profile: { ...profile, isBilled: true } })
  const { id, attributes } = await only('TRKU')
  assert.deepEqual(attributes, {
    name: 'Turkon Line',
    speaker: 'shipping_line',
    code: 'TRKU',
    language: 'dcsa',
    own: false,
    enabled: true,
    asked: true,
    told: false,
    asked_by: ['container', 'bill_of_lading', 'booking'],
    billed: true,
    verified: false,
    verified_at: null,
    last_heard_at: null,
    left_alone_until: null,
    left_alone_because: null,
    failures_in_a_row: 0,
    last_asked_at: null,
    last_answered_at: null,
    answered_share: null,
    answer_seconds: null,
    news_delay_seconds: null,
    contradictions: 0,
    milestones: null,
    requests: null,
    trouble: null,
    recent_answers: null,
  })
  const { pool } = api.service
  const key = { accountId: api.context.account.id, scac: 'TRKU', isSandbox: false }
  const access = await findPolledAccess(pool, key)
  assert.ok(access)
  assert.ok(await markAccessVerified(pool, { ...access, at: '2026-11-01T10:00:00.000Z' }))
  const seen = (await api.call({ url: `/v2/sources/${id}` })).one()
  assert.deepEqual([seen.attributes['verified'], seen.attributes['verified_at']], [true, '2026-11-01T10:00:00Z'])
  await giveAccess(api, { scac: 'TRKU', profile })
  assert.equal((await only('TRKU')).attributes['verified'], false, 'another profile is unproven')
  assert.equal(await markAccessVerified(pool, { ...access, at: '2026-11-02T10:00:00.000Z' }), false)
})

test('shows a terminal that sends to one account or to all, and when it last sent data', async () => {
  const other = await api.newAccount()
  const theirs = await api.newKey(other, ['read'])
  const { account } = api.context
  const { channel } = await open('pier1', { id: account.id, isSandbox: account.isSandbox })
  await open('pier2', null)
  await open('pier3', { id: other.account.id, isSandbox: false })
  const codes = (await list()).map(({ attributes }) => `${attributes['code']} ${attributes['own']}`)
  assert.deepEqual(
    codes.filter((each) => each.startsWith('PIER')),
    ['PIER1 true', 'PIER2 false'],
  )
  const own = await only('PIER1')
  assert.deepEqual([own.attributes['told'], own.attributes['asked']], [true, false])
  assert.equal(own.attributes['last_heard_at'], null)
  const statements = '{"container":"MSCU4000005","says":"available","value":true,"written_at":"2026-01-17T09:00:00Z"}\n'
  await ingestDelivery(api.service, channel, {
    body: Buffer.from(statements),
    contentType: 'application/x-ndjson',
    idempotencyKey: null,
  })
  assert.match(String((await only('PIER1')).attributes['last_heard_at']), /^\d{4}-\d\d-\d\dT/)
  assert.equal((await api.call({ url: `/v2/sources/${own.id}`, key: theirs })).status, 404)
  assert.ok((await list(theirs)).some(({ attributes }) => attributes['code'] === 'PIER3'))
})

test('does not show simulated sources to a real account, nor find an invalid id', async () => {
  await giveAccess(api, { scac: 'SQQY', profile: { ...profile, scac: 'SQQY' }, isSandbox: true })
  assert.ok((await list()).every(({ attributes }) => attributes['code'] !== 'SQQY'))
  for (const id of ['TRKU', '018f0000-0000-7000-8000-000000000000'])
    assert.equal((await api.call({ url: `/v2/sources/${id}` })).status, 404)
})

test('shows the requested bill for an answer that names two parts of a bill', async () => {
  const ofPart = (reference: string, day: string) =>
    transportEvent({
      eventDateTime: `2026-01-${day}T08:00:00Z`,
      documentReferences: [{ documentReferenceType: 'TRD', documentReferenceValue: reference }],
    })
  const shown = async (number: string, ...parts: readonly string[]) => {
    const answer = JSON.stringify(parts.map((part, index) => ofPart(part, `1${index}`)))
    const body = { scac: 'TRKU', answer, number }
    const read = await api.call({ method: 'POST', url: '/v2/sources/read', body })
    assert.equal(read.status, 200, read.text)
    return JSON.parse(read.text).shipment.bill_of_lading_number
  }
  assert.equal(await shown('HHL71800000', 'HHL71800000A', 'HHL71800000B'), 'HHL71800000')
  assert.equal(await shown('HHL71800000', 'HHL71800000B', 'HHL71800000'), 'HHL71800000')
  assert.equal(await shown('TRKU71800000', '71800000'), '71800000', 'one bill is written as the line writes it')
})
