/** Decodes pictures (JPEG, PNG, TIFF, WebP) by `sharp`, page by page, turned as their camera states. */

import sharp from 'sharp'
import { pageBounds } from './bounds.ts'
import type { GreyPicture } from './grey.ts'

sharp.cache(false)
sharp.concurrency(1)

export interface ImagePage {
  /** As it is shown, in pixels of the file. */
  readonly width: number
  readonly height: number
  /** As it is read: enlarged or made smaller, so that print has the size that is recognised best. */
  readonly picture: GreyPicture
}

export const decodable = ['jpeg', 'png', 'tiff', 'webp'] as const
export type ImageFormat = (typeof decodable)[number]

export interface ImageFile {
  readonly format: ImageFormat
  readonly pageCount: number
  /** `place` from 0. Rejects when the page cannot be decoded. */
  readonly readPage: (place: number) => Promise<ImagePage>
}

export type OpenedImage =
  | { readonly ok: true; readonly image: ImageFile }
  | {
      readonly ok: false
      readonly reason: 'too_large' | 'unsupported_type' | 'damaged'
      readonly detail: string
    }

/** A sheet of paper that can be read well has this many pixels along its longer side. */
const longerSide = { min: 2_400, max: 3_600 }

export async function openImage(bytes: Buffer): Promise<OpenedImage> {
  const options = { limitInputPixels: pageBounds.pixels, failOn: 'error', sequentialRead: true } as const
  const about = await sharp(bytes, options)
    .metadata()
    .catch((error: unknown) => String(error))
  if (typeof about === 'string')
    return /pixel limit|too large|dimensions/i.test(about)
      ? { ok: false, reason: 'too_large', detail: 'The picture has too many pixels.' }
      : { ok: false, reason: 'damaged', detail: 'The picture cannot be decoded.' }
  const { width = 0, height = 0 } = about
  const format = decodable.find((each) => each === about.format)
  if (format === undefined)
    return { ok: false, reason: 'unsupported_type', detail: 'Pictures of this kind are not read.' }
  if (width * height > pageBounds.pixels)
    return { ok: false, reason: 'too_large', detail: 'The picture has too many pixels.' }
  const readPage = async (place: number): Promise<ImagePage> => {
    const upright = () =>
      sharp(bytes, { ...options, page: place })
        .autoOrient()
        .flatten({ background: '#fff' })
    const pageMetadata = await sharp(bytes, { ...options, page: place }).metadata()
    const isTurned = (pageMetadata.orientation ?? 1) >= 5
    const [w, h] = [pageMetadata.width ?? 0, pageMetadata.height ?? 0]
    const [across, down] = isTurned ? [h, w] : [w, h]
    const longer = Math.max(across, down)
    const wanted = Math.min(longerSide.max, Math.max(longerSide.min, longer))
    const { data, info } = await upright()
      .resize({
        width: Math.max(1, Math.round((across * wanted) / longer)),
        height: Math.max(1, Math.round((down * wanted) / longer)),
        fit: 'fill',
        kernel: 'cubic',
      })
      .greyscale()
      .toColourspace('b-w')
      .raw()
      .toBuffer({ resolveWithObject: true })
    const picture = { width: info.width, height: info.height, bytes: data }
    return { width: across, height: down, picture }
  }
  return { ok: true, image: { format, pageCount: about.pages ?? 1, readPage } }
}

/** The same picture turned clockwise, in its own format, without the metadata of a camera. */
export async function rotateImage(bytes: Buffer, degrees: 90 | 180 | 270, format: ImageFormat): Promise<Buffer> {
  const options = { limitInputPixels: pageBounds.pixels, failOn: 'error' } as const
  // Two steps: turned as the camera states first, then as requested. In one step `sharp` does only the latter.
  const upright = await sharp(bytes, options).autoOrient().toBuffer()
  const turned = sharp(upright, options).rotate(degrees)
  if (format === 'jpeg') return turned.jpeg({ quality: 92 }).toBuffer()
  return turned.toFormat(format).toBuffer()
}
