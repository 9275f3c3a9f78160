/**
 * Patterns of custom fields: none can be slow, none delays another account, and a pattern that is no longer checked is
 * shown as such.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, openTestApi, type TestApi } from '../../support/api.ts'
import { openCommandLine } from '../../support/command-line.ts'
import { type Seeded, seededAt, seedShipment } from '../../support/seed.ts'

let api: TestApi
let seeded: Seeded
before(async () => {
  api = await openTestApi({ startAt: seededAt, env: { LANDFALL_PATTERN_MS_PER_MINUTE: '1000' } })
  seeded = await seedShipment(api)
})
const { call: command } = openCommandLine(() => ({ DATABASE_URL: api.databaseUrl }))
after(async () => {
  await seeded.carrier.close()
  await api.close()
})

const url = '/v2/custom_field_definitions'
const write = (attributes: object) => ({ data: { type: 'custom_field_definition', attributes } })
const define = (apiSlug: string, pattern: string, key = api.key): Promise<Answer> =>
  api.call({
    method: 'POST',
    url,
    key,
    body: write({
      entity_type: 'Shipment',
      api_slug: apiSlug,
      display_name: apiSlug,
      data_type: 'short_text',
      validation: { pattern },
    }),
  })
const set = (apiSlug: string, value: string): Promise<Answer> =>
  api.call({
    method: 'POST',
    url: `/v2/shipments/${seeded.shipmentId}/custom_fields`,
    body: { data: { type: 'custom_field', attributes: { api_slug: apiSlug, value } } },
  })

/** The answers to another account while these requests run, and the answers to these. */
async function whileUnderWay(under: () => readonly Promise<Answer>[]) {
  const stranger = await api.newKey(await api.newAccount(), ['read'])
  const all = Promise.all(under())
  const other = await api.call({ url: '/v2/shipments', key: stranger })
  return { other, answers: await all }
}

// PostgreSQL's own engine needs more than 30 s for the first pattern before it has read a single character.
const slow = ['(((x?){1,12}){1,12}){1,12}y', '(((x?){1,10}){1,10}){1,10}y', '(?:.{0,1000}){22}']

for (const pattern of slow) {
  test(`refuses the slow pattern ${pattern} while another account still gets answers`, async () => {
    const { other, answers } = await whileUnderWay(() =>
      Array.from({ length: 8 }, (_, index) => define(`slow_${index}`, pattern)),
    )
    assert.equal(other.status, 200)
    for (const answer of answers) {
      assert.equal(answer.status, 422)
      assert.equal(answer.error().source?.pointer, '/data/attributes/validation/pattern')
    }
  })
}

test('an unsupported stored pattern blocks no value, and its definition and a command report it', async () => {
  assert.equal((await command('fields check')).code, 0)
  const { id } = (await define('old', '[a-z]+')).one()
  assert.equal((await set('old', 'ABC')).status, 422)
  const old = '(a)\\1'
  await api.service.pool.query(
    `update custom_field_definitions set validation = jsonb_build_object('pattern', $2::text) where id = $1`,
    [id, old],
  )
  const shown = (await api.call({ url: `${url}/${id}` })).one() as unknown as {
    readonly attributes: Record<string, unknown>
    readonly meta: { readonly pattern_not_enforced: string | null }
  }
  assert.match(shown.meta.pattern_not_enforced ?? '', /`\\1`/)
  assert.equal((await set('old', 'ABC')).status, 201)
  const listed = await command('fields check')
  assert.equal(listed.code, 1)
  assert.match(listed.out, /Example Imports {2}Shipment old {2}\(a\)\\1 {2}is not a valid RE2 pattern/)
  assert.equal(JSON.parse((await command('fields check --json')).out)[0].id, id)
  const change = (attributes: object) =>
    api.call({ method: 'PATCH', url: `${url}/${id}`, body: { data: { id, attributes } } })
  const back = await change({ validation: { pattern: old, max_length: 3 }, display_name: 'Renamed' })
  assert.equal(back.status, 200, 'what is there may be sent back')
  assert.equal((await set('old', 'ABCD')).status, 422, 'the other rules hold')
  assert.equal((await change({ validation: { pattern: '(b)\\1' } })).status, 422)
  assert.equal((await change({ validation: { pattern: '[A-Z]+' } })).status, 200)
  assert.equal((await set('old', 'abc')).status, 422)
  assert.equal((await command('fields check')).code, 0)
})

test('limits the time an account spends on slow patterns in a minute, without affecting others', async () => {
  assert.equal((await define('dear', '(?:\\pL?\\PN?){200}!')).status, 201)
  const text = Array.from({ length: 500 }, (_, at) => String.fromCodePoint(0x4e00 + at * 7)).join('')
  const { other, answers } = await whileUnderWay(() => Array.from({ length: 80 }, () => set('dear', text)))
  assert.equal(other.status, 200)
  const statuses = answers.map(({ status }) => status)
  assert.ok(statuses.includes(422), 'it does not match')
  const late = answers.filter(({ status }) => status === 429)
  assert.equal(statuses.filter((status) => status === 422).length + late.length, answers.length)
  const [refused] = late
  assert.ok(refused !== undefined, 'the minute is used up')
  assert.match(refused.error().detail, /patterns of this account/)
  const wait = Number(refused.headers['retry-after'])
  assert.ok(wait > 30 && wait <= 60, String(wait))
  const key = await api.newKey(await api.newAccount(), ['read', 'write'])
  assert.equal((await define('quick', '[A-Z]{1,500}', key)).status, 201, 'another account has its own minute')
})

test('matches a pattern against the whole text', async () => {
  const key = await api.newKey(await api.newAccount(), ['read', 'write'])
  for (const [pattern, part] of [
    ['a(?=b)', /`\(\?=`/],
    ['(a)\\1', /`\\1`/],
    ['a)|(b', /unexpected \)/],
    ['(', /missing closing \)/],
    ['\\y', /`\\y`/],
  ] as const)
    assert.match((await define('x', pattern, key)).error().detail, part)
  for (const [pattern, value, isGood] of [
    ['a|ab', 'ab', true],
    ['a|ab', 'abc', false],
    ['a.b', 'a\nb', true],
    ['(?i)[a-z]+', 'AbC', true],
    ['\\p{L}+', 'Größe', true],
    ['(x+x+)+y', 'x'.repeat(500), false],
  ] as const) {
    const answer = await api.call({
      method: 'POST',
      url,
      key: await api.newKey(await api.newAccount(), ['read', 'write']),
      body: write({
        entity_type: 'Shipment',
        display_name: 'A',
        data_type: 'short_text',
        validation: { pattern },
        default_value: value,
      }),
    })
    assert.equal(answer.status, isGood ? 201 : 422, `${pattern} ${value}: ${answer.text}`)
  }
})
