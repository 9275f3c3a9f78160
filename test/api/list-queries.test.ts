/**
 * Lists: filters alone and together, orders, positions that stay valid while rows are added and deleted, and plain
 * views.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { anyTime } from '../../src/db/listing/page.ts'
import { instantOf } from '../../src/domain/values/time.ts'
import { containerStatuses } from '../../src/domain/view/projection.ts'
import { shipmentStatus } from '../../src/domain/view/shipment-status.ts'
import { listTrackingRequestRows } from '../../src/modules/tracking-requests/list-tracking-requests-sql.ts'
import { vesselId } from '../../src/reference/vessels.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { containerIdOf, insertListed, numberOf, shipmentIdOf } from '../support/listed.ts'
import { pathOf, walkList } from '../support/walk-list.ts'

let api: TestApi
let otherKey: string
const terminalId = '5f7c2d1e-0000-4000-8000-000000000001'
const eta = (on: string) => ({ kind: 'day', on })

before(async () => {
  api = await openTestApi()
  const { pool } = api.service
  await insertListed(pool, api.context.account.id, '0001', [
    { n: 1, scac: 'MAEU', pol: 'CNSHG', pod: 'USLAX', imo: '9321483', statuses: ['available', 'grounded'] },
    { n: 2, pod: 'USLAX', timeZone: 'America/Los_Angeles', eta: eta('2026-03-02'), lfd: eta('2026-03-10') },
    {
      n: 3,
      pod: 'NLRTM',
      tags: ['urgent', 'blue'],
      refs: ['PO-77'],
      holds: [{ name: 'customs', status: 'hold', description: null }],
    },
    {
      n: 4,
      pod: 'NLRTM',
      tags: ['blue'],
      terminalId,
      isStopped: true,
      statuses: ['picked_up', 'empty_returned'],
    },
    {
      n: 5,
      eta: { kind: 'instant', at: '2026-03-05T12:00:00.000Z' },
      lfd: eta('2026-03-12'),
      refs: ['po-78'],
    },
    { n: 6, statuses: ['empty_returned', 'empty_returned'], scac: 'MAEU' },
  ])
  // Only of these containers a terminal has reported something, and no hold.
  await pool.query(
    `update containers set projection = projection || '{"available":true}' where account_id = $1 and terminal_id = $2`,
    [api.context.account.id, terminalId],
  )
  const other = await api.newAccount()
  otherKey = await api.newKey(other, ['read'])
  await insertListed(pool, other.account.id, '0002', [
    {
      n: 1,
      scac: 'MAEU',
      pol: 'CNSHG',
      pod: 'USLAX',
      imo: '9321483',
      tags: ['blue'],
      refs: ['PO-77'],
      terminalId,
    },
  ])
})
after(() => api.close())

/** The `n` of each listed shipment, in order; for containers each `n` once. */
async function found(list: string, query: string, key?: string): Promise<readonly number[]> {
  const answer = await api.call({ url: `/v2/${list}?${query}`, ...(key === undefined ? {} : { key }) })
  const numbers = answer.many().map(({ id }) => Number.parseInt(id.slice(-12), 16))
  assert.equal(answer.body.meta?.['total'], answer.many().length, 'the total is that of the filter')
  return [...new Set(numbers)]
}

describe('filters', () => {
  const cases: readonly (readonly [list: string, query: string, expected: readonly number[]])[] = [
    ['shipments', 'filter[status]=arrived', [1]],
    ['shipments', 'filter[status]=completed,picked_up', [6, 4]],
    ['shipments', 'filter[scac]=SEAU', []],
    ['shipments', 'filter[scac]=MAEU', [6, 1]],
    ['shipments', 'filter[port_of_discharge]=nlrtm', [4, 3]],
    ['shipments', 'filter[port_of_lading]=CNSHA', [1]],
    ['shipments', 'filter[vessel]=9321483', [1]],
    ['shipments', `filter[pod_terminal]=${terminalId}`, [4]],
    ['shipments', 'filter[tags]=blue', [4, 3]],
    ['shipments', 'filter[tags]=blue,urgent&filter[tags_and]=true', [3]],
    ['shipments', 'filter[ref_number]=po-77', [3]],
    ['shipments', 'filter[ref_number]=PO-7', []],
    ['shipments', 'filter[tracking_stopped]=true', [4]],
    ['shipments', 'filter[pod_eta_at][start]=2026-03-02&sort=pod_eta_at', [2, 5]],
    ['shipments', 'filter[pod_eta_at][end]=2026-03-03', [2]],
    ['shipments', 'filter[updated_at][start]=2026-01-01T00:05:00Z', [6, 5]],
    ['shipments', 'filter[created_at][end]=2026-01-01T00:01:30Z', [1]],
    ['shipments', `filter[customer]=${terminalId}`, []],
    ['containers', 'filter[status]=available', [1]],
    ['containers', 'filter[scac]=MAEU&sort=number', [1, 6]],
    ['containers', 'filter[port_of_discharge]=USLAX&filter[status]=on_ship', [2]],
    ['containers', 'filter[port_of_lading]=CNSHA', [1]],
    ['containers', 'filter[vessel]=IMO 9321483', [1]],
    ['containers', `filter[pod_terminal]=${terminalId}`, [4]],
    ['containers', 'filter[pickup_lfd][end]=2026-03-10', [2]],
    ['containers', 'filter[pickup_lfd][start]=2026-03-11', [5]],
    ['containers', 'filter[pod_eta_at][start]=2026-03-01&sort=-pod_eta_at', [5, 2]],
    ['containers', 'filter[has_holds]=true', [3]],
    ['containers', 'filter[has_holds]=false', [4]],
    ['containers', 'filter[hold]=customs', [3]],
    ['containers', 'filter[hold]=freight', []],
    ['containers', 'filter[tags]=blue', [4, 3]],
    ['containers', 'filter[ref_number]=PO-78', [5]],
    ['containers', `filter[shipment]=${shipmentIdOf('0001', 2)}`, [2]],
    ['containers', `filter[shipment]=${shipmentIdOf('0002', 1)}`, []],
    ['containers', 'filter[created_at][start]=2026-01-01T00:06:00Z', [6]],
    ['containers', `filter[number]=${numberOf(3, 1).toLowerCase()}`, [3]],
    ['containers', 'filter[tags]=blue&filter[has_holds]=false&filter[status]=picked_up', [4]],
  ]
  for (const [list, query, expected] of cases) {
    test(`${list}?${query} finds ${expected.join(', ') || 'nothing'}, and nothing of another account`, async () => {
      assert.deepEqual(await found(list, query), expected)
      for (const { id } of (await api.call({ url: `/v2/${list}?${query}`, key: otherKey })).many())
        assert.equal(id.slice(9, 13), '0002')
    })
  }

  test('a vessel and a place can be filtered by id too', async () => {
    assert.deepEqual(await found('containers', `filter[vessel]=${vesselId('9321483')}`), [1])
    const port = (await api.call({ url: '/v2/ports/USLAX' })).one()
    assert.deepEqual(await found('shipments', `filter[port_of_discharge]=${port.id}`), [2, 1])
  })

  test('a day of the arrival is the whole day at the port of discharge, at both ends', async () => {
    const context = await api.newAccount()
    const key = await api.newKey(context, ['read'])
    const arrival = (timeZone: string, at: string) => ({
      pod: 'USLAX',
      timeZone,
      eta: { kind: 'instant', at } as const,
    })
    await insertListed(api.service.pool, context.account.id, '0003', [
      { n: 1, ...arrival('America/Los_Angeles', '2026-04-01T07:00:00.000Z') },
      { n: 2, ...arrival('America/Los_Angeles', '2026-04-02T06:59:59.000Z') },
      { n: 3, ...arrival('Asia/Tokyo', '2026-03-31T15:00:00.000Z') },
      { n: 4, ...arrival('Asia/Tokyo', '2026-04-01T14:59:59.000Z') },
      { n: 5, ...arrival('Pacific/Kiritimati', '2026-03-31T10:00:00.000Z') },
      { n: 6, ...arrival('America/Los_Angeles', '2026-04-01T06:59:59.000Z') },
      { n: 7, ...arrival('Asia/Tokyo', '2026-04-01T15:00:00.000Z') },
    ])
    const one = 'filter[pod_eta_at][start]=2026-04-01&filter[pod_eta_at][end]=2026-04-01'
    for (const list of ['shipments', 'containers']) {
      assert.deepEqual((await found(list, one, key)).toSorted(), [1, 2, 3, 4, 5], list)
      assert.deepEqual(await found(list, 'filter[pod_eta_at][end]=2026-03-31', key), [6], list)
      assert.deepEqual(await found(list, 'filter[pod_eta_at][start]=2026-04-02', key), [7], list)
      const instant = 'filter[pod_eta_at][start]=2026-04-01T15:00:00Z'
      assert.deepEqual((await found(list, instant, key)).toSorted(), [2, 7], list)
    }
  })

  const wrong: readonly (readonly [query: string, status: number, parameter: string])[] = [
    ['filter[port_of_discharge]=Los%20Angeles', 422, 'filter[port_of_discharge]'],
    ['filter[vessel]=12345', 422, 'filter[vessel]'],
    ['filter[pod_terminal]=WBCT', 422, 'filter[pod_terminal]'],
    ['filter[pickup_lfd][end]=2026-02-30', 422, 'filter[pickup_lfd][end]'],
    ['filter[pickup_lfd][end]=2026-02-01T00:00:00Z', 422, 'filter[pickup_lfd][end]'],
    ['filter[pod_eta_at][start]=soon', 422, 'filter[pod_eta_at][start]'],
    ['filter[has_holds]=maybe', 422, 'filter[has_holds]'],
    ['filter[hold]=love', 422, 'filter[hold]'],
    ['filter[status]=available,odd', 422, 'filter[status]'],
    [`filter[tags]=${Array.from({ length: 21 }, (_, n) => n).join()}`, 422, 'filter[tags]'],
    ['filter[custom_fields][none]=1', 422, 'filter[custom_fields][none]'],
    ['filter[custom_fields][NO]=1', 400, 'filter[custom_fields][NO]'],
    ['filter[weight]=5', 400, 'filter[weight]'],
    ['sort=weight', 400, 'sort'],
    ['format=xlsx', 422, 'format'],
    ['page[after]=garbage', 400, 'page[after]'],
    [
      `page[after]=${Buffer.from('["-updated_at","2026-13-45 00:00:00+00","x"]').toString('base64url')}`,
      400,
      'page[after]',
    ],
    ['page[after]=&page[before]=', 400, 'page[before]'],
    ['page[after]=&page[number]=2', 400, 'page[number]'],
    ['page[number]=335', 422, 'page[number]'],
  ]
  for (const [query, status, parameter] of wrong) {
    test(`containers?${query.slice(0, 60)} is refused with the name of the parameter`, async () => {
      const answer = await api.call({ url: `/v2/containers?${query}` })
      assert.equal(answer.status, status, answer.text)
      assert.equal(answer.error().source?.parameter, parameter)
    })
  }

  test('a forged cursor with an invalid order, day or number is refused', async () => {
    const id = containerIdOf('0001', 1, 1)
    for (const [order, value] of [
      ['-updated_at', '2026-02-30 00:00:00+00'],
      ['-updated_at', 'epoch'],
      ['-updated_at', '2026-01-01'],
      ['pickup_lfd', '2026-01-01 00:00:00+00'],
      ['pickup_lfd', 'now'],
      ['number', 'x'.repeat(41)],
      ['created_at', '2026-01-01 00:00:00+00'],
    ]) {
      const cursor = Buffer.from(JSON.stringify([order, value, id])).toString('base64url')
      const sort = order === 'created_at' ? 'number' : order
      const answer = await api.call({ url: `/v2/containers?sort=${sort}&page[after]=${cursor}` })
      assert.equal(answer.status, 400, `${order} ${value}`)
    }
  })
})

describe('custom fields', () => {
  const define = (attributes: object) =>
    api.call({
      method: 'POST',
      url: '/v2/custom_field_definitions',
      body: {
        data: { type: 'custom_field_definition', attributes: { entity_type: 'Container', ...attributes } },
      },
    })
  const put = (n: number, api_slug: string, value: unknown) =>
    api.call({
      method: 'POST',
      url: `/v2/containers/${containerIdOf('0001', n, 1)}/custom_fields`,
      body: { data: { type: 'custom_field', attributes: { api_slug, value } } },
    })

  test('a list is filtered by custom field values: text, number, boolean and one of several options', async () => {
    for (const [api_slug, data_type] of [
      ['buyer', 'short_text'],
      ['score', 'number'],
      ['is_hot', 'boolean'],
    ]) {
      const made = await define({ api_slug, display_name: api_slug, data_type })
      assert.equal(made.status, 201, made.text)
    }
    for (const [n, slug, value] of [
      [1, 'buyer', 'Anna = Co'],
      [2, 'buyer', 'Bert'],
      [2, 'score', 7.5],
      [3, 'score', 8],
      [3, 'is_hot', true],
      [5, 'is_hot', false],
    ] as const)
      assert.equal((await put(n, slug, value)).status, 201)
    const by = (query: string) => found('containers', query)
    assert.deepEqual(await by(`filter[custom_fields][buyer]=${encodeURIComponent('Anna = Co')}`), [1])
    assert.deepEqual(await by('filter[custom_fields][score]=7.50'), [2])
    assert.deepEqual(await by('filter[custom_fields][is_hot]=true'), [3])
    assert.deepEqual(await by('filter[custom_fields][is_hot]=true&filter[custom_fields][score]=8'), [3])
    assert.deepEqual(await by('filter[custom_fields][is_hot]=false&filter[hold]=customs'), [])
    const wrong = await api.call({ url: '/v2/containers?filter[custom_fields][score]=many' })
    assert.equal(wrong.status, 422)
    assert.equal(wrong.error().source?.parameter, 'filter[custom_fields][score]')
    const theirs = await api.call({ url: '/v2/containers?filter[custom_fields][score]=8', key: otherKey })
    assert.equal(theirs.status, 422, 'another account has no such field')
  })
})

describe('cursors', () => {
  let manyId: string
  let manyKey: string

  before(async () => {
    const { account } = await api.newAccount()
    manyId = account.id
    manyKey = await api.newKey({ ...api.context, account }, ['read'])
    await api.service.pool.query(
      `insert into tracking_requests (account_id, id, request_type, request_number, number, scac, status, lifecycle,
                                      shipment_tags, ref_numbers, created_at, updated_at)
       select $1, gen_random_uuid(), 'container', 'TEST' || n, 'TEST' || n, 'TEST', 'failed', '{}',
              array_remove(array['common', case when n % 100 = 0 then 'seldom' end], null), array['LOT-1', 'PO-' || n],
              now(), now()
         from generate_series(1, 1100) as n`,
      [manyId],
    )
  })

  test('paging forward and back returns every row once and in order, for every sort order', async () => {
    for (const sort of ['-updated_at', 'created_at', '-pod_eta_at', 'pod_eta_at', 'pickup_lfd', '-number']) {
      const whole = (await api.call({ url: `/v2/containers?sort=${sort}` })).many().map(({ id }) => id)
      assert.deepEqual(await walkList(api, `/v2/containers?sort=${sort}`), { on: whole, back: whole }, sort)
    }
  })

  test('rows inserted or deleted between two pages neither repeat nor hide other rows', async () => {
    const context = await api.newAccount()
    const key = await api.newKey(context, ['read'])
    const { pool } = api.service
    const put = (ns: readonly number[]) =>
      insertListed(
        pool,
        context.account.id,
        '0003',
        ns.map((n) => ({ n })),
      )
    await put([10, 20, 30, 40, 50])
    const first = await api.call({ url: '/v2/shipments?page[size]=2&page[after]=', key })
    assert.deepEqual(
      first.many().map(({ id }) => id),
      [50, 40].map((n) => shipmentIdOf('0003', n)),
    )
    await put([60, 45, 25])
    // The row of the position is also deleted.
    await pool.query('delete from containers where shipment_id = $1', [shipmentIdOf('0003', 40)])
    await pool.query('delete from shipments where id = $1', [shipmentIdOf('0003', 40)])
    const second = await api.call({ url: pathOf(first.body.links?.['next']), key })
    assert.deepEqual(
      second.many().map(({ id }) => id),
      [30, 25].map((n) => shipmentIdOf('0003', n)),
    )
    const third = await api.call({ url: pathOf(second.body.links?.['next']), key })
    assert.deepEqual(
      third.many().map(({ id }) => id),
      [20, 10].map((n) => shipmentIdOf('0003', n)),
    )
    assert.equal(third.body.links?.['next'], undefined)
  })

  test('above the counting limit the total is estimated and pages use cursors', async () => {
    const { account } = await api.newAccount()
    const key = await api.newKey({ ...api.context, account }, ['read'])
    await api.service.pool.query(
      `insert into tracking_requests (account_id, id, request_type, request_number, number, scac, status, lifecycle, created_at, updated_at)
       select $1, gen_random_uuid(), 'container', 'TEST' || n, 'TEST' || n, 'TEST', 'failed', '{}', now(), now()
         from generate_series(1, 10100) as n`,
      [account.id],
    )
    await api.service.pool.query('analyze tracking_requests')
    const last = await api.call({
      url: '/v2/tracking_requests?page[size]=100&page[number]=100&include=',
      key,
    })
    assert.equal(last.body.meta?.['total_is_estimated'], true)
    assert.ok(Number(last.body.meta?.['total']) > 10_000)
    assert.equal(last.body.links?.['last'], undefined)
    assert.match(last.body.links?.['next'] ?? '', /page%5Bafter%5D=\w/)
    const next = await api.call({ url: pathOf(last.body.links?.['next']), key })
    assert.equal(next.many().length, 100)
    const ids = new Set([...last.many(), ...next.many()].map(({ id }) => id))
    assert.equal(ids.size, 200)
  })

  test('the total is estimated only if an exact count would be expensive', async () => {
    const client = await api.service.pool.connect()
    try {
      const first = async (size: number, number = 1) =>
        listTrackingRequestRows(client, {
          accountId: manyId,
          filter: {
            q: null,
            requestNumber: null,
            requestType: null,
            status: null,
            scac: null,
            createdAt: anyTime,
            updatedAt: anyTime,
            tags: { tags: ['common'], areAllNeeded: true },
          },
          order: 'created_at',
          page: { number, size },
        })
      assert.deepEqual([(await first(10)).total, (await first(10)).isEstimated], [1_100, undefined])
      await client.query('set seq_page_cost = 1e6; set random_page_cost = 1e6')
      const dear = await first(10)
      assert.deepEqual([dear.isEstimated, dear.pagePosition?.hasNext, dear.total > 10], [true, true, true])
      assert.deepEqual([(await first(1_000, 2)).total, (await first(1_000, 2)).isEstimated], [1_100, undefined])
    } finally {
      client.release(true)
    }
  })

  test('filters by a frequent and a rare tag find all rows, alone and together', async () => {
    const totalOf = async (query: string) =>
      (await api.call({ url: `/v2/tracking_requests?page[size]=1&include=&${query}`, key: manyKey })).body.meta?.[
        'total'
      ]
    assert.equal(await totalOf('filter[tags]=common'), 1_100)
    assert.equal(await totalOf('filter[tags]=seldom'), 11)
    assert.equal(await totalOf('filter[tags]=common,seldom&filter[tags_and]=true'), 11)
    assert.equal(await totalOf('filter[ref_number]=lot-1'), 1_100)
    assert.equal(await totalOf('filter[ref_number]=po-5'), 1)
    assert.equal(await totalOf('filter[ref_number]=po-5&filter[tags]=seldom'), 0)
    assert.equal(await totalOf('filter[tags]=other'), 0)
  })
})

describe('computed columns of lists', () => {
  test('SQL and TypeScript compute the same shipment status for all container statuses and route states', async () => {
    const leg = (time: string | null) => (time === null ? null : { kind: 'day', on: time })
    const cases = [null, '2026-01-01'].flatMap((atd) =>
      [null, '2026-02-01'].flatMap((ata) =>
        [false, true].flatMap((isBookingCancelled) =>
          [[], ...containerStatuses.flatMap((a) => containerStatuses.map((b) => [a, b]))].map((statuses) => ({
            statuses,
            projection: {
              isBookingCancelled,
              portOfLoading: { atd: leg(atd) },
              portOfDischarge: { ata: leg(ata) },
            },
          })),
        ),
      ),
    )
    const { rows } = await api.service.pool.query<{ status: string }>(
      `select shipment_status(c -> 'projection', array(select jsonb_array_elements_text(c -> 'statuses'))) as status
         from jsonb_array_elements($1::jsonb) with ordinality as t(c, n) order by n`,
      [JSON.stringify(cases)],
    )
    assert.deepEqual(
      rows.map(({ status }) => status),
      cases.map(({ statuses, projection }) => shipmentStatus({ containerStatuses: statuses, projection })),
    )
  })

  test('SQL and TypeScript convert a time to the same instant, even at clock changes and in unknown zones', async () => {
    const zones = [
      'America/Los_Angeles',
      'Europe/Rome',
      'Pacific/Apia',
      'Asia/Shanghai',
      'America/Havana',
      'Mars/Base',
      null,
    ]
    const times = [
      { kind: 'instant', at: '2026-03-05T12:00:00.000Z' },
      { kind: 'day', on: '2026-03-08' },
      { kind: 'day', on: '2011-12-30' },
      { kind: 'day', on: '2026-11-01' },
      { kind: 'local', local: '2026-03-08T02:30:00' },
      { kind: 'local', local: '2026-11-01T01:30:00' },
      { kind: 'local', local: '2026-10-25T02:30:00' },
      { kind: 'local', local: '2026-07-01T12:00:00' },
    ] as const
    const cases = zones.flatMap((zone) => times.map((time) => ({ zone, time })))
    const { rows } = await api.service.pool.query<{ at: string }>(
      `select moment_of(c -> 'time', c ->> 'zone') as at from jsonb_array_elements($1::jsonb) with ordinality as t(c, n) order by n`,
      [JSON.stringify(cases)],
    )
    assert.deepEqual(
      rows.map(({ at }, n) => ({ ...cases[n], at })),
      cases.map(({ zone, time }) => ({ zone, time, at: instantOf(time, zone).at })),
    )
  })

  test('a shipment keeps its containers in order when any process adds, changes or removes one', async () => {
    const { pool } = api.service
    const context = await api.newAccount()
    await insertListed(pool, context.account.id, '0004', [{ n: 1 }])
    const read = async () =>
      (
        await pool.query('select container_ids, container_statuses, status from shipments where account_id = $1', [
          context.account.id,
        ])
      ).rows[0]
    const ids = [containerIdOf('0004', 1, 1), containerIdOf('0004', 1, 2)]
    assert.deepEqual(await read(), {
      container_ids: ids,
      container_statuses: ['on_ship', 'on_ship'],
      status: 'in_transit',
    })
    await pool.query(`update containers set status = 'picked_up' where account_id = $1`, [context.account.id])
    assert.equal((await read())?.['status'], 'picked_up')
    await pool.query('delete from containers where account_id = $1 and id = $2', [context.account.id, ids[0]])
    assert.deepEqual((await read())?.['container_ids'], [ids[1]])
    const lines = await pool.query('select distinct scac from containers where account_id = $1', [context.account.id])
    assert.deepEqual(lines.rows, [{ scac: 'ONEY' }])
  })
})
