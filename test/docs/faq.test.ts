// The figures in the FAQ and the quickstarts are those of the settings and the programs.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readConfig } from '../../src/platform/config.ts'

const inWords: Readonly<Record<number, string>> = {
  2: 'every two hours',
  6: 'every six hours',
  24: 'once a day',
}

test('the FAQ page states the default polling intervals of the settings', () => {
  const { lookGapHours, lookGapNearHours, lookGapQuietHours } = readConfig({}).tracking
  const page = readFileSync('docs/faq.md', 'utf8')
  assert.ok(
    page.includes(
      `By default ${inWords[lookGapHours]} under way, ${inWords[lookGapNearHours]} when something is expected within two days, ${inWords[lookGapQuietHours]} when nothing is expected soon`,
    ),
  )
})

test('the address and port in the quickstarts are the default ones', () => {
  const { host, port } = readConfig({}).server
  const page = readFileSync('docs/quickstarts.md', 'utf8')
  const found = [...page.matchAll(/http:\/\/127\.0\.0\.1:\d+(?=['")}`])/g)].map(([address]) => address)
  assert.ok(found.length >= 6)
  assert.deepEqual([...new Set(found)], [`http://${host}:${port}`])
})
