// Nothing lies dead: no file that nobody reaches, no export that nobody imports, no package that nobody uses. That the
// search sees such things is shown by two that are planted in a copy, beside which it must find nothing.
//
// "node" is off in knip.json: it takes what `glob()` lists (the law of the rooms reads every file so) for imports, and then
// every file counts as one that starts.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')
const folders = ['src', 'portal', 'sdk', 'sandbox', 'tools', 'bench', 'test', 'distribution']
const files = ['knip.json', 'package.json', 'tsconfig.json', '.gitignore']

test('the search for dead code finds a file and an export that are planted, and nothing else', async () => {
  const copy = mkdtempSync(join(tmpdir(), 'landfall-dead-'))
  try {
    for (const each of [...folders, ...files])
      cpSync(join(root, each), join(copy, each), { recursive: true, filter: isRead })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    writeFileSync(join(copy, 'src/core/planted-file.ts'), 'export const lonely = 1\n')
    appendFileSync(join(copy, 'src/core/values/time.ts'), '\nexport const plantedExport = 1\n')
    appendFileSync(join(copy, 'test/support/law.ts'), '\nexport const plantedInTests = 1\n')
    assert.deepEqual(await findDead(copy), [
      'exports src/core/values/time.ts plantedExport',
      'exports test/support/law.ts plantedInTests',
      'files src/core/planted-file.ts src/core/planted-file.ts',
    ])
  } finally {
    rmSync(copy, { recursive: true })
  }
})

/** Code and what says how it is read; no data. */
function isRead(path: string): boolean {
  return (
    /^(|\.tsx?|\.mjs|\.js|\.json|\.pmtiles|\.css)$/.test(extname(path)) &&
    !/\.landfall$|portal\/dist/.test(path)
  )
}

interface Report {
  readonly issues: readonly ({ readonly file: string } & Readonly<Record<string, unknown>>)[]
}

/** Kind, file and name of each thing that is found. */
async function findDead(folder: string): Promise<readonly string[]> {
  const program = join(root, 'node_modules/knip/bin/knip.js')
  const options = ['--reporter', 'json', '--no-progress', '--treat-config-hints-as-errors']
  const { out, code } = await new Promise<{ readonly out: string; readonly code: unknown }>((resolve) => {
    execFile(
      process.execPath,
      [program, ...options],
      { cwd: folder, maxBuffer: 1 << 26 },
      (error, out, told) => resolve({ out: out || told, code: error?.code ?? 0 }),
    )
  })
  assert.ok(out.startsWith('{'), out)
  const found = (JSON.parse(out) as Report).issues.flatMap(({ file, ...kinds }) =>
    Object.entries(kinds).flatMap(([kind, named]) =>
      (Array.isArray(named) ? named : []).map((each: { name: string }) => `${kind} ${file} ${each.name}`),
    ),
  )
  assert.equal(code, found.length > 0 ? 1 : 0)
  return found.toSorted()
}
