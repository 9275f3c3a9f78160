// The operator's word for which lines an account may track, on a database that a server could be using.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { commands } from '../../../src/doors/cli/commands.ts'
import { runCommand } from '../../../src/doors/cli/run-command.ts'
import { listEnabledLines } from '../../../src/store/enabled-lines.ts'
import { openTestService, type TestService } from '../../support/service.ts'

let running: TestService
let folder: string
before(async () => {
  running = await openTestService()
  folder = mkdtempSync(join(tmpdir(), 'landfall-cli-'))
})
after(async () => {
  await running.close()
  rmSync(folder, { recursive: true })
})

async function call(line: string) {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await runCommand(commands, {
    args: line.split(' '),
    env: { DATABASE_URL: running.databaseUrl, LANDFALL_DATA: folder },
    out: { write: (text) => out.push(text) },
    err: { write: (text) => err.push(text) },
  })
  return { code, out: out.join(''), err: err.join('') }
}

test('a line is enabled for the one account that is named, and taken back', async () => {
  const [ours, theirs] = [await running.newAccount(), await running.newAccount()]
  const enabled = async (id: string) => [...(await listEnabledLines(running.service.pool, id))]
  const done = await call(`lines enable smlu --account ${ours.account.id}`)
  assert.equal(done.code, 0, done.err)
  assert.match(done.out, /\(SMLU\) can be tracked by Example Imports\.\n$/)
  assert.deepEqual([await enabled(ours.account.id), await enabled(theirs.account.id)], [['SMLU'], []])
  assert.equal((await call(`lines disable SMLU --account ${ours.account.id}`)).code, 0)
  assert.deepEqual(await enabled(ours.account.id), [])
  // Two accounts of one name: it has to be said which.
  assert.notEqual((await call('lines enable SMLU')).code, 0)
  const open = await call(`lines enable MAEU --account ${ours.account.id}`)
  assert.equal(open.code, 1)
  assert.match(open.err, /is enabled for every account/)
})
