/**
 * Statements of the store on a database that is distributed by account. LANDFALL_TEST_CITUS_URL names a coordinator of
 * Citus, as `node tools/run.mjs tools/citus.ts` starts one. Without it these tests are skipped, and say so.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { insertAccount } from '../../../src/modules/accounts/accounts-sql.ts'
import { type ClusterDatabase, openDistributedDatabase } from '../../support/distributed.ts'
import { findStatements } from '../../support/statements.ts'

const coordinator = process.env['LANDFALL_TEST_CITUS_URL'] ?? ''
const isSkipped = coordinator === '' && 'LANDFALL_TEST_CITUS_URL names no coordinator of Citus'

let database: ClusterDatabase | null = null
before(async () => {
  if (coordinator !== '') database = await openDistributedDatabase(coordinator)
})
after(async () => database?.close())

test('statements run on the node where the rows of an account are', { skip: isSkipped }, async () => {
  assert.ok(database !== null)
  const refused: Record<string, string> = {}
  const readsAll: string[] = []
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    await insertAccount(client, {
      id: someId,
      companyName: 'X',
      isSandbox: false,
      createdAt: '2026-01-01T00:00:00Z',
    })
    for (const { name, text } of await findStatements()) {
      const { why, bringsAll } = await runOnce(client, name, text)
      if (why !== null) refused[name] = why
      if (bringsAll) readsAll.push(name)
    }
  } finally {
    await client.end()
  }
  assert.deepEqual(refused, {})
  assert.deepEqual(readsAll, [], 'first find what belongs to the account, `as materialized`')
})

test('the check of distributed statements finds one that is refused or that sends a whole table to the nodes', {
  skip: isSkipped,
}, async () => {
  const client = new pg.Client({ connectionString: database?.url })
  await client.connect()
  try {
    const bill = `select s.number from tracking_requests r join subjects s on s.id = r.subject_id where r.account_id = $1`
    assert.equal((await runOnce(client, 'planted', bill)).bringsAll, true)
    const found = `with r as materialized (select subject_id as id from tracking_requests where account_id = $1)
                   select (select s.number from subjects s where s.id = r.id) from r`
    assert.deepEqual(await runOnce(client, 'planted', found), { why: null, bringsAll: false })
    const locked = `with r as materialized (select subject_id as id from tracking_requests where account_id = $1),
                    l as materialized (select s.id from subjects s join r on r.id = s.id for update of s) select id from l`
    assert.match((await runOnce(client, 'planted', locked)).why ?? '', faults)
  } finally {
    await client.end()
  }
})

interface Tried {
  /** Why the engine does not run it; null where it does, or where only the values of this test do not fit. */
  readonly why: string | null
  readonly bringsAll: boolean
}

/** Statements that take a list of objects are tried with an empty list. */
async function runOnce(client: pg.Client, name: string, text: string): Promise<Tried> {
  const tried = await runWith(client, { name, text, json: '{}' })
  return tried === 'no list' ? ((await runWith(client, { name, text, json: '[]' })) as Tried) : tried
}

async function runWith(
  client: pg.Client,
  { name, text, json }: { readonly name: string; readonly text: string; readonly json: string },
): Promise<Tried | 'no list'> {
  await client.query('begin; set local enable_seqscan = off')
  try {
    await client.query(`prepare "${name}" as ${text}`)
    const { rows } = await client.query<{ readonly types: string[] }>(
      'select parameter_types::text[] as types from pg_prepared_statements where name = $1',
      [name],
    )
    const given = (rows[0]?.types ?? []).map((type) => sampleOf(type, json))
    const call = `execute "${name}"${given.length === 0 ? '' : `(${given.join(', ')})`}`
    await client.query(call)
    return { why: null, bringsAll: await bringsAll(client, call) }
  } catch (error) {
    const { code = '', message } = error as pg.DatabaseError
    if (code === '22023' && json === '{}') return 'no list'
    return {
      why: ['0A000', '42601'].includes(code) || faults.test(message) ? message : null,
      bringsAll: false,
    }
  } finally {
    await client.query('rollback')
    await client.query('deallocate all')
  }
}

/**
 * What Citus says of statements that it plans and then cannot run. 42601: of `exists (select from …)` it makes a part
 * without columns, which it cannot read. `PGCOPY`: of `for update` beside what was found before. A node type: of a limit
 * that is a subquery, where it has something to compute itself.
 */
const faults = /is not distributed|unrecognized node type|PGCOPY/

/** Tables of the coordinator that grow with what is tracked. */
const large =
  'subjects|day_looks\\w*|looks_before|look_days|mentions|mention_numbers|hearings|inbound_messages|kept_snapshots'
const wholeTable = new RegExp(`Seq Scan on (?:${large})\\b.*cost=1\\d{10}`)

/** True where the coordinator reads a large table from one end to the other although it may use any index. */
async function bringsAll(client: pg.Client, call: string): Promise<boolean> {
  // Some statements that write run, but are not explained.
  const { rows } = await client.query<{ readonly 'QUERY PLAN': string }>(`explain ${call}`).catch(() => ({ rows: [] }))
  const lines = rows.map((row) => row['QUERY PLAN'])
  return lines.some((line) => line.includes('Citus')) && lines.some((line) => wholeTable.test(line))
}

const someId = '11111111-1111-4111-8111-111111111111'
const otherId = '22222222-2222-4222-8222-222222222222'
const values: Record<string, string> = {
  uuid: `'${someId}'`,
  bigint: '1',
  integer: '1',
  smallint: '1',
  'double precision': '1',
  numeric: '1',
  real: '1',
  inet: `'192.0.2.1'`,
  boolean: 'true',
  'timestamp with time zone': 'now()',
  date: `'2026-01-01'`,
  interval: `'1 day'`,
}

function sampleOf(type: string, json: string): string {
  // Of accounts there are two, because some statements run only as long as there is one.
  if (type === 'uuid[]') return `array['${someId}', '${otherId}']::uuid[]`
  if (type.endsWith('[]')) return `array[${sampleOf(type.slice(0, -2), json)}]::${type}`
  return `${type.startsWith('json') ? `'${json}'` : (values[type] ?? `'x'`)}::${type}`
}
