/** Other processes monitor a process as soon as it is registered. It must not be busy with loading then. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openPool } from '../../src/db/database.ts'
import { listWorkers } from '../../src/db/workers.ts'
import { startCluster } from '../../src/platform/postgres-cluster.ts'
import { openDataFolder } from './prepared-folder.ts'
import { freePorts, root, startProgram } from './program.ts'

test('a process loads all its modules before it registers as a worker', async (t) => {
  const data = await openDataFolder()
  t.after(() => data.remove())
  const notes = join(data.path, 'loads')
  const program = startProgram({
    dataFolder: data.path,
    ports: await freePorts(),
    command: [process.execPath, '--import', join(root, 'test/support/note-loads.mjs'), join(root, 'src/main.ts')],
    env: { LANDFALL_SANDBOX: 'off', NOTE_LOADS_IN: notes },
  })
  await program.up
  const upMs = Date.now()
  const cluster = await startCluster({ dataDir: data.path })
  const pool = openPool({ connection: cluster.url, connectionsMax: 1 })
  const workers = await listWorkers(pool)
  await pool.end()
  await cluster.stop()
  assert.equal(workers.length, 1)
  const watchedMs = Date.parse(workers[0]?.startedAt ?? '')
  const loads = readFileSync(notes, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly url: string; readonly atMs: number })
  assert.ok(loads.some(({ url }) => url.endsWith('/src/server/app.ts')))
  assert.ok(loads.some(({ url }) => url.endsWith('/src/server/workers.ts')))
  assert.deepEqual(
    loads.filter(({ atMs }) => atMs > watchedMs && atMs <= upMs).map(({ url }) => url),
    [],
  )
  await program.kill('SIGTERM')
})
