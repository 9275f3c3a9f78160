/**
 * What is loaded for one thing: a route, a worker, a command. Nobody should need all readers, resources or commands for
 * one of them. The bounds are what it takes today; they are lowered when it takes less, and not raised.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLoads } from '../tools/mutants/find-loads.ts'

const ours = (entry: string): readonly string[] =>
  findLoads('.', entry).filter((file) => file.startsWith('src/'))

for (const { what, entry, filesMax, never } of [
  {
    what: 'the list of shipments',
    entry: 'src/doors/api/routes/shipments/shipments.ts',
    filesMax: 357,
    never: /^src\/sources\/(x12|edifact|facility|arrival-notice|documents|dcsa|cosco)\/read/,
  },
  {
    what: 'a worker',
    entry: 'src/service/running/workers.ts',
    filesMax: 643,
    never: /^src\/doors\//,
  },
  {
    what: 'the help of the command line',
    entry: 'src/doors/cli/landfall.ts',
    filesMax: 30,
    never: /^src\/store\//,
  },
])
  test(`${what} loads at most ${filesMax} files, and not what it does not need`, (t) => {
    const files = ours(entry)
    t.diagnostic(`${entry} loads ${files.length} files of src/`)
    assert.ok(files.length > 10)
    assert.ok(files.length <= filesMax, `${files.length} files`)
    assert.deepEqual(
      files.filter((file) => never.test(file)),
      [],
    )
  })
