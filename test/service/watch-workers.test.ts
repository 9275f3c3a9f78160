/** When one process believes another dead. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWatch } from '../../src/service/running/holding/watch-workers.ts'
import type { Worker } from '../../src/store/ground/workers.ts'

const worker = (id: number, of: Partial<Worker> = {}): Worker => ({
  id,
  host: 'a',
  pid: id,
  role: 'worker',
  version: '0',
  startedAt: '2026-01-01T00:00:00Z',
  heartbeatAt: '2026-01-01T00:00:00Z',
  isConnected: true,
  ...of,
})

/** Looks every second, at what `workersAt` gives for that second. */
function lookOn(
  workersAt: (second: number) => readonly Worker[],
  seconds: readonly number[],
): readonly string[] {
  const watch = openWatch(1)
  return seconds.flatMap((second) =>
    watch
      .look(workersAt(second), { askedMs: second * 1_000, nowMs: second * 1_000 })
      .map(({ worker: { id }, why }) => `${second} s: ${id} ${why}`),
  )
}

const upTo = (last: number): readonly number[] => Array.from({ length: last + 1 }, (_, second) => second)
const beating = (second: number): string =>
  `2026-01-01T00:00:${String(second - (second % 5)).padStart(2, '0')}Z`

test('a process whose session has ended is dead two seconds later', () => {
  const found = lookOn(
    (second) => [worker(2, { isConnected: second < 3, heartbeatAt: beating(second) })],
    upTo(5),
  )
  assert.deepEqual(found, ['5 s: 2 gone'])
})

test('a process that is connected and silent is dead after fifteen seconds', () => {
  const found = lookOn((second) => [worker(2, { heartbeatAt: beating(Math.min(second, 5)) })], upTo(20))
  assert.deepEqual(found, ['20 s: 2 silent'])
})

test('a process that beats late lives, and so does one that connects again in time', () => {
  const late = (second: number): Worker => worker(2, { heartbeatAt: second < 14 ? beating(0) : beating(14) })
  assert.deepEqual(
    lookOn((second) => [late(second)], upTo(20)),
    [],
  )
  const away = (second: number): Worker =>
    worker(2, { isConnected: second !== 3, heartbeatAt: beating(second) })
  assert.deepEqual(
    lookOn((second) => [away(second)], upTo(9)),
    [],
  )
})

test('a process never believes itself dead', () => {
  assert.deepEqual(
    lookOn(() => [worker(1, { isConnected: false })], upTo(30)),
    [],
  )
})

test('a process that stood still itself begins to watch anew', () => {
  const frozen = [...upTo(3), ...upTo(12).map((second) => second + 60)]
  assert.deepEqual(
    lookOn(() => [worker(2)], frozen),
    [],
    'nobody beat as long as the database stood still',
  )
})
