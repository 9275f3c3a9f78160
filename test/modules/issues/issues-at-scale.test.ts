// However many issues an account has, a page of them is read off an index.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Db } from '../../../src/db/database.ts'
import { everyIssue } from '../../../src/modules/issues/list-issues.ts'
import { type IssueFilter, listIssueRows } from '../../../src/modules/issues/list-issues-sql.ts'
import { openTestService, type TestService } from '../../support/service.ts'

let running: TestService
let accountId: string
const rows = 60_000
const rowsAtOnce = 6_000
/** A page of thirty reads the index, the rows, their requests, and the way down to each. */
const blocksMax = 500

before(async () => {
  running = await openTestService()
  accountId = (await running.newAccount()).account.id
  const { pool } = running.service
  for (let from = 0; from < rows; from += rowsAtOnce)
    await pool.query({
      text: `insert into issues (account_id, id, scac, kind, detail, first_at, last_at, shipment_id, tracking_request_id)
             select $1, gen_random_uuid(), case when n % 50 = 0 then 'ONEY' else 'MSCU' end,
                    case when n % 100 = 1 then 'bad_imo' else 'unknown_place' end, 'x',
                    at, at, case when n % 7 = 0 then md5((n % 5000)::text)::uuid end, md5((n % 1000)::text)::uuid
               from generate_series($2::integer + 1, $2 + $3) n
               join lateral (select timestamptz '2026-01-01' + n * interval '1 second' as at) t on true`,
      values: [accountId, from, rowsAtOnce],
    })
  await pool.query({ text: 'analyze issues' })
})
after(() => running.close())

interface Plan {
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
}

/** How many blocks the statement of the page touched; what it answers is answered as ever. */
async function blocksOf(filter: Partial<IssueFilter>, cursor: string | null = null): Promise<number> {
  const { pool } = running.service
  const plans: Plan[] = []
  const db = {
    query: async (statement: { readonly text: string; readonly values?: readonly unknown[] }) => {
      if (/^\s*select \(select row_to_json/.test(statement.text)) {
        const { rows: told } = await pool.query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>({
          text: `explain (analyze, buffers, format json) ${statement.text}`,
          values: [...(statement.values ?? [])],
        })
        plans.push(...told.flatMap((row) => row['QUERY PLAN'].map((each) => each.Plan)))
      }
      return pool.query(statement as never)
    },
  } as unknown as Db
  const position = cursor === null ? null : { value: cursor, tie: null, id: accountId }
  const page = {
    number: 1,
    size: 30,
    ...(cursor === null ? {} : { cursor: { side: 'after', position } as const }),
  }
  const found = await listIssueRows(db, {
    accountId,
    filter: { ...everyIssue, ...filter },
    order: '-last_seen_at',
    page,
  })
  assert.equal(found.rows.length, 30)
  const [plan, ...others] = plans
  assert.ok(plan !== undefined && others.length === 0)
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

for (const [name, filter, cursor] of [
  ['all of them', {}, null],
  ['far down the list, by position', {}, '2026-01-01 12:00:00+00'],
  ['by a line that is rare', { scac: 'ONEY' }, null],
  ['by a kind that is rare', { kind: 'bad_imo' }, null],
  ['since a time', { since: '2026-01-01T06:00:00Z' }, null],
  ['of one request', { trackingRequestId: 'c4ca4238-a0b9-2382-0dcc-509a6f75849b' }, null],
] as const)
  test(`reads a page of issues, ${name}, from a few hundred database blocks among ${rows} rows`, async () => {
    const blocks = await blocksOf(filter, cursor)
    assert.ok(blocks <= blocksMax, `${blocks} blocks`)
  })
