/** Search by any part of a number or reference: what is found, in which order, and never another account's. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { openTestApi, type TestApi, type WireResource } from '../../support/api.ts'
import { type Seeded, seededAt, seedShipment } from '../../support/seed.ts'

let api: TestApi
let seeded: Seeded
before(async () => {
  api = await openTestApi({ startAt: seededAt })
  seeded = await seedShipment(api)
})
after(async () => {
  await seeded.carrier.close()
  await api.close()
})

const search = async (query: string, key = api.key): Promise<readonly WireResource[]> =>
  (await api.call({ url: `/v2/search?query=${encodeURIComponent(query)}`, key })).many()
const shown = (results: readonly WireResource[]): readonly string[] =>
  results.map(({ attributes }) => `${attributes['entity_type']} ${attributes['number']}`)

/** A separate account with things that were created a minute apart, the first is the oldest. */
async function library(things: readonly Thing[]): Promise<{ readonly key: string; readonly accountId: string }> {
  const context = await api.newAccount()
  const accountId = context.account.id
  const { pool } = api.service
  const projection = {
    isBookingCancelled: false,
    portOfLoading: { place: { unlocode: 'CNSHA' }, atd: null },
    portOfDischarge: { place: null, ata: null },
  }
  for (const [index, { kind, number, refs = [], of: shipmentNumber }] of things.entries()) {
    const at = new Date(Date.parse(seededAt) + index * 60_000).toISOString()
    const shipmentId = shipmentNumber === undefined ? null : idOf(accountId, shipmentNumber)
    const id = idOf(accountId, number, kind)
    if (kind === 'shipment')
      await pool.query(
        `insert into shipments (account_id, id, scac, bill_of_lading_number, normalized_number, ref_numbers, projection, created_at, updated_at)
         values ($1, $2, 'ONEY', $3, $3, $4, $5, $6, $6)`,
        [accountId, idOf(accountId, number), number, refs, projection, at],
      )
    else if (kind === 'container')
      await pool.query(
        `insert into containers (account_id, id, shipment_id, number, trip, status, ref_numbers, projection, created_at, updated_at)
         values ($1, $2, $3, $4, 1, 'on_ship', $5, '{}', $6, $6)`,
        [accountId, id, shipmentId, number, refs, at],
      )
    else
      await pool.query(
        `insert into tracking_requests (account_id, id, request_type, request_number, number, scac, shipment_id, status, lifecycle, ref_numbers, created_at, updated_at)
         values ($1, $2, 'bill_of_lading', $3, $3, 'ONEY', $4, 'created', '{}', $5, $6, $6)`,
        [accountId, id, number, shipmentId, refs, at],
      )
  }
  return { key: await api.newKey(context, ['read', 'write']), accountId }
}

interface Thing {
  readonly kind: 'shipment' | 'container' | 'request'
  readonly number: string
  readonly refs?: readonly string[]
  /** Bill of its shipment. */
  readonly of?: string
}

const ids = new Map<string, string>()
function idOf(accountId: string, number: string, kind = 'shipment'): string {
  const key = `${accountId} ${kind} ${number}`
  const id = ids.get(key) ?? randomUUID()
  ids.set(key, id)
  return id
}

describe('GET /v2/search', () => {
  test('answers 400 without a query, naming the parameter', async () => {
    for (const url of ['/v2/search', '/v2/search?query=', '/v2/search?query=%20']) {
      const answer = await api.call({ url })
      assert.equal(answer.status, 400)
      assert.equal(answer.error().source?.parameter, 'query')
    }
    assert.equal((await api.call({ url: `/v2/search?query=${'A'.repeat(201)}` })).status, 422)
    assert.equal((await api.call({ url: '/v2/search?query=abc&page[size]=5' })).status, 400)
  })

  test('finds created shipments by number, part and reference, and describes them', async () => {
    const [bill] = await search(seeded.bill)
    assert.equal(bill?.id, seeded.shipmentId)
    assert.deepEqual(
      { ...bill?.attributes, created_at: null, updated_at: null },
      {
        entity_type: 'shipment',
        number: seeded.bill,
        shipment_id: seeded.shipmentId,
        scac: 'ONEY',
        port_of_lading_name: 'Shanghai',
        port_of_discharge_name: 'Los Angeles',
        containers_count: 2,
        tracking_stopped: false,
        tracking_stopped_reason: null,
        status: 'picked_up',
        failed_reason: null,
        ref_numbers: ['PO-77'],
        created_at: null,
        updated_at: null,
      },
    )
    assert.equal((await search(seeded.bill)).length, 1, 'the request is left out: its shipment is listed')
    const [box] = await search('mscu 400000-5')
    assert.deepEqual(
      [box?.id, box?.attributes['entity_type'], box?.attributes['shipment_id'], box?.attributes['status']],
      [seeded.containerIds[0], 'cargo', seeded.shipmentId, 'picked_up'],
    )
    assert.equal(box?.attributes['port_of_lading_name'], 'Shanghai')
    for (const part of ['CNSH123', '12345678', 'sh-1234', 'PO 77', 'po77'])
      assert.equal((await search(part))[0]?.id, seeded.shipmentId, part)
    assert.equal((await search('MSCU4')).length, 2)
    assert.deepEqual(await search('ZZZZZ'), [])
    assert.deepEqual(await search('--'), [])
  })

  test('finds a new reference at once, and a removed one no longer', async () => {
    const set = (refs: readonly string[]) =>
      api.call({
        method: 'PATCH',
        url: `/v2/containers/${seeded.containerIds[1]}`,
        body: { data: { attributes: { ref_numbers: refs } } },
      })
    await set(['Küche/42'])
    assert.equal((await search('KÜCHE 42'))[0]?.id, seeded.containerIds[1])
    await set([])
    assert.deepEqual(await search('küche'), [])
  })

  test('lists shipments, then containers, then requests, the newest first within each', async () => {
    const { key } = await library([
      { kind: 'request', number: 'ABCX001' },
      { kind: 'shipment', number: '1ABC0001' },
      { kind: 'shipment', number: 'ABCS002' },
      { kind: 'container', number: 'XABC4000001', of: 'ABCS002' },
      { kind: 'container', number: 'ABCU4000002', of: 'ABCS002' },
      { kind: 'request', number: 'ABCX003', of: 'ABCS002' },
      { kind: 'request', number: 'ABCX004' },
    ])
    assert.deepEqual(shown(await search('abc', key)), [
      'shipment ABCS002',
      'shipment 1ABC0001',
      'cargo ABCU4000002',
      'cargo XABC4000001',
      'tracking_request ABCX004',
      'tracking_request ABCX001',
    ])
    assert.deepEqual(shown(await search('X003', key)), ['tracking_request ABCX003'])
    assert.deepEqual(shown(await search('1A', key)), ['shipment 1ABC0001'], 'two are found at the beginning')
    assert.deepEqual(shown(await search('A', key)), [], 'one only by itself')
  })

  test('shows 25 results, with exact matches before partial matches', async () => {
    const many = Array.from({ length: 40 }, (_, index): Thing => {
      return { kind: 'shipment', number: `Q${1000 + index}REF77` }
    })
    const { key } = await library([
      { kind: 'shipment', number: 'OLDEST01', refs: ['REF-77'] },
      { kind: 'request', number: 'REF77' },
      ...many,
    ])
    const found = shown(await search('ref 77', key))
    assert.equal(found.length, 25)
    assert.equal(found[0], 'shipment Q1039REF77')
    assert.equal(found[23], 'shipment OLDEST01')
    assert.equal(found[24], 'tracking_request REF77')
  })

  test('shows the newest of thousands of matches, with the exact number among them', async () => {
    const { key, accountId } = await library([
      { kind: 'shipment', number: 'HOME0001' },
      { kind: 'container', number: 'COMMON', of: 'HOME0001' },
    ])
    await api.service.pool.query(
      `insert into containers (account_id, id, shipment_id, number, trip, status, projection, created_at, updated_at)
       select $1, gen_random_uuid(), $2, 'COMMON' || lpad(n::text, 5, '0'), 1, 'new', '{}',
              $3::timestamptz + n * interval '1 minute', $3 from generate_series(1, 3500) as n`,
      [accountId, idOf(accountId, 'HOME0001'), seededAt],
    )
    const found = shown(await search('COMMON', key))
    assert.equal(found.length, 25)
    assert.equal(found[0], 'cargo COMMON03500')
    assert.equal(found[23], 'cargo COMMON03477')
    assert.equal(found[24], 'cargo COMMON')
  })

  test('ignores blanks and punctuation, like the parameter q of lists', async () => {
    const { key } = await library([
      { kind: 'shipment', number: 'LISTED001', refs: ['PO 77/8'] },
      { kind: 'container', number: 'LSTU4000001', of: 'LISTED001' },
      { kind: 'request', number: 'LISTED001', refs: ['Über-7'], of: 'LISTED001' },
      { kind: 'shipment', number: 'OTHER0001' },
    ])
    const totals = async (q: string): Promise<readonly unknown[]> => {
      const ask = (list: string) => api.call({ url: `/v2/${list}?q=${encodeURIComponent(q)}&page[number]=9`, key })
      const answers = [await ask('shipments'), await ask('tracking_requests')]
      return answers.map(({ body }) => body.meta?.['total'])
    }
    assert.deepEqual(await totals('isted'), [1, 1])
    assert.deepEqual(await totals('stu40'), [1, 0], 'by the number of a container')
    assert.deepEqual(await totals('po 77/'), [1, 0])
    assert.deepEqual(await totals('po77'), [1, 0])
    assert.deepEqual(await totals('LSTU 400000-1'), [1, 0])
    assert.deepEqual(await totals('listed\u00ad\u2013001'), [1, 1])
    assert.deepEqual(await totals('über-'), [0, 1])
    assert.deepEqual(await totals('0001'), [2, 0])
    assert.deepEqual(await totals('1'), [2, 1])
    assert.deepEqual(await totals('/'), [0, 0])
    assert.deepEqual(await totals('nobody'), [0, 0])
  })

  test('ignores blanks and hyphens, like the number filters of lists', async () => {
    const { key } = await library([
      { kind: 'shipment', number: 'FLTR0001' },
      { kind: 'container', number: 'FLTU4000009', of: 'FLTR0001' },
      { kind: 'request', number: 'FLTR0001', of: 'FLTR0001' },
    ])
    const total = async (list: string, query: string): Promise<unknown> =>
      (await api.call({ url: `/v2/${list}?${query}&page[number]=9`, key })).body.meta?.['total']
    for (const written of ['FLTU4000009', 'fltu 400000-9', 'FLTU-400 0009', 'FLTU\u2011400000\u20609'])
      assert.equal(await total('containers', `filter[number]=${encodeURIComponent(written)}`), 1, written)
    for (const written of ['FLTR0001', 'fltr 0001', 'FLTR-00 01', '\u202dFLTR0001\u202c']) {
      const number = encodeURIComponent(written)
      assert.equal(await total('shipments', `number=${number}`), 1, written)
      assert.equal(await total('tracking_requests', `filter[request_number]=${number}`), 1, written)
    }
    assert.equal(await total('containers', 'filter[number]=FLTU4000010'), 0)
  })

  test("never finds another account's numbers, nor their parts", async () => {
    const { key } = await library([{ kind: 'shipment', number: 'SECRET0001', refs: ['THEIRS-1'] }])
    assert.equal((await search('SECRET', key)).length, 1)
    for (const query of ['SECRET0001', 'CRET0', 'THEIRS1']) assert.deepEqual(await search(query), [])
    for (const query of [seeded.bill, 'MSCU4', 'PO77']) assert.deepEqual(await search(query, key), [])
  })
})
