// Every page of docs/ first names its readers and shows an example; of the decision records only the list does.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { test } from 'node:test'
import { pageFaults } from './support/pages.ts'

test('every page of docs/ names its readers and shows an example near its beginning', async () => {
  const paths = await Array.fromAsync(glob('docs/*.md'))
  assert.ok(paths.length > 30)
  assert.deepEqual(
    paths.sort().flatMap((path) => pageFaults(path, readFileSync(path, 'utf8'))),
    [],
  )
  assert.match(readFileSync('docs/decisions/README.md', 'utf8'), /^# Decisions\n\nFor contributors /)
})

const good = '# A page\n\nFor operators who start a server.\n\n```sh\nnpm start\n```\n\n## More\n'

test('a planted page without readers, without an example, or with a late example is found', () => {
  assert.deepEqual(pageFaults('good.md', good), [])
  assert.deepEqual(pageFaults('a.md', good.replace('For operators who start', 'This page starts')), [
    'a.md does not say in its first paragraph for whom it is',
  ])
  assert.deepEqual(pageFaults('b.md', good.replaceAll('```', '')), ['b.md has no example in its first 25 lines'])
  assert.deepEqual(pageFaults('c.md', good.replace('```sh', `${'\n'.repeat(25)}\`\`\`sh`)), [
    'c.md has no example in its first 25 lines',
  ])
})
