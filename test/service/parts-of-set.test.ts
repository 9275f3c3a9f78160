/**
 * How the tasks of one set are divided: by the amount that they read and fold, and never two transactions for one
 * shipment.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsOf } from '../../src/service/hearing/looking/parts-of-set.ts'
import { inTurn } from '../../src/service/hearing/looking/turns.ts'

const tasksOf = (count: number, boxes: number, shipmentOf: (index: number) => string | null) =>
  Array.from({ length: count }, (_, index) => ({ shipmentId: shipmentOf(index), weight: 40 * boxes }))
const sizes = (tasks: ReturnType<typeof tasksOf>) => partsOf(tasks).map((part) => part.length)

test('small shipments are one part; of large ones as many as may be read at a time', () => {
  assert.deepEqual(sizes([]), [])
  assert.deepEqual(sizes(tasksOf(16, 4, String)), [16])
  assert.deepEqual(sizes(tasksOf(16, 200, String)), [2, 2, 2, 2, 2, 2, 2, 2])
  assert.deepEqual(sizes(tasksOf(3, 5_000, String)), [1, 1, 1], 'one that is too large comes alone')
  assert.deepEqual(sizes(tasksOf(16, 1, () => null)), [16], 'of those without a shipment each counts')
})

test('a large bill is read once for several of its entries, as far as they are folded in some seconds', () => {
  const ofOne = () => 'bill'
  assert.deepEqual(sizes(tasksOf(16, 100, ofOne)), [16])
  assert.deepEqual(sizes(tasksOf(16, 500, ofOne)), [8, 8])
  assert.deepEqual(sizes(tasksOf(3, 5_000, ofOne)), [1, 1, 1])
})

test('who is at a shipment is waited for, also when it fails, and others are not', async () => {
  const turns = { atShipment: new Map<string, Promise<void>>() }
  const told: string[] = []
  const first = Promise.withResolvers<void>()
  const work =
    (name: string, until: Promise<void> = Promise.resolve()) =>
    async () => {
      told.push(`${name} begins`)
      await until
      told.push(`${name} ends`)
    }
  const failing = inTurn(turns, ['a', 'b'], async () => {
    await work('first', first.promise)()
    throw new Error('a fault')
  })
  const others = [
    inTurn(turns, ['b', 'c'], work('second')),
    inTurn(turns, ['c', 'a'], work('third')),
    inTurn(turns, ['d'], work('elsewhere')),
  ]
  await others[2]
  first.resolve()
  await assert.rejects(failing, /a fault/)
  await Promise.all(others)
  assert.deepEqual(told, [
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
