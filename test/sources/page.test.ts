// docs/sources.md says of every line which secrets it wants, as the profiles that ship have it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { allShippingLines } from '../../src/reference/shipping-lines.ts'
import { secretNames } from '../../src/sources/dcsa/profile.ts'
import { lineProfiles } from '../../src/sources/dcsa/profiles/lines.ts'
import { writeSourcesPage } from '../../tools/sources-page-text.ts'

const page = readFileSync(new URL('../../docs/sources.md', import.meta.url), 'utf8')

test('the page is what the profiles write', () => {
  assert.equal(page, writeSourcesPage(page), 'run tools/sources-page.ts')
})

test('every line is named, and each that has a profile with the secrets that a start asks for', () => {
  for (const { scac } of allShippingLines()) assert.ok(page.includes(`\`${scac}\``), scac)
  for (const { profile } of lineProfiles) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${profile.scac}\` |`)) ?? ''
    for (const name of secretNames(profile)) assert.ok(row.includes(`\`${name}\``), `${profile.scac} ${name}`)
  }
})
