// A table of numbers becomes tracking requests: each row has its result, none is made twice, none is lost.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Context } from '../../../src/modules/access/context.ts'
import { workImports } from '../../../src/modules/imports/work-imports.ts'
import { textRows, workbookParts, zipOf } from '../../connectors/spreadsheets/write-xlsx.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { openCommandLine } from '../../support/command-line.ts'
import { atScale } from '../../support/scale.ts'
import { giveAccess } from '../../support/service.ts'

let api: TestApi
let carrier: Carrier
let account: Context
let key: string
let foreignKey: string

before(async () => {
  api = await openTestApi({
    startAt: '2026-02-01T00:00:00Z',
    env: {
      LANDFALL_RATE_LIMIT_CREATE: '5',
      LANDFALL_RATE_LIMIT_REHEARSE: '20',
      LANDFALL_RATE_LIMIT_STORE: 'database',
    },
  })
  carrier = await openCarrier()
  await giveAccess(api, { scac: 'HLCU', profile: carrier.profile('HLCU') })
  foreignKey = await api.newKey(await api.newAccount(), ['read', 'write'])
})
after(async () => {
  await carrier.close()
  await api.close()
})
/** Each test has its own account, and so its own queue and rate limit. */
beforeEach(async () => {
  account = await api.newAccount()
  key = await api.newKey(account, ['read', 'write'])
})

let made = 0
const bills = (count: number): readonly string[] =>
  Array.from({ length: count }, () => {
    made += 1
    return `HLCUIMPRT${String(made).padStart(7, '0')}`
  })

const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const send = (
  body: string | Buffer,
  more: {
    readonly query?: string
    readonly as?: string
    readonly headers?: Record<string, string>
    readonly path?: string
  } = {},
) =>
  api.call({
    method: 'POST',
    url: `/v2/imports${more.path ?? ''}${more.query === undefined ? '' : `?${more.query}`}`,
    key: more.as ?? key,
    body,
    headers: { 'content-type': 'text/csv', ...more.headers },
  })
const read = async (id: string) => (await api.call({ url: `/v2/imports/${id}`, key })).one().attributes
const rowsOf = async (id: string, query = 'page[size]=100') =>
  (await api.call({ url: `/v2/imports/${id}/rows?${query}`, key }))
    .many()
    .map(({ attributes }) => attributes as unknown as Row)
interface Row {
  readonly row_number: number
  readonly status: string
  readonly request_number: string | null
  readonly tracking_request_id: string | null
  readonly errors: readonly {
    readonly code: string
    readonly field: string | null
    readonly detail: string
    readonly meta?: object
  }[]
}
const putMap = (name: string, attributes: object, as = key) =>
  api.call({
    method: 'PUT',
    url: `/v2/column_maps/${name}`,
    key: as,
    body: { data: { type: 'column_map', attributes } },
  })
/** In the order in which they were made. */
const requestsOf = async (): Promise<readonly string[]> => {
  const { rows } = await api.service.pool.query(
    `select payload ->> 'requestNumber' as number from ledger
      where account_id = $1 and kind = 'request_created' order by position`,
    [account.account.id],
  )
  return rows.map(({ number }) => number as string)
}
const minute = async (): Promise<void> => {
  api.clock.advance(61_000)
  await api.drain()
}

test('each row becomes a request, in order and within the limit, and shows its result', async () => {
  const [one = '', two = '', three = '', ...more] = bills(8)
  const lines = [
    `${one},HLCU,PO 1; PO 2,spring`,
    `${two},Hapag-Lloyd,,`,
    `?,HLCU,,`,
    `${three},XXXX,,`,
    `,HLCU,no number,`,
    ` ${one.toLowerCase()} ,HLCU,,`,
    `${three},,,`,
    '#N/A,HLCU,,',
    ...more.map((number) => `${number},HLCU,,`),
  ]
  const answer = await send(`My shipments\n\nMaster B/L,Carrier,PO Number,Tags\n${lines.join('\n')}\n`, {
    query: 'file_name=list.csv',
  })
  assert.equal(answer.status, 202)
  const { id, attributes } = answer.one()
  assert.equal(answer.headers['location'], `http://localhost:80/v2/imports/${id}`)
  assert.deepEqual(
    [attributes['status'], attributes['total'], attributes['waiting'], attributes['file_name']],
    ['working', 13, 8, 'list.csv'],
  )
  await api.drain()
  assert.deepEqual(await requestsOf(), [one, two, ...more.slice(0, 2)])
  const half = await read(id)
  assert.deepEqual(
    [half['status'], half['created'], half['queued'], half['duplicate'], half['invalid']],
    ['working', 4, 3, 1, 5],
  )
  assert.notEqual(half['done_at_earliest'], null)
  await minute()
  const done = await read(id)
  assert.deepEqual([done['status'], done['created'], done['queued']], ['done', 7, 0])
  const rows = await rowsOf(id)
  assert.deepEqual(
    rows.slice(0, 8).map(({ row_number, status, errors }) => [row_number, status, errors[0]?.code, errors[0]?.field]),
    [
      [4, 'created', undefined, undefined],
      [5, 'created', undefined, undefined],
      [6, 'invalid', 'invalid', 'bill_of_lading_number'],
      [7, 'invalid', 'unknown_scac', 'scac'],
      [8, 'invalid', 'invalid', 'request_number'],
      [9, 'duplicate', 'duplicate', 'bill_of_lading_number'],
      [10, 'invalid', 'invalid', 'scac'],
      [11, 'invalid', 'invalid', 'bill_of_lading_number'],
    ],
  )
  assert.deepEqual(rows[5]?.errors[0]?.meta, { row: 4 })
  const first = await api.call({ url: `/v2/tracking_requests/${rows[0]?.tracking_request_id}`, key })
  assert.deepEqual(
    [first.one().attributes['ref_numbers'], first.one().attributes['request_number']],
    [['PO 1', 'PO 2'], one],
  )
  assert.deepEqual((await rowsOf(id, 'filter[status]=duplicate')).length, 1)
  const again = await send(`MBL,SCAC\n${one},HLCU\n`)
  await api.drain()
  const [known] = await rowsOf(again.one().id)
  assert.deepEqual(known?.errors[0]?.meta, { tracking_request_id: rows[0]?.tracking_request_id })
})

test('marks a number that a spreadsheet changed as invalid, with a suggestion, and finds a line by its names', async () => {
  const lines = [
    '263123456.0,Hapag',
    '2631234560,HLCU',
    '2.63123E+08,UASU',
    '"94405335,0",Hapag-Lloyd AG',
    '263123457,United Arab Shipping Company',
    '26312\u00ad3458,UASC',
    '263123459,Sealand',
  ]
  const dry = await send(['Bill of lading,Line', ...lines].join('\n'), { query: 'dry_run=true' })
  await api.drain()
  const found = await rowsOf(dry.one().id)
  const changed = ['invalid', 'invalid', 'bill_of_lading_number']
  const valid = ['valid', undefined, undefined]
  assert.deepEqual(
    found.map(({ status, errors }) => [status, errors[0]?.code, errors[0]?.field]),
    [changed, valid, changed, changed, valid, valid, ['invalid', 'unknown_scac', 'scac']],
  )
  assert.match(found[0]?.errors[0]?.detail ?? '', /Did you mean 263123456\?/)
  assert.match(found[6]?.errors[0]?.detail ?? '', /\(SEAU\) or .*\(SEJJ\)/)
})

test('imports a workbook like a CSV, and accepts the name of a sheet', async () => {
  const [one = '', two = ''] = bills(2)
  const book = zipOf(
    workbookParts({
      '-Old': textRows([
        ['BOL', 'SCAC'],
        ['X', 'HLCU'],
      ]),
      Now: textRows([
        ['BOL', 'SCAC'],
        [one, 'HLCU'],
      ]),
      Later: textRows([
        ['BOL', 'SCAC'],
        [two, 'HLCU'],
      ]),
    }),
  )
  const headers = { 'content-type': xlsxType }
  const first = await send(book, { headers })
  assert.deepEqual((first.one().attributes['reading'] as { sheets: unknown }).sheets, ['Now', 'Later'])
  await send(book, { headers, query: 'sheet=later' })
  await api.drain()
  assert.deepEqual(await requestsOf(), [one, two])
})

test('an import that is killed midway continues, without a duplicate or lost row', async () => {
  const wanted = bills(4)
  const answer = await send(`BOL,SCAC\n${wanted.map((number) => `${number},HLCU`).join('\n')}`)
  const { id } = answer.one()
  // Killed after the batch was written and before the import recorded it: nothing in the database shows this.
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
  assert.equal((await read(id))['waiting'], 4, 'the import does not know')
  assert.equal((await requestsOf()).length, 4, 'and yet they are made')
  api.clock.advance(301_000)
  await api.drain()
  assert.deepEqual(await requestsOf(), wanted)
  const done = await read(id)
  assert.deepEqual([done['status'], done['created']], ['done', 4])
})

test('accepts the same table under one Idempotency-Key as one import, and refuses another table under it', async () => {
  const [one = ''] = bills(1)
  const headers = { 'idempotency-key': 'k-import' }
  const table = `BOL,SCAC\n${one},HLCU\n`
  const [first, second] = [await send(table, { headers }), await send(table, { headers })]
  assert.equal(first.text, second.text)
  assert.equal((await send(`${table},\n`, { headers })).status, 422)
  assert.equal((await send(table, { headers, query: 'scac=HLCU' })).status, 422)
  const { rows } = await api.service.pool.query('select count(*)::int as n from imports where account_id = $1', [
    account.account.id,
  ])
  assert.equal(rows[0]?.n, 1)
})

test('a dry run checks every row as if it were created, within its own limit, and creates none', async () => {
  const [tracked = '', ...fresh] = bills(26)
  await send(`BOL,SCAC\n${tracked},HLCU\n`)
  await api.drain()
  const answer = await send(
    `BOL,SCAC\n${[tracked, ...fresh].map((number) => `${number},HLCU`).join('\n')}\nNOPE,HLCU`,
    { query: 'dry_run=true' },
  )
  const { id } = answer.one()
  await api.drain()
  assert.equal((await read(id))['status'], 'working', 'more than a minute has room for')
  await minute()
  const done = await read(id)
  assert.deepEqual(
    [done['status'], done['valid'], done['duplicate'], done['invalid'], done['created']],
    ['done', 25, 1, 1, 0],
  )
  assert.deepEqual(await requestsOf(), [tracked])
})

test('exports rows as CSV without a cell that is a formula', async () => {
  const evil = ['=HYPERLINK("http://x")', '+1', '-1', '@SUM(A1)', '\t=1']
  const table = `BOL,SCAC,Ref\n${evil.map((cell) => `?,HLCU,"${cell.replaceAll('"', '""')}"`).join('\n')}\n"=1+1",HLCU,x\n`
  const { id } = (await send(table)).one()
  const url = `/v2/imports/${id}/rows?format=csv`
  const answer = await api.call({ url, key })
  assert.match(String(answer.headers['content-type']), /^text\/csv/)
  assert.doesNotMatch(answer.text, /(^|,)"?[=+@\t-][^,]*$/m)
  assert.match(answer.text, /'=1\+1/)
  assert.equal(
    (await api.call({ url: url.replace('?format=csv', ''), key, headers: { accept: 'text/csv' } })).text,
    answer.text,
  )
})

describe('the columns of a table', () => {
  test('follow an account’s own map; a preview shows the result, and writes nothing', async () => {
    const [one = '', two = ''] = bills(2)
    await putMap('ours', {
      columns: { bill_of_lading_number: 'Unser Zeichen', ref_numbers: ['Auftrag', 'Pos'], scac: null },
      scac: 'HLCU',
    })
    const table = `Unser Zeichen;Auftrag;Pos;Line;Farbe\n${one};A-1;10;MSCU;rot\n${two};A-2;;;\n`
    const shown = await send(table, { path: '/preview', query: 'map=ours' })
    assert.equal(shown.status, 200)
    const meta = shown.body.meta as {
      reading: { columns: object[]; delimiter: string }
      rows: Row[]
      total: number
      readable: number
    }
    assert.deepEqual(meta.reading.columns, [
      { heading: 'Unser Zeichen', field: 'bill_of_lading_number', by: 'map' },
      { heading: 'Auftrag', field: 'ref_numbers', by: 'map' },
      { heading: 'Pos', field: 'ref_numbers', by: 'map' },
      { heading: 'Line', field: null, by: null },
      { heading: 'Farbe', field: null, by: null },
    ])
    assert.deepEqual([meta.total, meta.readable, meta.rows[0]?.request_number], [2, 2, one])
    assert.equal(
      (await api.service.pool.query('select from imports where account_id = $1', [account.account.id])).rowCount,
      0,
    )
    await send(table, { query: 'map=ours' })
    await api.drain()
    assert.deepEqual(await requestsOf(), [one, two])
  })

  test('that are unknown, invalid files, and a map of another account are refused with a message', async () => {
    await putMap('theirs', {}, foreignKey)
    for (const [body, query, pattern] of [
      ['a,b\n1,2\n', '', /None of the first 20 rows has a heading that is known/],
      ['BOL,SCAC\n', '', /no row below the headings/],
      ['', '', /body is empty/],
      [`BOL\n${'X\n'.repeat(10_001)}`, '', /at most 10,000 rows; this file has 10,001/],
      ['BOL,SCAC\nx,HLCU\n', 'map=theirs', /no column map of this name/],
      ['BOL,SCAC\nx,HLCU\n', 'sheet=One', /not a workbook/],
      [`${'a,'.repeat(1_000_000)}b\n`, '', /columns/],
    ] as const) {
      const answer = await send(body, { query })
      assert.equal(answer.status, 422, answer.text.slice(0, 200))
      assert.match(answer.error().detail, pattern)
    }
  })

  test('with several numbers are used in the order of the column map', async () => {
    const table =
      'Container,MBL,Booking,SCAC\nMSCU4000005,EGLV1234567,EGLB1234567,EGLV\nMSCU4000005,MEDU1234567,,MSCU\n'
    const kinds = async (query = ''): Promise<unknown> => {
      const { rows } = (await send(table, { path: '/preview', query })).body.meta as {
        rows: { request_type: string }[]
      }
      return rows.map(({ request_type }) => request_type)
    }
    assert.deepEqual(await kinds(), ['container', 'bill_of_lading'])
    await putMap('boxes', { track_by: ['container', 'bill_of_lading'] })
    assert.deepEqual(await kinds('map=boxes'), ['container', 'container'])
  })

  test('without a line are accepted only if the request names a SCAC or auto-detection', async () => {
    const table = 'Number\nMSCU4000005\nABC1234567\n'
    const preview = async (query: string) =>
      (
        (await send(table, { path: '/preview', query })).body.meta as {
          rows: (Row & { request_type: string | null })[]
        }
      ).rows.map(({ request_type, errors }) => [request_type, errors[0]?.field])
    assert.deepEqual(await preview('auto_detect_vocc_scac=true'), [
      ['container', undefined],
      [null, undefined],
    ])
    assert.deepEqual(await preview('scac=MSCU'), [
      ['container', undefined],
      [null, 'request_type'],
    ])
    assert.deepEqual(await preview(''), [
      [null, 'scac'],
      [null, 'scac'],
    ])
  })
})

test('reads a table without headings by what is in its columns, and the others as a column map names them', async () => {
  const table =
    'HLCUSHA2601AB123\tHapag\tACME PO-77\tMSKU1234565\nHLCUSHA2601AB124\tHLCU\tGlobex\tMSCU4000005\nSBX-PLAIN-01\tMSC\t\t\n'
  const preview = async (query: string) =>
    (await send(table, { path: '/preview', query })).body.meta as {
      reading: { heading_row: number; columns: { heading: string; field: string | null; by: string | null }[] }
      total: number
      rows: (Row & { scac: string; read: { ref_numbers?: string[] } })[]
    }
  const plain = await preview('auto_detect_vocc_scac=true&rows=1')
  assert.equal(plain.reading.heading_row, 0)
  assert.deepEqual(
    plain.reading.columns.map(({ heading, field, by }) => [heading, field, by]),
    [
      ['A', 'request_number', 'content'],
      ['B', 'scac', 'content'],
      ['C', null, null],
      ['D', 'container_number', 'content'],
    ],
  )
  assert.deepEqual([plain.total, plain.rows.length, plain.rows[0]?.row_number, plain.rows[0]?.scac], [3, 1, 1, 'HLCU'])
  await putMap('bare', { columns: { ref_numbers: 'C', request_number: null } })
  const mapped = await preview('auto_detect_vocc_scac=true&map=bare')
  assert.equal(mapped.rows[0]?.request_number, 'MSKU1234565')
  assert.deepEqual(mapped.rows[0]?.read.ref_numbers, ['ACME PO-77'])
  const answer = await send(table, { path: '/preview', query: 'rows=1001' })
  assert.deepEqual([answer.status, answer.error().source], [422, { parameter: 'rows' }])
})

test('overwrites, lists by name and deletes a column map, and points at its faults', async () => {
  assert.equal((await putMap('b', {})).status, 200)
  await putMap('a', { day_format: 'DD/MM/YYYY' })
  const [one, two] = [
    await putMap('a', { columns: { scac: 'Reederei' } }),
    await api.call({ url: '/v2/column_maps/a', key }),
  ]
  assert.equal(one.one().id, two.one().id)
  assert.deepEqual([two.one().attributes['day_format'], two.one().attributes['columns']], [null, { scac: 'Reederei' }])
  assert.deepEqual(
    (await api.call({ url: '/v2/column_maps', key })).many().map(({ attributes }) => attributes['name']),
    ['a', 'b'],
  )
  for (const [attributes, pointer] of [
    [{ columns: { nonsense: 'x' } }, '/data/attributes/columns/nonsense'],
    [{ columns: { scac: ['a', 'b'] } }, '/data/attributes/columns/scac'],
    [{ columns: { scac: 'a', booking_number: 'A' } }, '/data/attributes/columns/booking_number'],
    [{ currency: 'usd' }, '/data/attributes/currency'],
    [{ track_by: ['container', 'container'] }, '/data/attributes/track_by'],
    [{ day_format: 'MM/YY' }, '/data/attributes/day_format'],
  ] as const)
    assert.equal((await putMap('c', attributes)).error().source?.pointer, pointer)
  assert.equal((await putMap('-', {})).status, 422)
  assert.equal((await api.call({ method: 'DELETE', url: '/v2/column_maps/a', key })).status, 204)
  assert.equal((await api.call({ url: '/v2/column_maps/a', key })).status, 404)
})

test('another account finds neither the import, nor its rows, nor the maps', async () => {
  const { id } = (await send(`BOL,SCAC\n${bills(1)[0]},HLCU\n`)).one()
  await putMap('mine', {})
  for (const url of [
    `/v2/imports/${id}`,
    `/v2/imports/${id}/rows`,
    `/v2/imports/${id}/rows?format=csv`,
    '/v2/column_maps/mine',
  ])
    assert.equal((await api.call({ url, key: foreignKey })).status, 404, url)
  const listed = (await api.call({ url: '/v2/column_maps', key: foreignKey })).many()
  assert.ok(listed.every(({ attributes }) => attributes['name'] !== 'mine'))
  assert.equal((await api.call({ method: 'DELETE', url: '/v2/column_maps/mine', key: foreignKey })).status, 404)
})

test('accepts thousands of rows at once, which wait in order', async () => {
  const total = atScale(10_000, 2_000)
  const wanted = bills(total)
  const answer = await send(`BOL,SCAC\n${wanted.map((number) => `${number},HLCU`).join('\n')}\n`)
  assert.equal(answer.status, 202)
  await api.drain()
  const half = await read(answer.one().id)
  assert.deepEqual([half['created'], half['queued'], half['waiting']], [5, total - 5, 0])
  await minute()
  assert.deepEqual(await requestsOf(), wanted.slice(0, 10))
  const last = await rowsOf(answer.one().id, `page[size]=1&page[number]=${total}`)
  assert.deepEqual([last[0]?.row_number, last[0]?.request_number], [total + 1, wanted.at(-1)])
  const { text } = await api.call({ url: `/v2/imports/${answer.one().id}/rows?format=csv`, key })
  assert.equal(text.trimEnd().split('\r\n').length, total + 1)
})

describe('the command', () => {
  let url = ''
  const { landfall, folder } = openCommandLine(() => ({ LANDFALL_API_KEY: key, LANDFALL_API_URL: url }))
  before(async () => {
    url = await api.app.listen({ host: '127.0.0.1', port: 0 })
  })
  const fileOf = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }

  test('previews, dry-runs and imports a table, and reports which rows are wrong', async () => {
    const [one = ''] = bills(1)
    const file = fileOf('list.csv', `BOL;SCAC;Farbe\n${one};HLCU;rot\n${one};HLCU;\n;HLCU;x\n`)
    const preview = await landfall('import', file, '--preview')
    assert.equal(preview.code, 0, preview.err)
    assert.match(
      preview.out,
      /separated by ";"; headings in row 1; 1 of 3 rows.*Farbe → not read.*row 2: bill_of_lading/s,
    )
    const working = setInterval(() => void api.drain(), 200)
    try {
      const rehearsed = await landfall('import', file, '--dry-run', '--json')
      assert.equal(rehearsed.code, 1)
      const printed = JSON.parse(rehearsed.out)
      assert.deepEqual(
        [printed.dry_run, printed.valid, printed.duplicate, printed.invalid, printed.rows.length],
        [true, 1, 1, 1, 1],
      )
      const imported = await landfall('import', file)
      assert.equal(imported.code, 1)
      assert.match(
        imported.out,
        /3 rows, 1 created, 1 duplicate, 1 invalid\n {2}row 4, request_number: The row has no number/,
      )
      const again = await landfall('import', fileOf('good.csv', `BOL;SCAC\n${one};HLCU\n`))
      assert.deepEqual([again.code, /1 rows, 1 duplicate/.test(again.out)], [0, true])
    } finally {
      clearInterval(working)
    }
  })

  test('fails with a message for an invalid table, no server and no key, and prints its usage', async () => {
    const bad = await landfall('import', fileOf('bad.csv', 'a,b\n1,2\n'))
    assert.deepEqual([bad.code, /heading that is known/.test(bad.err)], [1, true])
    const nobody = await landfall('import', fileOf('x.csv', 'BOL\nx\n'), '--url', 'http://127.0.0.1:9')
    assert.deepEqual([nobody.code, /cannot be reached/.test(nobody.err)], [1, true])
    const called = await landfall('import', 'x.csv', '--url', 'ftp://x')
    assert.deepEqual([called.code, /is not a URL/.test(called.err)], [2, true])
    assert.match((await landfall('import', '--help')).out, /--map <name>/)
  })
})
