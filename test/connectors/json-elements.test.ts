import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cutDelivery } from '../../src/connectors/json-delivery.ts'
import { findElements } from '../../src/connectors/json-elements.ts'

function elementsOf(body: Buffer): readonly unknown[] {
  return [...findElements(body, ['events'])].map((each) =>
    each.kind === 'element' ? JSON.parse(body.toString('utf8', each.range.from, each.range.to)) : each.issue,
  )
}

test('law: the splitter of JSON lists finds the same elements as a JSON parser, in any layout', () => {
  const indents = fc.constantFrom(undefined, 0, 2, '\t', ' \r\n')
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), indents, fc.boolean(), (list, indent, isEnvelope) => {
      const whole = isEnvelope ? { before: { events: [1] }, Events: list, after: '"]}' } : list
      const body = Buffer.from(JSON.stringify(whole, null, indent))
      assert.deepEqual(elementsOf(body), JSON.parse(JSON.stringify(list)))
    }),
    { numRuns: 500 },
  )
})

test('law: the splitter of JSON lists finds all complete elements of truncated JSON, and reports the cut', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), fc.nat(), (list, where) => {
      const whole = Buffer.from(JSON.stringify(list))
      const body = whole.subarray(0, 1 + (where % (whole.length - 1)))
      const found = [...findElements(body, [])]
      const last = found.at(-1)
      assert.equal(last?.kind === 'fault' && last.issue, 'truncated_body')
      const values = elementsOf(body).slice(0, -1)
      assert.deepEqual(values, JSON.parse(whole.toString()).slice(0, values.length))
    }),
    { numRuns: 500 },
  )
})

test('the splitter of JSON lists gives the elements before broken JSON, and the position of the error', () => {
  for (const [text, count, path] of [
    ['[{"a":1},{"b":]},{"c":1}]', 1, '/1'],
    ['[{"a":1} {"b":1}]', 1, '/0'],
    ['{"events":[{"a":1},}', 1, '/events/1'],
    ['{"events" [{}]}', 0, ''],
    ['[{"a":1}] behind', 1, ''],
  ] as const) {
    const found = [...findElements(Buffer.from(text), ['events'])]
    assert.equal(found.filter(({ kind }) => kind === 'element').length, count, text)
    const fault = found.find(({ kind }) => kind === 'fault')
    assert.deepEqual([fault?.kind === 'fault' && fault.issue, fault?.path], ['not_json', path], text)
  }
})

test('a delivery with too many invalid parts is not read to its end, and is reported', () => {
  const by = { lists: [], bytesMax: 1_000, readHeader: () => null }
  const { parts, faults } = cutDelivery(Buffer.from(`[${'{},'.repeat(20_000)}{}]`), by)
  assert.deepEqual([parts.length, faults.map(({ kind, path }) => `${kind} ${path}`)], [0, ['truncated_body /10000']])
})
