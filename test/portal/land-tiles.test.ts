import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { PMTiles } from 'pmtiles'

const file = readFileSync(new URL('../../portal/src/map/data/land.pmtiles', import.meta.url))
const tiles = new PMTiles({
  getKey: () => 'land',
  getBytes: async (offset, length) => ({
    data: new Uint8Array(file.subarray(offset, offset + length)).buffer,
  }),
})

test('the library of the browser can read the land tiles, and the open sea has none', async () => {
  const { minZoom, maxZoom, tileType, numTileEntries } = await tiles.getHeader()
  assert.deepEqual([minZoom, maxZoom, tileType], [0, 5, 1])
  assert.ok(numTileEntries > 500)
  const whole = await tiles.getZxy(0, 0, 0)
  assert.ok((whole?.data.byteLength ?? 0) > 1_000)
  assert.match(Buffer.from(whole?.data ?? new ArrayBuffer(0)).toString('latin1'), /land/)
  assert.ok((await tiles.getZxy(5, 16, 10)) !== undefined, 'around London')
  assert.equal(await tiles.getZxy(5, 3, 18), undefined, 'the south of the Pacific')
})
