// The filters of the v2 API on containers and shipments: of each, a row that matches, one that does not, and one whose
// value is not known.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { containerValues } from '../../../src/modules/containers/container-values-sql.ts'
import { shipmentValues } from '../../../src/modules/shipments/shipment-values-sql.ts'
import type { TestApi } from '../../support/api.ts'
import { dayOf, type FilterRows, openFilterRows, terminals } from './filter-rows.ts'

let rows: FilterRows
let api: TestApi
let customerId: string
before(async () => {
  rows = await openFilterRows()
  api = rows.api
  customerId = rows.customerId
})
after(() => rows.close())

const found: FilterRows['found'] = (list, query) => rows.found(list, query)

/** The clock goes on while shipments are seeded. */
function daysSince(day: string): number {
  return Math.floor((api.service.clock.now() - Date.parse(day)) / 86_400_000)
}

const dayNames = Object.entries(containerValues).flatMap(([name, { kind }]) =>
  kind === 'momentDays' || kind === 'days' ? [name] : [],
)

describe('the day filters of the container list', () => {
  for (const name of dayNames)
    test(name, async () => {
      const hasAll = name === 'created_at' || name === 'updated_at'
      const by = (text: string) => found('containers', `filter[${name}]=${text}`)
      assert.equal(await by('2026-03-10'), 'early')
      assert.equal(await by('=2026-03-20'), 'late')
      assert.equal(await by('>2026-03-10'), 'late')
      assert.equal(await by('<=2026-03-10'), hasAll ? 'early unknown' : 'early')
      assert.equal(await by('2026-03-20,2026-03-10'), 'early late')
      assert.equal(await by(`${daysSince(dayOf[0])}.days.ago`), 'early')
      assert.equal(await by('today'), '')
      assert.equal(await by('<=today'), hasAll ? 'early late unknown' : 'early late')
      assert.equal(await by('>1.days.from_now'), '')
      assert.equal(await by('@not_exists'), hasAll ? '' : 'unknown')
      assert.equal(await by('@exists'), hasAll ? 'early late unknown' : 'early late')
      assert.equal(await found('containers', `filter[${name}][]=>2026-03-09&filter[${name}][]=<2026-03-11`), 'early')
    })
})

const texts: readonly (readonly [name: string, early: string, late: string, hasPresence: boolean])[] = [
  ['pol_code', 'CNSHG', 'CNNGB', false],
  ['pod_code', 'USLAX', 'USLGB', false],
  ['destination_code', 'USCHI', 'USDAL', true],
  ['shipping_line_scac', 'ONEY', 'MAEU', true],
  ['vessel_name', 'SANTOS EXPRESS', 'COLOMBO EXPRESS', true],
  ['pod_terminal_id', terminals[0], terminals[1], true],
]

describe('the text filters of the container list', () => {
  for (const [name, early, late, hasPresence] of texts)
    test(name, async () => {
      assert.equal(await found('containers', `filter[${name}]=${early}`), 'early')
      assert.equal(await found('containers', `filter[${name}]=${late},${early}`), 'early late')
      assert.equal(await found('containers', `filter[${name}]=nothing`), '')
      const both = await found('containers', `filter[${name}][]=${early}&filter[${name}][]=${late}`)
      assert.equal(both, hasPresence ? '' : 'early late', 'of an array all must hold, but of codes one')
      if (!hasPresence) return
      assert.equal(await found('containers', `filter[${name}]==${early}`), 'early')
      assert.equal(await found('containers', `filter[${name}]=@not_exists`), 'unknown')
      assert.equal(await found('containers', `filter[${name}]=@exists`), 'early late')
    })

  test('current_status accepts several values separated by commas', async () => {
    await api.service.pool.query(
      `update containers set status = case ref_numbers when '{PO-EARLY}' then 'available' else 'on_ship' end`,
    )
    assert.equal(await found('containers', 'filter[current_status]=available'), 'early')
    assert.equal(await found('containers', 'filter[current_status]=available,on_ship'), 'early late unknown')
    assert.equal(await found('containers', 'filter[current_status]=sunk'), '')
    assert.equal(
      await found('containers', 'filter[current_status]=available&filter[shipping_line_scac]=MAEU'),
      '',
      'available, but at one line alone',
    )
  })

  test('customer_id and customer_name find the customer, and customer_id finds the account if there is no customer', async () => {
    assert.equal(await found('containers', `filter[customer_id]=${customerId}`), 'early')
    assert.equal(await found('containers', `filter[customer_id]=${api.context.account.id}`), 'late unknown')
    assert.equal(await found('containers', 'filter[customer_id]=@not_exists'), 'late unknown')
    assert.equal(await found('containers', 'filter[customer_name]=Acme & Sons'), 'early')
    assert.equal(await found('containers', 'filter[customer_name]=acme & sons'), '')
  })

  test('number accepts several values separated by commas', async () => {
    const { rows } = await api.service.pool.query<{ number: string }>('select distinct number from containers')
    const [number = ''] = rows.map((row) => row.number)
    assert.equal(await found('containers', `filter[number]=MSCU4000099,${number.toLowerCase()}`), 'early late unknown')
    assert.equal(await found('containers', 'filter[number]=MSCU4000099,MSCU4000098'), '')
    assert.equal(
      await found('containers', `filter[number][]=${number}&filter[number][]=${number}`),
      'early late unknown',
    )
    assert.equal(await found('containers', `filter[number][]=${number}&filter[number][]=MSCU4000099`), '')
    assert.equal(await found('containers', 'filter[number]=@exists'), 'early late unknown')
    assert.equal(await found('containers', 'filter[number]=@not_exists'), '')
  })

  test('the search filters find numbers and references by their first characters', async () => {
    assert.equal(await found('containers', 'filter[search_by_ref_numbers]=po-ea'), 'early')
    assert.equal(await found('containers', 'filter[search_by_ref_numbers]=~PO-LATE,PO-UNK'), 'late unknown')
    assert.equal(await found('containers', 'filter[search_by_shipment_number]=cnsh2'), 'late')
    assert.equal(await found('containers', 'filter[search_by_shipment_ref_numbers]=SREF-U'), 'unknown')
    assert.equal(await found('containers', 'filter[search_by_number]=mscu4'), 'early late unknown')
    assert.equal(await found('containers', 'filter[search_by_number]=SCU4'), '')
    assert.equal(await found('containers', 'filter[search_by_ids]=sref-l'), 'late')
  })
})

test('a yes/no filter of the container list omits containers whose value is unknown, for true and for false', async () => {
  for (const name of ['has_holds', 'has_fees', 'has_demurrage_fees', 'has_fees_or_holds']) {
    assert.equal(await found('containers', `filter[${name}]=true`), 'early', name)
    assert.equal(await found('containers', `filter[${name}]=false`), 'late', name)
  }
  assert.equal(await found('containers', 'filter[actively_tracked]=true'), 'early unknown')
  assert.equal(await found('containers', 'filter[actively_tracked]=false'), 'late')
})

describe('the filters of the shipment list', () => {
  test('shipments are filtered by day, code, flag and customer', async () => {
    for (const [filter, expected] of [
      ['pod_ata_at]=2026-03-10', 'early'],
      ['pod_arrival]=>2026-03-10', 'late'],
      ['pod_arrival]=@not_exists', 'unknown'],
      ['pod_code]=USLAX,USLGB', 'early late'],
      ['pol_code]=CNNGB', 'late'],
      [`pod_terminal_id]=${terminals[0]}`, 'early'],
      [`pod_terminal_id]=${terminals.join()}`, 'early late'],
      ['actively_tracked]=false', 'late'],
      ['actively_tracked]=true', 'early unknown'],
      ['voyage_status]=arrived', 'early late'],
      ['voyage_status]=on_ship', ''],
      ['created_at]=>=2026-03-20T12:00:00Z', 'late'],
      ['created_at]=<2026-03-20T12:00:00+00:00', 'early unknown'],
      ['creator_id]=' + '018f0000-0000-7000-8000-0000000000aa', ''],
      ['customer_id]=@exists', 'early'],
    ] as const)
      assert.equal(await found('shipments', `filter[${filter}`), expected, filter)
    assert.equal(await found('shipments', `filter[creator_id]=${api.context.account.id}`), 'early late unknown')
    assert.equal(await found('shipments', `filter[customer_id]=${customerId}`), 'early')
  })

  test('arriving_today=true finds shipments that arrive on the current day, and false does not filter', async () => {
    assert.equal(await found('shipments', 'filter[arriving_today]=true'), '')
    await api.service.pool.query(
      `update shipments set projection = jsonb_set(projection, '{destination,ata,at}', to_jsonb($1::text)) where ref_numbers = '{SREF-LATE}'`,
      [new Date(api.service.clock.now()).toISOString()],
    )
    assert.equal(await found('shipments', 'filter[arriving_today]=true'), 'late')
    assert.equal(await found('shipments', 'filter[arriving_today]=false'), 'early late unknown')
  })
})

test('a filter with a malformed value is refused with 400, and the error names the filter', async () => {
  for (const [list, values] of [
    ['containers', containerValues],
    ['shipments', shipmentValues],
  ] as const)
    for (const name of Object.keys(values)) {
      const refused = await api.call({ url: `/v2/${list}?filter[${name}]=~%2A%3B` })
      assert.equal(refused.status, 400, name)
      assert.equal(refused.error().source?.parameter, `filter[${name}]`)
    }
  for (const text of ['2026-02-30', '>=2026-03-01,2026-03-02', 'yesterday', '3.weeks.ago', '~2026-03-01'])
    assert.equal(
      (await api.call({ url: `/v2/containers?filter[arrival]=${encodeURIComponent(text)}` })).status,
      400,
      text,
    )
})

test('the container summary accepts the v2 filters, and filters never show containers of another account', async () => {
  const url = `/v2/containers/summary?group_by=shipping_line&filter[arrival]=${encodeURIComponent('<=2026-03-10')}`
  assert.deepEqual((await api.call({ url })).body['data'], [{ key: 'ONEY', label: 'ONE', count: 1 }])
  const stranger = await api.newKey(await api.newAccount(), ['read'])
  assert.deepEqual((await api.call({ url: '/v2/containers?filter[arrival]=@exists', key: stranger })).many(), [])
})

test('lists accept the sort names of the v2 API, and refuse an unknown sort unless handling is lenient', async () => {
  for (const sort of ['attention_priority', '-last_status_refresh_at', 'last_status_refresh_at'])
    assert.equal((await api.call({ url: `/v2/containers?sort=${sort}` })).many().length, 3, sort)
  const url = '/v2/containers?sort=colour'
  assert.equal((await api.call({ url })).error().source?.parameter, 'sort')
  const easy = await api.call({ url, headers: { prefer: 'handling=lenient' } })
  assert.deepEqual(easy.body.meta?.['ignored'], [{ parameter: 'sort' }])
})
