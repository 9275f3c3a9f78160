/**
 * How the tasks of one set are divided: by the amount that they read and fold, and never two transactions for one
 * shipment.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serializeByShipment, splitTaskSet } from '../../../src/pipeline/polling/work-tasks.ts'

const tasksOf = (count: number, boxes: number, shipmentOf: (index: number) => string | null) =>
  Array.from({ length: count }, (_, index) => ({ shipmentId: shipmentOf(index), weight: 40 * boxes }))
const sizes = (tasks: ReturnType<typeof tasksOf>) => splitTaskSet(tasks).map((part) => part.length)

test('splits a task set by weight: many small shipments in one part, few large ones', () => {
  assert.deepEqual(sizes([]), [])
  assert.deepEqual(sizes(tasksOf(16, 4, String)), [16])
  assert.deepEqual(sizes(tasksOf(16, 200, String)), [2, 2, 2, 2, 2, 2, 2, 2])
  assert.deepEqual(sizes(tasksOf(3, 5_000, String)), [1, 1, 1], 'one that is too large comes alone')
  assert.deepEqual(sizes(tasksOf(16, 1, () => null)), [16], 'of those without a shipment each counts')
})

test('keeps the tasks of one bill in one part of the task set, unless they take too long together', () => {
  const ofOne = () => 'bill'
  assert.deepEqual(sizes(tasksOf(16, 100, ofOne)), [16])
  assert.deepEqual(sizes(tasksOf(16, 500, ofOne)), [8, 8])
  assert.deepEqual(sizes(tasksOf(3, 5_000, ofOne)), [1, 1, 1])
})

test('waits for running work on the same shipment, even if it fails, and not for other shipments', async () => {
  const turns = { atShipment: new Map<string, Promise<void>>() }
  const steps: string[] = []
  const first = Promise.withResolvers<void>()
  const work =
    (name: string, until: Promise<void> = Promise.resolve()) =>
    async () => {
      steps.push(`${name} begins`)
      await until
      steps.push(`${name} ends`)
    }
  const failing = serializeByShipment(turns, ['a', 'b'], async () => {
    await work('first', first.promise)()
    throw new Error('a fault')
  })
  const others = [
    serializeByShipment(turns, ['b', 'c'], work('second')),
    serializeByShipment(turns, ['c', 'a'], work('third')),
    serializeByShipment(turns, ['d'], work('elsewhere')),
  ]
  await others[2]
  first.resolve()
  await assert.rejects(failing, /a fault/)
  await Promise.all(others)
  assert.deepEqual(steps, [
    'first begins',
    'elsewhere begins',
    'elsewhere ends',
    'first ends',
    'second begins',
    'second ends',
    'third begins',
    'third ends',
  ])
  assert.equal(turns.atShipment.size, 0)
})
