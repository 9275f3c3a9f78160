/** A Chromium to draw with: the machine's own, else the one that @sparticuz/chromium carries. */

import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const ofMachine = ['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`)

export async function openBrowser(): Promise<Browser> {
  const own = ofMachine.find((path) => existsSync(path))
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--hide-scrollbars']
  if (own !== undefined) return chromium.launch({ executablePath: own, args })
  const { default: carried } = await import('@sparticuz/chromium')
  return chromium.launch({ executablePath: await carried.executablePath(), args: [...carried.args, ...args] })
}

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
