// Saved views over the API: who owns them, what their queries may contain, and how they are listed.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { askAs, type Person, signUpFirst, signUpInvited } from '../../support/person.ts'

let api: TestApi
let ada: Person
let ben: Person
before(async () => {
  api = await openTestApi()
  ada = await signUpFirst(api)
  ben = await signUpInvited(api, ada, { email: 'ben@example.com', role: 'member' })
})
after(() => api.close())

const view = (attributes: object) => ({
  data: { type: 'saved_view', attributes: { name: 'Late', table: 'shipments', ...attributes } },
})
const post = (attributes: object, key = api.key) =>
  api.call({ method: 'POST', url: '/v2/saved_views', key, body: view(attributes) })
const as = async (person: Person, call: Omit<Parameters<TestApi['call']>[0], 'key' | 'headers'>) =>
  api.call({ ...call, key: null, headers: { host: 'localhost', ...(await askAs(person)) } })
const names = (answer: Awaited<ReturnType<TestApi['call']>>) =>
  answer.many().map(({ attributes }) => attributes['name'])

test('a view keeps its name, list, query and columns, and shows who created it', async () => {
  const query = { 'filter[status]': 'in_transit,arrived', sort: '-pod_eta_at', q: 'MSCU' }
  const made = (await post({ query, columns: ['pod_eta_at', 'bill_of_lading_number'] })).one()
  assert.deepEqual(
    { ...made.attributes, created_at: null, updated_at: null },
    {
      name: 'Late',
      table: 'shipments',
      query,
      columns: ['pod_eta_at', 'bill_of_lading_number'],
      is_shared: true,
      created_by: { type: 'api_key', id: (made.attributes['created_by'] as { id: string }).id, name: 'Test' },
      created_at: null,
      updated_at: null,
    },
  )
  const url = `/v2/saved_views/${made.id}`
  assert.deepEqual((await api.call({ url })).one().attributes, made.attributes)
  const changed = await api.call({
    method: 'PATCH',
    url,
    body: { data: { attributes: { name: 'Very late', query: { sort: 'pod_eta_at' } } } },
  })
  assert.equal(changed.one().attributes['name'], 'Very late')
  assert.deepEqual(changed.one().attributes['query'], { sort: 'pod_eta_at' })
  assert.equal((await api.call({ method: 'DELETE', url })).status, 204)
  assert.equal((await api.call({ url })).status, 404)
  const { rows } = await api.service.pool.query<{ action: string }>(
    `select action from audit_events where account_id = $1 and target_id = $2 order by at, id`,
    [api.context.account.id, made.id],
  )
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['saved_view.created', 'saved_view.updated', 'saved_view.deleted'],
  )
})

test('refuses a view with a parameter that its list does not accept, naming the parameter', async () => {
  const wrong: readonly (readonly [string, object, string])[] = [
    ['shipments', { 'filter[colour]': 'red' }, 'filter[colour]'],
    ['shipments', { 'filter[status]': 'lost' }, 'filter[status]'],
    ['shipments', { sort: 'weight' }, 'sort'],
    ['shipments', { 'filter[pod_eta_at][start]': 'soon' }, 'filter[pod_eta_at][start]'],
    ['shipments', { 'filter[custom_fields][season]': 'A' }, 'filter[custom_fields][season]'],
    ['shipments', { 'page[size]': '10' }, 'page[size]'],
    ['shipments', { 'fields[shipment]': 'tags' }, 'fields[shipment]'],
    ['shipments', { include: 'customer' }, 'include'],
    ['shipments', { format: 'csv' }, 'format'],
    ['containers', { q: 'MSCU' }, 'q'],
    ['containers', { 'filter[a/b]': '1' }, 'filter[a~1b]'],
    ['shipments', { 'filter[tags]': 7 }, 'filter[tags]'],
  ]
  for (const [table, query, place] of wrong) {
    const refused = await post({ table, query })
    assert.equal(refused.status, 422, refused.text)
    assert.equal(refused.error().source?.pointer, `/data/attributes/query/${place}`)
  }
  const stored = (await post({ table: 'containers', query: { sort: 'pickup_lfd' } })).one()
  const url = `/v2/saved_views/${stored.id}`
  const patch = (query: object) => api.call({ method: 'PATCH', url, body: { data: { attributes: { query } } } })
  assert.equal((await patch({ q: 'MSCU' })).error().source?.pointer, '/data/attributes/query/q')
  assert.equal((await patch({ 'filter[has_holds]': 'true' })).status, 200)
})

test('a person’s view is private until they share it, and then only they can stop sharing it', async () => {
  const made = await as(ada, { method: 'POST', url: '/v2/saved_views', body: view({ name: 'Of Ada' }) })
  assert.equal(made.one().attributes['is_shared'], false)
  assert.equal((made.one().attributes['created_by'] as { name: string }).name, 'Ada Harbour')
  const url = `/v2/saved_views/${made.one().id}`
  const seen = async (person: Person) => names(await as(person, { url: '/v2/saved_views' })).includes('Of Ada')
  assert.deepEqual([await seen(ada), await seen(ben)], [true, false])
  assert.ok(!names(await api.call({ url: '/v2/saved_views' })).includes('Of Ada'))
  const change = (is_shared: boolean) => ({
    method: 'PATCH' as const,
    url,
    body: { data: { attributes: { is_shared } } },
  })
  for (const call of [{ url }, { ...change(true) }, { method: 'DELETE' as const, url }]) {
    assert.equal((await as(ben, call)).status, 404)
    assert.equal((await api.call(call)).status, 404)
  }
  assert.equal((await as(ada, change(true))).status, 200)
  assert.deepEqual([await seen(ada), await seen(ben)], [true, true])
  const refused = await as(ben, change(false))
  assert.equal(refused.status, 422)
  assert.equal(refused.error().source?.pointer, '/data/attributes/is_shared')
  assert.equal((await api.call(change(false))).status, 422)
  assert.equal((await as(ada, change(false))).status, 200)
  assert.equal(await seen(ben), false)
})

test('a view created by a key belongs to the account', async () => {
  const refused = await post({ is_shared: false })
  assert.equal(refused.error().source?.pointer, '/data/attributes/is_shared')
})

test('lists views by name, page by page, and by their list; another account has none of them', async () => {
  const context = await api.newAccount()
  const key = await api.newKey(context, ['read', 'write'])
  for (const [name, table] of [
    ['Beta', 'shipments'],
    ['Alpha', 'containers'],
    ['Gamma', 'shipments'],
  ])
    assert.equal((await post({ name, table }, key)).status, 201)
  const ask = async (query: string) => names(await api.call({ url: `/v2/saved_views${query}`, key }))
  assert.deepEqual(await ask(''), ['Alpha', 'Beta', 'Gamma'])
  assert.deepEqual(await ask('?sort=-name&page[size]=2'), ['Gamma', 'Beta'])
  assert.deepEqual(await ask('?sort=-name&page[size]=2&page[number]=2'), ['Alpha'])
  assert.deepEqual(await ask('?filter[table]=shipments'), ['Beta', 'Gamma'])
  const [first] = (await api.call({ url: '/v2/saved_views', key })).many()
  assert.equal((await api.call({ url: `/v2/saved_views/${first?.id}` })).status, 404)
})

test('after the upgrade a view shows what has all of its tags, as it did before', async () => {
  const made = []
  for (const query of [
    { 'filter[tags]': 'hot,late' },
    { 'filter[tags]': 'hot', 'filter[tags_and]': 'false' },
    { sort: 'created_at' },
  ])
    made.push((await post({ query })).one().id)
  const file = new URL('../../../src/db/migrations/0133_filters_of_lists.sql', import.meta.url)
  const [upgrade = ''] = readFileSync(file, 'utf8').split(';')
  await api.service.pool.query(upgrade)
  const queries = await Promise.all(
    made.map(async (id) => (await api.call({ url: `/v2/saved_views/${id}` })).one().attributes['query']),
  )
  assert.deepEqual(queries, [
    { 'filter[tags]': 'hot,late', 'filter[tags_and]': 'true' },
    { 'filter[tags]': 'hot', 'filter[tags_and]': 'false' },
    { sort: 'created_at' },
  ])
  for (const id of made) await api.call({ method: 'DELETE', url: `/v2/saved_views/${id}` })
})

test('an account has at most 200 shared views, however many its people have', async () => {
  const { id: accountId } = api.context.account
  await api.service.pool.query(
    `insert into saved_views (account_id, id, name, list, query, columns, created_by, created_at, updated_at, last_changed_by)
     select account_id, gen_random_uuid(), 'Filler', list, query, columns, created_by, created_at, updated_at, last_changed_by
       from saved_views, generate_series(1, 200 - (select count(*) from saved_views where account_id = $1 and owner_id is null)::int)
      where id = (select id from saved_views where account_id = $1 limit 1)`,
    [accountId],
  )
  const refused = await post({})
  assert.equal(refused.status, 422)
  assert.match(refused.error().detail, /at most 200/)
  assert.equal(
    (await as(ben, { method: 'POST', url: '/v2/saved_views', body: view({}) })).one().attributes['is_shared'],
    false,
  )
})
