// The operator allows an account to track lines, while a server may use the same database.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listEnabledLines } from '../../src/modules/carriers/enabled-lines-sql.ts'
import { openCommandLine } from '../support/command-line.ts'
import { openTestService, type TestService } from '../support/service.ts'

let running: TestService
const { call } = openCommandLine(() => ({ DATABASE_URL: running.databaseUrl }))

before(async () => {
  running = await openTestService()
})
after(() => running.close())

test('a line is enabled for one named account, and disabled again', async () => {
  const [ours, theirs] = [await running.newAccount(), await running.newAccount()]
  const enabled = async (id: string) => [...(await listEnabledLines(running.service.pool, id))]
  const done = await call(`lines enable smlu --account ${ours.account.id}`)
  assert.equal(done.code, 0, done.err)
  assert.match(done.out, /\(SMLU\) can be tracked by Example Imports\.\n$/)
  assert.deepEqual([await enabled(ours.account.id), await enabled(theirs.account.id)], [['SMLU'], []])
  assert.equal((await call(`lines disable SMLU --account ${ours.account.id}`)).code, 0)
  assert.deepEqual(await enabled(ours.account.id), [])
  // Two accounts have this name, so the command needs an id.
  assert.notEqual((await call('lines enable SMLU')).code, 0)
  const open = await call(`lines enable MAEU --account ${ours.account.id}`)
  assert.equal(open.code, 1)
  assert.match(open.err, /is enabled for every account/)
})
