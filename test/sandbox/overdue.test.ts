// Of simulated containers that stop, nearly all are found a day after the limit, and few that go on are called overdue.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkOverdue } from '../../qa/sandbox/overdue.ts'
import { atScale } from '../support/scale.ts'

test('finds containers that stop, and calls few overdue that do not', () => {
  const { says, problems } = checkOverdue({ seed: 11, shipments: atScale(240, 120) })
  console.log(says)
  assert.deepEqual(problems, [])
})
