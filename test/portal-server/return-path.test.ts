// Where a person is sent after sign-in, tested with every known trick to send them to another site.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { foreignTarget, returnTricks } from '../../qa/fuzz/redirects.ts'
import { addReturnPath, toSafeReturnPath } from '../../src/portal-server/return-path.ts'

const readVectors = (name: string): readonly { readonly input: string; readonly why: string }[] =>
  readFileSync(new URL(`./vectors/return_path_${name}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => / # /.test(line) && !line.startsWith('# input'))
    .map((line) => {
      const at = line.lastIndexOf(' # ')
      return { input: JSON.parse(`"${line.slice(0, at).trimEnd()}"`), why: line.slice(at + 3) }
    })

test('a return address that could lead to another site becomes the account page', () => {
  const vectors = readVectors('refused')
  assert.ok(vectors.length > 70)
  for (const { input, why } of vectors) assert.equal(toSafeReturnPath(input), '/account', `${input}: ${why}`)
  assert.equal(toSafeReturnPath(`/${'a'.repeat(2_000)}`), '/account', 'too long')
  assert.equal(toSafeReturnPath(null), '/account')
})

test('a return address of our own site is preserved exactly', () => {
  const vectors = readVectors('accepted')
  assert.ok(vectors.length > 10)
  for (const { input, why } of vectors) assert.equal(toSafeReturnPath(input), input, `${input}: ${why}`)
  assert.equal(addReturnPath('/sign-in', '/account'), '/sign-in')
  assert.equal(addReturnPath('/sign-in', '/account/apps?a=1'), '/sign-in?next=%2Faccount%2Fapps%3Fa%3D1')
  assert.equal(addReturnPath('/sign-in', '//evil.example'), '/sign-in')
})

test('every return address becomes a path on our own site, however it is disguised', () => {
  const trick = fc.array(fc.constantFrom(...returnTricks), { maxLength: 8 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.oneof(trick, fc.string({ unit: 'binary' }), fc.webUrl()), (next) => {
      const path = toSafeReturnPath(next)
      assert.equal(foreignTarget(path), null)
      assert.equal(toSafeReturnPath(path), path)
    }),
    { numRuns: 5_000 },
  )
})
