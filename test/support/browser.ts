/** A Chromium for tests and pictures: the machine's own, else the one that @sparticuz/chromium carries. Where neither runs, it fails and says so. */

import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const ofMachine = ['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`)
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--hide-scrollbars']

export async function openBrowser(): Promise<Browser> {
  const own = ofMachine.find((path) => existsSync(path))
  try {
    if (own !== undefined) return await chromium.launch({ executablePath: own, args })
    // Told that it runs where nothing is installed, the package unpacks nss and nspr too and names their folder to the
    // loader. Its own arguments put all of Chromium into one process, in which a second page never opens.
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
