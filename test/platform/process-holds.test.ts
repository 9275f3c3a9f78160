// Locks as files: a file that a dead process left, or could not write, does not block other processes for ever.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { countHolders, withLock } from '../../src/platform/process-holds.ts'

function makeFolder(t: { after: (work: () => void) => void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-holds-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('only one process at a time has a lock', async (t) => {
  const path = join(makeFolder(t), 'lock')
  let inside = 0
  await Promise.all(
    Array.from({ length: 5 }, () =>
      withLock(path, async () => {
        inside += 1
        assert.equal(inside, 1)
        await pause(5)
        inside -= 1
      }),
    ),
  )
  assert.equal(existsSync(path), false)
})

test('an empty lock file blocks other processes only as long as its writer may still be writing', async (t) => {
  const folder = makeFolder(t)
  const path = join(folder, 'lock')
  writeFileSync(path, '')
  const longAgo = new Date(Date.now() - 60_000)
  utimesSync(path, longAgo, longAgo)
  assert.equal(await withLock(path, async () => 'in'), 'in')
  writeFileSync(join(folder, 'one'), '')
  assert.equal(countHolders(folder), 1, 'it is just being written')
  utimesSync(join(folder, 'one'), longAgo, longAgo)
  assert.equal(countHolders(folder), 0)
})
