/** When one process believes another dead. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Worker } from '../../../src/db/workers.ts'
import { openWorkerWatch } from '../../../src/pipeline/jobs/watch-workers.ts'

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

/** Checks every second the workers that `workersAt` gives for that second. */
function lookOn(workersAt: (second: number) => readonly Worker[], seconds: readonly number[]): readonly string[] {
  const watch = openWorkerWatch(1)
  return seconds.flatMap((second) =>
    watch
      .check(workersAt(second), { queriedMs: second * 1_000, nowMs: second * 1_000 })
      .map(({ worker: { id }, why }) => `${second} s: ${id} ${why}`),
  )
}

const upTo = (last: number): readonly number[] => Array.from({ length: last + 1 }, (_, second) => second)
const beating = (second: number): string => `2026-01-01T00:00:${String(second - (second % 5)).padStart(2, '0')}Z`

test('declares a process dead two seconds after its session has ended', () => {
  const found = lookOn((second) => [worker(2, { isConnected: second < 3, heartbeatAt: beating(second) })], upTo(5))
  assert.deepEqual(found, ['5 s: 2 gone'])
})

test('declares a connected process without heartbeats dead after fifteen seconds', () => {
  const found = lookOn((second) => [worker(2, { heartbeatAt: beating(Math.min(second, 5)) })], upTo(20))
  assert.deepEqual(found, ['20 s: 2 silent'])
})

test('does not declare a process dead if its heartbeat is late or its session reconnects in time', () => {
  const late = (second: number): Worker => worker(2, { heartbeatAt: second < 14 ? beating(0) : beating(14) })
  assert.deepEqual(
    lookOn((second) => [late(second)], upTo(20)),
    [],
  )
  const away = (second: number): Worker => worker(2, { isConnected: second !== 3, heartbeatAt: beating(second) })
  assert.deepEqual(
    lookOn((second) => [away(second)], upTo(9)),
    [],
  )
})

test('a process never declares itself dead', () => {
  assert.deepEqual(
    lookOn(() => [worker(1, { isConnected: false })], upTo(30)),
    [],
  )
})

test('a process that was frozen itself waits again before it declares other workers dead', () => {
  const frozen = [...upTo(3), ...upTo(12).map((second) => second + 60)]
  assert.deepEqual(
    lookOn(() => [worker(2)], frozen),
    [],
    'nobody beat as long as the database stood still',
  )
})
