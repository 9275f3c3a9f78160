// A picture is turned as it is shown, and stays what it was.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp, { type Sharp } from 'sharp'
import { rotateImageApart } from '../../../src/sources/documents/pages/rotate-image-apart.ts'
import { makePdf } from './made-pdf.ts'

/** White, 60 by 40, with a black upper left quarter. */
function corner(): Sharp {
  const black = { create: { width: 30, height: 20, channels: 3, background: 'black' } } as const
  return sharp({ create: { width: 60, height: 40, channels: 3, background: 'white' } }).composite([
    { input: black, left: 0, top: 0 },
  ])
}

/** Which quarters are black: upper left, upper right, lower left, lower right. */
async function quartersOf(bytes: Buffer): Promise<string> {
  const { data } = await sharp(bytes)
    .autoOrient()
    .resize(2, 2, { fit: 'fill', kernel: 'nearest' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data].map((shade) => (shade < 128 ? 'x' : '.')).join('')
}

const kinds: readonly (readonly [string, (picture: Sharp) => Sharp])[] = [
  ['image/jpeg', (picture) => picture.jpeg()],
  ['image/png', (picture) => picture.png()],
  ['image/webp', (picture) => picture.webp()],
  ['image/tiff', (picture) => picture.tiff()],
]
for (const [contentType, write] of kinds)
  test(`a picture of ${contentType} is turned clockwise and stays of its kind`, async () => {
    const turned = await rotateImageApart(await write(corner()).toBuffer(), 90)
    assert.ok(turned.ok, JSON.stringify(turned))
    assert.equal(turned.contentType, contentType)
    const { width, height, format } = await sharp(turned.bytes).metadata()
    assert.deepEqual([width, height, `image/${format}`], [40, 60, contentType])
    assert.equal(await quartersOf(turned.bytes), '.x..')
  })

test('it can be turned on its head and back', async () => {
  const bytes = await corner().png().toBuffer()
  for (const [degrees, quarters] of [
    [180, '...x'],
    [270, '..x.'],
  ] as const) {
    const turned = await rotateImageApart(bytes, degrees)
    assert.ok(turned.ok)
    assert.equal(await quartersOf(turned.bytes), quarters)
  }
})

test('it is turned from how its camera says that it is held, and all that the camera wrote down is gone', async () => {
  const photo = await sharp(await corner().png().toBuffer())
    .withExif({ IFD0: { Artist: 'Somebody' }, IFD3: { GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  assert.equal(await quartersOf(photo), '.x..')
  const turned = await rotateImageApart(photo, 90)
  assert.ok(turned.ok)
  assert.equal(await quartersOf(turned.bytes), '...x')
  const { exif, orientation } = await sharp(turned.bytes).metadata()
  assert.deepEqual([exif, orientation], [undefined, undefined])
})

test('a scan in black and white stays one', async () => {
  const picture = sharp(await corner().removeAlpha().png().toBuffer()).toColourspace('b-w')
  const scan = await picture.tiff({ compression: 'ccittfax4', bitdepth: 1 }).toBuffer()
  const turned = await rotateImageApart(scan, 90)
  assert.ok(turned.ok, JSON.stringify(turned))
  assert.equal((await sharp(turned.bytes).metadata()).bitsPerSample, 1)
  assert.equal(await quartersOf(turned.bytes), '.x..')
})

test('a PDF, several pages, an empty file and a damaged one are not turned', async () => {
  const reason = async (bytes: Buffer) => {
    const turned = await rotateImageApart(bytes, 90)
    return turned.ok ? 'turned' : turned.reason
  }
  assert.equal(await reason(await makePdf((pdf) => pdf.text('x'))), 'unsupported_type')
  const page = await corner().png().toBuffer()
  const pages = sharp([page, page], { join: { animated: true } }).tiff()
  assert.equal(await reason(await pages.toBuffer()), 'unsupported_type')
  assert.equal(await reason(Buffer.alloc(0)), 'damaged')
  assert.equal(await reason(page.subarray(0, 60)), 'damaged')
})
