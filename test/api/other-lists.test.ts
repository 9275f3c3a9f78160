/**
 * Lists beside shipments, containers and requests: notifications, parties, values of custom fields, read page by page
 * and filtered.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestApi, type TestApi } from '../support/api.ts'
import { walkList } from '../support/walk-list.ts'

let api: TestApi
const webhooks = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'] as const

/**
 * Thirteen events for both webhooks, three of them at the same time. Ids are random, so that only the sequence can give
 * their order.
 */
async function notify(accountId: string): Promise<void> {
  const { pool } = api.service
  for (const [place, id] of webhooks.entries()) {
    await pool.query(
      `insert into webhooks (account_id, id, url, is_active, events, created_at, updated_at)
       values ($1, $2, 'https://example.com/' || $3::text, true, '{}', now(), now())`,
      [accountId, id, place],
    )
  }
  await pool.query(
    `with e as (
       insert into events (account_id, id, sequence, name, reference_type, reference_id, payload, created_at)
       select $1, gen_random_uuid(), n, case when n % 5 = 0 then 'container.created' else 'container.updated' end,
              case when n % 5 = 0 then 'container_created_event' else 'container_updated_event' end,
              gen_random_uuid(), '{}', timestamptz '2026-03-01' + n / 3 * interval '1 minute'
         from generate_series(1, 13) as n
       returning *)
     insert into webhook_notifications (account_id, id, webhook_id, event_id, event, sequence, lane_id, delivery_status, created_at)
     select $1, gen_random_uuid(), w, e.id, e.name, e.sequence, e.reference_id,
            case when e.sequence = 13 then 'pending' when e.sequence = 4 then 'failed' else 'succeeded' end, e.created_at
       from e, unnest($2::uuid[]) as w`,
    [accountId, webhooks],
  )
}

before(async () => {
  // After all rows that are listed here: no row is created later than now.
  api = await openTestApi({ startAt: '2026-03-02T00:00:00Z' })
  await notify(api.context.account.id)
})
after(() => api.close())

const sequences = async (url: string, key?: string): Promise<readonly unknown[]> =>
  (await api.call({ url, ...(key === undefined ? {} : { key }) }))
    .many()
    .map(({ attributes }) => attributes['sequence'])

describe('notifications', () => {
  test('are sorted newest first, then by event order, and can be paged forward and back without a gap', async () => {
    const newest = await sequences('/v2/webhook_notifications')
    assert.deepEqual(
      newest,
      Array.from({ length: 26 }, (_, place) => 13 - Math.floor(place / 2)),
    )
    for (const sort of ['-created_at', 'created_at']) {
      const list = `/v2/webhook_notifications?sort=${sort}`
      const whole = (await api.call({ url: list })).many().map(({ id }) => id)
      assert.equal(whole.length, 26)
      assert.deepEqual(await walkList(api, list), { on: whole, back: whole }, sort)
    }
    assert.deepEqual(await sequences('/v2/webhook_notifications?sort=created_at'), newest.toReversed())
  })

  test('are filtered by status, event, webhook and time, alone and combined', async () => {
    const list = '/v2/webhook_notifications?'
    assert.deepEqual(await sequences(`${list}filter[delivery_status]=failed`), [4, 4])
    assert.deepEqual(await sequences(`${list}filter[delivery_status]=pending`), [13, 13])
    assert.deepEqual(await sequences(`${list}filter[event]=container.created`), [10, 10, 5, 5])
    const one = `filter[webhook_id]=${webhooks[0]}`
    assert.deepEqual(await sequences(`${list}${one}&filter[event]=container.created`), [10, 5])
    assert.deepEqual(await sequences(`${list}${one}&filter[created_at][start]=2026-03-01T00:04:00Z`), [13, 12])
    assert.deepEqual(
      await sequences(`${list}${one}&filter[delivery_status]=failed&filter[event]=container.created`),
      [],
    )
  })

  test('of another account are not shown, even with its cursor', async () => {
    const other = await api.newAccount()
    const key = await api.newKey(other, ['read'])
    assert.deepEqual(await sequences('/v2/webhook_notifications', key), [])
    const first = await api.call({ url: '/v2/webhook_notifications?page[size]=5&page[after]=' })
    const next = first.body.links?.['next']?.replace(/^http:\/\/[^/]+/, '') ?? ''
    assert.deepEqual(await sequences(next, key), [])
    await notify(other.account.id)
    assert.deepEqual(await sequences('/v2/webhook_notifications', key), await sequences('/v2/webhook_notifications'))
  })

  test('with an invalid cursor are refused with 400 and the name of the parameter', async () => {
    const made = (parts: readonly unknown[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url')
    const [at, id] = ['2026-03-01 00:04:00+00', webhooks[0]]
    for (const position of [
      'nothing',
      made(['-created_at', at, id, '7; select']),
      made(['-created_at', at, id, 7]),
      made(['-created_at', at, id, '7', '8']),
      made(['created_at', at, id, '7']),
    ]) {
      const answer = await api.call({ url: `/v2/webhook_notifications?page[after]=${position}` })
      assert.equal(answer.status, 400, position)
      assert.equal(answer.error().source?.parameter, 'page[after]')
    }
    // A list whose order contains no number still has positions.
    const short = await sequences(`/v2/webhook_notifications?page[after]=${made(['-created_at', at, id])}`)
    assert.ok(short.includes(1) && short.includes(11))
  })
})

describe('parties and custom fields', () => {
  test('parties can be paged forward and back, and found by a name prefix', async () => {
    for (const name of ['Acme', 'ACME Toys', 'Blue_Whale', 'Blue Whale', 'Zeta', 'acme_x', 'Über Acme']) {
      api.clock.advance(1_000)
      await api.call({
        method: 'POST',
        url: '/v2/parties',
        body: { data: { type: 'party', attributes: { company_name: name } } },
      })
    }
    const whole = (await api.call({ url: '/v2/parties' })).many().map(({ id }) => id)
    assert.equal(whole.length, 7)
    assert.deepEqual(await walkList(api, '/v2/parties'), { on: whole, back: whole })
    const names = async (prefix: string): Promise<readonly unknown[]> =>
      (await api.call({ url: `/v2/parties?filter[company_name]=${encodeURIComponent(prefix)}` }))
        .many()
        .map(({ attributes }) => attributes['company_name'])
    assert.deepEqual(await names('acme'), ['acme_x', 'ACME Toys', 'Acme'])
    assert.deepEqual(await names('blue_'), ['Blue_Whale'])
    assert.deepEqual(await names('über'), ['Über Acme'])
    assert.deepEqual(await names('%'), [])
  })

  test('values of custom fields can be paged forward and back', async () => {
    const { pool } = api.service
    const accountId = api.context.account.id
    const definition = '00000000-0000-4000-8000-0000000000de'
    await pool.query(
      `insert into custom_field_definitions (account_id, id, entity_type, api_slug, display_name, data_type, created_at, updated_at, last_changed_by)
       values ($1, $2, 'Container', 'buyer', 'Buyer', 'short_text', now(), now(), '{}')`,
      [accountId, definition],
    )
    await pool.query(
      `insert into custom_fields (account_id, id, definition_id, entity_id, value, created_at, updated_at, last_changed_by)
       select $1, gen_random_uuid(), $2, gen_random_uuid(), to_jsonb('buyer ' || n),
              timestamptz '2026-03-01' + n / 3 * interval '1 minute', now(), $3
         from generate_series(1, 12) as n`,
      [accountId, definition, { actor: { type: 'system', id: null }, at: '2026-03-01T00:00:00.000Z' }],
    )
    const whole = (await api.call({ url: '/v2/custom_fields' })).many().map(({ id }) => id)
    assert.equal(whole.length, 12)
    assert.deepEqual(await walkList(api, '/v2/custom_fields'), { on: whole, back: whole })
    const none = await api.call({ url: '/v2/custom_fields?filter[entity_type]=Shipment' })
    assert.equal(none.many().length, 0)
    const oldest = await api.call({ url: '/v2/custom_fields?sort=created_at&page[size]=1' })
    assert.equal(oldest.many()[0]?.id, whole.at(-1))
  })
})
