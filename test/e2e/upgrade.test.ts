// An installation is upgraded while customers use it. `npm run qa -- upgrade` upgrades the code of a release; here the
// newer code is this code with one more migration that rewrites two tables.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { writePhases } from '../../qa/upgrade/answers.ts'
import { openPlantedTree, type Tree } from '../../qa/upgrade/older-tree.ts'
import { type Proof, proveUpgrade } from '../../qa/upgrade/prove.ts'
import { inFull } from '../support/scale.ts'
import { prepareDatabase } from './prepared-folder.ts'
import { root, withoutThreads } from './program.ts'

let newer: Tree
const said: string[] = []

before(() => {
  newer = openPlantedTree(root, {
    name: '9999_planted',
    sql: `alter table containers add column planted text generated always as (status || '.') stored;
          alter table shipments add column planted text;
          update tracking_requests set updated_at = updated_at;`,
  })
})
after(() => newer?.remove())

function upgrade(way: 'rolling' | 'restart', plant: 'loss' | null): Promise<Proof> {
  return proveUpgrade({
    from: { folder: root, name: 'the older' },
    to: { folder: newer.folder, name: 'the newer' },
    way,
    isBackAndForth: false,
    requests: 20,
    seed: 1,
    sandboxSpeed: 3_000_000,
    phaseMs: 500,
    calm: 3,
    env: withoutThreads,
    prepare: prepareDatabase,
    plant,
    say: (sentence) => said.push(sentence),
  })
}

const problemsIn = ({ reports }: Proof): readonly string[] => reports.flatMap(({ problems }) => problems)

test('a rolling upgrade loses no accepted request, sends every event and refuses no request', async () => {
  const proof = await upgrade('rolling', null)
  assert.deepEqual(problemsIn(proof), [])
  assert.equal(proof.migrations, 1)
  const states = proof.phases.map(({ name }) => name)
  assert.ok(states.includes('the older serves on the newer schema') && states.includes('both serve'))
  for (const { name, sendings } of proof.phases) assert.ok(sendings.length > 0, `nobody asked: ${name}`)
  assert.equal(writePhases(proof.phases).length, proof.phases.length + 1)
})

test(
  'new code opens the data folder of older code without loss, and the upgrade test detects a deleted event',
  inFull,
  async () => {
    const proof = await upgrade('restart', 'loss')
    const [planted = ''] = said.filter((sentence) => sentence.startsWith('Planted: '))
    const number = /event (\d+)/.exec(planted)?.[1] ?? ''
    assert.ok(problemsIn(proof).includes(`no event has the number ${number}: lost`))
    const [answers, stops, accepted] = proof.reports
    for (const report of [answers, stops]) assert.deepEqual(report?.problems, [])
    for (const problem of accepted?.problems ?? [])
      assert.match(problem, new RegExp(`^in the feed, event ${Number(number) + 1} came after`))
  },
)
