import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readTableLines } from '../../src/reference/data-files.ts'

const folder = new URL('../../src/reference/data/', import.meta.url)
const files = readdirSync(fileURLToPath(folder)).filter((file) => !file.endsWith('.SOURCE.json'))
const notice = readFileSync(new URL('../../NOTICE', import.meta.url), 'utf8')

for (const file of files) {
  test(`the source of ${file} is recorded beside it, with the hash of the file`, () => {
    const bytes = readFileSync(new URL(file, folder))
    const source = JSON.parse(readFileSync(new URL(`${file}.SOURCE.json`, folder), 'utf8'))
    assert.equal(source.sha256, createHash('sha256').update(bytes).digest('hex'))
    assert.equal(source.rows, readTableLines(file).length)
    for (const key of ['publisher', 'edition', 'licence']) assert.ok(source[key], key)
    assert.doesNotMatch(JSON.stringify(source), /not-for-vendoring|"\//)
    for (const owner of ['UNECE', 'GeoNames', 'EMSA', 'FIRMS']) {
      const known = owner === 'UNECE' ? 'United Nations Economic Commission for Europe' : owner
      if (source.attribution.includes(owner)) assert.ok(notice.includes(known), owner)
    }
  })

  test(`each row of ${file} has as many cells as its header, and none has a damaged letter`, () => {
    const [first = ''] = readTableLines(file)
    const columns = first.split('\t').length
    for (const line of readTableLines(file)) {
      assert.equal(line.split('\t').length, columns, line)
      assert.ok(!line.includes('\ufffd') && !line.includes('\r'), line)
    }
  })
}
