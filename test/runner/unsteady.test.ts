import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../e2e/program.ts'

const oncePassing = `import { existsSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
test('passes', () => {})
test('fails the first time', () => {
  const mark = import.meta.filename + '.mark'
  if (existsSync(mark)) return
  writeFileSync(mark, '')
  throw new Error('first time')
})
`
const failing = `import { test } from 'node:test'
test('fails always', () => { throw new Error('always') })
`

test('a failed test file runs once more alone, counts once, and is named if it then passes', async () => {
  const { code, out, err } = await runTests({ 'a.test.ts': oncePassing }, [])
  assert.equal(code, 0, out + err)
  assert.match(out, /^2 passed, 0 failed, 0 skipped$/m)
  assert.match(err, /^UNSTEADY, failed and then passed alone: \S+a\.test\.ts$/m)
})

test('a file that fails twice fails the run', async () => {
  const { code, out, err } = await runTests({ 'a.test.ts': oncePassing, 'b.test.ts': failing }, [])
  assert.equal(code, 1, out + err)
  assert.match(out, /^\d+ passed, 1 failed, 0 skipped$/m)
})

test('with --once no file runs again', async () => {
  const { code, out, err } = await runTests({ 'a.test.ts': oncePassing }, ['--once'])
  assert.equal(code, 1, out + err)
  assert.match(out, /^1 passed, 1 failed, 0 skipped$/m)
  assert.doesNotMatch(err, /UNSTEADY/)
})

test('failed test files do not run again if four or more failed', async () => {
  const files = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`${name}.test.ts`, oncePassing]))
  const { code, out, err } = await runTests(files, [])
  assert.equal(code, 1, out + err)
  assert.match(out, /^\d+ passed, 4 failed, 0 skipped$/m)
})

async function runTests(
  files: Readonly<Record<string, string>>,
  options: readonly string[],
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-unsteady-'))
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    return await new Promise((ended) =>
      execFile(
        process.execPath,
        ['tools/test.ts', ...options, folder],
        { cwd: root, env: { ...process.env, NODE_TEST_CONTEXT: undefined } },
        (error, out, err) => ended({ code: error === null ? 0 : Number(error.code), out, err }),
      ),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}
