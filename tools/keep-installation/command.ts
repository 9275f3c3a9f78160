/** The operator at the command line: runs `landfall <command>` on the installation that is being made. */

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const program = fileURLToPath(new URL('../../src/cli/landfall.ts', import.meta.url))

/** Returns the standard output. Throws the program's message when it fails. */
export async function landfall(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<string> {
  const { PATH = '', HOME = '', TMPDIR } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
    env: { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }), ...env },
  })
  return stdout.trim()
}
