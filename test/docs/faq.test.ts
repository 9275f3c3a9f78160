// What the pages of questions and of quickstarts say in figures is what the settings and the programs have.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readConfig } from '../../src/platform/config.ts'

const inWords: Readonly<Record<number, string>> = {
  2: 'every two hours',
  6: 'every six hours',
  24: 'once a day',
}

test('the page says how often lines are asked as the settings have it when nobody changes them', () => {
  const { lookGapHours, lookGapNearHours, lookGapQuietHours } = readConfig({}).tracking
  const page = readFileSync('docs/faq.md', 'utf8')
  assert.ok(
    page.includes(
      `By default ${inWords[lookGapHours]} under way, ${inWords[lookGapNearHours]} when something is expected within two days, ${inWords[lookGapQuietHours]} when nothing is expected soon`,
    ),
  )
})

test('the address and the port that the quickstarts begin with are those of a started Landfall', () => {
  const { host, port } = readConfig({}).server
  const page = readFileSync('docs/quickstarts.md', 'utf8')
  const found = [...page.matchAll(/http:\/\/127\.0\.0\.1:\d+(?=['")}`])/g)].map(([address]) => address)
  assert.ok(found.length >= 6)
  assert.deepEqual([...new Set(found)], [`http://${host}:${port}`])
})
