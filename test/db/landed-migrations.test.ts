/** A migration that has landed is never edited: somebody's database has run it as it was. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  findEdited,
  findUnlisted,
  type Hashes,
  hashMigrations,
  parseLanded,
  readLanded,
  writeLanded,
} from '../../tools/landed-migrations.ts'

const one = 'a'.repeat(64)
const another = 'b'.repeat(64)
const landed: Hashes = new Map([
  ['0001_foundation.sql', one],
  ['0004_later.sql', one],
])

test('every landed migration exists, byte by byte unchanged', () => {
  assert.deepEqual(findEdited(readLanded(), hashMigrations()), [])
})

test('every migration is in the list of landed ones', () => {
  assert.deepEqual(findUnlisted(readLanded(), hashMigrations()), [])
})

test('detects a changed landed migration by its name', () => {
  const files = new Map([...landed, ['0004_later.sql', another]])
  assert.match(findEdited(landed, files).join('\n'), /^0004_later\.sql has landed and was changed: [^\n]+$/)
})

test('detects a landed migration that is gone or renamed', () => {
  const files = new Map([
    ['0001_foundation.sql', one],
    ['0005_later.sql', one],
  ])
  assert.match(findEdited(landed, files).join('\n'), /^0004_later\.sql has landed and is gone/)
  assert.match(findUnlisted(landed, files).join('\n'), /^0005_later\.sql is not in landed\.sha256/)
})

test('reports a new migration only as missing from the list of landed migrations', () => {
  const files = new Map([...landed, ['0017_new.sql', another]])
  assert.deepEqual(findEdited(landed, files), [])
  assert.match(findUnlisted(landed, files).join('\n'), /^0017_new\.sql is not in landed\.sha256/)
})

test('the list of landed migrations is parsed as it was written, and an invalid line is refused', () => {
  assert.deepEqual(parseLanded(writeLanded(landed)), landed)
  for (const line of ['<<<<<<< HEAD', `${one} 0001_foundation.sql`, `${one}  ../0001_foundation.sql`])
    assert.throws(() => parseLanded(`${writeLanded(landed)}${line}\n`), /a line that is none/)
})
