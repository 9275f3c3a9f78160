// Which writes are counted as changes of an account while read replicas are in use, and for whom.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { onBehalfOf } from '../../src/store/account-share.ts'
import { accountsChanged, everybody, findWritten } from '../../src/store/change-marks.ts'
import { inTransaction } from '../../src/store/database.ts'
import { countChangesOf } from '../../src/store/ground/read-apart.ts'
import { uncounted } from '../../src/store/ground/uncounted-writes.ts'
import { openTestDatabase } from '../support/database.ts'
import { findStatements } from '../support/statements.ts'

const statements = await findStatements(fileURLToPath(new URL('../../src/store/', import.meta.url)))
const one = '018f0000-0000-7000-8000-000000000001'
const two = '018f0000-0000-7000-8000-000000000002'

test('a write of the store says whose it is, does not count, or is one of few that concern everybody', () => {
  const unknown = statements.filter((statement) => {
    const written = findWritten(statement, uncounted)
    return written !== null && written.counts === 'always' && written.accounts.length === 0
  })
  assert.deepEqual(
    unknown.map(({ name }) => name),
    ['alert_address_answer'],
  )
})

test('every table and statement that does not count exists', async () => {
  const database = await openTestDatabase()
  try {
    const { rows } = await database.pool.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    )
    const tables = new Set([...rows.map(({ name }) => name), 'room_probe'])
    const given = [...Object.keys(uncounted.tables), ...Object.keys(uncounted.holdersTables)]
    assert.deepEqual(
      given.filter((table) => !tables.has(table)),
      [],
    )
  } finally {
    await database.close()
  }
  const names = new Set(statements.map(({ name }) => name))
  assert.deepEqual(
    Object.keys(uncounted.statements).filter((name) => !names.has(name)),
    [],
  )
})

const cases: readonly (readonly [string, readonly unknown[], readonly string[]])[] = [
  ['update shipments set tags = $2 where account_id = $1 and id = $3', [one, [], two], [one]],
  ['insert into notes (account_id, id) values ($1, $2)', [one, two], [one]],
  ['insert into notes (id, account_id) values ($1, $2)', [two, one], [one]],
  ['insert into notes (account_id, id) select $1, id from t where n < $2', [one, 3], [one]],
  ['delete from notes where account_id = any($1::uuid[])', [[one, two]], [one, two]],
  [
    'update events e set payload = null from unnest($2::uuid[], $3::uuid[]) as t (account_id, id) where e.id = t.id',
    [1, [two], [one]],
    [two],
  ],
  ['insert into notes (account_id, id) select * from unnest($1::uuid[], $2::uuid[])', [[one], [two]], [one]],
  ['with gone as (delete from notes where id = $1 returning id) select id from gone', [two], [everybody]],
  ['select * from shipments where account_id = $1 for update', [one], []],
  ['select * from shipments s where account_id = $1 for no key update of s', [one], []],
  ['update sessions set seen_at = $1', ['now'], []],
  ['update channels set answered_at = $2 where id = $1', [two, 'now'], []],
  ['insert into inbound_messages (id, channel_id, account_id) values ($1, $2, $3)', [one, two, null], []],
]
for (const [text, values, accounts] of cases)
  test(`${accounts.length === 0 ? 'nobody is' : 'the accounts are'} noted for: ${text}`, () => {
    assert.deepEqual(accountsChanged({ text, values }, uncounted), accounts)
  })

test('what a request writes counts for its account, whatever the statement says', () => {
  const changed = (text: string) => onBehalfOf(one, () => accountsChanged({ text, values: [two] }, uncounted))
  assert.deepEqual(changed('delete from notes where id = $1'), [one])
  assert.deepEqual(changed('update channels set name = $1'), [one])
  assert.deepEqual(changed('update rate_windows set taken = 1'), [])
})

test('a change is counted with its commit, once for each transaction; what is rolled back or only read is not', async () => {
  const database = await openTestDatabase()
  try {
    const { pool } = database
    countChangesOf(pool)
    const add = {
      text: 'insert into accounts (id, company_name, is_fiction, created_at) values ($1, $2, false, now())',
    }
    const counted = async (): Promise<number> => {
      const { rows } = await pool.query<{ n: number }>(
        `select coalesce(sum(changes), 0)::int as n from account_changes where account_id = '${one}'`,
      )
      return rows[0]?.n ?? 0
    }
    await pool.query({ ...add, values: [one, 'One'] })
    assert.equal(await counted(), 1)
    const rename = { text: 'update accounts set company_name = $2 where id = $1', values: [one, 'Uno'] }
    await inTransaction(pool, async (db) => {
      await db.query(rename)
      await db.query(rename)
    })
    assert.equal(await counted(), 2)
    await assert.rejects(
      inTransaction(pool, async (db) => {
        await db.query(rename)
        throw new Error('no')
      }),
    )
    await inTransaction(pool, (db) =>
      db.query({ text: 'select id from accounts where id = $1', values: [one] }),
    )
    assert.equal(await counted(), 2)
    // Many at once, crosswise: nobody waits for ever and nothing is lost.
    const both = (first: string, second: string) =>
      inTransaction(pool, async (db) => {
        for (const id of [first, second]) await db.query({ ...rename, values: [id, 'x'] })
      })
    await pool.query({ ...add, values: [two, 'Two'] })
    await Promise.all(Array.from({ length: 20 }, () => both(one, two)))
    assert.equal(await counted(), 22)
  } finally {
    await database.close()
  }
})
