// Names and structures that must not change while files move and names change: the names in the code are compared
// with test/invariants.txt. Planted differences show that the comparison works.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { beginRecord, compareDumps, faultsOfRecord, type Recorded, withChange } from '../tools/invariants/changes.ts'
import { collectGroups } from '../tools/invariants/collect.ts'
import { type Group, writeDump } from '../tools/invariants/dump-text.ts'

const toDo = `
The lines above went (-) or came (+). If that is intended, record it with a reason:
  npm run -s qa -- invariants --accept "<reason>"`

const recorded: Recorded = {
  dump: readFileSync(new URL('invariants.txt', import.meta.url), 'utf8'),
  changes: readFileSync(new URL('invariants-changes.txt', import.meta.url), 'utf8'),
}
let groups: readonly Group[] = []
before(async () => {
  groups = await collectGroups()
})

test('the public names and structures match test/invariants.txt', () => {
  const dump = writeDump(groups)
  const differing = compareDumps(recorded.dump, dump)
  assert.ok(differing.length === 0, `${differing.join('\n')}${toDo}`)
  assert.equal(recorded.dump, dump)
})

test('every change of test/invariants.txt has a reason', () => {
  assert.deepEqual(faultsOfRecord(recorded), [])
})

/** The groups with one line changed, or taken out where `change` gives null. */
function planted(title: string, line: string, change: string | null): readonly Group[] {
  const has = groups.some((group) => group.title === title && group.lines.includes(line))
  assert.ok(has, `${title}: ${line} is not there to be changed`)
  return groups.map((group) => ({
    ...group,
    lines: group.lines.flatMap((each) =>
      group.title !== title || each !== line ? [each] : change === null ? [] : [change],
    ),
  }))
}

test('the comparison of public names detects an added, removed or changed name in every group', () => {
  const dump = writeDump(groups)
  assert.deepEqual(compareDumps(dump, writeDump(planted('error codes', 'not_found 404', null))), [
    '- error codes: not_found 404',
  ])
  assert.deepEqual(
    compareDumps(dump, writeDump(planted('prefixes of the program', 'landfall_wake', 'landfall_ring'))),
    ['- prefixes of the program: landfall_wake', '+ prefixes of the program: landfall_ring'],
  )
  for (const group of groups) {
    const [line = ''] = group.lines
    const others = group.lines.map((each) => (each === line ? `${line} planted` : each))
    const found = compareDumps(writeDump([group]), writeDump([{ ...group, lines: others }]))
    assert.equal(found.length, 2, group.title)
  }
})

test('the dump of public names cannot be written if one of its groups is empty', () => {
  const empty = groups.map((group) => (group.title === 'cookies' ? { ...group, lines: [] } : group))
  assert.throws(() => writeDump(empty), /Nothing was found for "cookies"/)
})

const dumpOf = (...lines: readonly string[]): string => writeDump([{ title: 'words', lines }])

test('the check reports a change of the public names that has no entry in test/invariants-changes.txt', () => {
  const first = dumpOf('one', 'two')
  const begun = beginRecord(first)
  assert.deepEqual(faultsOfRecord({ dump: first, changes: begun }), [])
  const second = dumpOf('one', 'three')
  assert.deepEqual(faultsOfRecord({ dump: second, changes: begun }), [
    'The dump has changes that are not in test/invariants-changes.txt.',
  ])
  const changes = withChange(begun, 'two was wrong', compareDumps(first, second))
  assert.deepEqual(faultsOfRecord({ dump: second, changes }), [])
  const third = dumpOf('one', 'two')
  const twice = withChange(changes, 'two was right after all', compareDumps(second, third))
  assert.deepEqual(faultsOfRecord({ dump: third, changes: twice }), [])
  assert.deepEqual(faultsOfRecord({ dump: first, changes: `${begun}+ words: four\n` }), [
    'There is no reason before the line: + words: four',
    'The dump does not have what came: words: four',
  ])
})
