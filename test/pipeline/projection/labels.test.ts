/**
 * Lists by tags and reference numbers: the same answers before and after older rows are labelled, while tags change, and
 * for each account its own.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { labelOldRows } from '../../../src/pipeline/projection/label-old.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { openCarrier } from '../../support/carrier.ts'
import { findStrayLabels, forgetLabels } from '../../support/labels.ts'
import { containerIdOf, insertListed, shipmentIdOf } from '../../support/listed.ts'
import { seedRoute } from '../../support/route-seed.ts'
import { pathOf, walkList } from '../../support/walk-list.ts'

let api: TestApi
before(async () => {
  api = await openTestApi({ startAt: '2026-01-18T00:00:00Z', hasReference: true })
})
after(() => api.close())

interface Account {
  readonly id: string
  readonly key: string
}
async function newAccount(): Promise<Account> {
  const context = await api.newAccount()
  return { id: context.account.id, key: await api.newKey(context, ['read', 'write']) }
}

/** Shipments from 1 to `count`: every second is blue, every third red, every seventh has the same long tag. */
const long = (end: string) => `${'x'.repeat(120)}${end}`
async function put(account: Account, salt: string, ns: readonly number[]): Promise<void> {
  const shipments = ns.map((n) => ({
    n,
    tags: [n % 2 === 0 ? ['blue'] : [], n % 3 === 0 ? ['red', 'Straße'] : [], n % 7 === 0 ? [long('a')] : []].flat(),
    refs: [n % 4 === 0 ? ['lot-ß'] : [], n % 5 === 0 ? [] : [`PO-${n}`]].flat(),
  }))
  await insertListed(api.service.pool, account.id, salt, shipments)
  await api.service.pool.query(
    `insert into tracking_requests (account_id, id, request_type, request_number, number, scac, status, lifecycle,
                                    shipment_tags, ref_numbers, created_at, updated_at)
     select account_id, ('22222222' || substr(id::text, 9))::uuid, 'bill_of_lading', normalized_number, normalized_number, scac, 'failed', '{}', tags, ref_numbers,
            created_at, updated_at
       from shipments where account_id = $1 and id = any($2)`,
    [account.id, ns.map((n) => shipmentIdOf(salt, n))],
  )
}
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at + 1)

const questions = ['shipments', 'containers', 'tracking_requests'].flatMap((list) =>
  [
    'filter[tags]=blue',
    'filter[tags]=blue,red',
    'filter[tags]=blue,red&filter[tags_and]=true',
    'filter[tags]=Blue',
    'filter[tags]=none',
    'filter[tags]=Straße&sort=created_at',
    `filter[tags]=${long('a')}`,
    `filter[tags]=${long('b')}`,
    'filter[ref_number]=po-8',
    'filter[ref_number]=LOT-ß',
    'filter[ref_number]=lot-ß&filter[tags]=blue,red',
    'filter[tags]=blue&sort=-updated_at',
    'filter[tags]=blue&filter[created_at][start]=2026-01-01T00:06:00Z&filter[updated_at][end]=2026-01-01T00:15:00Z',
    list === 'tracking_requests' ? 'filter[tags]=red&filter[status]=failed' : 'filter[tags]=red&filter[scac]=ONEY',
  ].map((query) => `/v2/${list}?${query}`),
)

/** The answers to all questions: ids in order, forward and back, the total, and those of a page by its number. */
async function answers({ key }: Account): Promise<Readonly<Record<string, unknown>>> {
  const found: Record<string, unknown> = {}
  for (const question of questions) {
    const walked = await walkList(api, question, key)
    const second = await api.call({ url: `${question}&page[size]=3&page[number]=2`, key })
    found[question] = {
      ...walked,
      second: second.many().map(({ id }) => id),
      total: second.body.meta?.['total'],
    }
  }
  return found
}

async function labelAll(limit: number): Promise<number> {
  for (let pieces = 0; ; pieces += 1) if ((await labelOldRows(api.service, limit)) === 0) return pieces
}

describe('filtering lists by tags and references', () => {
  test('gives an older account equal answers before, during and after labelling, and leaves others unchanged', async () => {
    const [account, other] = [await newAccount(), await newAccount()]
    await put(account, '0001', upTo(30))
    await put(other, '0002', [2, 6])
    const labelled = await answers(account)
    const of = (question: string) => (labelled[`/v2/${question}`] as { readonly on: readonly string[] }).on
    const expected = upTo(30).filter((n) => n % 2 === 0)
    assert.deepEqual(
      of('shipments?filter[tags]=blue'),
      expected.toReversed().map((n) => shipmentIdOf('0001', n)),
    )
    assert.deepEqual(
      of('containers?filter[tags]=blue,red&filter[tags_and]=true').length,
      10,
      'two of each sixth shipment',
    )
    assert.deepEqual(of('shipments?filter[ref_number]=LOT-ß').length, 7)
    assert.deepEqual(of(`shipments?filter[tags]=${long('a')}`).length, 4)
    assert.deepEqual(of(`shipments?filter[tags]=${long('b')}`), [], 'it begins as another does')
    const theirs = await answers(other)

    await forgetLabels(api.service.pool, account.id)
    assert.deepEqual(await answers(account), labelled, 'without labels')
    assert.ok((await labelOldRows(api.service, 4)) > 0)
    assert.deepEqual(await answers(account), labelled, 'with some labels')
    assert.ok((await labelAll(4)) > 10)
    assert.deepEqual(await answers(account), labelled, 'with all labels')
    assert.deepEqual((await findStrayLabels(api.service.pool)).strays, [])
    assert.deepEqual(await answers(other), theirs)
  })

  test('finds a shipment and its containers only by their new tags after tags are changed', async () => {
    const carrier = await openCarrier()
    try {
      await seedRoute(api, { bill: 'CNSH12345678', carrier, attributes: { shipment_tags: ['spring'] } })
    } finally {
      await carrier.close()
    }
    const listed = async (query: string): Promise<readonly string[]> => {
      const lists = await Promise.all(
        ['shipments', 'containers'].map((list) => api.call({ url: `/v2/${list}?${query}` })),
      )
      return lists.flatMap((list) => list.many().map(({ id }) => id))
    }
    const spring = await listed('filter[tags]=spring')
    assert.ok(spring.length >= 2, 'the shipment and its box')
    const [id = ''] = spring
    const patch = async (attributes: object): Promise<void> => {
      const body = { data: { type: 'shipment', id, attributes } }
      const answer = await api.call({ method: 'PATCH', url: `/v2/shipments/${id}`, body })
      assert.equal(answer.status, 200, answer.text)
    }
    await patch({ tags: ['summer', 'hot'] })
    assert.deepEqual(await listed('filter[tags]=spring'), [])
    assert.deepEqual(await listed('filter[tags]=summer'), spring)
    assert.deepEqual(await listed('filter[tags]=hot,summer'), spring)
    await patch({ tags: [], ref_numbers: ['ONLY-1'] })
    assert.deepEqual(await listed('filter[tags]=summer'), [])
    assert.ok((await listed('filter[ref_number]=only-1')).includes(id))
    assert.deepEqual((await findStrayLabels(api.service.pool)).strays, [])
  })

  test('finds an added or moved container by the tags of its shipment', async () => {
    const account = await newAccount()
    const { pool } = api.service
    await put(account, '0004', upTo(6))
    const box = containerIdOf('0004', 2, 1)
    await pool.query('update containers set updated_at = $2 where id = $1', [box, '2026-02-01T00:00:00Z'])
    const newest = async (tag: string) => {
      const list = await api.call({
        url: `/v2/containers?filter[tags]=${tag}&page[size]=1`,
        key: account.key,
      })
      return list.many().map(({ id }) => id)
    }
    assert.deepEqual(await newest('blue'), [box], 'what changed last comes first')
    await pool.query('update containers set shipment_id = $2 where id = $1', [box, shipmentIdOf('0004', 3)])
    assert.deepEqual(await newest('red'), [box])
    assert.notDeepEqual(await newest('blue'), [box])
    await pool.query('delete from containers where id = $1', [box])
    assert.notDeepEqual(await newest('red'), [box])
    assert.deepEqual((await findStrayLabels(pool)).strays, [])
  })

  test('finds a container at its new position if a tag is added while the container moves', async () => {
    const account = await newAccount()
    const { pool } = api.service
    await put(account, '0007', upTo(3))
    const client = await pool.connect()
    let tagging: Promise<unknown>
    try {
      await client.query('begin')
      const box = containerIdOf('0007', 1, 2)
      await client.query('update containers set updated_at = $2 where id = $1', [box, '2026-02-01T00:00:00Z'])
      tagging = pool.query(`update shipments set tags = '{blue}' where id = $1`, [shipmentIdOf('0007', 1)])
      await Promise.race([tagging, pause(150)])
      await client.query('commit')
    } finally {
      client.release()
    }
    await tagging
    assert.deepEqual((await findStrayLabels(pool)).strays, [])
  })

  test('pages by position neither repeat nor hide rows when tagged rows are added, removed or moved', async () => {
    const account = await newAccount()
    const { pool } = api.service
    await put(account, '0005', [2, 4, 6, 8, 10, 12])
    const idsOf = (url: string) => api.call({ url, key: account.key })
    const first = await idsOf('/v2/containers?filter[tags]=blue&page[size]=4&page[after]=')
    const seen = first.many().map(({ id }) => id)
    assert.equal(seen.length, 4)
    // One more at the end of the list, one at its beginning, and one that was shown loses its tag.
    await put(account, '0005', [1, 14])
    await pool.query(`update shipments set tags = '{blue}' where id = $1`, [shipmentIdOf('0005', 1)])
    await pool.query(`update shipments set tags = '{}' where id = $1`, [shipmentIdOf('0005', 10)])
    // One that was not shown moves to the beginning.
    await pool.query('update containers set updated_at = now() where id = $1', [containerIdOf('0005', 4, 1)])
    for (let next = first.body.links?.['next']; next !== undefined; ) {
      const page = await idsOf(pathOf(next))
      seen.push(...page.many().map(({ id }) => id))
      next = page.body.links?.['next']
    }
    assert.equal(new Set(seen).size, seen.length, 'none twice')
    const still = [8, 6, 2, 1].flatMap((n) => [containerIdOf('0005', n, 1), containerIdOf('0005', n, 2)])
    for (const id of [...still, containerIdOf('0005', 4, 2)]) assert.ok(seen.includes(id), id)
  })
})

describe('labelling older rows', () => {
  test('continues after a crash and includes rows that change meanwhile', async () => {
    const account = await newAccount()
    const { pool } = api.service
    await put(account, '0006', upTo(20))
    await forgetLabels(pool, account.id)
    await labelOldRows(api.service, 5)
    // A piece that fails when some of its rows are written.
    await pool.query(`create function fail() returns trigger language plpgsql as $$ begin raise 'planted'; end $$`)
    await pool.query(`create trigger failing before update on unlabelled for each row
                        when (new.after_id > '${shipmentIdOf('0006', 8)}') execute function fail()`)
    await assert.rejects(labelAll(5), /planted/)
    await pool.query('drop trigger failing on unlabelled; drop function fail()')
    await pool.query(`update shipments set tags = '{gone}' where id = $1`, [shipmentIdOf('0006', 2)])
    await pool.query(`update shipments set tags = '{late}' where id = $1`, [shipmentIdOf('0006', 18)])
    await pool.query(`update containers set updated_at = now() where id = $1`, [containerIdOf('0006', 18, 2)])
    await pool.query(
      `update tracking_requests set shipment_tags = '{asked}' where account_id = $1 and request_number = 'BILL000003'`,
      [account.id],
    )
    await pool.query('delete from containers where shipment_id = $1', [shipmentIdOf('0006', 19)])
    await put(account, '0006', [21])
    await labelAll(5)
    assert.deepEqual((await findStrayLabels(pool)).strays, [])
    const { rows } = await pool.query('select from unlabelled')
    assert.equal(rows.length, 0)
  })

  for (const [what, change] of [
    ['tags', `update shipments set tags = '{other}' where account_id = $1`],
    ['the time of containers', `update containers set updated_at = now() where account_id = $1`],
    ['containers', `delete from containers where account_id = $1`],
    ['the tags of requests', `update tracking_requests set shipment_tags = '{other}' where account_id = $1`],
  ] as const)
    test(`waits for a transaction that changes ${what}, and labels the result`, async () => {
      const account = await newAccount()
      const { pool } = api.service
      const salt = `1${what.length.toString(16).padStart(3, '0')}`
      await put(account, salt, upTo(6))
      await forgetLabels(pool, account.id)
      const client = await pool.connect()
      let labelling: Promise<number>
      try {
        await client.query('begin')
        await client.query(change, [account.id])
        labelling = labelAll(100)
        const ended = await Promise.race([labelling.then(() => true), pause(150).then(() => false)])
        assert.equal(ended, false, 'it does not wait')
        await client.query('commit')
      } finally {
        client.release()
      }
      await labelling
      assert.deepEqual((await findStrayLabels(pool)).strays, [])
    })

  test('two processes label different accounts', async () => {
    const accounts = [await newAccount(), await newAccount(), await newAccount()]
    for (const [at, account] of accounts.entries()) {
      await put(account, `200${at}`, upTo(8))
      await forgetLabels(api.service.pool, account.id)
    }
    await Promise.all([labelAll(3), labelAll(3)])
    await labelAll(3)
    const { count, strays } = await findStrayLabels(api.service.pool)
    assert.deepEqual(strays, [])
    assert.ok(count > 100, `${count} labels`)
  })
})
