/** The data beside the ledger: one table lists everything that the ledger does not yield. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { besideFold, listNonLedgerColumns } from '../../../src/pipeline/ledger/beside-fold-sql.ts'
import { rebuiltTables } from '../../../src/pipeline/ledger/rebuild-sql.ts'
import { foldColumns } from '../../../src/pipeline/projection/fold-rows-sql.ts'
import { writeBesidePage } from '../../../tools/beside-page-text.ts'
import { openTestDatabase } from '../../support/database.ts'

test('docs/beside-the-ledger.md is generated from the table of data that is not computed from the ledger', () => {
  const page = readFileSync(new URL('../../../docs/beside-the-ledger.md', import.meta.url), 'utf8')
  assert.equal(page, writeBesidePage(), 'run node tools/run.mjs tools/beside-page.ts')
  for (const { what } of besideFold) assert.ok(page.includes(`| ${what} |`))
})

test('every column of a rebuilt table is written by the fold or listed with its other origin', async () => {
  const database = await openTestDatabase()
  try {
    for (const { name } of rebuiltTables) {
      const { rows } = await database.pool.query<{ column: string }>(
        `select column_name as column from information_schema.columns
          where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' and column_name <> 'account_id'`,
        [name],
      )
      const written = foldColumns[name].split(/,\s+/)
      const beside = listNonLedgerColumns(name)
      const listed = [...new Set([...written, ...beside])].toSorted()
      assert.deepEqual(rows.map(({ column }) => column).toSorted(), listed, name)
    }
  } finally {
    await database.close()
  }
})
