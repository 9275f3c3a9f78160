// The operator's commands for rate limits, while a server may use the same database.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openCommandLine } from '../support/command-line.ts'
import { openTestService, type TestService } from '../support/service.ts'

let running: TestService
const { call } = openCommandLine(() => ({ DATABASE_URL: running.databaseUrl }))

before(async () => {
  running = await openTestService()
})
after(() => running.close())

test('a limit of an account is set, listed and removed', async () => {
  const { account } = await running.newAccount()
  const set = await call(`limits set ${account.id} create 1000`)
  assert.deepEqual([set.code, set.out], [0, `create of ${account.id}: 1000 in any 60 seconds.\n`])
  const listed = await call('limits list')
  assert.match(listed.out, /^default {2}100 in any 60 seconds\n/)
  assert.match(listed.out, new RegExp(`^${account.id} {2}Example Imports {2}create {2}1000 in any 60 seconds$`, 'm'))
  assert.equal((await call(`limits set ${account.id} create settings`)).code, 0)
  const json = JSON.parse((await call('limits list --json')).out)
  assert.deepEqual(json.of_accounts, [])
})

test('an unknown account, an invalid id and an invalid limit are refused with the reason', async () => {
  const absent = '018f0000-0000-7000-8000-000000000000'
  const gone = await call(`limits set ${absent} infer 5`)
  assert.equal(gone.code, 1)
  assert.match(gone.err, /No such account/)
  for (const line of [`limits set nobody infer 5`, `limits set ${absent} infer many`, `limits set ${absent} x 5`])
    assert.equal((await call(line)).code, 2, line)
})
