/**
 * Given to a run of the tests that is to be aborted: has a database, a program that pays no heed to SIGTERM, one that has
 * left its parent, a PostgreSQL of its own and a folder, prints that it has them, and waits.
 */

import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startCluster } from '../../src/platform/postgres-cluster.ts'
import { openTestDatabase } from '../support/database.ts'

test('leaves a database, a cluster and processes open until its run is aborted', async () => {
  await openTestDatabase()
  await startCluster({ dataDir: mkdtempSync(join(tmpdir(), 'landfall-e2e-')), throwaway: true })
  const stubborn = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'
  spawn(process.execPath, ['-e', stubborn], { stdio: 'ignore' })
  const starts = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(stubborn)}], { detached: true, stdio: "ignore" }).unref()`
  spawn(process.execPath, ['-e', starts], { stdio: 'ignore' })
  console.error('It has begun.')
  await new Promise((resolve) => setTimeout(resolve, 600_000))
})
