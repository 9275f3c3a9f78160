// A table about containers has the statements of a channel's speaker: its rows are accepted, stored and used like every
// message.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createChannel } from '../../../src/modules/channels/channels.ts'
import { workImports } from '../../../src/modules/imports/work-imports.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { openCommandLine } from '../../support/command-line.ts'
import { findInClear } from '../../support/find-in-clear.ts'
import { giveAccess } from '../../support/service.ts'
import { journey } from '../../support/tracking-harness.ts'

let api: TestApi
let carrier: Carrier
let url = ''
const bill = 'HLCUTABL00000001'
const box = 'LDFU1000018'
const { landfall, folder } = openCommandLine(() => ({ LANDFALL_API_KEY: api.key, LANDFALL_API_URL: url }))

before(async () => {
  api = await openTestApi({ startAt: '2026-02-01T00:00:00Z' })
  url = await api.app.listen({ host: '127.0.0.1', port: 0 })
  carrier = await openCarrier()
  await giveAccess(api, { scac: 'HLCU', profile: carrier.profile('HLCU') })
  const { id, isSandbox } = api.context.account
  const speaker = { kind: 'terminal', code: 'Y258' } as const
  const common = { speaker, profile: {}, isFirstHand: true, keyKind: 'bearer' } as const
  const foreign = (await api.newAccount()).account
  for (const [name, account, source] of [
    ['pier', { id, isSandbox }, 'statements'],
    ['pier-edi', { id, isSandbox }, 'x12'],
    ['pier-of-all', null, 'statements'],
    ['pier-of-others', { id: foreign.id, isSandbox: foreign.isSandbox }, 'statements'],
  ] as const)
    await createChannel(api.service, { ...common, name, account, source })
  carrier.answers({ json: journey(bill, 'discharged') })
  const attributes = { request_type: 'bill_of_lading', request_number: bill, scac: 'HLCU' }
  const body = { data: { type: 'tracking_request', attributes } }
  assert.equal((await api.call({ method: 'POST', url: '/v2/tracking_requests', body })).status, 201)
  await api.drain()
})
after(async () => {
  await carrier.close()
  await api.close()
})

/** Each is a second after the one before: of two with the same time neither is the later one. */
const send = (body: string, query: string) => {
  api.clock.advance(1_000)
  return api.call({
    method: 'POST',
    url: `/v2/imports${query}`,
    body,
    headers: { 'content-type': 'text/csv' },
  })
}
const read = async (id: string) => (await api.call({ url: `/v2/imports/${id}` })).one().attributes
const rowsOf = async (id: string) =>
  (await api.call({ url: `/v2/imports/${id}/rows` })).many().map(({ attributes }) => attributes as unknown as Row)
interface Row {
  readonly row_number: number
  readonly status: string
  readonly statements: number | null
  readonly inbound_message_id: string | null
  readonly errors: readonly { readonly field: string | null; readonly detail: string }[]
}
const container = async () =>
  (await api.call({ url: `/v2/containers?filter[number]=${box}` })).many()[0]?.attributes ?? assert.fail('no box')
const count = async (from: string): Promise<number> =>
  (await api.service.pool.query(`select count(*)::int as n from ${from}`)).rows[0].n

const table = (lfd: string, hold: string) =>
  `Availability of 1 February\n\nContainer,B/L,LFD,Customs Hold,Yard,Discharged\n${box},${bill},${lfd},${hold},A-12,\n`

test('stores pick-up numbers and unknown columns of a table only encrypted', async () => {
  const rows = `Container,B/L,LFD,Pickup Number,Consignee\n${box},${bill},2026-02-06,PIN-4711-SECRET,Still House Trading\n`
  assert.equal((await send(rows, '?channel=pier')).status, 202)
  await api.drain()
  for (const word of ['PIN-4711-SECRET', 'Still House'])
    assert.deepEqual(await findInClear(api.service.pool, word), [], word)
  assert.deepEqual(await findInClear(api.service.pool, 'Row 2 of a table.'), ['import_rows.input'])
})

test('uses rows through the channel, and names an invalid row or cell without stopping the others', async () => {
  const more = [
    'LDFA1000019,,2026-02-09,,,',
    ',,2026-02-09,,,',
    `${box},${bill},05/06/2026,,B-7,`,
    `${box},${bill},,,,2031-01-01`,
    `${box},?,2026-02-09,,,`,
    'MSCU4000005,,2026-02-09,,,',
    `${box},,,,,`,
  ]
  const answer = await send(table('2026-02-07', 'Yes') + more.join('\n'), '?channel=pier&file_name=list.csv')
  assert.equal(answer.status, 202, answer.text)
  const { id, attributes } = answer.one()
  assert.deepEqual(
    [attributes['status'], attributes['channel'], attributes['waiting'], attributes['invalid']],
    ['working', 'pier', 3, 5],
  )
  await api.drain()
  const done = await read(id)
  assert.deepEqual(
    [done['status'], done['total'], done['taken'], done['partly'], done['invalid']],
    ['done', 8, 2, 1, 5],
  )
  const rows = await rowsOf(id)
  assert.deepEqual(
    rows.map(({ row_number, status, statements, errors }) => [row_number, status, statements, errors[0]?.field]),
    [
      [4, 'taken', 3, undefined],
      [5, 'invalid', null, 'container_number'],
      [6, 'invalid', null, 'container_number'],
      [7, 'partly', 1, 'last_free_day'],
      [8, 'invalid', null, 'vessel_discharged'],
      [9, 'invalid', null, 'bill_of_lading_number'],
      [10, 'taken', 1, undefined],
      [11, 'invalid', null, 'container_number'],
    ],
  )
  const shown = await container()
  assert.equal(String(shown['pickup_lfd']).slice(0, 10), '2026-02-07')
  assert.match(JSON.stringify(shown['holds_at_pod_terminal']), /customs/)
  const message = await api.call({ url: `/v2/inbound_messages/${rows[0]?.inbound_message_id}` })
  assert.equal(message.one().attributes['channel'], 'pier')
  const { text } = await api.call({ url: `/v2/inbound_messages/${rows[0]?.inbound_message_id}/body` })
  assert.match(text, /"note":"Row 4 of a table\."/)
  const fold = foldBy(readRules(api.service.config))
  const report = await rebuildProjections(api.service, fold, {
    repair: false,
    differencesMax: 20,
    progress: () => {},
  })
  assert.deepEqual(report.differences, [])
})

test('uses a table once for each written_at, and marks a repetition as repeated', async () => {
  const before = await count('mentions')
  const query = '?channel=pier&written_at=2026-01-31T10:00:00-08:00'
  const [first, second] = [await send(table('2026-02-08', 'No'), query), await send(table('2026-02-08', 'No'), query)]
  await api.drain()
  assert.deepEqual(
    [(await rowsOf(first.one().id))[0]?.status, (await rowsOf(second.one().id))[0]?.status],
    ['taken', 'repeated'],
  )
  assert.equal(await count('mentions'), before + 3)
  const plain = await send(table('2026-02-09', 'No'), '?channel=pier')
  await api.drain()
  const [claims, events] = [await count('claims'), await count('events')]
  const again = await send(table('2026-02-09', 'No'), '?channel=pier')
  await api.drain()
  for (const each of [plain, again]) assert.equal((await rowsOf(each.one().id))[0]?.status, 'taken')
  assert.deepEqual([await count('claims'), await count('events')], [claims, events])
  assert.deepEqual((await container())['holds_at_pod_terminal'], [])
  const held = await send(table('2026-02-09', 'Yes'), '?channel=pier')
  await api.drain()
  assert.equal((await read(held.one().id))['taken'], 1)
  assert.match(JSON.stringify((await container())['holds_at_pod_terminal']), /customs/)
})

test('a dry run reads every row and a preview shows the statements, and neither sends anything', async () => {
  const before = await count('inbound_messages')
  const body = `${table('2026-02-07', 'perhaps')}${box},,2026-02-07,,,\n`
  const { id, attributes } = (await send(body, '?channel=pier&dry_run=true')).one()
  assert.deepEqual(
    [attributes['status'], attributes['valid'], attributes['partly'], attributes['invalid']],
    ['done', 1, 1, 0],
  )
  assert.deepEqual((await rowsOf(id))[0]?.errors[0]?.field, 'hold_customs')
  const preview = await send(body, '/preview?channel=pier')
  const { meta } = JSON.parse(preview.text)
  assert.equal(meta.readable, 2)
  assert.deepEqual(meta.rows[0].statements[0], {
    container: box,
    bill,
    says: 'pickup_lfd_terminal',
    value: '2026-02-07',
    note: 'Row 4 of a table.',
  })
  await api.drain()
  assert.equal(await count('inbound_messages'), before)
})

test('an import that is killed after its rows were stored continues, and uses no row twice', async () => {
  const { id } = (await send(table('2026-02-11', 'No'), '?channel=pier')).one()
  const { pool } = api.service
  await pool.query(
    `create function killed() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`,
  )
  await pool.query('create trigger killed before update on import_rows for each row execute function killed()')
  await pool.query(
    'create trigger killed before update on imports for each row when (new.leased_until is null) execute function killed()',
  )
  await assert.rejects(workImports(api.service), /killed/)
  await pool.query('drop function killed cascade')
  const mentions = await count('mentions')
  assert.equal((await read(id))['waiting'], 1)
  api.clock.advance(301_000)
  await api.drain()
  assert.deepEqual([(await read(id))['taken'], await count('mentions')], [1, mentions])
})

test('answers 404 for a channel that the account does not have, and 422 for a query that does not fit the channel', async () => {
  for (const name of ['pier-of-others', 'pier-of-all', 'nowhere']) {
    for (const path of ['', '/preview']) {
      const answer = await send(table('2026-02-07', 'Yes'), `${path}?channel=${name}`)
      assert.deepEqual([name, answer.status], [name, 404])
    }
  }
  for (const query of [
    '?channel=pier-edi',
    '?channel=pier&scac=HLCU',
    '?channel=pier&auto_detect_vocc_scac=true',
    '?channel=pier&written_at=2026-02-03',
    '?channel=pier&written_at=2026-02-03T10:00',
    '?channel=pier&written_at=2027-02-03T10:00:00Z',
    '?written_at=2026-02-03T10:00:00Z',
  ])
    assert.deepEqual([query, (await send(table('2026-02-07', 'Yes'), query)).status], [query, 422])
  const reader = await api.newKey(api.context, ['read'])
  const answer = await api.call({
    method: 'POST',
    url: '/v2/imports?channel=pier',
    key: reader,
    body: table('2026-02-07', 'Yes'),
    headers: { 'content-type': 'text/csv' },
  })
  assert.equal(answer.status, 403)
})

test('the command sends a table through a channel, and reports invalid cells', async () => {
  const file = join(folder, 'availability.csv')
  writeFileSync(file, table('05/06/2026', 'Yes'))
  const preview = await landfall('import', file, '--channel', 'pier', '--preview')
  assert.match(preview.out, new RegExp(`row 4: ${box} hold .*customs.*row 4, last_free_day: `, 's'))
  let drained: Promise<unknown> = Promise.resolve()
  const working = setInterval(() => {
    drained = drained.then(() => api.drain())
  }, 200)
  try {
    const sent = await landfall('import', file, '--channel', 'pier')
    assert.deepEqual([sent.code, /1 rows, 1 partly\n {2}row 4, last_free_day: /.test(sent.out)], [1, true], sent.out)
    const map = await landfall('import', file, '--channel', 'pier', '--map', 'terminal')
    assert.equal(map.code, 1)
    const columns = { data: { type: 'column_map', attributes: { day_format: 'DD/MM/YYYY' } } }
    await api.call({ method: 'PUT', url: '/v2/column_maps/terminal', body: columns })
    const mapped = await landfall('import', file, '--channel', 'pier', '--map', 'terminal')
    assert.deepEqual([mapped.code, /1 rows, 1 taken/.test(mapped.out)], [0, true], mapped.err)
  } finally {
    clearInterval(working)
    await drained
  }
})
