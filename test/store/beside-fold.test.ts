/** What stands beside the ledger: one table, and nothing that the ledger does not yield is missing in it. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { foldColumns } from '../../src/store/journeys/fold-rows.ts'
import { besideFold, columnsBeside } from '../../src/store/ledger/beside-fold.ts'
import { rebuiltTables } from '../../src/store/ledger/rebuild.ts'
import { writeBesidePage } from '../../tools/beside-page-text.ts'
import { openTestDatabase } from '../support/database.ts'

test('its page is written from the table', () => {
  const page = readFileSync(new URL('../../docs/beside-the-ledger.md', import.meta.url), 'utf8')
  assert.equal(page, writeBesidePage(), 'run node tools/run.mjs tools/beside-page.ts')
  for (const { what } of besideFold) assert.ok(page.includes(`| ${what} |`))
})

test('a column of what the ledger yields is written by the fold, or the table says where it comes from', async () => {
  const database = await openTestDatabase()
  try {
    for (const { name } of rebuiltTables) {
      const { rows } = await database.pool.query<{ column: string }>(
        `select column_name as column from information_schema.columns
          where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' and column_name <> 'account_id'`,
        [name],
      )
      const written = foldColumns[name].split(/,\s+/)
      const beside = columnsBeside(name)
      const told = [...new Set([...written, ...beside])].toSorted()
      assert.deepEqual(rows.map(({ column }) => column).toSorted(), told, name)
    }
  } finally {
    await database.close()
  }
})
