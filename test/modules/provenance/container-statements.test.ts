// Statements of people about a container: they have the person's name, can be replaced and withdrawn, and never
// overrule the source that is responsible for the fact.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createChannel } from '../../../src/modules/channels/channels.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { openTestApi, type TestApi, type WireResource } from '../../support/api.ts'
import { type Seeded, seededAt, seedShipment } from '../../support/seed.ts'

let api: TestApi
let seeded: Seeded
let url: string
let pierKey: string

before(async () => {
  api = await openTestApi({ startAt: seededAt })
  seeded = await seedShipment(api)
  url = `/v2/containers/${seeded.containerIds[0]}`
  const { id, isSandbox } = api.context.account
  const { key } = await createChannel(api.service, {
    name: 'pier',
    account: { id, isSandbox },
    speaker: { kind: 'terminal', code: 'W185' },
    source: 'statements',
    profile: {},
    isFirstHand: true,
    keyKind: 'bearer',
  })
  pierKey = key
})
after(async () => {
  await seeded.carrier.close()
  await api.close()
})

const state = (attributes: object, key = api.key) =>
  api.call({
    method: 'POST',
    url: `${url}/statements`,
    key,
    body: { data: { type: 'statement', attributes } },
  })
const takeBack = (id: string, key = api.key) => api.call({ method: 'DELETE', url: `${url}/statements/${id}`, key })
const listed = async () => (await api.call({ url: `${url}/statements` })).many()
const shown = async (query = ''): Promise<WireResource & { readonly meta: Record<string, unknown> }> => {
  const container = (await api.call({ url: `${url}${query}` })).one()
  return { meta: {}, ...container }
}
const read = ({ attributes }: WireResource) => [attributes['says'], attributes['value']]

/** What the terminal sends about the container. */
async function pierSays(says: string, value: unknown): Promise<void> {
  const answer = await api.app.inject({
    method: 'POST',
    url: '/v2/inbound/pier',
    payload: JSON.stringify({ id: `pier-${says}`, container: seeded.numbers[0], says, value }),
    headers: {
      'content-type': 'application/json',
      host: 'landfall.test',
      authorization: `Bearer ${pierKey}`,
    },
  })
  assert.equal(answer.statusCode, 202, answer.body)
  await api.drain()
}

test("shows a person's statement under the name of that person, with the reason", async () => {
  const answer = await state({ says: 'seal_number', value: ' A-77 ', reason: 'read off the door' })
  assert.equal(answer.status, 201, answer.text)
  const { id, attributes, relationships } = answer.one()
  assert.ok(String(answer.headers['location']).endsWith(`${url}/statements`))
  assert.equal(attributes['value'], 'A-77')
  assert.equal(attributes['reason'], 'read off the door')
  const by = attributes['stated_by'] as { readonly type: string; readonly id: string }
  assert.equal(by.type, 'api_key')
  assert.deepEqual(relationships?.['container']?.data, { type: 'container', id: seeded.containerIds[0] })
  const container = await shown('?provenance=true&fields[container]=seal_number')
  assert.equal(container.attributes['seal_number'], 'A-77')
  const { seal_number: explained } = container.meta['provenance'] as Record<
    string,
    { said: { source: object; claim_id: string } }
  >
  assert.deepEqual(explained?.said.source, { kind: 'user', code: by.id })
  assert.equal(explained?.said.claim_id, id)
  const changed = (await shown()).meta['last_changed_by'] as { readonly actor: { readonly id: string } }
  assert.equal(changed.actor.id, by.id)
})

test('includes the container of a statement on request', async () => {
  const { included } = (await api.call({ url: `${url}/statements?include=container` })).body
  assert.deepEqual(
    (included as readonly WireResource[]).map(({ type, id }) => [type, id]),
    [['container', seeded.containerIds[0]]],
  )
})

test('a new statement replaces the earlier statement of any user of the account', async () => {
  const colleague = await api.newKey(api.context, ['read', 'write'])
  const answer = await state({ says: 'seal_number', value: 'B-78' }, colleague)
  assert.deepEqual((await listed()).map(read), [['seal_number', 'B-78']])
  assert.equal((await shown()).attributes['seal_number'], 'B-78')
  const other = (await api.call({ url: `/v2/containers/${seeded.containerIds[1]}` })).one()
  assert.equal(other.attributes['seal_number'], null)
  const [entry] = (await api.call({ url: `${url}/history?page[size]=1` })).many()
  assert.ok(entry)
  assert.equal(entry.attributes['action'], 'state')
  assert.equal((entry.attributes['made_by'] as { kind: string }).kind, 'api_key')
  const gone = await takeBack(answer.one().id)
  assert.equal(gone.status, 200, gone.text)
  assert.equal(gone.one().attributes['stands'], false)
  assert.equal((await shown()).attributes['seal_number'], null)
  assert.deepEqual(await listed(), [])
  assert.equal((await takeBack(answer.one().id)).status, 404)
  const { rows } = await api.service.pool.query<{ action: string; diff: object }>(
    `select action, diff from audit_events where action = 'container.stated' order by id desc limit 2`,
  )
  const key = `seal_number ${seeded.numbers[0]}#1`
  assert.deepEqual(rows[0], { action: 'container.stated', diff: { [key]: ['B-78', null] } })
  assert.deepEqual(rows[1]?.diff, { [key]: ['A-77', 'B-78'] })
})

test('a null value withdraws the statement of a person, and is refused if there is no statement', async () => {
  await state({ says: 'chassis_number', value: 'CH1' })
  const answer = await state({ says: 'chassis_number', value: null, reason: 'wrong box' })
  assert.deepEqual([answer.status, ...read(answer.one())], [201, 'chassis_number', 'CH1'])
  assert.deepEqual(await listed(), [])
  const again = await state({ says: 'chassis_number', value: null })
  assert.equal(again.status, 422)
  assert.equal(again.body.errors?.[0]?.source?.['pointer'], '/data/attributes/value')
})

test('accepts only facts that a person may state, in their form, and a refusal names the field', async () => {
  const refusals: readonly (readonly [attributes: object, pointer: string])[] = [
    [{ says: 'vessel_arrived', value: '2026-02-01' }, '/data/attributes/says'],
    [{ says: 'pod_terminal', value: 'USLAX' }, '/data/attributes/says'],
    [{ says: 'constructor', value: 'x' }, '/data/attributes/says'],
    [{ says: 'seal_number' }, '/data/attributes/value'],
    [{ says: 'seal_number', value: 7 }, '/data/attributes/value'],
    [{ says: 'seal_number', value: '   ' }, '/data/attributes/value'],
    [{ says: 'pickup_lfd_terminal', value: 'tomorrow' }, '/data/attributes/value'],
    [{ says: 'hold', value: { name: 'frieght', status: 'hold' } }, '/data/attributes/value/name'],
    [{ says: 'hold', value: null }, '/data/attributes/value'],
    [{ says: 'delivered', value: '2031-01-01' }, '/data/attributes/value'],
    [{ says: 'delivered', value: '2020-01-01' }, '/data/attributes/value'],
    [{ says: 'seal_number', value: 'x', at: '2026-01-01' }, '/data/attributes/at'],
    [{ says: 'seal_number', value: 'x', stated_at: '2026-01-01' }, '/data/attributes/stated_at'],
  ]
  for (const [attributes, pointer] of refusals) {
    const answer = await state(attributes)
    assert.equal(answer.status, 422, `${JSON.stringify(attributes)} ${answer.text}`)
    assert.deepEqual(answer.body.errors?.[0]?.source, { pointer }, answer.text)
  }
  assert.deepEqual(await listed(), [])
})

test('a person states each hold and each fee separately by name', async () => {
  await state({ says: 'hold', value: { name: 'customs', status: 'hold', description: 'exam' } })
  const usda = await state({ says: 'hold', value: { name: 'USDA', status: 'hold' } })
  await state({ says: 'fee', value: { type: 'demurrage', status: 'due', amount: 120.5, currency: 'USD' } })
  const { attributes } = await shown()
  const names = (attributes['holds_at_pod_terminal'] as { name: string }[]).map(({ name }) => name)
  assert.deepEqual(names, ['USDA', 'customs'])
  assert.deepEqual(attributes['fees_at_pod_terminal'], [{ type: 'demurrage', amount: 120.5, currency_code: 'USD' }])
  await state({ says: 'hold', value: { name: 'customs', status: 'released' } })
  await takeBack(usda.one().id)
  assert.deepEqual((await shown()).attributes['holds_at_pod_terminal'], [])
  assert.equal((await listed()).length, 2)
})

test('both endpoints for a delivery change the same statement', async () => {
  const patch = (delivered_at: string | null) =>
    api.call({
      method: 'PATCH',
      url,
      body: { data: { type: 'container', attributes: { delivered_at } } },
    })
  assert.equal((await patch('2026-02-07T12:00:00Z')).status, 200)
  const delivered = async () => (await listed()).filter(({ attributes }) => attributes['says'] === 'delivered')
  assert.equal((await delivered())[0]?.attributes['value'], '2026-02-07T12:00:00Z')
  assert.equal((await state({ says: 'delivered', value: '2026-02-08T12:00:00Z' })).status, 201)
  assert.equal((await delivered()).length, 1)
  assert.equal((await shown()).attributes['delivered_at'], '2026-02-08T12:00:00Z')
  assert.equal((await patch(null)).status, 200)
  assert.deepEqual(await delivered(), [])
  assert.equal((await shown()).attributes['delivered_at'], null)
  await state({ says: 'delivered', value: '2026-02-08' })
  assert.equal((await shown()).attributes['current_status'], 'delivered')
  await takeBack((await delivered())[0]?.id ?? '')
  assert.notEqual((await shown()).attributes['current_status'], 'delivered')
})

test('believes a terminal that contradicts a person; the contradiction is an issue, explained with both values', async () => {
  const mine = await state({ says: 'pickup_lfd_terminal', value: '2026-03-14', reason: 'by phone' })
  await state({ says: 'hold', value: { name: 'freight', status: 'released' } })
  const same = await state({ says: 'yard_location', value: 'row 7' })
  const issues = async () =>
    (await api.call({ url: `/v2/issues?filter[shipment_id]=${seeded.shipmentId}&filter[kind]=contradicted` }))
      .many()
      .filter(({ attributes }) => String(attributes['detail']).includes('terminal W185'))
  assert.deepEqual(await issues(), [])
  await pierSays('pickup_lfd_terminal', '2026-03-12')
  await pierSays('hold', { name: 'freight', status: 'hold' })
  await pierSays('yard_location', 'ROW-7')
  const found = await issues()
  assert.equal(found.length, 2)
  const issue = found.find(({ attributes }) => attributes['raw_event_id'] === mine.one().id)
  const by = mine.one().attributes['stated_by'] as { readonly id: string }
  assert.equal(issue?.attributes['detail'], `pickup_lfd_terminal: terminal W185 is believed over user ${by.id}`)
  assert.equal(issue?.attributes['lost'], 'nothing')
  assert.ok(!found.some(({ attributes }) => attributes['raw_event_id'] === same.one().id))
  const lfd = 'import_deadlines.pickup_lfd_terminal'
  const explained = (await shown('?provenance=true')).meta['provenance'] as Record<
    string,
    { said: { source: object }; losers: { claim_id: string; source: object; why: string }[] }
  >
  assert.deepEqual(explained[lfd]?.said.source, { kind: 'terminal', code: 'W185' })
  assert.deepEqual(
    explained[lfd]?.losers.map(({ claim_id, why }) => [claim_id, why]),
    [[mine.one().id, 'a source that is believed more on this']],
  )
  assert.deepEqual(
    ((await shown()).attributes['holds_at_pod_terminal'] as { name: string }[]).map(({ name }) => name),
    ['freight'],
  )
})

test('believes a terminal also if a person contradicts it later, and reports the contradiction', async () => {
  await pierSays('chassis_number', 'CH9')
  const mine = await state({ says: 'chassis_number', value: 'CH8' })
  assert.equal((await shown()).attributes['pod_full_out_chassis_number'], 'CH9')
  const issues = (await api.call({ url: '/v2/issues?filter[kind]=contradicted' })).many()
  assert.ok(issues.some(({ attributes }) => attributes['raw_event_id'] === mine.one().id))
})

test('a pick-up number that a person states is shown only at its own address, and only to the account', async () => {
  const secret = 'PIN-4711-SECRET'
  const answer = await state({ says: 'pickup_number', value: secret })
  assert.equal(answer.status, 201)
  const texts = [
    answer.text,
    (await api.call({ url: `${url}/statements` })).text,
    (await api.call({ url: `${url}?provenance=true` })).text,
    (await api.call({ url: `${url}/history` })).text,
    JSON.stringify((await api.service.pool.query('select diff from audit_events')).rows),
  ]
  for (const text of texts) assert.ok(!text.includes(secret), text)
  const own = await api.call({ url: `${url}/pickup_number` })
  assert.equal(own.status, 200)
  assert.equal(JSON.parse(own.text).pickup_number, secret)
  assert.equal(JSON.parse(own.text).said_by.kind, 'user')
  const stranger = await api.newKey(await api.newAccount(), ['read', 'write'])
  assert.equal((await api.call({ url: `${url}/pickup_number`, key: stranger })).status, 404)
  const writer = await api.newKey(api.context, ['write'])
  assert.equal((await api.call({ url: `${url}/pickup_number`, key: writer })).status, 403)
  assert.equal((await api.call({ url: `${url}/pickup_number?include=shipment` })).status, 400)
})

test('other accounts get 404, and a read-only key changes nothing', async () => {
  const stranger = await api.newKey(await api.newAccount(), ['read', 'write'])
  const [standing] = await listed()
  const attributes = { says: 'seal_number', value: 'X' }
  assert.equal((await state(attributes, stranger)).status, 404)
  assert.equal((await takeBack(standing?.id ?? '', stranger)).status, 404)
  assert.equal((await api.call({ url: `${url}/statements`, key: stranger })).status, 404)
  const reader = await api.newKey(api.context, ['read'])
  assert.equal((await state(attributes, reader)).status, 403)
  assert.equal((await takeBack(standing?.id ?? '', reader)).status, 403)
  const elsewhere = `/v2/containers/${seeded.containerIds[1]}/statements/${standing?.id}`
  assert.equal((await api.call({ method: 'DELETE', url: elsewhere })).status, 404)
})

test('the history shows a stated fact and a change of reference numbers as separate changes', async () => {
  const other = `/v2/containers/${seeded.containerIds[1]}`
  const patch = (attributes: object) => api.call({ method: 'PATCH', url: other, body: { data: { attributes } } })
  api.clock.advance(60_000)
  const secondKey = await api.newKey(api.context, ['read', 'write'])
  assert.equal((await patch({ ref_numbers: ['PO 1'], delivered_at: '2026-01-08T10:00:00Z' })).status, 200)
  const at = new Date(api.clock.now()).toISOString()
  const byFirst = (await api.call({ url: other })).one() as unknown as { meta: Record<string, unknown> }
  api.clock.advance(60_000)
  const body = { data: { attributes: { ref_numbers: ['PO 2'], delivered_at: null } } }
  assert.equal((await api.call({ method: 'PATCH', url: other, key: secondKey, body })).status, 200)
  const then = (await api.call({ url: `${other}?as_of=${at}` })).one() as unknown as typeof byFirst
  assert.deepEqual(then.meta['last_changed_by'], byFirst.meta['last_changed_by'])
  const history = (await api.call({ url: `${other}/history` })).many()
  const [taken, refs, said] = history.map(({ attributes }) => [attributes['cause'], attributes['action']])
  assert.deepEqual(
    [taken, refs, said],
    [
      ['heard', 'state'],
      ['user_action', 'update_container'],
      ['heard', 'state'],
    ],
  )
  const { rows } = await api.service.pool.query(
    `select 1 from ledger where kind = 'user_action' and (payload ? 'delivered' or payload ->> 'action' = 'state')`,
  )
  assert.equal(rows.length, 0)
})

test('a rebuild from the ledger gives the same containers that the API serves', async () => {
  const fold = foldBy(readRules(api.service.config))
  const options = { repair: false, differencesMax: 20, progress: () => {} }
  const report = await rebuildProjections(api.service, fold, options)
  assert.deepEqual(report.differences, [])
})
