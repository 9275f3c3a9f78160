/**
 * Opens a picture that somebody sent: its pages, in shades of grey, as they are shown. `sharp` runs as WebAssembly here:
 * its native build would need the right to load machine code, and a fault in a decoder of pictures would then reach all
 * that our user may read.
 */

import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp'
import { pageBounds, Unreadable } from '../page-bounds.ts'
import type { Grey } from '../pixels/grey.ts'

sharp.cache(false)
sharp.concurrency(1)

export interface PictureFile {
  readonly bytes: Buffer
  readonly metadata: Metadata
  readonly pages: number
}

/** As it is shown: after the orientation that a camera wrote down. */
export interface PictureSize {
  readonly width: number
  readonly height: number
  /** Null when the file does not say, or says what cannot be of a page. */
  readonly dpi: number | null
}

export async function openPicture(bytes: Buffer): Promise<PictureFile> {
  const metadata = await asUnreadable(() => sharp(bytes, optionsOf(0)).metadata())
  const { width, height, pages = 1 } = metadata
  if (pages > pageBounds.pages)
    throw new Unreadable(
      'too_many_pages',
      `The file has ${pages} pages; at most ${pageBounds.pages} are read.`,
    )
  refuseLarge({ width, height })
  return { bytes, metadata, pages }
}

/** `index` from 0. */
export function pageOf({ bytes }: PictureFile, index: number): Sharp {
  return sharp(bytes, optionsOf(index))
}

export async function sizeOfPage(file: PictureFile, index: number): Promise<PictureSize> {
  const metadata = index === 0 ? file.metadata : await asUnreadable(() => pageOf(file, index).metadata())
  refuseLarge(metadata)
  const { width, height } = metadata.autoOrient
  const inches = Math.max(width, height) / (metadata.density ?? 1)
  // Cameras and screens write 72 or 96 whatever they took.
  return { width, height, dpi: inches >= 4 && inches <= 18 ? (metadata.density ?? null) : null }
}

export async function greyOf(
  file: PictureFile,
  index: number,
  { width, height }: PictureSize,
): Promise<Grey> {
  const scale = Math.min(1, Math.sqrt(pageBounds.ocrPixels / (width * height)))
  const { data, info } = await asUnreadable(() =>
    pageOf(file, index)
      .autoOrient()
      .resize(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)), {
        fit: 'fill',
      })
      .flatten({ background: '#ffffff' })
      .toColourspace('b-w')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true }),
  )
  if (info.channels !== 1) throw new Error(`a grey picture has ${info.channels} channels`)
  return { width: info.width, height: info.height, data }
}

/** What `sharp` has against the bytes is the answer; a fault of ours has no business here. */
export async function asUnreadable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const told = error instanceof Error ? error.message : ''
    if (/pixel limit/i.test(told)) throw tooLarge()
    if (/memory/i.test(told)) throw new Unreadable('exhausted', 'The picture takes too much memory to open.')
    throw new Unreadable('damaged', 'The picture is damaged and cannot be opened.')
  }
}

function optionsOf(page: number): SharpOptions {
  return { page, limitInputPixels: pageBounds.imagePixels, failOn: 'error', sequentialRead: true }
}

function refuseLarge({ width, height }: { readonly width: number; readonly height: number }): void {
  if (width * height > pageBounds.imagePixels) throw tooLarge()
}

function tooLarge(): Unreadable {
  const millions = pageBounds.imagePixels / 1_000_000
  return new Unreadable('too_large', `The picture has more than ${millions} million pixels.`)
}
