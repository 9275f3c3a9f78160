// A number sent as the wrong kind: which kinds are polled, in which order, and which answer counts in the end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  evolveKindSearch,
  type KindOption,
  type KindSearch,
  stepKindSearch,
} from '../../../src/domain/tracking-requests/kind-search.ts'

const kinds: readonly KindOption[] = (['bill_of_lading', 'booking_number', 'container'] as const).map(
  (requestType, index) => ({ requestType, number: 'LDFU1000018', subjectId: String(index) }),
)
const now = '2026-02-01T00:00:00.000Z'
type Answer = Parameters<typeof stepKindSearch>[1]['answer']

/** What the request learns from each answer, and as which kind the number is polled after them. */
function tell(answers: readonly Answer[], known = kinds) {
  let search: KindSearch | undefined
  const told: (Answer | null)[] = []
  for (const answer of answers) {
    const step = stepKindSearch(search, { answer, kinds: known, now })
    for (const event of step.events) search = evolveKindSearch(search, event)
    told.push(step.answer)
  }
  return { told, asking: search?.asking ?? 0, isOver: search?.isOver ?? null }
}

for (const [what, answers, expected] of [
  ['a line that knows the first kind ends the search', ['found'], { told: ['found'], asking: 0, isOver: null }],
  [
    'an unreachable line does not rule out a kind',
    ['unreachable', 'found'],
    { told: ['unreachable', 'found'], asking: 0, isOver: null },
  ],
  ['finds a number under the second kind', ['not_found', 'found'], { told: [null, 'found'], asking: 1, isOver: true }],
  [
    'a kind that is known without data ends the search',
    ['invalid_number', 'not_found', 'known_without_data'],
    { told: [null, null, 'known_without_data'], asking: 2, isOver: true },
  ],
  [
    'when no kind is known, the first answer counts and later ones change nothing',
    ['not_found', 'not_found', 'unreachable', 'not_found'],
    { told: [null, null, 'not_found', 'not_found'], asking: 0, isOver: true },
  ],
] as const satisfies readonly (readonly [string, readonly Answer[], ReturnType<typeof tell>])[]) {
  test(what, () => assert.deepEqual(tell(answers), expected))
}

test('does not try a second number type when only one type is possible', () => {
  assert.deepEqual(tell(['not_found'], kinds.slice(0, 1)), { told: ['not_found'], asking: 0, isOver: null })
})
