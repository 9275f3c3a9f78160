// Filters of the v2 API by which work is found: names of places, what needs attention, changed arrivals, owners, tags,
// custom fields, free time.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { TestApi } from '../../support/api.ts'
import { type FilterRows, openFilterRows } from './filter-rows.ts'

let rows: FilterRows
let api: TestApi
before(async () => {
  rows = await openFilterRows()
  api = rows.api
})
after(() => rows.close())

const containers = (query: string): Promise<string> => rows.found('containers', query)
const shipments = (query: string): Promise<string> => rows.found('shipments', query)
const write = (text: string, values: readonly unknown[]) => api.service.pool.query(text, [...values])

/** Days from today by the clock of the journeys. */
function dayFromNow(days: number): string {
  return new Date(api.service.clock.now() + days * 86_400_000).toISOString().slice(0, 10)
}

test('a place filter finds the name that the API shows, or the text of the source where no place is known', async () => {
  for (const [name, early, late] of [
    ['pol', 'Shanghai', 'Ningbo'],
    ['pod', 'Los Angeles', 'Long Beach'],
    ['destination', 'Chicago', 'Dallas'],
  ]) {
    assert.equal(await containers(`filter[${name}]=${early}`), 'early', name)
    assert.equal(await containers(`filter[${name}]==${late},${early}`), 'early late', name)
    assert.equal(await containers(`filter[${name}]=${early?.toLowerCase()}`), '', `${name} in lower case`)
    assert.equal(await containers(`filter[${name}]=@exists`), 'early late', name)
    assert.equal(await containers(`filter[${name}]=@not_exists`), 'unknown', name)
  }
  const place = { unlocode: null, name: 'Port X', timeZone: null }
  await write(`update containers set projection = jsonb_set(projection, '{portOfLoading,place}', $2) where id = $1`, [
    rows.containerIds.unknown,
    JSON.stringify(place),
  ])
  assert.equal(await containers('filter[pol]=Port X'), 'unknown')
})

test('requires_attention finds containers whose last free day is near or past', async () => {
  for (const [name, days] of [
    ['early', 1],
    ['late', 20],
    ['unknown', null],
  ] as const) {
    const line = days === null ? null : { kind: 'day', on: dayFromNow(days) }
    const projection = { freeTime: { line, terminal: null, rail: null }, holds: [] }
    await write(`update containers set status = 'available', projection = projection || $2 where id = $1`, [
      rows.containerIds[name],
      JSON.stringify(projection),
    ])
  }
  assert.equal(await containers('filter[requires_attention]=true'), 'early')
  assert.equal(await containers('filter[requires_attention]=false'), 'late unknown')
})

test('last_free_day_on finds containers at the port whose last free day is from the first day to the last', async () => {
  await write(`update containers set projection = jsonb_set(projection, '{destination}', 'null')`, [])
  const between = (first: number, last: number) =>
    containers(`filter[last_free_day_on][]=${dayFromNow(first)}&filter[last_free_day_on][]=${dayFromNow(last)}`)
  assert.equal(await between(1, 1), 'early')
  assert.equal(await between(2, 30), '', 'the shipment of `late` is not tracked any more')
  await write(`update shipments set tracking_stopped_at = null`, [])
  assert.equal(await between(1, 20), 'early late')
  await write(`update containers set status = 'on_ship' where id = $1`, [rows.containerIds.late])
  assert.equal(await between(1, 20), 'early')
  for (const query of [
    '[]=2026-10-01',
    '=2026-10-01',
    '[]=today&filter[last_free_day_on][]=2026-10-01',
    '=2026-10-01,2026-10-02',
  ]) {
    const refused = await api.call({ url: `/v2/containers?filter[last_free_day_on]${query}` })
    assert.equal(refused.status, 400, query)
    assert.match(String(refused.error().source?.parameter), /^filter\[last_free_day_on\]/)
  }
})

test('filters by a changed arrival find shipments whose arrival was published again within the time', async () => {
  const day = 86_400_000
  const publish = (name: 'early' | 'late' | 'unknown', sequence: number, daysAgo: number, eta: string) =>
    write(
      `insert into events (account_id, id, sequence, name, reference_type, reference_id, shipment_id, payload, created_at)
       select $1, $2, $3, 'shipment.estimated.arrival', 'shipment', $4, $4,
              jsonb_build_object('estimated_timestamp', $5::text, 'location_locode', s.pod), $6 from shipments s where s.id = $4`,
      [
        api.context.account.id,
        randomUUID(),
        1_000_000 + sequence,
        rows.shipmentIds[name],
        eta,
        new Date(api.service.clock.now() - daysAgo * day).toISOString(),
      ],
    )
  const arrival = { kind: 'instant', at: `${dayFromNow(9)}T00:00:00.000Z` }
  await write(
    `update shipments set projection = jsonb_set(jsonb_set(projection, '{portOfDischarge,ata}', 'null'), '{portOfDischarge,eta}', $1)`,
    [JSON.stringify(arrival)],
  )
  await publish('early', 1, 9, '2026-04-01T10:00:00Z')
  await publish('early', 2, 0.5, '2026-04-02T10:00:00Z')
  await publish('late', 3, 9, '2026-04-01T10:00:00Z')
  await publish('late', 4, 2, '2026-04-01T18:00:00Z')
  await publish('unknown', 5, 0.5, '2026-04-05T10:00:00Z')
  for (const value of ['true', 'false']) {
    assert.equal(
      await containers(`filter[eta_changed_in_last_24h]=${value}`),
      'early',
      'the first arrival is no change',
    )
    assert.equal(await containers(`filter[eta_changed_in_past_3_days]=${value}`), 'early late')
  }
  const since = (days: number) => new Date(api.service.clock.now() - days * day).toISOString()
  assert.equal(await shipments(`filter[pod_eta_changed_at]=>=${since(5)}`), 'early', '`late` arrives on the same day')
  const window = (start: number, end: number) =>
    `filter[pod_eta_changed_at][]=>=${since(start)}&filter[pod_eta_changed_at][]=<${since(end)}`
  assert.equal(await shipments(window(5, 0)), 'early')
  assert.equal(await shipments(window(5, 1)), '')
  for (const query of [`=<${since(1)}`, `[]=>=${since(1)}&filter[pod_eta_changed_at][]=<${since(2)}`, '=@exists']) {
    const refused = await api.call({ url: `/v2/shipments?filter[pod_eta_changed_at]${query}` })
    assert.deepEqual([refused.status, refused.error().source?.parameter], [400, 'filter[pod_eta_changed_at]'], query)
  }
})

test('filter[tags] finds what has one of the tags, and with tags_and=true what has all of them', async () => {
  await write(`update shipments set tags = $2 where id = $1`, [rows.shipmentIds.early, ['hot', 'priority']])
  await write(`update shipments set tags = $2 where id = $1`, [rows.shipmentIds.late, ['hot']])
  for (const list of [containers, shipments]) {
    assert.equal(await list('filter[tags]=priority,hot'), 'early late')
    assert.equal(await list('filter[tags][]=priority&filter[tags][]=hot'), 'early late')
    assert.equal(await list('filter[tags]=priority,hot&filter[tags_and]=true'), 'early')
    assert.equal(await list('filter[tags]=priority,cold&filter[tags_and]=true'), '')
    assert.equal(await list('filter[tags]=cold,priority'), 'early')
    assert.equal(await list('filter[tags]=cold'), '')
    assert.equal(await list('filter[tags_and]=true'), 'early late unknown')
    assert.equal(await list('filter[tags]=hot,priority&sort=-pod_eta_at'), 'early late')
  }
  assert.equal(await shipments('filter[tag]=priority&filter[tags]=cold'), 'early', '`tag` wins over `tags`')
  const refused = await api.call({ url: '/v2/containers?filter[tags]=a&filter[tags_and]=yes' })
  assert.equal(refused.error().source?.parameter, 'filter[tags_and]')
})

test('a custom field of text finds a part of the value of the container or of its shipment', async () => {
  const create = async (entity_type: string, entityId: string, value: unknown) => {
    const definition = { api_slug: 'po', display_name: 'PO', data_type: 'short_text', entity_type }
    const url = '/v2/custom_field_definitions'
    const body = { data: { type: 'custom_field_definition', attributes: definition } }
    await api.call({ method: 'POST', url, body })
    const field = { data: { type: 'custom_field', attributes: { api_slug: 'po', value } } }
    const folder = `${entity_type.toLowerCase()}s`
    const made = await api.call({ method: 'POST', url: `/v2/${folder}/${entityId}/custom_fields`, body: field })
    assert.equal(made.status, 201, JSON.stringify(made.body))
  }
  await create('Container', rows.containerIds.early, 'PO-4711 Rotterdam')
  await create('Shipment', rows.shipmentIds.late, 'PO-4712')
  const by = (value: string) => containers(`filter[custom_fields][po]=${value}`)
  assert.equal(await by('4711'), 'early')
  assert.equal(await by('PO-47'), 'early late')
  assert.equal(await by('po-47'), '')
  assert.equal(await by('dam,4712'), 'early late')
  assert.equal(await by('PO'), 'early late', 'a part that is too short for the index')
  assert.equal(await by('@exists'), 'early late')
  assert.equal(await by('@not_exists'), 'unknown')
  const unknown = await api.call({ url: '/v2/containers?filter[custom_fields][colour]=red' })
  assert.equal(unknown.error().source?.parameter, 'filter[custom_fields][colour]')
})

test('an owner filter finds what a person of the account has requested', async () => {
  const userId = randomUUID()
  const { id: accountId } = api.context.account
  const at = new Date(api.service.clock.now()).toISOString()
  await write(
    `insert into users (id, email, email_key, name, password_hash, password_changed_at, created_at, updated_at)
     values ($1, 'a@example.com', 'a@example.com', 'A', 'x', $2, $2, $2)`,
    [userId, at],
  )
  await write(`insert into memberships (account_id, user_id, role, created_at) values ($1, $2, 'member', $3)`, [
    accountId,
    userId,
    at,
  ])
  await write(
    `insert into audit_events (account_id, id, at, actor_type, actor_id, action, target_type, target_id, request_id)
     select account_id, gen_random_uuid(), $2, 'user', $3, 'tracking_request.created', 'tracking_request', id, 'r'
       from tracking_requests where shipment_id = $1`,
    [rows.shipmentIds.late, at, userId],
  )
  assert.equal(await containers(`filter[search_by_owner_id]=${userId},${randomUUID()}`), 'late')
  assert.equal(await shipments(`filter[owner_id]=${userId}`), 'late')
  assert.equal(await shipments(`filter[owner_id][]=${randomUUID()}&filter[owner_id][]=${userId}`), 'late')
  assert.equal(await shipments(`filter[owner_id]=${randomUUID()}`), '')
})

test('the number and q filters of shipments find whole numbers and beginnings', async () => {
  assert.equal(await shipments('filter[number]=CNSH10000000'), 'early')
  assert.equal(await shipments('filter[number][]=CNSH10000000&filter[number][]=cnsh2-0000000'), 'early late')
  assert.equal(await shipments('filter[number]=CNSH10000000,CNSH20000000'), '', 'a comma is part of the number')
  assert.equal(await shipments('filter[q]=cnsh1'), 'early')
  assert.equal(await shipments('filter[q]=NSH1'), '')
  assert.equal(await shipments('filter[q]=SREF-L,CNSH1'), 'early late')
})

test('a filter by goods finds nothing, and meta says that nothing is known of goods', async () => {
  const answer = await api.call({ url: '/v2/shipments?filter[product]=CHAIR' })
  assert.deepEqual(answer.many(), [])
  assert.deepEqual(answer.body.meta?.['unanswered'], [
    {
      parameter: 'filter[product]',
      detail: 'No row is listed, because Landfall does not read goods from documents.',
    },
  ])
})
