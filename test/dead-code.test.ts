// There is no dead code: no unreachable file, no export without an import, no unused package. Two cases that are
// planted in a copy show that the search works; it must find nothing else there.
//
// "node" is off in knip.json: it treats files listed by `glob()` (the architecture check reads every file so) as
// imports, and then every file counts as an entry file.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')
const folders = ['src', 'portal', 'sdk', 'sandbox', 'tools', 'qa', 'test', 'distribution']
const files = ['knip.json', 'package.json', 'tsconfig.json', '.gitignore']

test('the search for dead code finds a planted file and a planted export, and nothing else', async () => {
  const copy = mkdtempSync(join(tmpdir(), 'landfall-dead-'))
  try {
    for (const each of [...folders, ...files])
      cpSync(join(root, each), join(copy, each), { recursive: true, filter: isRead })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    writeFileSync(join(copy, 'src/domain/planted-file.ts'), 'export const lonely = 1\n')
    appendFileSync(join(copy, 'src/domain/values/time.ts'), '\nexport const plantedExport = 1\n')
    appendFileSync(join(copy, 'test/support/law.ts'), '\nexport const plantedInTests = 1\n')
    assert.deepEqual(await findDead(copy), [
      'exports src/domain/values/time.ts plantedExport',
      'exports test/support/law.ts plantedInTests',
      'files src/domain/planted-file.ts src/domain/planted-file.ts',
    ])
  } finally {
    rmSync(copy, { recursive: true })
  }
})

/** Code and its configuration; no data. */
function isRead(path: string): boolean {
  return /^(|\.tsx?|\.mjs|\.js|\.json|\.pmtiles|\.css)$/.test(extname(path)) && !/\.landfall$|portal\/dist/.test(path)
}

interface Report {
  readonly issues: readonly ({ readonly file: string } & Readonly<Record<string, unknown>>)[]
}

/** Kind, file and name of each finding. */
async function findDead(folder: string): Promise<readonly string[]> {
  const program = join(root, 'node_modules/knip/bin/knip.js')
  const options = ['--reporter', 'json', '--no-progress', '--treat-config-hints-as-errors']
  const { out, code } = await new Promise<{ readonly out: string; readonly code: unknown }>((resolve) => {
    execFile(process.execPath, [program, ...options], { cwd: folder, maxBuffer: 1 << 26 }, (error, out, told) =>
      resolve({ out: out || told, code: error?.code ?? 0 }),
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
