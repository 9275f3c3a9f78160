// The rules of the architecture: a file imports only files that are earlier in the order, there are no cycles,
// the domain is pure, no code is dead. Planted breaches show that the check works.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { test } from 'node:test'
import { drawArchitecture } from '../tools/architecture-picture-text.ts'
import { type Files, findBreaches, readImports } from './support/law.ts'

async function readCheckout(): Promise<Files> {
  const paths = await Array.fromAsync(glob(['src/**/*.ts', 'sandbox/**/*.ts', 'tools/**/*.ts', 'qa/**/*.ts']))
  return new Map(paths.sort().map((path) => [path, readFileSync(path, 'utf8')]))
}

test('every source file follows the rules of the architecture', async () => {
  const files = await readCheckout()
  assert.ok(files.size > 20)
  assert.deepEqual(findBreaches(files), [])
})

/** The statements of a module are its own. The bound is what is left of the time before; it is lowered, and not raised. */
const foreignStatementsMax = 132

test('the number of imports of SQL statements from other modules does not exceed the agreed maximum', async () => {
  const moduleOf = (path: string) => /^src\/modules\/([^/]+)\//.exec(path)?.[1]
  const foreign = [...(await readCheckout())].flatMap(([path, text]) =>
    moduleOf(path) === undefined
      ? []
      : readImports(path, text).filter(
          (target) =>
            target.endsWith('-sql.ts') && moduleOf(target) !== undefined && moduleOf(target) !== moduleOf(path),
        ),
  )
  assert.ok(foreign.length <= foreignStatementsMax, `${foreign.length} imports of statements of other modules`)
})

test('the picture of the architecture shows the existing folders', async () => {
  const files = await readCheckout()
  const foldersIn = (picture: string) => [...picture.matchAll(/>([\w -]+) <tspan/g)].map(([, name]) => name)
  const drawn = drawArchitecture(new Map([...files].filter(([path]) => path.startsWith('src/'))))
  const stored = readFileSync('docs/pictures/architecture.svg', 'utf8')
  assert.ok(foldersIn(drawn).length > 50)
  assert.deepEqual(foldersIn(stored), foldersIn(drawn), 'run node tools/run.mjs tools/architecture-picture.ts')
})

const lawful: Readonly<Record<string, string>> = {
  'src/main.ts': `import { a } from './db/a.ts'\nimport './api/api.ts'\n`,
  'src/api/api.ts': `import type { a } from '../db/a.ts'\n`,
  'src/db/a.ts': `import pg from 'pg'\nimport {\n  b,\n} from '../domain/b.ts'\nexport const a = b\n`,
  'src/domain/b.ts': `// new Date() and Date.now are named here only\nexport const b = 1\n`,
}
const planted: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
  [
    'a wrong import',
    { 'src/domain/b.ts': `import { a } from '../db/a.ts'\n` },
    /the domain imports nothing but itself/,
  ],
  [
    'an import of a type from what stands after it',
    {
      'src/db/a.ts': `import '../domain/b.ts'\nimport type { x } from '../api/api.ts'\n`,
      'src/api/api.ts': '',
    },
    /which stands after it/,
  ],
  [
    'an import from outside of src',
    { 'src/db/a.ts': `import '../domain/b.ts'\nimport '../../sandbox/main.ts'\n`, 'sandbox/main.ts': '' },
    /which stands after it/,
  ],
  [
    'a cycle of three',
    {
      'src/domain/b.ts': `import './c.ts'\n`,
      'src/domain/c.ts': `import './d.ts'\n`,
      'src/domain/d.ts': `import './b.ts'\n`,
    },
    /b\.ts → .*c\.ts → .*d\.ts → .*b\.ts/,
  ],
  [
    'a package in the domain',
    { 'src/domain/b.ts': `import { readFileSync } from 'node:fs'\n` },
    /the domain imports nothing but itself/,
  ],
  ['a clock in the domain', { 'src/domain/b.ts': `export const b = () => new Date()\n` }, /the domain is pure/],
  ['chance in the domain', { 'src/domain/b.ts': `export const b = Math.random()\n` }, /the domain is pure/],
  ['a file that nothing reaches', { 'src/domain/alone.ts': 'export const x = 1\n' }, /alone\.ts is dead/],
  [
    'an import of a file that is not there',
    { 'src/db/a.ts': `import '../domain/b.ts'\nimport '../domain/gone.ts'\n` },
    /not there/,
  ],
  ['a default export', { 'src/domain/b.ts': 'export default 1\n' }, /default export/],
  ['a barrel', { 'src/domain/b.ts': `export * from './c.ts'\n`, 'src/domain/c.ts': '' }, /is a barrel/],
  ['a sandbox that knows the server', { 'sandbox/main.ts': `import '../src/domain/b.ts'\n` }, /only reference data/],
  [
    'folders in a circle, though no files are',
    {
      'src/db/a.ts': `import '../connectors/a.ts'\n`,
      'src/connectors/a.ts': `import './one/a.ts'\nimport './two/b.ts'\n`,
      'src/connectors/one/a.ts': `import '../two/a.ts'\n`,
      'src/connectors/two/a.ts': `import '../../domain/b.ts'\n`,
      'src/connectors/two/b.ts': `import '../three/b.ts'\n`,
      'src/connectors/three/b.ts': `import '../one/c.ts'\n`,
      'src/connectors/one/c.ts': '',
    },
    /src\/connectors: folders in a circle, one → two → three → one/,
  ],
  [
    'verbs of two modules in a circle, though no files are',
    {
      'src/api/api.ts': `import '../modules/notes/notes.ts'\nimport '../modules/parties/get-party.ts'\n`,
      'src/modules/notes/notes.ts': `import '../parties/party.ts'\n`,
      'src/modules/parties/get-party.ts': `import '../notes/note.ts'\n`,
      'src/modules/parties/party.ts': '',
      'src/modules/notes/note.ts': '',
    },
    /folders in a circle, src\/modules\/notes → src\/modules\/parties → src\/modules\/notes/,
  ],
  [
    'a statement that calls a verb',
    {
      'src/api/api.ts': `import '../modules/notes/notes-sql.ts'\n`,
      'src/modules/notes/notes-sql.ts': `import './notes.ts'\n`,
      'src/modules/notes/notes.ts': '',
    },
    /notes-sql\.ts imports src\/modules\/notes\/notes\.ts, which stands after it/,
  ],
  [
    'a loose file in a circle with a folder, deeper down',
    {
      'src/domain/b.ts': `import './family/one/a.ts'\nimport './family/one/b.ts'\n`,
      'src/domain/family/one/a.ts': `import '../loose.ts'\n`,
      'src/domain/family/loose.ts': `import './one/c.ts'\n`,
      'src/domain/family/one/b.ts': '',
      'src/domain/family/one/c.ts': '',
    },
    /src\/domain\/family: folders in a circle, one → loose\.ts → one/,
  ],
  ['a file that is too long', { 'src/domain/b.ts': '//\n'.repeat(301) }, /301 lines/],
]
test('the architecture check accepts lawful files and reports every deliberate violation', () => {
  assert.deepEqual(findBreaches(new Map(Object.entries(lawful))), [])
  for (const [what, files, breach] of planted) {
    assert.match(findBreaches(new Map(Object.entries({ ...lawful, ...files }))).join('\n'), breach, what)
  }
})
