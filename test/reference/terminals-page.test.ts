/** Which of the busiest ports have terminals is a page, written from the tables. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readTable } from '../../src/reference/data-files.ts'
import { oceanTerminalsAt } from '../../src/reference/terminals.ts'
import { writeTerminalsPage } from '../../tools/terminals-page-text.ts'

const page = readFileSync(new URL('../../docs/terminals.md', import.meta.url), 'utf8')

test('docs/terminals.md is generated from the tables of ports and terminals', () => {
  assert.equal(page, writeTerminalsPage(), 'run node tools/run.mjs tools/terminals-page.ts')
})

test('lists each of the three hundred busiest ports, with the number of its terminals or as one without', () => {
  const ranked = readTable('port-ranks.tsv', (cells) => cells(0) ?? '').slice(0, 300)
  const lacking = page.slice(page.indexOf('## None yet'))
  for (const [at, unlocode] of ranked.entries()) {
    const { length } = oceanTerminalsAt(unlocode)
    if (length === 0) {
      assert.ok(page.includes(`(${unlocode})`), unlocode)
      continue
    }
    assert.ok(!lacking.includes(`(${unlocode})`), unlocode)
    if (at < 100) assert.match(page, new RegExp(`\\| [^|]*\\(${unlocode}\\)[^|]* \\| ${length} \\|`), unlocode)
  }
})
