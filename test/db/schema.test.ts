import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { writeSchemaText } from '../../tools/schema-text.ts'
import { openTestDatabase } from '../support/database.ts'

test('src/db/schema.sql is the result of the migrations (npm run schema writes it)', async () => {
  const database = await openTestDatabase()
  try {
    const kept = readFileSync(new URL('../../src/db/schema.sql', import.meta.url), 'utf8')
    const written = await writeSchemaText(database.pool)
    const lines = new Set(kept.split('\n'))
    const added = written.split('\n').filter((line) => !lines.has(line))
    assert.deepEqual(added, [], 'a migration came: run `npm run schema`')
    assert.ok(written === kept, 'something is gone or moved: run `npm run schema`')
  } finally {
    await database.close()
  }
})

test('the written schema creates the same schema again', async () => {
  const database = await openTestDatabase()
  try {
    const written = await writeSchemaText(database.pool)
    await database.pool.query('drop schema public cascade; create schema public')
    // A function may call one whose name comes later.
    await database.pool.query(`set check_function_bodies = off;\n${inOrderOfReference(written)}`)
    assert.equal(await writeSchemaText(database.pool), written)
  } finally {
    await database.close()
  }
})

/** The file is in the order of names; a foreign key wants its table to be there, so foreign keys go last. */
function inOrderOfReference(text: string): string {
  const keys: string[] = []
  const rest = text.replace(/create table (\w+) \(\n([\s\S]*?)\n\)/g, (_, table: string, body: string) => {
    const lines = body.split(/,\n/)
    const isKey = (line: string): boolean => / FOREIGN KEY /.test(line)
    keys.push(...lines.filter(isKey).map((line) => `alter table ${table} add ${line.trim()};`))
    return `create table ${table} (\n${lines.filter((line) => !isKey(line)).join(',\n')}\n)`
  })
  return `${rest}\n${keys.join('\n')}`
}
