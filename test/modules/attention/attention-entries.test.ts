// The inbox as people work on it: one entry for each container, shipment or request; done, set aside, assigned.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pruneAlerts } from '../../../src/pipeline/notifications/prune-alerts.ts'
import { createApiApp } from '../../../src/server/app.ts'
import type { Answer, WireResource } from '../../support/api.ts'
import { type AttentionStory, atSea, landed, openAttentionStory } from '../../support/attention-story.ts'
import { connect, openTestMcp } from '../../support/mcp.ts'
import { type Person, signUpFirst, signUpInvited } from '../../support/person.ts'

let story: AttentionStory
let owner: Person
before(async () => {
  story = await openAttentionStory()
  owner = await signUpFirst(story.api, { key: await story.api.newKey(story.api.context, ['read', 'write', 'admin']) })
})
after(() => story.close())

const url = '/v2/attention_entries'
const list = (query = '', key = story.api.key): Promise<Answer> => story.api.call({ url: `${url}${query}`, key })
const numbers = async (query = '') => (await list(query)).many().map(({ attributes }) => attributes['number'])
const entryOf = async (number: string, query = ''): Promise<WireResource> => {
  const found = (await list(query)).many().find(({ attributes }) => attributes['number'] === number)
  assert.ok(found, `${number} is not listed`)
  return found
}
const change = (id: string, attributes: object, key = story.api.key, headers = {}): Promise<Answer> =>
  story.api.call({
    method: 'PATCH',
    url: `${url}/${id}`,
    body: { data: { type: 'attention_entry', id, attributes } },
    key,
    headers,
  })
const reasonsOf = ({ attributes }: WireResource) =>
  (attributes['reasons'] as { readonly reason: string }[]).map(({ reason }) => reason)
const audits = async (id: string) =>
  (
    await story.api.service.pool.query<{ diff: object }>(
      `select diff from audit_events where action = 'attention_entry.updated' and target_id = $1 order by id`,
      [id],
    )
  ).rows.map(({ diff }) => diff)

test('a container is one entry with all its reasons, its customer and port, its day and what it costs', async () => {
  const { api } = story
  const made = await api.call({
    method: 'POST',
    url: '/v2/parties',
    body: { data: { type: 'party', attributes: { company_name: 'Acme Imports' } } },
  })
  await story.track('ENTR00000001', landed('MSCU4000005'), { ref_numbers: ['PO-77'] })
  await story.track('ENTR00000002', landed('MSCU4000010'))
  await story.track('ENTR00000003', landed('MSCU4000026'))
  await story.track('ENTR00000004', landed('MSCU4000031'))
  const [shipment] = (await api.call({ url: '/v2/shipments?number=ENTR00000001' })).many()
  await api.service.pool.query('update shipments set customer_id = $1 where id = $2', [made.one().id, shipment?.id])
  await story.says('MSCU4000005', 'holds', [{ name: 'customs', status: 'hold', description: null }])
  await story.says('MSCU4000005', 'fees', [{ type: 'exam', amount: 885.5, currency: 'USD' }])
  await story.says('MSCU4000005', 'pickup_lfd_terminal', '2026-01-31')
  await story.says('MSCU4000010', 'pickup_lfd_terminal', '2026-01-28')
  await story.says('MSCU4000026', 'holds', [{ name: 'freight', status: 'hold', description: null }])
  await story.says('MSCU4000031', 'pickup_lfd_terminal', '2026-02-03')
  const answer = await list()
  assert.deepEqual(
    answer.many().map(({ attributes: { number, group, last_day: by, days_left: days } }) => [number, group, by, days]),
    [
      ['MSCU4000010', 'overdue', '2026-01-28', -5],
      ['MSCU4000005', 'overdue', '2026-01-31', -2],
      ['MSCU4000026', 'today', null, null],
      ['MSCU4000031', 'tomorrow', '2026-02-03', 1],
    ],
  )
  const { meta } = answer.body
  assert.deepEqual(meta?.['counts'], { overdue: 2, today: 1, tomorrow: 1, this_week: 0, waiting: 0 })
  assert.deepEqual([meta?.['total'], meta?.['done_today'], meta?.['is_cut']], [4, 0, false])
  const entry = await entryOf('MSCU4000005')
  assert.deepEqual(reasonsOf(entry), ['free_time_ended', 'held', 'fees'])
  assert.deepEqual(
    (entry.attributes['reasons'] as { readonly short: string }[]).map(({ short }) => short),
    ['Free time ended', 'Hold: customs', 'Fees: exam'],
  )
  assert.deepEqual(entry.attributes['money'], { owed: [], per_day: [], fees: [{ minor: 88_550, currency: 'USD' }] })
  const { customer_name: customer, port_of_discharge_locode: port, ref_numbers: references } = entry.attributes
  assert.deepEqual([customer, port, references], ['Acme Imports', 'USLAX', ['PO-77']])
  assert.equal(entry.attributes['bill_of_lading_number'], 'ENTR00000001')
  assert.deepEqual(await numbers('?filter[reason]=fees'), ['MSCU4000005'])
  assert.deepEqual(reasonsOf(await entryOf('MSCU4000005', '?filter[reason]=fees')), reasonsOf(entry))
  assert.deepEqual(await numbers('?page[size]=1&page[number]=2'), ['MSCU4000005'])
})

test('what is done is gone everywhere until something new happens, and then shows all its reasons', async () => {
  const { api } = story
  const { id } = await entryOf('MSCU4000005')
  const done = await change(id, { state: 'done' })
  assert.equal(done.one().attributes['state'], 'done')
  assert.ok(!(await numbers()).includes('MSCU4000005'))
  assert.ok((await story.items()).every((item) => !item.id.endsWith(id)))
  assert.deepEqual(await numbers('?filter[state]=done'), ['MSCU4000005'])
  assert.equal((await list('?time_zone=America/Los_Angeles')).body.meta?.['done_today'], 1)
  // The same again, and one reason less, is nothing new.
  await api.pass(1)
  await story.says('MSCU4000005', 'holds', [{ name: 'customs', status: 'hold', description: null }])
  await story.says('MSCU4000005', 'fees', [])
  assert.ok(!(await numbers()).includes('MSCU4000005'))
  await api.pass(1)
  await story.says('MSCU4000005', 'holds', [
    { name: 'customs', status: 'hold', description: null },
    { name: 'freight', status: 'hold', description: null },
  ])
  const again = await entryOf('MSCU4000005')
  assert.deepEqual(reasonsOf(again), ['free_time_ended', 'held'])
  assert.deepEqual(
    (again.attributes['reasons'] as { readonly done: boolean }[]).map(({ done }) => done),
    [true, false],
  )
  await change(id, { state: 'done' })
  await api.pass(1)
  await story.says('MSCU4000005', 'pickup_lfd_terminal', '2026-02-01')
  assert.ok((await numbers()).includes('MSCU4000005'), 'another last free day')
  await change(id, { state: 'done' })
  assert.equal((await change(id, { state: 'open' })).one().attributes['state'], 'open')
  assert.ok((await numbers()).includes('MSCU4000005'))
})

test('of two people who mark the same entry as done at once, both succeed, and the record has it once', async () => {
  const { id } = await entryOf('MSCU4000010')
  const answers = await Promise.all([1, 2, 3].map(() => change(id, { state: 'done' })))
  assert.deepEqual(
    answers.map((each) => each.one().attributes['state']),
    ['done', 'done', 'done'],
  )
  assert.deepEqual(await audits(id), [{ state: ['open', 'done'] }])
})

test('a program that is started again still knows what is done', async () => {
  const app = await createApiApp(story.api.service)
  const answer = await app.inject({ url, headers: { authorization: `Token ${story.api.key}` } })
  await app.close()
  assert.ok(!answer.body.includes('MSCU4000010'))
})

test('nothing is marked as done that was not seen', async () => {
  const seen = await entryOf('MSCU4000026')
  const tag = String((await story.api.call({ url: `${url}/${seen.id}` })).headers['etag'])
  await story.api.pass(1)
  await story.says('MSCU4000026', 'fees', [{ type: 'demurrage', amount: 300, currency: 'USD' }])
  const stale = await change(seen.id, { state: 'done', version: seen.attributes['version'] })
  assert.deepEqual([stale.status, stale.error().source?.pointer], [409, '/data/attributes/version'])
  assert.equal((await change(seen.id, { state: 'done' }, story.api.key, { 'if-match': tag })).status, 412)
  const { version } = (await entryOf('MSCU4000026')).attributes
  assert.notEqual(version, seen.attributes['version'])
  assert.equal((await change(seen.id, { state: 'done', version })).one().attributes['state'], 'done')
  await change(seen.id, { state: 'open' })
})

test('an entry is set aside until a time, and a new reason shows it before', async () => {
  const { id } = await entryOf('MSCU4000026')
  const until = new Date(story.api.clock.now() + 30 * 3_600_000).toISOString()
  const set = (await change(id, { snoozed_until: until })).one()
  assert.deepEqual(
    [set.attributes['state'], set.attributes['snoozed_until']],
    ['set_aside', until.replace('.000Z', 'Z')],
  )
  assert.ok(!(await numbers()).includes('MSCU4000026'))
  assert.deepEqual(await numbers('?filter[state]=set_aside'), ['MSCU4000026'])
  await story.says('MSCU4000026', 'pickup_lfd_terminal', '2026-02-01')
  assert.deepEqual(reasonsOf(await entryOf('MSCU4000026')), ['free_time_ended', 'held', 'fees'])
  await change(id, { snoozed_until: until })
  assert.equal((await change(id, { snoozed_until: null })).one().attributes['state'], 'open')
})

test('an entry is assigned to a member, and to nobody once the person has left', async () => {
  const { api } = story
  const clerk = await signUpInvited(api, owner, { email: 'ben@example.com', role: 'member' })
  const members = JSON.parse((await owner.ask('GET', '/v2/members')).text) as { readonly data: WireResource[] }
  const ben = members.data.find(({ attributes }) => attributes['email'] === 'ben@example.com')?.id ?? ''
  const { id } = await entryOf('MSCU4000026')
  assert.equal((await change(id, { assigned_to_id: ben })).one().attributes['assigned_to_id'], ben)
  const mine = await list(`?filter[assigned_to]=${ben}&include=assigned_to`)
  assert.deepEqual(
    mine.many().map((each) => each.id),
    [id],
  )
  assert.equal(mine.body.included?.[0]?.attributes['email'], 'ben@example.com')
  // It stays assigned while it is done, and is so again when it comes back.
  await change(id, { state: 'done' })
  await change(id, { state: 'open' })
  assert.equal((await entryOf('MSCU4000026')).attributes['assigned_to_id'], ben)
  assert.equal((await clerk.ask('DELETE', `/v2/members/${ben}`)).status, 204)
  assert.equal((await entryOf('MSCU4000026')).attributes['assigned_to_id'], null)
  const gone = await change(id, { assigned_to_id: ben })
  assert.deepEqual([gone.status, gone.error().source?.pointer], [422, '/data/attributes/assigned_to_id'])
})

test('refuses what cannot be, naming the field, and changes nothing', async () => {
  const { id } = await entryOf('MSCU4000026')
  const before = await audits(id)
  const past = new Date(story.api.clock.now() - 1_000).toISOString()
  const far = new Date(story.api.clock.now() + 400 * 86_400_000).toISOString()
  for (const [attributes, name] of [
    [{ state: 'set_aside' }, 'state'],
    [{ snoozed_until: 'tomorrow' }, 'snoozed_until'],
    [{ snoozed_until: past }, 'snoozed_until'],
    [{ snoozed_until: far }, 'snoozed_until'],
    [{ state: 'done', snoozed_until: far }, 'snoozed_until'],
    [{ assigned_to_id: 'ben' }, 'assigned_to_id'],
    [{ assigned_to_id: id }, 'assigned_to_id'],
    [{ group: 'today' }, 'group'],
  ] as const) {
    const answer = await change(id, attributes)
    assert.equal(answer.status, 422, JSON.stringify(attributes))
    assert.equal(answer.error().source?.pointer, `/data/attributes/${name}`, answer.text)
  }
  for (const [query, parameter] of [
    ['filter[state]=gone', 'filter[state]'],
    ['filter[assigned_to]=ben', 'filter[assigned_to]'],
    ['time_zone=Mars', 'time_zone'],
  ]) {
    const answer = await list(`?${query}`)
    assert.ok(answer.status === 400 || answer.status === 422, answer.text)
    assert.equal(answer.error().source?.parameter, parameter)
  }
  assert.deepEqual(await audits(id), before)
})

test('another account sees no entry and changes none, and a read-only key changes none', async () => {
  const { api } = story
  const { id } = await entryOf('MSCU4000026')
  const stranger = await api.newKey(await api.newAccount(), ['read', 'write'])
  const theirs = await list('', stranger)
  assert.deepEqual([theirs.many(), theirs.body.meta?.['done_today']], [[], 0])
  assert.equal((await api.call({ url: `${url}/${id}`, key: stranger })).status, 404)
  assert.equal((await change(id, { state: 'done' }, stranger)).status, 404)
  const reader = await api.newKey(api.context, ['read'])
  assert.equal((await change(id, { state: 'done' }, reader)).status, 403)
  assert.ok((await numbers()).includes('MSCU4000026'))
})

test('the MCP tool lists the reasons in the order of the entries, with the day and who is to act', async () => {
  const { api } = story
  const { id } = await entryOf('MSCU4000031')
  const [ada] = (JSON.parse((await owner.ask('GET', '/v2/members')).text) as { readonly data: WireResource[] }).data
  await change(id, { assigned_to_id: ada?.id })
  const mcp = await openTestMcp(api)
  const client = await connect(mcp.url, { authorization: `Token ${api.key}` })
  try {
    const answer = await client.callTool({ name: 'attention', arguments: { page_size: 100 } })
    const { items } = answer.structuredContent as {
      readonly items: { readonly id: string; readonly group: string; readonly assignedTo?: string }[]
    }
    const expected = (await list())
      .many()
      .flatMap((entry) =>
        (entry.attributes['reasons'] as { readonly id: string; readonly done: boolean }[]).flatMap((reason) =>
          reason.done ? [] : [[reason.id, entry.attributes['group']]],
        ),
      )
    assert.deepEqual(
      items.map((item) => [item.id, item.group]),
      expected,
    )
    assert.equal(items.find((item) => item.id.endsWith(id))?.assignedTo, '⟦Ada Harbour⟧')
    const nothing = { owed: null, forecast: null, avoidable: null }
    for (const [number, fees] of [
      ['MSCU4000026', ['300.00 USD']],
      ['MSCU4000005', []],
      ['MSCU4000010', null],
    ] as const) {
      const charges = await client.callTool({ name: 'get_charges', arguments: { container_id: number } })
      const { sums } = charges.structuredContent as { readonly sums: object }
      assert.deepEqual(sums, { ...nothing, fees }, number)
      const box = await client.callTool({ name: 'get_container', arguments: { id: number } })
      const { demurrage } = box.structuredContent as { readonly demurrage: { readonly fees: readonly object[] | null } }
      assert.equal(demurrage.fees?.length, fees?.length, number)
    }
  } finally {
    await client.close()
    await mcp.close()
  }
})

test('an entry that waits for others comes last, and one that is over goes by itself', async () => {
  await story.track('ENTR00000005', atSea('MSCU4000047', '2026-05-01T08:00:00-08:00'))
  await story.track('ENTR00000006', landed('MSCU4000052'))
  await story.says('MSCU4000052', 'holds', [{ name: 'customs', status: 'hold', description: null }])
  assert.ok((await numbers()).includes('MSCU4000052'))
  await story.api.pass(9 * 24)
  await story.says('MSCU4000052', 'holds', [])
  assert.ok(!(await numbers()).includes('MSCU4000052'))
  await story.api.pass(2 * 24)
  const last = (await list()).many().at(-1)
  assert.deepEqual([last?.attributes['group'], last?.attributes['days_left']], ['waiting', null])
})

test('a failed request is corrected with its references, and its entry goes', async () => {
  const { api, carrier } = story
  const missing = { status: 404, json: { statusCode: 404, errors: [] } }
  carrier.answers(missing, 'NONE00000001')
  await story.track('NONE00000001', [], { ref_numbers: ['PO-9'] })
  carrier.answers(missing, 'NONE00000001')
  await api.pass(8 * 24)
  const entry = await entryOf('NONE00000001')
  assert.equal(entry.attributes['group'], 'today')
  assert.match(JSON.stringify(entry.attributes['reasons']), /"short":"Not tracked: unknown to the line"/)
  const correct = (attributes: object, key = api.key) =>
    api.call({
      method: 'POST',
      url: `/v2/tracking_requests/${entry.id}/correct`,
      body: { data: { type: 'tracking_request', attributes } },
      key,
    })
  for (const [attributes, pointer] of [
    [{}, '/data/attributes'],
    [{ request_number: '?' }, '/data/attributes/request_number'],
    [{ scac: 'QQQQ' }, '/data/attributes/scac'],
  ] as const) {
    const refused = await correct(attributes)
    assert.deepEqual([refused.status, refused.error().source?.pointer], [422, pointer], refused.text)
  }
  const stranger = await api.newKey(await api.newAccount(), ['read', 'write'])
  assert.equal((await correct({ request_number: 'RIGHT0000001' }, stranger)).status, 404)
  assert.ok((await numbers()).includes('NONE00000001'))
  carrier.answers({ json: atSea('MSCU4000073', '2026-06-01T08:00:00-08:00') }, 'RIGHT0000001')
  const right = (await correct({ request_number: 'RIGHT0000001' })).one()
  assert.deepEqual(
    [right.attributes['request_number'], right.attributes['scac'], right.attributes['ref_numbers']],
    ['RIGHT0000001', 'ONEY', ['PO-9']],
  )
  assert.ok(!(await numbers()).includes('NONE00000001'))
})

test('a person states that a container was picked up, and it needs nobody until that is taken back', async () => {
  const { api } = story
  await story.track('ENTR00000007', landed('MSCU4000068'))
  await story.says('MSCU4000068', 'holds', [{ name: 'customs', status: 'hold', description: null }])
  const { id } = await entryOf('MSCU4000068')
  const state = (value: unknown) =>
    api.call({
      method: 'POST',
      url: `/v2/containers/${id}/statements`,
      body: { data: { type: 'statement', attributes: { says: 'picked_up', value, reason: null } } },
    })
  for (const value of ['soon', '2020-01-01', '2036-01-01']) {
    const refused = await state(value)
    assert.deepEqual([refused.status, refused.error().source?.pointer], [422, '/data/attributes/value'], value)
  }
  const today = new Date(api.clock.now()).toISOString().slice(0, 10)
  assert.equal((await state(today)).status, 201)
  assert.ok(!(await numbers()).includes('MSCU4000068'))
  const container = await api.call({ url: `/v2/containers/${id}?provenance=true` })
  assert.equal(container.one().attributes['current_status'], 'picked_up')
  assert.match(container.text, /The customer says that it was picked up/)
  assert.equal(container.one().attributes['pod_full_out_at'], null, 'only a source reports the gate-out')
  assert.equal((await state(null)).status, 201)
  assert.ok((await numbers()).includes('MSCU4000068'))
})

test('what was done a year ago is forgotten', async () => {
  const { pool } = story.api.service
  const rows = async () => (await pool.query('select from attention_snoozes')).rowCount
  await pruneAlerts(story.api.service)
  assert.ok(Number(await rows()) > 0)
  await pool.query(`update attention_snoozes set changed_at = changed_at - interval '1 year 2 days'`)
  await pruneAlerts(story.api.service)
  assert.equal(await rows(), 0)
})
