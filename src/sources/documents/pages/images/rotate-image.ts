/** Turns a picture file, and keeps its kind. */

import { pageBounds, Unreadable } from '../page-bounds.ts'
import { asUnreadable, openPicture, pageOf } from './picture-file.ts'

const quality = 92

/** Clockwise, after the orientation that a camera wrote down. What else was written down beside the picture is dropped. */
export async function rotateImage(bytes: Buffer, degrees: 90 | 180 | 270): Promise<Buffer> {
  const file = await openPicture(bytes)
  if (file.pages > 1)
    throw new Unreadable('unsupported_type', 'A picture file of several pages cannot be turned.')
  const picture = pageOf(file, 0).autoOrient().rotate(degrees)
  const { format, bitsPerSample } = file.metadata
  const turned = await asUnreadable(() => {
    switch (format) {
      case 'jpeg':
        return picture.jpeg({ quality }).toBuffer()
      case 'webp':
        return picture.webp({ quality }).toBuffer()
      case 'png':
        return picture.png().toBuffer()
      default:
        return (
          bitsPerSample === 1
            ? picture.toColourspace('b-w').tiff({ compression: 'ccittfax4', bitdepth: 1 })
            : picture.tiff({ compression: 'deflate' })
        ).toBuffer()
    }
  })
  if (turned.length > pageBounds.fileBytes)
    throw new Unreadable('too_large', 'The turned picture would be larger than a file may be.')
  return turned
}
