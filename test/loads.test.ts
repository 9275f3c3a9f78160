/**
 * What is loaded for one thing: a route, a worker, a command. Nothing should need all readers, resources or commands for
 * one of them. The limits are the present numbers; they are lowered if fewer are needed, and not raised.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLoads } from '../qa/mutants/find-loads.ts'

const ours = (entry: string): readonly string[] => findLoads('.', entry).filter((file) => file.startsWith('src/'))

for (const { what, entry, filesMax, never } of [
  {
    what: 'the list of shipments',
    entry: 'src/modules/shipments/shipments-routes.ts',
    filesMax: 150,
    never: /^src\/connectors\/(x12|edifact|terminal-api|arrival-notice|papers|dcsa|cosco)\/read/,
  },
  {
    what: 'a worker',
    entry: 'src/server/workers.ts',
    filesMax: 650,
    never: /^src\/(api|mcp|oauth|cli|portal-server)\/|-routes\.ts$/,
  },
  {
    what: 'the help of the command line',
    entry: 'src/cli/landfall.ts',
    filesMax: 30,
    never: /^src\/(db|pipeline|modules)\//,
  },
])
  test(`loading ${what} reads at most ${filesMax} source files, and no forbidden ones`, (t) => {
    const files = ours(entry)
    t.diagnostic(`${entry} loads ${files.length} files of src/`)
    assert.ok(files.length > 10)
    assert.ok(files.length <= filesMax, `${files.length} files`)
    assert.deepEqual(
      files.filter((file) => never.test(file)),
      [],
    )
  })
