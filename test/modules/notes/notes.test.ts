// Notes of a shipment over the API: who reads, changes and deletes them, and that their text is only text.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { askAs, type Person, signUpFirst, signUpInvited } from '../../support/person.ts'
import { type Seeded, seededAt, seedShipment } from '../../support/seed.ts'

let api: TestApi
let seeded: Seeded
let url: string
let ada: Person
let ben: Person
before(async () => {
  api = await openTestApi({ startAt: seededAt })
  seeded = await seedShipment(api)
  url = `/v2/shipments/${seeded.shipmentId}/notes`
  ada = await signUpFirst(api)
  ben = await signUpInvited(api, ada, { email: 'ben@example.com', role: 'member' })
})
after(async () => {
  await seeded.carrier.close()
  await api.close()
})

const body = (text: string, containerId?: string) => ({
  data: {
    type: 'note',
    attributes: { text },
    ...(containerId && { relationships: { container: { data: { type: 'container', id: containerId } } } }),
  },
})
const write = (text: string, containerId?: string) => api.call({ method: 'POST', url, body: body(text, containerId) })
const as = async (person: Person, call: Omit<Parameters<TestApi['call']>[0], 'key' | 'headers'>) =>
  api.call({ ...call, key: null, headers: { host: 'localhost', ...(await askAs(person)) } })
const texts = async (query = '') =>
  (await api.call({ url: url + query })).many().map(({ attributes }) => attributes['text'])

test('notes are listed newest first, page by page and by container, with their author', async () => {
  const [first = '', second = ''] = seeded.containerIds
  for (const [text, containerId] of [['One'], ['Two', first], ['Three', second]] as const) {
    const made = await write(text, containerId)
    assert.equal(made.status, 201, made.text)
    assert.equal((made.one().attributes['author'] as { name: string }).name, 'Test')
    api.clock.advance(1_000)
  }
  assert.deepEqual(await texts(), ['Three', 'Two', 'One'])
  assert.deepEqual(await texts('?page[size]=2&page[number]=2'), ['One'])
  assert.deepEqual(await texts(`?filter[container]=${first}`), ['Two'])
  const asked = await api.call({ url: `${url}?include=container,shipment&filter[container]=${first}` })
  assert.deepEqual(asked.body.included?.map(({ id }) => id).toSorted(), [first, seeded.shipmentId].toSorted())
})

test('a note with HTML, SQL and control characters is stored and returned unchanged', async () => {
  const text = `<script>alert(1)</script> '; drop table notes; -- {{7*7}} %s \${x} \u202e ﷽ 😀\n\tend`
  const made = await write(text)
  assert.equal(made.one().attributes['text'], text)
  assert.match(String(made.headers['content-type']), /^application\/vnd\.api\+json/)
  assert.equal(made.headers['x-content-type-options'], 'nosniff')
  assert.equal((await texts())[0], text)
})

test('accepts a text of 1 to 10,000 characters and a container of the same shipment only', async () => {
  assert.equal((await write('x'.repeat(10_000))).status, 201)
  for (const text of ['', ' \n ', 'x'.repeat(10_001)])
    assert.equal((await write(text)).error().source?.pointer, '/data/attributes/text')
  const nobodys = await write('Where?', '018f0000-0000-7000-8000-0000000000aa')
  assert.equal(nobodys.status, 422)
  assert.equal(nobodys.error().source?.pointer, '/data/relationships/container/data/id')
})

test('a note is changed only by its author, and deleted by its author, an admin or an API key', async () => {
  const made = async (person: Person) =>
    `${url}/${(await as(person, { method: 'POST', url, body: body('Mine') })).one().id}`
  const patch = (at: string) => ({ method: 'PATCH' as const, url: at, body: body('Changed') })
  const bens = await made(ben)
  assert.equal((await as(ben, { url: bens })).one().attributes['updated_at'] !== undefined, true)
  for (const refused of [await as(ada, patch(bens)), await api.call(patch(bens))]) assert.equal(refused.status, 403)
  const changed = (await as(ben, patch(bens))).one().attributes
  assert.equal(changed['text'], 'Changed')
  assert.deepEqual((changed['author'] as { name: string }).name, 'Ben Quay')
  const adas = await made(ada)
  assert.equal((await as(ben, { method: 'DELETE', url: adas })).status, 403)
  assert.equal((await as(ada, { method: 'DELETE', url: bens })).status, 204)
  assert.equal((await api.call({ method: 'DELETE', url: adas })).status, 204)
  assert.equal((await api.call({ url: adas })).status, 404)
  const keys = `${url}/${(await write('Of a key')).one().id}`
  assert.equal((await as(ben, patch(keys))).status, 403)
  assert.equal((await api.call(patch(keys))).status, 200)
})

test('the audit log names the note and its shipment, and not its text', async () => {
  const { id } = (await write('Secret words')).one()
  await api.call({ method: 'PATCH', url: `${url}/${id}`, body: body('Other secret words') })
  await api.call({ method: 'DELETE', url: `${url}/${id}` })
  const { rows } = await api.service.pool.query<{ action: string; diff: unknown }>(
    `select action, diff from audit_events where account_id = $1 and target_id = $2 order by at, id`,
    [api.context.account.id, id],
  )
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['note.created', 'note.updated', 'note.deleted'],
  )
  assert.match(JSON.stringify(rows), new RegExp(seeded.shipmentId))
  assert.doesNotMatch(JSON.stringify(rows), /secret/i)
})

test('another account finds neither the shipment nor its notes, by any path', async () => {
  const { id } = (await write('Ours')).one()
  const key = await api.newKey(await api.newAccount(), ['read', 'write'])
  assert.equal((await api.call({ url, key })).status, 404)
  assert.equal((await api.call({ method: 'POST', url, key, body: body('x') })).status, 404)
  for (const method of ['GET', 'DELETE'] as const)
    assert.equal((await api.call({ method, url: `${url}/${id}`, key })).status, 404)
  const elsewhere = `/v2/shipments/018f0000-0000-7000-8000-0000000000aa/notes/${id}`
  assert.equal((await api.call({ url: elsewhere })).status, 404)
})

test('a shipment has at most a thousand notes', async () => {
  await api.service.pool.query(
    `insert into notes (account_id, id, shipment_id, text, created_by, created_at, updated_at)
     select account_id, gen_random_uuid(), shipment_id, text, created_by, created_at, updated_at
       from (select * from notes where account_id = $1 limit 1) one, generate_series(1, 1000)`,
    [api.context.account.id],
  )
  const refused = await write('One more')
  assert.equal(refused.status, 422)
  assert.match(refused.error().detail, /at most 1000/)
})
