import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sayBytes, tellCopy, tellProgress } from '../../../src/doors/cli/frame/tell-progress.ts'

/** Tells of `megabytes` a second for ten minutes of a work that takes twenty. */
function watch(isTerminal: boolean) {
  const [shown, told]: [string[], string[]] = [[], []]
  let nowMs = 0
  const shell = {
    isTerminal,
    progress: (line: string) => shown.push(line),
    tell: (line: string) => told.push(line),
  }
  const progress = tellCopy(shell, 'Backup', () => nowMs)
  for (; nowMs <= 600_000; nowMs += 50)
    progress({ name: 'events', bytes: nowMs * 20_000, share: nowMs / 1_200_000 })
  return { shown, told }
}

test('on a terminal one line changes: share, bytes, rate, remaining time, and what is written', () => {
  const { shown, told } = watch(true)
  assert.deepEqual(told, [])
  assert.ok(shown.length > 1_000)
  assert.match(shown[3] ?? '', /^Backup: 0 %, 16\.0 MB {2}events$/)
  assert.equal(shown.at(-1), 'Backup: 50 %, 12.00 GB, 20.0 MB a second, some 10 min left  events')
})

test('elsewhere a plain line comes every ten seconds', () => {
  const { shown, told } = watch(false)
  assert.deepEqual(shown, [])
  assert.equal(told.length, 60)
  assert.equal(told.at(-1), 'Backup: 50 %, 12.00 GB, 20.0 MB a second, some 10 min left')
})

test('bytes are said in a unit that can be read', () => {
  assert.deepEqual([1, 1_500, 2_500_000, 3e9].map(sayBytes), ['1 kB', '2 kB', '2.5 MB', '3.00 GB'])
})

test('what is counted in pieces says how many there are', () => {
  const told: string[] = []
  let nowMs = 0
  const shell = { isTerminal: false, progress: () => {}, tell: (line: string) => told.push(line) }
  const say = (count: number) => `${Math.round(count)} shipments`
  const progress = tellProgress(shell, 'Compare', { say, clock: () => nowMs })
  for (; nowMs <= 20_000; nowMs += 500) progress({ name: '', amount: nowMs / 100, share: nowMs / 40_000 })
  assert.equal(told.at(-1), 'Compare: 50 %, 200 shipments, 10 shipments a second, some 20 s left')
})
