// The path of one event, from the line's answer to the signed webhook, can be read: docs/reading.md names its functions in
// order, each has at most a page, and no folder is entered twice. Faults planted in a made-up page show
// that the check works.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { test } from 'node:test'
import { findFaults, readSpine } from './support/spine.ts'

const page = `# Reading

Before it, \`src/domain/elsewhere.ts\` is named.

## The spine

Two folders, in order.

1. \`src/connectors/dcsa/fetch.ts\` \`fetchEvents\`: asks.
2. \`src/connectors/dcsa/read-snapshot.ts\` \`readSnapshot\`
- \`src/domain/facts.ts\` \`believe\`

## After it

\`src/domain/gone.ts\` \`gone\`
`
const files: ReadonlyMap<string, string> = new Map([
  ['src/connectors/dcsa/fetch.ts', `export async function fetchEvents(\n  a: A,\n): B {\n${'  a\n'.repeat(46)}}\n`],
  [
    'src/connectors/dcsa/read-snapshot.ts',
    `const x = {\n  y: 1,\n}\n\nfunction readSnapshot({\n  a,\n}: A): B {\n  a()\n}\n`,
  ],
  ['src/domain/facts.ts', 'export function believe<N>(a: N): N {\n  return a\n}\n\nfunction other() {\n}\n'],
])

test('reads the functions that docs/reading.md lists under its heading The spine, in order', () => {
  assert.deepEqual(readSpine(page), {
    stops: [
      { path: 'src/connectors/dcsa/fetch.ts', name: 'fetchEvents' },
      { path: 'src/connectors/dcsa/read-snapshot.ts', name: 'readSnapshot' },
      { path: 'src/domain/facts.ts', name: 'believe' },
    ],
    unreadable: [],
  })
})

const line = '- `src/domain/facts.ts` `believe`\n'
const fetchText = files.get('src/connectors/dcsa/fetch.ts') ?? ''
const planted: readonly (readonly [
  what: string,
  page: string,
  files: Readonly<Record<string, string>>,
  told: readonly string[],
])[] = [
  [
    'a function that is not there',
    page.replace('`believe`', '`believes`'),
    {},
    ['src/domain/facts.ts has no function believes'],
  ],
  [
    'a function that is only called there',
    page,
    { 'src/domain/facts.ts': '  function believe() {\n  }\nbelieve()\n' },
    ['src/domain/facts.ts has no function believe'],
  ],
  ['a file that is not there', page.replace('facts.ts', 'fact.ts'), {}, ['src/domain/fact.ts is not there']],
  [
    'a function of one line too many',
    page,
    { 'src/connectors/dcsa/fetch.ts': fetchText.replace('  a\n', '  a\n  a\n') },
    ['src/connectors/dcsa/fetch.ts fetchEvents has 51 lines, more than 50'],
  ],
  [
    'a folder that is entered twice',
    page.replace(line, `${line}- \`src/connectors/dcsa/read-snapshot.ts\` \`readSnapshot\`\n`),
    {},
    ['src/connectors/dcsa is entered more than once'],
  ],
  [
    'a file without its function',
    page.replace(line, '- `src/domain/facts.ts`: believes\n'),
    {},
    ['a file without its function: - `src/domain/facts.ts`: believes'],
  ],
  [
    'a second file in a line, without its function',
    page.replace(line, '- `src/domain/facts.ts` `believe`, see `src/domain/trust.ts`\n'),
    {},
    ['a file without its function: - `src/domain/facts.ts` `believe`, see `src/domain/trust.ts`'],
  ],
  [
    'a second function in a line',
    page.replace(line, '- `src/domain/facts.ts` `believe`, `src/domain/facts.ts` `gone`\n'),
    {},
    ['src/domain/facts.ts has no function gone'],
  ],
  ['a section without a function', '## The spine\n\nNone.\n', {}, ['the spine names no function']],
  [
    'a page without the section',
    page.replace('## The spine', '## The way'),
    {},
    ['the page has no section "The spine"'],
  ],
]

test('the check accepts a valid list of functions in docs/reading.md and finds every planted fault', () => {
  assert.deepEqual(findFaults(page, files), [])
  for (const [what, faulty, changed, told] of planted)
    assert.deepEqual(findFaults(faulty, new Map([...files, ...Object.entries(changed)])), told, what)
})

test('every function that docs/reading.md lists exists, has at most 50 lines, and no folder is entered twice', async () => {
  const paths = await Array.fromAsync(glob('src/**/*.ts'))
  const source = new Map(paths.map((path) => [path, readFileSync(path, 'utf8')]))
  assert.deepEqual(findFaults(readFileSync('docs/reading.md', 'utf8'), source), [])
})
