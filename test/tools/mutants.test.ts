// `npm run qa -- mutants` in a checkout of a few lines: two rooms, a test that looks closely, one that looks away, and one that
// always fails.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { chooseMutants, findAgain, findMutants, type Mutant, roomOf } from '../../qa/mutants/choose-mutants.ts'
import { applyChange, findChanges } from '../../qa/mutants/find-changes.ts'
import { findTestFiles } from '../../qa/mutants/find-loads.ts'
import { readOptions } from '../../qa/mutants/options.ts'
import { orderTests } from '../../qa/mutants/order-tests.ts'
import type { Judged, Report } from '../../qa/mutants/report.ts'

const program = fileURLToPath(new URL('../../qa/mutants.ts', import.meta.url))
const all = mkdtempSync(join(tmpdir(), 'landfall-mutants-test-'))
const [folder, temporary] = [join(all, 'checkout'), join(all, 'temporary')]
mkdirSync(temporary)
after(() => rmSync(all, { recursive: true }))

const checkout: Readonly<Record<string, string>> = {
  'src/core/is-late.ts': `export type Days = { readonly days: number }
export function isLate({ days }: Days, free: number): boolean {
  return days > free
}
`,
  'src/service/charge.ts': `import { type Days, isLate } from '../core/is-late.ts'
export function charge(stay: Days): number {
  return isLate(stay, 5) ? stay.days - 5 : 0
}
`,
  'src/doors/alone.ts': 'export const isOpen = (hour: number): boolean => hour >= 8\n',
  'test/core/is-late.test.ts': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLate } from '../../src/core/is-late.ts'
test('a box is late after the last free day', () => {
  assert.deepEqual([4, 5, 6].map((days) => isLate({ days }, 5)), [false, false, true])
})
`,
  'test/core/broken.test.ts': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLate } from '../../src/core/is-late.ts'
test('fails whatever the code does', () => assert.equal(typeof isLate, 'number'))
`,
  'test/service/charge.test.ts': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { charge } from '../../src/service/charge.ts'
test('a charge is a number', () => assert.equal(typeof charge({ days: 9 }), 'number'))
`,
}
for (const [path, text] of Object.entries(checkout)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

interface Ended {
  readonly code: number
  readonly out: string
}

function mutants(...args: readonly string[]): Promise<Ended> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { env: { ...env, TMPDIR: temporary } }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out: out + err }),
    )
  })
}

const written = join(all, 'outcomes.json')
const readWritten = (): readonly Judged[] =>
  (JSON.parse(readFileSync(written, 'utf8')) as Report).mutants as readonly Judged[]

test('reports a mutant as found or survived, and ignores a test that fails without any mutant', async () => {
  const { code, out } = await mutants('--root', folder, '--count', '5', '--json', written)
  assert.equal(code, 0, out)
  const judged = readWritten()
  const outcomesOf = (file: string): readonly string[] => [
    ...new Set(judged.filter((each) => each.file === file).map(({ outcome }) => outcome)),
  ]
  assert.deepEqual(outcomesOf('src/core/is-late.ts'), ['found'])
  assert.ok(judged.every((each) => each.outcome !== 'found' || each.by !== 'test/core/broken.test.ts'))
  assert.deepEqual(outcomesOf('src/doors/alone.ts'), ['unloaded'])
  assert.deepEqual(outcomesOf('src/service/charge.ts'), ['survived'])
  assert.match(out, /core +\d+ +\d+ +0 +0\n/)
  assert.deepEqual(readdirSync(temporary), [], 'nothing is left behind')
})

test('finds saved mutants after lines have moved, and reports a mutant that tests no longer detect', async () => {
  const moved = join(all, 'moved')
  for (const [path, text] of Object.entries(checkout)) {
    const to = join(moved, path.replace('core/is-late.ts', 'core/late/is-late.ts'))
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, `\n\n${text.replace('core/is-late.ts', 'core/late/is-late.ts')}`)
  }
  rmSync(join(moved, 'test/core/is-late.test.ts'))
  const { code, out } = await mutants('--root', moved, '--from', written, '--count', '1')
  assert.equal(code, 1, out)
  assert.match(out, /worse: +survived src\/core\/late\/is-late\.ts:5 +> → >=/)
  assert.match(out, /0 gone, 0 better, \d worse/)
})

test('reports no detected mutant when the code is unchanged', async () => {
  const { code, out } = await mutants('--root', folder, '--count', '1', '--plant', 'none')
  assert.equal(code, 0, out)
  assert.match(out, /\n0 % found/)
})

test('exits with 2 for arguments that it does not understand', async () => {
  const { code, out } = await mutants('--colour')
  assert.equal(code, 2)
  assert.match(out, /Exits with/)
  for (const wrong of ['--seed=seven', '--count=0', '--plant=loss', 'test/pipeline/ledger'])
    assert.equal(readOptions([wrong]), null, wrong)
  assert.deepEqual([readOptions(['--count', '7'])?.count, readOptions(['--help'])?.isHelp], [7, true])
})

test('a seed chooses the same mutants each time, from every source folder, and another seed chooses others', () => {
  const choose = (seed: number, count = 6): readonly Mutant[] => chooseMutants({ root: folder, seed, count })
  assert.deepEqual(choose(1), choose(1))
  assert.deepEqual(choose(1).slice(0, 3), choose(1, 3))
  assert.notDeepEqual(choose(1), choose(2))
  assert.deepEqual(new Set(choose(1, 3).map(({ file }) => roomOf(file))), new Set(['core', 'doors', 'service']))
})

test('does not match a saved mutant whose line has been removed', () => {
  const [mutant] = findMutants(folder)
  assert.ok(mutant !== undefined)
  assert.deepEqual(findAgain(folder, [mutant, { ...mutant, text: 'return days > free - 1' }]), [mutant, null])
})

test('makes no mutants of types, comments and texts for people', () => {
  const source = `import type { A } from './a.ts' // a < b
const limit: A<true> = 5 // or 6
if (x < limit && !y) throw new RangeError('more than ' + 5)
log.info('a === b', x === 1)
const { rows } = await db.query(\`select 1 from t where a < $1 -- and so on
  and b is null\`)
`
  assert.deepEqual(
    findChanges(source).map((change) => {
      const changed = applyChange(source, change).split('\n')
      return changed.find((line, index) => line !== source.split('\n')[index])?.trim()
    }),
    [
      'const limit: A<true> = 6 // or 6',
      "if (true) throw new RangeError('more than ' + 5)",
      "if (false) throw new RangeError('more than ' + 5)",
      "if (x <= limit && !y) throw new RangeError('more than ' + 5)",
      "if (x < limit || !y) throw new RangeError('more than ' + 5)",
      "if (x < limit && y) throw new RangeError('more than ' + 5)",
      'const { rows } = await db.query(`select 1 from t where a <= $1 -- and so on',
      'or b is null`)',
      'and b is not null`)',
    ],
  )
})

test('orders the nearest test first, and leaves out tests beyond the time budget', () => {
  const tests = findTestFiles(folder)
  const order = (budgetS: number): readonly string[] =>
    orderTests('src/core/is-late.ts', tests, { costOf: () => 10, budgetS }).map(({ file }) => file)
  assert.equal(order(100)[0], 'test/core/is-late.test.ts')
  assert.equal(order(100).length, 3)
  assert.equal(order(5).length, 1)
  assert.equal(order(25).length, 2)
})
