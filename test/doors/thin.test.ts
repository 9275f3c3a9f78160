// Routes translate and decide nothing: this test checks what can be seen of that in their source text.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { test } from 'node:test'

const screenLines = 50
const files = new Map(
  (await Array.fromAsync(glob('src/doors/**/*.ts'))).sort().map((path) => [path, readFileSync(path, 'utf8')]),
)

/** The registrations of routes, each from its first line to the bracket at the same indent. */
function endpointsOf(text: string): readonly string[] {
  return [...text.matchAll(/^( +)\w+\.(?:get|post|put|patch|delete)\(\n[\s\S]*?^\1\)$/gm)].map(
    ([whole]) => whole,
  )
}

test('each endpoint is one screen', () => {
  let count = 0
  for (const [path, text] of files)
    for (const endpoint of endpointsOf(text)) {
      count += 1
      const lines = endpoint.split('\n').length
      assert.ok(lines <= screenLines, `${path}: ${lines} lines: ${endpoint.split('\n')[1]?.trim()}`)
    }
  assert.ok(count > 80, `${count} endpoints`)
})

test('no door asks the database itself, nor keeps beside a request what belongs to its answer', () => {
  for (const [path, text] of files) {
    assert.doesNotMatch(text, /\.pool\b|\bsql`/, path)
    assert.doesNotMatch(text, /new WeakMap<Fastify(?:Request|Reply)/, path)
  }
})

test('the type of a body is that of its schema', () => {
  for (const [path, text] of files)
    assert.doesNotMatch(text, /(?<!function )\bread(?:Attributes|Object)</, path)
})
