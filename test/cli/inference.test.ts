// `landfall inference import`, `share` and `forget`, on a real database: their output and their effect.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { insertAccount } from '../../src/modules/accounts/accounts-sql.ts'
import { openCommandLine } from '../support/command-line.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
const bayPlan = fileURLToPath(new URL('../connectors/edifact/fixtures/baplie-d95b.edi', import.meta.url))
const { folder, landfall } = openCommandLine(() => ({ DATABASE_URL: database.url, LANDFALL_SANDBOX: 'on' }))

before(async () => {
  database = await openTestDatabase()
  for (const [index, companyName] of ['Example Imports', 'Other Imports'].entries()) {
    const id = `00000000-0000-4000-8000-00000000000${index}`
    const account = { id, companyName, isSandbox: false, createdAt: '2026-01-01T00:00:00Z' }
    await insertAccount(database.pool, account)
  }
})

after(() => database.close())

test('a bay plan is imported for a named account, and skipped numbers and unknown carriers are reported', async () => {
  const account = ['--account', 'example imports']
  const { code, out } = await landfall('inference', 'import', bayPlan, ...account)
  assert.equal(code, 0)
  assert.match(out, /6 numbers read, 3 learned, 0 known from an earlier import/)
  assert.match(out, /skipped 1: wrong check digit/)
  assert.match(out, /unknown carriers: XYZ \(1\)/)
  assert.match((await landfall('inference', 'import', bayPlan, ...account)).out, /0 learned, 3 known/)
  const { rows } = await database.pool.query({
    text: 'select from inference_outcomes where sequence is not null',
  })
  assert.equal(rows.length, 3, 'they are numbered, so that running processes take them in')
})

test('an import into an installation with several accounts must name an existing account', async () => {
  for (const args of [[], ['--account', 'Nobody']]) {
    const { code, err } = await landfall('inference', 'import', bayPlan, ...args)
    assert.equal(code, 2)
    assert.match(err, /Example Imports/)
  }
})

test('an import of a truncated file learns its complete part and exits with code 1', async () => {
  const broken = join(folder, 'broken.edi')
  writeFileSync(broken, "UNH+1+BAPLIE:D:95B:UN'LOC+147+1'EQD+CN+MSKU1234565'NAD+CA+MAEU'EQD+C")
  const { code, out, err } = await landfall('inference', 'import', broken, '--account', 'Other Imports')
  assert.deepEqual([code, /1 learned/.test(out)], [1, true])
  assert.match(err, /Segment 5: The text ends in the middle of a segment/)
  const miscounted = join(folder, 'miscounted.edi')
  writeFileSync(miscounted, "UNH+1+BAPLIE:D:95B:UN'LOC+147+1'EQD+CN+MSKU1234565'NAD+CA+MSK'UNT+7+1'")
  const whole = await landfall('inference', 'import', miscounted, '--account', 'Other Imports')
  assert.deepEqual([whole.code, /1 learned/.test(whole.out), /says 7/.test(whole.err)], [0, true, true])
  const other = join(folder, 'other.txt')
  writeFileSync(other, '<html>')
  const refused = await landfall('inference', 'import', other, '--account', 'Other Imports')
  assert.deepEqual([refused.code, /neither EDIFACT nor a labelled CSV/.test(refused.err)], [1, true])
})

test('sharing is switched off and on, and forgetting needs --yes', async () => {
  const account = ['--account', 'Example Imports']
  assert.match((await landfall('inference', 'share', 'off', ...account)).out, /does not share/)
  const shares = async (): Promise<boolean | undefined> =>
    (
      await database.pool.query<{ shares: boolean }>({
        text: `select shares_outcomes as shares from accounts where company_name = 'Example Imports'`,
      })
    ).rows[0]?.shares
  assert.equal(await shares(), false)
  assert.match((await landfall('inference', 'share', 'on', ...account)).out, /shares what it teaches/)
  assert.equal(await shares(), true)
  assert.equal((await landfall('inference', 'forget', ...account)).code, 2)
  const { code, out } = await landfall('inference', 'forget', '--yes', ...account)
  assert.deepEqual([code, out], [0, '3 outcomes of Example Imports are forgotten\n'])
})

test('the limit of searched lines is set for an account, and an invalid limit is refused', async () => {
  const settings = async () => {
    const { rows } = await database.pool.query({
      text: `select search_lines_max as max, searches_billed_lines as billed from accounts where company_name = 'Other Imports'`,
    })
    return rows[0]
  }
  const account = ['--account', 'Other Imports']
  const set = await landfall('inference', 'search', '8', '--billed', ...account)
  assert.deepEqual([set.code, await settings()], [0, { max: 8, billed: true }])
  assert.match(set.out, /Other Imports: at most 8 carriers, also carriers that charge for each request/)
  const all = await landfall('inference', 'search', 'all', ...account)
  assert.deepEqual([all.code, await settings()], [0, { max: null, billed: false }])
  for (const lines of ['0', '-1', 'many', '1.5']) {
    const refused = await landfall('inference', 'search', lines, ...account)
    assert.deepEqual([refused.code, await settings()], [2, { max: null, billed: false }], lines)
  }
})
