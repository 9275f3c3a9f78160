/**
 * A Chromium for tests and pictures: the one installed on the machine, else the one that @sparticuz/chromium brings.
 * When neither runs, it fails and says so.
 */

import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const ofMachine = ['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`)
const common = ['--no-sandbox', '--disable-quic', '--hide-scrollbars', '--lang=en-US']

/** Draws WebGL in software. */
const webGlArgs = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist']

export async function openBrowser({ hasWebGl = false } = {}): Promise<Browser> {
  const args = [...common, ...(hasWebGl ? webGlArgs : ['--disable-gpu'])]
  const own = ofMachine.find((path) => existsSync(path))
  try {
    if (own !== undefined) return await chromium.launch({ executablePath: own, args })
    // This variable makes the package believe that it runs where nothing is installed. It then also unpacks nss and
    // nspr and names their folder to the loader. Its own arguments are not used: they put all of Chromium into one
    // process, in which a second page never opens.
    process.env['AWS_EXECUTION_ENV'] ??= 'AWS_Lambda_nodejs22.x'
    const { default: carried } = await import('@sparticuz/chromium')
    return await chromium.launch({ executablePath: await carried.executablePath(), args })
  } catch (error) {
    throw new Error(
      `No browser runs here: neither ${ofMachine.join(', ')} nor the one of @sparticuz/chromium. Browser tests and pictures need one.`,
      { cause: error },
    )
  }
}
