// The page about the first week: its sample of carriers.json is accepted, and its figures are those of the coverage page.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readCarriers } from '../../src/modules/installation/read-carriers.ts'
import { capacityItem } from '../../tools/coverage-page-guide.ts'

const page = readFileSync('docs/first-week.md', 'utf8')

test('the sample of carriers.json on the page is accepted, and has at most the members that the page explains', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [, sample = ''] = /^```json\n([\s\S]*?)^```$/m.exec(page) ?? []
  writeFileSync(join(folder, 'carriers.json'), sample)
  assert.deepEqual(
    readCarriers(join(folder, 'carriers.json')).map(({ scac }) => scac),
    ['HLCU', 'MAEU', 'CMDU'],
  )
  for (const entry of JSON.parse(sample) as readonly object[])
    for (const name of Object.keys(entry)) assert.ok(page.includes(`\n| \`${name}\` | `), name)
})

test('the page states for each of its carriers the capacity that the limits of the shipped profile allow', () => {
  const rows = [...page.matchAll(/^\| \[`([A-Z]{4})`\].* \| ([\d,]+) \| ([\d,]+) \|$/gm)]
  assert.deepEqual(
    rows.map(([, scac]) => scac),
    ['HLCU', 'MAEU', 'CMDU'],
  )
  for (const [, scac = '', atSea, atTerminal] of rows)
    assert.match(capacityItem(scac) ?? '', new RegExp(`\\*\\* ${atSea} shipments .* or ${atTerminal} with`), scac)
})

test('the page has at most 900 words', () => {
  assert.ok(page.split(/\s+/).filter((word) => /\w/.test(word)).length <= 900)
})
