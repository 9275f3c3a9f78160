// Routes translate and decide nothing: this test checks their source text for that.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { test } from 'node:test'

const screenLines = 50
const patterns = [
  'src/{api,mcp,oauth,cli,mail-in,dcsa-out,portal-server}/**/*.ts',
  'src/{modules,pipeline}/**/*-{resource,input,routes}.ts',
]
const files = new Map((await Array.fromAsync(glob(patterns))).sort().map((path) => [path, readFileSync(path, 'utf8')]))

/** The registrations of routes, each from its first line to the bracket at the same indent. */
function endpointsOf(text: string): readonly string[] {
  return [...text.matchAll(/^( +)\w+\.(?:get|post|put|patch|delete)\(\n[\s\S]*?^\1\)$/gm)].map(([whole]) => whole)
}

test('each endpoint has at most 50 lines', () => {
  let count = 0
  for (const [path, text] of files)
    for (const endpoint of endpointsOf(text)) {
      count += 1
      const lines = endpoint.split('\n').length
      assert.ok(lines <= screenLines, `${path}: ${lines} lines: ${endpoint.split('\n')[1]?.trim()}`)
    }
  assert.ok(count > 80, `${count} endpoints`)
})

test('no interface module queries the database directly or keeps request state in a WeakMap', () => {
  for (const [path, text] of files) {
    assert.doesNotMatch(text, /\.pool\b|\bsql`/, path)
    assert.doesNotMatch(text, /new WeakMap<Fastify(?:Request|Reply)/, path)
  }
})

test('the type of a request body is derived from its schema', () => {
  for (const [path, text] of files) assert.doesNotMatch(text, /(?<!function )\bread(?:Attributes|Object)</, path)
})
