// docs/coverage.md lists what is known about every line, and docs/sources.md what is read from the lines' answers.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findLineAccess } from '../../src/connectors/line-access.ts'
import { findLineMessages } from '../../src/connectors/line-messages.ts'
import { findSource } from '../../src/connectors/source-registry.ts'
import { shippedNames } from '../../src/connectors/terminal-api/description.ts'
import { allShippingLines } from '../../src/reference/shipping-lines.ts'
import { writeCoveragePage } from '../../tools/coverage-page-text.ts'
import { writeSourcesPage } from '../../tools/sources-page-text.ts'

const read = (name: string): string => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8')
const [coverage, sources] = [read('coverage'), read('sources')]

test('the pages are those generated from the profiles and fixtures', () => {
  assert.equal(sources, writeSourcesPage(sources), 'run node tools/run.mjs tools/sources-page.ts')
  assert.equal(coverage, writeCoveragePage(), 'run node tools/run.mjs tools/coverage-page.ts')
})

test('every line has a section, and each that can be polled lists its secrets', () => {
  for (const { scac } of allShippingLines()) {
    const [, section = ''] = new RegExp(`\\n## ${scac} · ([\\s\\S]*?)(?=\\n## |$)`).exec(coverage) ?? []
    assert.notEqual(section, '', scac)
    const known = findLineAccess(scac)
    assert.equal(section.includes('Not verified.'), known !== null, scac)
    for (const name of known === null ? [] : (findSource(known.source)?.secretNames(known.profile) ?? []))
      assert.ok(section.includes(`\`${name}\``), `${scac} ${name}`)
  }
})

test('every section states how the line is reached, where access is requested, its cost and duration, with sources', () => {
  for (const { scac } of allShippingLines()) {
    const [, section = ''] = new RegExp(`\\n## ${scac} · ([\\s\\S]*?)(?=\\n## |$)`).exec(coverage) ?? []
    for (const title of ['Reached by', 'Access is requested at', 'Cost', 'Time until access'])
      assert.match(section, new RegExp(`^- \\*\\*${title}\\*\\*: .`, 'm'), `${scac} ${title}`)
    assert.match(section, /^- \*\*Looked up\*\* on \d{4}-\d{2}-\d{2}:\n {2}- [SCDR]: /m, scac)
    const row = coverage.split('\n').find((each) => each.startsWith(`| [\`${scac}\`]`)) ?? ''
    assert.ok(section.includes(`**Reached by**: ${row.split(' | ')[2]}\n`), scac)
    assert.equal(section.includes('**Enough for** '), findLineAccess(scac) !== null, scac)
  }
  assert.match(coverage, /^- \*\*Enough for\*\* 20 shipments at sea, polled every 6 hours, or 6 with /m)
  for (const name of shippedNames) assert.match(coverage, new RegExp(`^### .*: \`${name}\`$`, 'm'))
})

test('the coverage page lists no message type as seen if it is unverified', () => {
  for (const { scac } of allShippingLines()) {
    const { seen, unverified: stated } = findLineMessages(scac)
    if (stated !== 'unnamed')
      assert.deepEqual(
        seen.filter((type) => stated.includes(type)),
        [],
        scac,
      )
    const row = coverage.split('\n').find((each) => each.startsWith(`| [\`${scac}\`]`)) ?? ''
    assert.equal(row.split(' | ')[5], seen.join(', ') || '–', scac)
  }
})
