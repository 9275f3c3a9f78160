import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANDFALL_NAMESPACE, namedUuidV7, timeOfId, uuidV5, uuidV7 } from '../../src/platform/ids.ts'

const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8'

test('a name-based id is the one that RFC 9562 gives for the name', () => {
  assert.equal(uuidV5(dns, 'www.example.com'), '2ed6657d-e927-568b-95e1-2665a8aea6a2') // RFC 9562, A.4
  assert.equal(uuidV5(dns, 'www.example.com'), uuidV5(dns, 'www.example.com'))
  assert.notEqual(uuidV5(LANDFALL_NAMESPACE, 'www.example.com'), uuidV5(dns, 'www.example.com'))
})

test('a name-based id accepts any text and only a UUID as its namespace', () => {
  assert.match(
    uuidV5(LANDFALL_NAMESPACE, 'Ningbo 宁波 \u0000'),
    /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
  assert.throws(() => uuidV5('landfall', 'x'), /Not a UUID/)
})

test('a new id contains its time to the millisecond', () => {
  assert.match(uuidV7(0x017f22e279b0), /^017f22e2-79b0-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/) // RFC 9562, A.6
})

test('new ids keep their order within a millisecond and are never equal', () => {
  const ids = Array.from({ length: 2_000 }, () => uuidV7(1_800_000_000_000))
  assert.deepEqual([...ids].sort(), ids)
  assert.equal(new Set(ids).size, ids.length)
})

test('an id of a moment and a name is always the same, sorts by moment, and contains its moment', () => {
  const at = 1_800_000_000_000
  const id = namedUuidV7(at, 'one')
  assert.equal(id, namedUuidV7(at, 'one'))
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(timeOfId(id), at)
  assert.notEqual(id.slice(14), namedUuidV7(at, 'other').slice(14))
  assert.notEqual(id.slice(14), namedUuidV7(at + 1, 'one').slice(14))
  assert.ok(id < namedUuidV7(at + 1, 'one'))
})
