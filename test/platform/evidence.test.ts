// Hashes of evidence: the form of JSON, the tree, and the file that is published for checking.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalJson } from '../../src/platform/evidence/canonical-json.ts'
import { leafHash, openTree, rootOfPath } from '../../src/platform/evidence/merkle-tree.ts'
import { writeChecker } from '../../tools/evidence-checker-text.ts'

test('writes JSON in one canonical form, whatever the order of its members (RFC 8785)', () => {
  // The standard's own example (3.2.2), without its numbers, which this code never has.
  const value = { string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"\u002f', literals: [null, true, false] }
  assert.equal(canonicalJson(value), '{"literals":[null,true,false],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}')
  // By UTF-16 code units (3.2.3).
  const names = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 }
  assert.deepEqual(Object.values(JSON.parse(canonicalJson(names).replaceAll('"1":', '"_1":'))), [2, 4, 6, 7, 1, 5, 3])
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)))
    }),
  )
  assert.throws(() => canonicalJson({ a: Number.NaN }), TypeError)
})

/** RFC 6962 (2.1), written down as it stands there. */
function standard(leaves: readonly string[]): Buffer {
  const sha = (...parts: readonly (Buffer | string)[]) => {
    const hash = createHash('sha256')
    for (const part of parts) hash.update(part)
    return hash.digest()
  }
  if (leaves.length === 1) return sha(Buffer.of(0), leaves[0] ?? '')
  let k = 1
  while (k * 2 < leaves.length) k *= 2
  return sha(Buffer.of(1), standard(leaves.slice(0, k)), standard(leaves.slice(k)))
}

test('computes the Merkle root of RFC 6962, and proves each of up to seventy leaves by its path', () => {
  for (let size = 1; size <= 70; size++) {
    const contents = Array.from({ length: size }, (_, at) => `{"leaf":${at}}`)
    const hashes = contents.map(leafHash)
    const tree = openTree(hashes)
    assert.deepEqual(tree.root, standard(contents), `${size}`)
    for (const [index, hash] of hashes.entries()) {
      const path = tree.pathOf(index)
      assert.deepEqual(rootOfPath(hash, { index, size, path }), tree.root)
      for (const wrong of [
        { index: index === 0 ? size : index - 1, size, path },
        { index, size, path: [...path, hash] },
        { index, size, path: path.slice(1) },
      ])
        if (size > 1) assert.notDeepEqual(rootOfPath(hash, wrong), tree.root, `${size} ${index}`)
      assert.notDeepEqual(rootOfPath(leafHash('{"leaf":-1}'), { index, size, path }), tree.root)
    }
  }
})

test('docs/check-evidence.mjs is up to date (node tools/run.mjs tools/evidence-checker.ts writes it)', async () => {
  assert.equal(readFileSync('docs/check-evidence.mjs', 'utf8'), await writeChecker())
})
