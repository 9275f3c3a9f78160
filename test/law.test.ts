// The law of the house: a room imports only rooms to its left, nothing goes round in a circle, core is pure, nothing lies
// dead. That the checker sees is shown by breaches planted on purpose.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { test } from 'node:test'
import { type Files, findBreaches } from './support/law.ts'

async function readCheckout(): Promise<Files> {
  const paths = await Array.fromAsync(
    glob(['src/**/*.ts', 'sandbox/**/*.ts', 'tools/**/*.ts', 'bench/**/*.ts']),
  )
  return new Map(paths.sort().map((path) => [path, readFileSync(path, 'utf8')]))
}

test('every file keeps the law of the rooms', async () => {
  const files = await readCheckout()
  assert.ok(files.size > 20)
  assert.deepEqual(findBreaches(files), [])
})

const lawful: Readonly<Record<string, string>> = {
  'src/main.ts': `import { a } from './service/a.ts'\nimport './doors/api.ts'\n`,
  'src/doors/api.ts': `import type { a } from '../service/a.ts'\n`,
  'src/service/a.ts': `import pg from 'pg'\nimport {\n  b,\n} from '../core/b.ts'\nexport const a = b\n`,
  'src/core/b.ts': `// new Date() and Date.now are told of here only\nexport const b = 1\n`,
}
const planted: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
  [
    'a wrong import',
    { 'src/core/b.ts': `import { a } from '../service/a.ts'\n` },
    /core imports nothing but itself/,
  ],
  [
    'an import of a type from the right',
    {
      'src/service/a.ts': `import '../core/b.ts'\nimport type { x } from '../doors/api.ts'\n`,
      'src/doors/api.ts': '',
    },
    /a room to its right/,
  ],
  [
    'an import from outside the rooms',
    { 'src/service/a.ts': `import '../core/b.ts'\nimport '../../sandbox/main.ts'\n`, 'sandbox/main.ts': '' },
    /a room to its right/,
  ],
  [
    'a cycle of three',
    {
      'src/core/b.ts': `import './c.ts'\n`,
      'src/core/c.ts': `import './d.ts'\n`,
      'src/core/d.ts': `import './b.ts'\n`,
    },
    /b\.ts → .*c\.ts → .*d\.ts → .*b\.ts/,
  ],
  [
    'a package in core',
    { 'src/core/b.ts': `import { readFileSync } from 'node:fs'\n` },
    /core imports nothing but itself/,
  ],
  ['a clock in core', { 'src/core/b.ts': `export const b = () => new Date()\n` }, /core is pure/],
  ['chance in core', { 'src/core/b.ts': `export const b = Math.random()\n` }, /core is pure/],
  ['a file that nothing reaches', { 'src/core/alone.ts': 'export const x = 1\n' }, /alone\.ts is dead/],
  [
    'a file that lies and is not there',
    { 'src/service/a.ts': `import '../core/b.ts'\nimport '../core/gone.ts'\n` },
    /not there/,
  ],
  ['a default export', { 'src/core/b.ts': 'export default 1\n' }, /default export/],
  ['a barrel', { 'src/core/b.ts': `export * from './c.ts'\n`, 'src/core/c.ts': '' }, /is a barrel/],
  [
    'a sandbox that knows the server',
    { 'sandbox/main.ts': `import '../src/core/b.ts'\n` },
    /only reference data/,
  ],
  ['a file that is too long', { 'src/core/b.ts': '//\n'.repeat(301) }, /301 lines/],
]
test('the checker finds nothing in lawful files and every planted breach', () => {
  assert.deepEqual(findBreaches(new Map(Object.entries(lawful))), [])
  for (const [what, files, told] of planted) {
    assert.match(findBreaches(new Map(Object.entries({ ...lawful, ...files }))).join('\n'), told, what)
  }
})
