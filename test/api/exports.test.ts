/** Lists as plain JSON, NDJSON and CSV: the same rows, complete, safe in a spreadsheet, and ended with their client. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import { openTestApi, type TestApi } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { containerIdOf, insertListed, shipmentIdOf } from '../support/listed.ts'
import { atScale } from '../support/scale.ts'

let api: TestApi
let otherKey: string
const many = 1_300

before(async () => {
  api = await openTestApi()
  const { pool } = api.service
  await insertListed(pool, api.context.account.id, '0001', [
    { n: 1, pod: 'USLAX', refs: ['=HYPERLINK("http://evil.example")', 'PO "1", two'] },
    { n: 2, pod: 'USLAX', refs: ['@SUM(1)'], tags: ['blue'] },
    { n: 3, pod: 'NLRTM', refs: ['+1', '-2'] },
  ])
  const other = await api.newAccount()
  otherKey = await api.newKey(other, ['read'])
  await pool.query(
    `insert into tracking_requests (account_id, id, request_type, request_number, number, scac, status, lifecycle, created_at, updated_at)
     select $1, gen_random_uuid(), 'container', 'TEST' || n, 'TEST' || n, 'TEST', 'failed', '{}', now(), now()
       from generate_series(1, $2::integer) as n`,
    [other.account.id, many],
  )
})
after(() => api.close())

const lines = (text: string): readonly Record<string, unknown>[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('plain JSON', () => {
  const headers = { accept: 'application/json;profile=flat' }

  test('a resource is one object with id, type, its attributes, and the type and id of each related resource', async () => {
    const url = `/v2/containers/${containerIdOf('0001', 1, 1)}`
    const answer = await api.call({ url, headers })
    assert.equal(answer.headers['content-type'], 'application/json;profile=flat')
    assert.equal(answer.body['id'], containerIdOf('0001', 1, 1))
    assert.equal(answer.body['type'], 'container')
    assert.equal(answer.body['number'], 'MSCU0000011')
    assert.deepEqual(answer.body['shipment'], { type: 'shipment', id: shipmentIdOf('0001', 1) })
    assert.equal(answer.body.data, undefined)
    const tag = String(answer.headers['etag'])
    assert.equal((await api.call({ url, headers: { ...headers, 'if-none-match': tag } })).status, 304)
    assert.equal((await api.call({ url, headers: { 'if-none-match': tag } })).status, 200, 'another form')
  })

  test('a list has items with included resources nested, and only the requested fields', async () => {
    const answer = await api.call({
      url: '/v2/shipments?filter[tags]=blue&include=containers,port_of_discharge&fields[container]=number,shipment&fields[port]=code',
      headers,
    })
    const [item] = answer.body['items'] as readonly Record<string, unknown>[]
    assert.equal(answer.body.meta?.['total'], 1)
    assert.equal((item?.['port_of_discharge'] as { code?: string } | undefined)?.code, 'USLAX')
    assert.deepEqual(item?.['containers'], [
      {
        id: containerIdOf('0001', 2, 1),
        type: 'container',
        number: 'MSCU0000021',
        shipment: { type: 'shipment', id: shipmentIdOf('0001', 2) },
      },
      {
        id: containerIdOf('0001', 2, 2),
        type: 'container',
        number: 'MSCU0000022',
        shipment: { type: 'shipment', id: shipmentIdOf('0001', 2) },
      },
    ])
  })

  test('error answers have the same form', async () => {
    const answer = await api.call({ url: '/v2/containers?sort=odd', headers })
    assert.equal(answer.error().source?.parameter, 'sort')
  })
})

describe('exports', () => {
  test('NDJSON has one line for each matching row, selected by Accept or by ?format', async () => {
    const byAccept = await api.call({
      url: '/v2/containers?filter[port_of_discharge]=USLAX',
      headers: { accept: 'application/x-ndjson' },
    })
    assert.equal(byAccept.headers['content-type'], 'application/x-ndjson')
    assert.deepEqual(
      lines(byAccept.text)
        .map(({ number }) => number)
        .toSorted(),
      ['MSCU0000011', 'MSCU0000012', 'MSCU0000021', 'MSCU0000022'],
    )
    const byFormat = await api.call({ url: '/v2/containers?format=ndjson&filter[port_of_discharge]=USLAX' })
    assert.equal(byFormat.text, byAccept.text)
  })

  test('an export of more rows than one batch is complete and has no duplicates', async () => {
    const answer = await api.call({ url: '/v2/tracking_requests?format=ndjson', key: otherKey })
    const ids = lines(answer.text).map(({ id }) => id)
    assert.equal(ids.length, many)
    assert.equal(new Set(ids).size, many)
  })

  test('CSV starts with a header row, and spreadsheet formulas are escaped', async () => {
    const answer = await api.call({
      url: '/v2/containers?sort=number&fields[container]=number,ref_numbers,shipment,holds_at_pod_terminal',
      headers: { accept: 'text/csv' },
    })
    assert.match(String(answer.headers['content-type']), /^text\/csv/)
    const rows = parse(answer.text, { columns: true }) as readonly Record<string, string>[]
    assert.deepEqual(Object.keys(rows[0] ?? {}), [
      'id',
      'number',
      'ref_numbers',
      'holds_at_pod_terminal',
      'shipment.id',
    ])
    assert.deepEqual(
      rows.map(({ ref_numbers }) => ref_numbers),
      [
        `'=HYPERLINK("http://evil.example"); PO "1", two`,
        `'=HYPERLINK("http://evil.example"); PO "1", two`,
        `'@SUM(1)`,
        `'@SUM(1)`,
        `'+1; -2`,
        `'+1; -2`,
      ],
    )
    assert.equal(rows[0]?.['shipment.id'], shipmentIdOf('0001', 1))
  })

  test('a CSV export includes related resources, one level deep', async () => {
    const answer = await api.call({
      url: '/v2/containers?format=csv&include=shipment&fields[container]=number&fields[shipment]=bill_of_lading_number',
    })
    assert.equal(answer.text.split('\r\n')[0], 'id,number,shipment.id,shipment.bill_of_lading_number')
    for (const include of ['raw_events', 'shipment.containers']) {
      const refused = await api.call({ url: `/v2/containers?format=csv&include=${include}` })
      assert.equal(refused.status, 400, include)
      assert.equal(refused.error().source?.parameter, 'include')
    }
  })

  test('without results, CSV has only the header row, and NDJSON is empty', async () => {
    const none = 'filter[number]=NONE0000000'
    const table = await api.call({ url: `/v2/containers?format=csv&fields[container]=number&${none}` })
    assert.equal(table.text, 'id,number\r\n')
    assert.equal((await api.call({ url: `/v2/containers?format=ndjson&${none}` })).text, '')
  })

  test('page parameters, unknown filters and lists without export are refused', async () => {
    const paged = await api.call({ url: '/v2/containers?format=csv&page[size]=5' })
    assert.equal(paged.error().source?.parameter, 'page[size]')
    assert.equal((await api.call({ url: '/v2/containers?format=csv&odd=1' })).status, 400)
    assert.equal((await api.call({ url: '/v2/parties', headers: { accept: 'text/csv' } })).status, 406)
  })

  test('another account exports only its own rows', async () => {
    const answer = await api.call({ url: '/v2/containers?format=ndjson', key: otherKey })
    assert.equal(answer.text, '')
  })

  test('the export stops reading when the client disconnects', async () => {
    const { pool } = api.service
    const { account } = await api.newAccount()
    const key = await api.newKey({ ...api.context, account }, ['read'])
    const rows = atScale(30_000, 15_000)
    await pool.query(
      `insert into tracking_requests (account_id, id, request_type, request_number, number, scac, status, lifecycle, created_at, updated_at)
       select $1, gen_random_uuid(), 'container', 'TEST' || n, 'TEST' || n, 'TEST', 'failed', '{}', now(), now()
         from generate_series(1, $2::integer) as n`,
      [account.id, rows],
    )
    let asked = 0
    const { query } = pool
    pool.query = ((...given: unknown[]) => {
      if (String((given[0] as { text?: string }).text).includes('tracking_requests r')) asked += 1
      return (query as (...args: unknown[]) => unknown).apply(pool, given)
    }) as typeof query
    try {
      const address = new URL(await api.app.listen({ host: '127.0.0.1', port: 0 }))
      const client = request({
        host: address.hostname,
        port: address.port,
        path: '/v2/tracking_requests?format=ndjson',
        headers: { authorization: `Token ${key}` },
      })
      client.end()
      const [response] = (await once(client, 'response')) as [NodeJS.ReadableStream]
      await once(response, 'data')
      client.on('error', () => {})
      client.destroy()
      // The server notices the disconnection at its socket, and then sends no more statements.
      await eventually(
        async () => {
          const askedThen = asked
          await pause(300)
          return asked === askedThen
        },
        { late: () => 'it goes on asking' },
      )
      assert.ok(asked < rows / 500, `${asked} batches of ${rows / 500} were read`)
    } finally {
      pool.query = query
    }
  })
})
