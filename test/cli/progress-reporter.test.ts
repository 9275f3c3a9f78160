import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCopyReporter, createProgressReporter, formatBytes } from '../../src/cli/framework/progress-reporter.ts'

/** Reports `megabytes` a second for ten minutes of a job that takes twenty. */
function watch(isTerminal: boolean) {
  const [shown, told]: [string[], string[]] = [[], []]
  let nowMs = 0
  const shell = {
    isTerminal,
    progress: (line: string) => shown.push(line),
    log: (line: string) => told.push(line),
  }
  const progress = createCopyReporter(shell, 'Backup', () => nowMs)
  for (; nowMs <= 600_000; nowMs += 50) progress({ name: 'events', bytes: nowMs * 20_000, share: nowMs / 1_200_000 })
  return { shown, told }
}

test('on a terminal, the progress reporter updates one line with share, bytes, rate, remaining time and table', () => {
  const { shown, told } = watch(true)
  assert.deepEqual(told, [])
  assert.ok(shown.length > 1_000)
  assert.match(shown[3] ?? '', /^Backup: 0 %, 16\.0 MB {2}events$/)
  assert.equal(shown.at(-1), 'Backup: 50 %, 12.00 GB, 20.0 MB a second, some 10 min left  events')
})

test('without a terminal, the progress reporter prints a plain line every ten seconds', () => {
  const { shown, told } = watch(false)
  assert.deepEqual(shown, [])
  assert.equal(told.length, 60)
  assert.equal(told.at(-1), 'Backup: 50 %, 12.00 GB, 20.0 MB a second, some 10 min left')
})

test('the progress reporter shows bytes in a readable unit', () => {
  assert.deepEqual([1, 1_500, 2_500_000, 3e9].map(formatBytes), ['1 kB', '2 kB', '2.5 MB', '3.00 GB'])
})

test('the progress reporter can count in another unit than bytes, such as shipments', () => {
  const told: string[] = []
  let nowMs = 0
  const shell = { isTerminal: false, progress: () => {}, log: (line: string) => told.push(line) }
  const say = (count: number) => `${Math.round(count)} shipments`
  const progress = createProgressReporter(shell, 'Compare', { format: say, clock: () => nowMs })
  for (; nowMs <= 20_000; nowMs += 500) progress({ name: '', amount: nowMs / 100, share: nowMs / 40_000 })
  assert.equal(told.at(-1), 'Compare: 50 %, 200 shipments, 10 shipments a second, some 20 s left')
})
