import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Pages, pagesContentType, readPages, writePages } from '../../src/connectors/pages.ts'

const page = fc.record({
  status: fc.integer({ min: 100, max: 599 }),
  contentType: fc.option(fc.string()),
  body: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  truncated: fc.boolean(),
})
const someFetchedAt = '2026-03-01T00:00:00.000Z'

describe('Pages', () => {
  it('are read from a snapshot as they were written, byte for byte', () => {
    fc.assert(
      fc.property(fc.array(page, { minLength: 1, maxLength: 5 }), fc.boolean(), (pages, complete) => {
        const { pages: read, complete: isComplete } = readPages(writePages({ pages, complete }, someFetchedAt))
        const plain = ({ status, contentType, body, truncated }: Pages['pages'][number]) => [
          status,
          contentType,
          body.toString('hex'),
          truncated,
        ]
        assert.deepEqual(read.map(plain), pages.map(plain))
        assert.equal(isComplete, complete)
      }),
    )
  })

  it('a single complete page is stored unchanged', () => {
    const body = Buffer.from('[1]')
    const pages = [{ status: 200, contentType: 'application/json', body, truncated: false }]
    assert.deepEqual(writePages({ pages, complete: true }, someFetchedAt), {
      status: 200,
      contentType: 'application/json',
      body,
      fetchedAt: someFetchedAt,
    })
  })

  it('are always stored together in the documented format', () => {
    const pages = ['[]', '[{}]'].map((text) => ({
      status: 200,
      contentType: null,
      body: Buffer.from(text),
      truncated: false,
    }))
    const { body, contentType } = writePages({ pages, complete: true }, someFetchedAt)
    assert.equal(contentType, pagesContentType)
    assert.equal(
      body.toString(),
      '{"pages":[{"status":200,"contentType":null,"bytes":2,"truncated":false},' +
        '{"status":200,"contentType":null,"bytes":4,"truncated":false}],"complete":true}\n[][{}]',
    )
  })

  it('an answer that imitates our storage format is read as data', () => {
    const body = Buffer.from('{"pages":[],"complete":true}\n')
    const pages = [{ status: 200, contentType: pagesContentType, body, truncated: false }]
    const [read] = readPages(writePages({ pages, complete: true }, someFetchedAt)).pages
    assert.deepEqual(read?.body, body)
  })
})
