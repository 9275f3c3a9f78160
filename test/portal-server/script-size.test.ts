// How much script the portal's pages load, compressed.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'

describe('the compressed script of', () => {
  const dist = new URL('../../portal/dist/', import.meta.url)
  const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8')) as Readonly<
    Record<string, { readonly file: string; readonly imports?: readonly string[]; readonly src?: string }>
  >
  const filesOf = (key: string): readonly string[] => {
    const chunk = manifest[key]
    return chunk === undefined ? [] : [chunk.file, ...(chunk.imports ?? []).flatMap(filesOf)]
  }
  const kilobytes = (files: readonly string[]): number =>
    [...new Set(files)]
      .map((file) => gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length)
      .reduce((sum, bytes) => sum + bytes, 0) / 1_024
  const first = filesOf('index.html')

  test('the first page has at most 75 KB', () => {
    assert.ok(kilobytes(first) > 20)
    assert.ok(kilobytes(first) <= 75, `${kilobytes(first)}`)
  })

  test('every other page has at most 110 KB', () => {
    const routes = Object.keys(manifest).filter((key) => key.endsWith('-page.tsx'))
    assert.ok(routes.length >= 7)
    for (const key of routes) {
      const all = kilobytes([...first, ...filesOf(key)])
      assert.ok(all <= 110, `${key}: ${all}`)
    }
  })
})

test('the widget, the only script of the shared page, has at most 25 KB', () => {
  const bytes = readFileSync(new URL('../../portal/dist/widget.js', import.meta.url))
  const packed = gzipSync(bytes, { level: 9 }).length / 1_024
  assert.ok(packed > 5 && packed <= 25, `${packed}`)
  assert.doesNotMatch(bytes.toString('utf8'), /from\s*["']/, 'one file, which loads no other script')
})
