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
  [
    'folders in a circle, though no files are',
    {
      'src/service/a.ts': `import './one/a.ts'\nimport './two/b.ts'\n`,
      'src/service/one/a.ts': `import '../two/a.ts'\n`,
      'src/service/two/a.ts': `import '../../core/b.ts'\n`,
      'src/service/two/b.ts': `import '../three/b.ts'\n`,
      'src/service/three/b.ts': `import '../one/c.ts'\n`,
      'src/service/one/c.ts': '',
    },
    /src\/service: folders in a circle, one → two → three → one/,
  ],
  [
    'a loose file in a circle with a folder, deeper down',
    {
      'src/core/b.ts': `import './family/one/a.ts'\nimport './family/one/b.ts'\n`,
      'src/core/family/one/a.ts': `import '../loose.ts'\n`,
      'src/core/family/loose.ts': `import './one/c.ts'\n`,
      'src/core/family/one/b.ts': '',
      'src/core/family/one/c.ts': '',
    },
    /src\/core\/family: folders in a circle, one → loose\.ts → one/,
  ],
  [
    'more folders than fit on a page',
    Object.fromEntries(
      Array.from({ length: 15 }, (_, index) => [`src/service/family/f${index}/a.ts`, ''] as const),
    ),
    /src\/service\/family has 15 folders/,
  ],
  [
    'more loose files than few beside folders',
    Object.fromEntries(
      ['folder/a', ...Array.from({ length: 7 }, (_, index) => `loose${index}`)].map(
        (name) => [`src/service/${name}.ts`, ''] as const,
      ),
    ),
    /src\/service has 8 loose files/,
  ],
  ['a file that is too long', { 'src/core/b.ts': '//\n'.repeat(301) }, /301 lines/],
]
test('the checker finds nothing in lawful files and every planted breach', () => {
  assert.deepEqual(findBreaches(new Map(Object.entries(lawful))), [])
  for (const [what, files, told] of planted) {
    assert.match(findBreaches(new Map(Object.entries({ ...lawful, ...files }))).join('\n'), told, what)
  }
})
