// Bodies of records: which attributes and relationships they may have, and under which names the operations get them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../src/api/errors/problem.ts'
import { camelNames, defineChangeBody, defineCreateBody } from '../../src/api/request-body/resource-body.ts'
import * as schema from '../../src/api/shape/schema.ts'
import { note } from '../../src/modules/notes/note-resource.ts'
import { Type } from '../../src/platform/json-schema.ts'

const attributes = Type.Object({ text: Type.String() }, { additionalProperties: false })
const created = defineCreateBody(note, attributes, camelNames, { container: schema.nothing() })
const changed = defineChangeBody(note, attributes, camelNames)

function refusalOf(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    if (error instanceof Problem) return JSON.stringify(error.faults)
    throw error
  }
  return 'none'
}

test('attribute names of the API are converted to camel case, at the first level', () => {
  const given = { company_name: 'A', default_value: { inner_name: 1 }, url: null }
  assert.deepEqual(camelNames(given), { companyName: 'A', defaultValue: { inner_name: 1 }, url: null })
})

test('a new record needs its type and allows only the declared relationships', () => {
  const data = { type: 'note', attributes: { text: 'a' } }
  assert.deepEqual(created.read({ data: { ...data, relationships: { container: null } } }, null), {
    text: 'a',
  })
  assert.match(
    refusalOf(() => created.read({ data: { attributes: data.attributes } }, null)),
    /data\/type/,
  )
  assert.match(
    refusalOf(() => created.read({ data: { ...data, relationships: { shipment: null } } }, null)),
    /only container can be written/,
  )
})

test('a change may omit its type, and read-only attributes are refused with a reason', () => {
  assert.deepEqual(changed.read({ data: { attributes: { text: 'b' } } }, 'a1'), { text: 'b' })
  const refusal = refusalOf(() => changed.read({ data: { attributes: { created_at: 'now', other: 1 } } }, 'a1'))
  assert.match(refusal, /This attribute cannot be written/)
  assert.match(refusal, /no attribute of this name/)
})
