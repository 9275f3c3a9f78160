/**
 * A Chromium for tests and pictures: the one installed on the machine, else the one that @sparticuz/chromium brings.
 * When neither runs, it fails and says so.
 */

import { existsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const ofMachine = ['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`)
const common = ['--no-sandbox', '--disable-quic', '--hide-scrollbars', '--lang=en-US']

/** Draws WebGL in software. */
const webGlArgs = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist']

export async function openBrowser({ hasWebGl = false } = {}): Promise<Browser> {
  const args = [...common, ...(hasWebGl ? webGlArgs : ['--disable-gpu'])]
  try {
    const own = findOfMachine()
    if (own !== undefined) return await chromium.launch({ executablePath: own, args })
    const executablePath = await unpackBrowser()
    return await chromium.launch({ executablePath, args, env: { ...process.env, FONTCONFIG_FILE: writeFontConfig() } })
  } catch (error) {
    throw new Error(
      `No browser runs here: neither ${ofMachine.join(', ')} nor the one of @sparticuz/chromium. Browser tests and pictures need one.`,
      { cause: error },
    )
  }
}

const findOfMachine = (): string | undefined => ofMachine.find((path) => existsSync(path))

/**
 * Unpacks the browser of the package into the folder for temporary files, where the machine has none. Not two processes
 * at a time: the second would start what the first has half unpacked.
 */
export async function unpackBrowser(): Promise<string> {
  const own = findOfMachine()
  if (own !== undefined) return own
  // This variable makes the package believe that it runs where nothing is installed. It then also unpacks nss and
  // nspr and names their folder to the loader. Its own arguments are not used: they put all of Chromium into one
  // process, in which a second page never opens.
  process.env['AWS_EXECUTION_ENV'] ??= 'AWS_Lambda_nodejs22.x'
  const { default: carried } = await import('@sparticuz/chromium')
  return carried.executablePath()
}

/** The package names its fonts by a path that is only right in /tmp. Without fonts, Chromium ends at a rare letter. */
function writeFontConfig(): string {
  const [fonts, path] = [join(tmpdir(), 'fonts'), join(tmpdir(), 'landfall-fonts.conf')]
  const dirs = [fonts, '/usr/share/fonts'].map((dir) => `<dir>${dir}</dir>`).join('')
  writeFileSync(path, `<fontconfig>${dirs}<cachedir>${fonts}-cache</cachedir></fontconfig>\n`)
  return path
}
