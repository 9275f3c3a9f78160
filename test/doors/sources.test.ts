// The sources of an account: who is asked, who sends, and what is known about each. An account does not see the sources
// of another.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createChannel } from '../../src/service/hearing/intake/channels.ts'
import { takeIn } from '../../src/service/hearing/intake/take-in.ts'
import { standardProfile } from '../../src/sources/dcsa/profile.ts'
import { findAskedAccess, noteVerified } from '../../src/store/channels/asked-access.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { giveAccess } from '../support/service.ts'

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
const open = (name: string, account: { readonly id: string; readonly isFiction: boolean } | null) =>
  createChannel(api.service, {
    name,
    account,
    speaker: { kind: 'terminal', code: name.toUpperCase() },
    source: 'statements',
    profile: {},
    isFirstHand: true,
    keyKind: 'bearer',
  })

test('without any there is an empty list', async () => {
  assert.deepEqual(await list(), [])
})

test('a line that is asked: by which numbers, that it is not tested, and since when it is tested', async () => {
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
  const key = { accountId: api.context.account.id, scac: 'TRKU', isFiction: false }
  const access = await findAskedAccess(pool, key)
  assert.ok(access)
  assert.ok(await noteVerified(pool, { ...access, at: '2026-11-01T10:00:00.000Z' }))
  const seen = (await api.call({ url: `/v2/sources/${id}` })).one()
  assert.deepEqual(
    [seen.attributes['verified'], seen.attributes['verified_at']],
    [true, '2026-11-01T10:00:00Z'],
  )
  await giveAccess(api, { scac: 'TRKU', profile })
  assert.equal((await only('TRKU')).attributes['verified'], false, 'another profile is unproven')
  assert.equal(await noteVerified(pool, { ...access, at: '2026-11-02T10:00:00.000Z' }), false)
})

test('a terminal that sends: to one account or to all, and when it last sent data', async () => {
  const other = await api.newAccount()
  const theirs = await api.newKey(other, ['read'])
  const { account } = api.context
  const { channel } = await open('pier1', { id: account.id, isFiction: account.isFiction })
  await open('pier2', null)
  await open('pier3', { id: other.account.id, isFiction: false })
  const codes = (await list()).map(({ attributes }) => `${attributes['code']} ${attributes['own']}`)
  assert.deepEqual(
    codes.filter((each) => each.startsWith('PIER')),
    ['PIER1 true', 'PIER2 false'],
  )
  const own = await only('PIER1')
  assert.deepEqual([own.attributes['told'], own.attributes['asked']], [true, false])
  assert.equal(own.attributes['last_heard_at'], null)
  const said =
    '{"container":"MSCU4000005","says":"available","value":true,"written_at":"2026-01-17T09:00:00Z"}\n'
  await takeIn(api.service, channel, {
    body: Buffer.from(said),
    contentType: 'application/x-ndjson',
    idempotencyKey: null,
  })
  assert.match(String((await only('PIER1')).attributes['last_heard_at']), /^\d{4}-\d\d-\d\dT/)
  assert.equal((await api.call({ url: `/v2/sources/${own.id}`, key: theirs })).status, 404)
  assert.ok((await list(theirs)).some(({ attributes }) => attributes['code'] === 'PIER3'))
})

test('simulated sources are not shown to a real account, and an invalid id is not found', async () => {
  await giveAccess(api, { scac: 'SQQY', profile: { ...profile, scac: 'SQQY' }, isFiction: true })
  assert.ok((await list()).every(({ attributes }) => attributes['code'] !== 'SQQY'))
  for (const id of ['TRKU', '018f0000-0000-7000-8000-000000000000'])
    assert.equal((await api.call({ url: `/v2/sources/${id}` })).status, 404)
})
