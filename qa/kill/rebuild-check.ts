/** Runs `landfall history check` on the data folder: the served data must be what the ledger gives. */

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Report } from './checks.ts'

/** `env`: the settings with which the program ran. */
export function checkRebuild(env: Readonly<Record<string, string>>): Report {
  const tool = fileURLToPath(new URL('../../src/cli/landfall.ts', import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [tool, 'history', 'check'], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  const [told = ''] = stdout.split('\n')
  const problems =
    status === 0 ? [] : `${stdout}${stderr}`.split('\n').filter((line) => /^ {2}\S|NOT|rror|entry/.test(line))
  return {
    says: `Every state equals a rebuild: ${told}`,
    problems: status === 0 ? [] : problems.concat(`exit code ${String(status)}`),
  }
}
