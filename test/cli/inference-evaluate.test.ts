// `landfall inference evaluate`: scores a file in memory, after learning another file, without any installation.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { box } from '../inference/numbers.ts'
import { openCommandLine } from '../support/command-line.ts'

const { folder, landfall } = openCommandLine(() => ({}))
const evaluate = (...args: readonly string[]) => landfall('inference', 'evaluate', ...args)

function write(name: string, rows: readonly string[]): string {
  const path = join(folder, name)
  writeFileSync(path, `scac,group,number,number_type\n${rows.join('\n')}\n`)
  return path
}

const leased = (serials: readonly number[]) =>
  serials.map((serial) => `YMLU,vessel,${box(`TCNU${String(880_000 + serial).padStart(6, '0')}`)},container`)
const tested = write('test.csv', [
  ...leased([5, 205, 405, 605]),
  `SEAU,b1,${box('MSKU123456')},container`,
  'MSCU,b2,MEDUAB123456,shipment',
  `ZZZZ,b3,${box('TCNU123456')},container`,
])

test('accuracy is reported for each kind of number, and improves after learning another file', async () => {
  const alone = await evaluate('--test', tested, '--json')
  assert.equal(alone.code, 0, alone.err)
  const before = JSON.parse(alone.out)
  assert.equal(before.outside_coverage, 1)
  assert.deepEqual(before.number_type, { numbers: 7, right: 7, accuracy: 1 })
  assert.deepEqual(before.carrier.owned, { numbers: 1, right: 1, accuracy: 1 })
  assert.deepEqual(before.carrier.leased, { numbers: 4, right: 0, accuracy: 0 })
  assert.deepEqual(before.decisions.auto_select, { numbers: 2, coverage: 2 / 7, precision: 1 })
  assert.ok(before.predictions_per_second > 1_000)

  const learned = write('learn.csv', leased([11, 111, 211, 311, 411, 511, 611]))
  const after = JSON.parse((await evaluate('--test', tested, '--learn', learned, '--json')).out)
  assert.equal(after.learned, 7)
  assert.deepEqual(after.carrier.leased, { numbers: 4, right: 4, accuracy: 1 })
})

test('the numbers of one bill are evaluated both together and each alone', async () => {
  const bill = write('bill.csv', [
    ...[1, 2, 3].map((at) => `YMLU,bill,${box(`TCNU12345${at}`)},container`),
    ...[1, 2].map((at) => `YMLU,bill,${box(`YMMU12345${at}`)},container`),
  ])
  const { carrier, together } = JSON.parse((await evaluate('--test', bill, '--json')).out)
  assert.deepEqual([carrier.all.right, together.carrier.all.right], [2, 5])
})

test('accuracy is printed as percentages, and a file without a required column is refused', async () => {
  const { out } = await evaluate('--test', tested)
  assert.match(out, /leased +0\.0 % +0\.0 % {2}of 4/)
  assert.match(out, /auto_select, right +100\.0 % +100\.0 % {2}of 2/)
  const broken = join(folder, 'broken.csv')
  writeFileSync(broken, 'number,scac\n1234567,MSCU\n')
  const refused = await evaluate('--test', broken)
  assert.equal(refused.code, 1)
  assert.match(refused.err, /Line 2 needs number, number_type/)
})
