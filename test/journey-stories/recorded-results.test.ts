/** The version of the merge rules is raised whenever a golden story has another result. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rulesVersion } from '../../src/domain/view/projection-rules.ts'
import { findChanged, findUnrecorded, readTold, tellStories } from '../support/told-stories.ts'

test('every golden story gives the result that is recorded for this version of the rules', () => {
  const [recorded, now] = [readTold(), tellStories(rulesVersion)]
  assert.deepEqual(findChanged(recorded, now), [])
  assert.deepEqual(findUnrecorded(recorded, now), [], 'run `npm run qa -- told`')
})

test('a changed story result is refused until the version of the rules is raised', () => {
  const now = tellStories(rulesVersion)
  const [name = ''] = now.keys()
  const otherwise = new Map([...now, [name, { hash: 'f'.repeat(64), rules: rulesVersion }]])
  assert.match(findChanged(now, otherwise).join(), new RegExp(`"${name}": raise rulesVersion`))
  const newer = new Map([...otherwise].map(([each, told]) => [each, { ...told, rules: rulesVersion + 1 }]))
  assert.deepEqual(findChanged(now, newer), [])
  assert.deepEqual(findUnrecorded(now, newer), [name])
})
