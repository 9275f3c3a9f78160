/** The schemas that we build are those that TypeBox builds. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type as TypeBox } from 'typebox'
import { Type } from '../../src/platform/json-schema.ts'

const closed = { additionalProperties: false, description: 'words' }

/** One of each, and what optional members do to those around them. */
function examples(by: typeof Type): readonly object[] {
  const members = { first: by.String({ minLength: 1 }), second: by.Optional(by.Integer({ minimum: 0 })) }
  return [
    by.Object(members, closed),
    by.Object({ ...members, third: by.Optional(by.Object(members)) }),
    by.Object({ second: members.second }),
    by.Object({}),
    by.Object({ copy: { ...members.second } }),
    by.Partial(by.Object(members), closed),
    by.Object(by.Partial(by.Object(members)).properties),
    by.Omit(by.Object(members), ['first']),
    by.Union([by.Number(), by.Null()], { title: 'either' }),
    by.Array(by.Boolean({ default: true }), { minItems: 1 }),
    by.Record(by.String({ minLength: 1 }), by.Unknown()),
    by.Record(by.String({ pattern: '^[A-Z]{2}$' }), by.Number(), { maxProperties: 5 }),
    by.Literal('text'),
    by.Literal(3, { title: 'three' }),
    by.Literal(true),
    by.Enum(['a', 'b']),
    by.Unsafe({ type: ['string', 'null'] }),
  ]
}

test('our schema builder writes the same JSON text as TypeBox', () => {
  const theirs = examples(TypeBox)
  for (const [index, ours] of examples(Type).entries())
    assert.equal(JSON.stringify(ours), JSON.stringify(theirs[index]))
})
