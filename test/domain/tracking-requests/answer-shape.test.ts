// What is new or missing in the answers of a source: members, types and codes, and nothing else of an answer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AnswerShape, learnShape, noShape, shapeOf } from '../../../src/domain/tracking-requests/answer-shape.ts'

const at = '2026-01-01T00:00:00.000Z'
const later = '2026-01-02T00:00:00.000Z'
const event = (of: object = {}) => [
  {
    eventID: 'x1',
    eventTypeCode: 'ARRI',
    when: '2026-01-01',
    place: { locationCode: 'USLAX' },
    seals: [{ n: 1 }],
    ...of,
  },
]
const learn = (shape: AnswerShape, times: number, answer: unknown, when = at): AnswerShape => {
  let known = shape
  for (let n = 0; n < times; n++) known = learnShape(known, shapeOf(answer), when)
  return known
}
const settled = learn(noShape, 200, event())

test('the shape has members with types and codes, without values, names of places or nulls', () => {
  assert.deepEqual([...shapeOf(event({ nothing: null }))].toSorted(), [
    '[].eventID string',
    '[].eventTypeCode = ARRI',
    '[].eventTypeCode string',
    '[].place.locationCode string',
    '[].seals[].n number',
    '[].when string',
  ])
})

test('names with characters that a database refuses, or without an end, do no harm', () => {
  const strange = { 'a\0b': 1, ['x'.repeat(10_000)]: 1, '\ud800': { '\0': [[null, [true]]] } }
  assert.deepEqual([...shapeOf(strange)], ['ab number', `${'x'.repeat(80)} number`, '\ufffd.[][][] boolean'])
})

test('a new member, type or code is a change once the answers are known, and only once', () => {
  assert.deepEqual(learn(noShape, 100, event()).changes, [], 'too few answers to know what is new')
  const now = learn(settled, 3, event({ eventID: 7, eventTypeCode: 'DEPA', draught: 11 }), later)
  assert.deepEqual(now.changes, [
    { kind: 'new_type', member: '[].eventID number', since: later, from: 201 },
    { kind: 'new_code', member: '[].eventTypeCode = DEPA', since: later, from: 201 },
    { kind: 'new_member', member: '[].draught number', since: later, from: 201 },
  ])
})

test('a member that all answers had is missing after twenty answers without it, but a rare one never', () => {
  const { seals: _, ...without } = event()[0] as Record<string, unknown>
  assert.deepEqual(learn(settled, 19, [without], later).changes, [])
  assert.deepEqual(learn(settled, 20, [without], later).changes, [
    { kind: 'missing_member', member: '[].seals[].n number', since: later, from: 201 },
  ])
  const rare = learn(learn(noShape, 100, [without]), 100, event())
  assert.deepEqual(learn(rare, 300, [without], later).changes, [])
})

test('a member with more than forty values is no code', () => {
  let shape = settled
  for (let n = 0; n < 60; n++) shape = learnShape(shape, shapeOf(event({ eventTypeCode: `CODE${n}` })), later)
  assert.equal(shape.changes.length, 39)
})
