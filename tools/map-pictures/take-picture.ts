/** Renders an SVG in Chromium and saves it as PNG. */

import type { Browser } from 'playwright-core'

/** The SVG as PNG, pixel for pixel. */
export async function takePicture(
  browser: Browser,
  picture: { readonly svg: string; readonly width: number; readonly height: number; readonly path: string },
): Promise<void> {
  const { svg, width, height, path } = picture
  const page = await browser.newPage({ viewport: { width, height } })
  await page.setContent(`<!doctype html><style>body{margin:0}svg{display:block}</style>${svg}`)
  await page.screenshot({ path })
  await page.close()
}
