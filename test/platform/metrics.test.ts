/** Each business event has one method, each method is called where the event happens, and no code counts without it. */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { businessEvents } from '../../src/platform/business-events.ts'
import { createLog, logEvents } from '../../src/platform/log.ts'
import { createMetrics } from '../../src/platform/metrics.ts'

const root = join(import.meta.dirname, '../..')

/** The server's code by its path, without comments. */
async function readSources(): Promise<ReadonlyMap<string, string>> {
  const paths = await Array.fromAsync(glob('src/**/*.ts', { cwd: root }))
  return new Map(
    paths.map((path) => [
      path,
      readFileSync(join(root, path), 'utf8')
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .replace(/^\s*\/\/.*$/gm, ''),
    ]),
  )
}

/** The methods that no code calls, whose counters would always be zero. */
function findUncalled(sources: ReadonlyMap<string, string>, methods: readonly string[]): readonly string[] {
  const code = [...sources.values()].join('\n')
  const called = new Set([...code.matchAll(/\bmetrics\.(\w+)\(/g)].map(([, name]) => name))
  return methods.filter((name) => !called.has(name))
}

test('every business event is reported by some code of the server', async () => {
  const sources = await readSources()
  assert.ok(sources.size > 300)
  assert.deepEqual(findUncalled(sources, Object.keys(businessEvents)), [])
  assert.deepEqual(findUncalled(sources, ['plantedAndNeverCalled']), ['plantedAndNeverCalled'])
})

test('every event of the log is written by some code of the server', async () => {
  const sources = await readSources()
  const business = new Set<string>(Object.values(businessEvents).map(({ event }) => event))
  const others = [...sources].filter(([path]) => !/^src.platform.(log|metrics)\.ts$/.test(path))
  const code = others.map(([, text]) => text).join('\n')
  assert.deepEqual(
    logEvents.filter((event) => !business.has(event) && !code.includes(`'${event}'`)),
    [],
  )
  // An event with a counter is never logged without its counter.
  assert.deepEqual(
    [...business].filter((event) => new RegExp(`log\\.\\w+\\(\\s*'${event}'`).test(code)),
    [],
  )
})

test('each metrics method is named after the business event that it reports', () => {
  const camel = (event: string): string => event.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase())
  for (const [name, { event }] of Object.entries(businessEvents)) assert.equal(name, camel(event))
})

test('repeated events increase the same counter', async () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } })
  const metrics = createMetrics(log)
  metrics.issueRaised({ scac: 'MSCU', kind: 'unknown_place', times: 3 })
  metrics.issueRaised({ scac: 'MSCU', kind: 'unknown_place' })
  assert.equal(lines.length, 2)
  assert.match(await metrics.write(), /^landfall_issue_raised_total\{scac="MSCU",kind="unknown_place"\} 4$/m)
})

test('each process figure on the metrics page has a measured value', async () => {
  const metrics = createMetrics(createLog({ level: 'error' }))
  // A lag is known some moments later.
  await metrics.write()
  await pause(50)
  // The system counts processor time in steps of some milliseconds.
  const before = process.cpuUsage()
  let spent = { user: 0, system: 0 }
  while (spent.user === 0 || spent.system === 0) {
    readdirSync('/proc')
    spent = process.cpuUsage(before)
  }
  const page = await metrics.write()
  const figures = [...page.matchAll(/^((?:process|nodejs)_\S+) (.+)$/gm)]
  assert.equal(figures.length, 12)
  for (const [, name, value] of figures) assert.ok(Number(value) > 0, `${name} is ${value}`)
})

test('shows no counter of an event that never happened, except for those that an alert rule needs', async () => {
  const metrics = createMetrics(createLog({ level: 'error' }))
  const counters = async () => [...(await metrics.write()).matchAll(/^landfall_(?!info)\S+ .*$/gm)].map(String)
  const zeros = ['landfall_delivery_given_up_total 0', 'landfall_webhook_disabled_total 0']
  assert.deepEqual(await counters(), zeros)
  metrics.lookFinished({ scac: 'MAEU', outcome: 'found', durationMs: 40 })
  const shown = await counters()
  assert.deepEqual(shown.slice(0, 3), [...zeros, 'landfall_look_finished_total{scac="MAEU",outcome="found"} 1'])
  assert.equal(shown.filter((line) => line.includes('_bucket')).length, 8)
})
