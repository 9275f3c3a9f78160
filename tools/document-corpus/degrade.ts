/** What happens to paper: a scanner tilts it, blurs it and adds dirt; a telephone turns it and throws a shadow. */

import sharp from 'sharp'
import { pick, type Random } from './truth.ts'

export type Copy = 'text' | 'scan' | 'photo'

export async function scanOf(page: Buffer, random: Random): Promise<Buffer> {
  const { width = 0, height = 0 } = await sharp(page).metadata()
  const tilted = sharp(page)
    .greyscale()
    .rotate((random() - 0.5) * 5, { background: '#ffffff' })
    .resize({ width, height, fit: 'fill' })
    .blur(0.5 + random() * 0.3)
  const noise = await sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 14 },
    },
  })
    .png()
    .toBuffer()
  return sharp(await tilted.png().toBuffer())
    .composite([{ input: noise, blend: 'soft-light' }])
    .jpeg({ quality: 55 + Math.floor(random() * 25) })
    .toBuffer()
}

export async function photoOf(page: Buffer, random: Random): Promise<Buffer> {
  const { width = 0, height = 0 } = await sharp(page).metadata()
  const dark = 0.35 + random() * 0.3
  const shadow = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#000" stop-opacity="0.05"/><stop offset="1" stop-color="#000" stop-opacity="${dark}"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#g)"/></svg>`,
  )
  const shaded = await sharp(page)
    .composite([{ input: shadow }])
    .png()
    .toBuffer()
  const turned = await sharp(shaded)
    .rotate((random() - 0.5) * 4, { background: '#8a8378' })
    .blur(0.6)
    .png()
    .toBuffer()
  return sharp(turned)
    .rotate(pick(random, [0, 0, 90, 180, 270]))
    .jpeg({ quality: 70 })
    .toBuffer()
}
