/**
 * `npm run qa -- client`: makes a TypeScript client from the description of the API, in a folder of its own and by
 * other people's tools, and asks this installation by it (`generated-client/walk.mts`).
 */

import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts, makeDataFolder, root, startProgram, withoutThreads } from '../test/e2e/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'landfall-client-'))
const data = makeDataFolder()
/** The installation that is asked, once it runs. */
const asked: Record<string, string> = {}
const run = (...command: readonly [string, ...string[]]): void => {
  const [file, ...args] = command
  execFileSync(file, args, { cwd: folder, stdio: 'inherit', env: { ...process.env, ...asked } })
}

try {
  cpSync(join(root, 'qa/generated-client'), folder, { recursive: true })
  run('npm', 'install', '--no-audit', '--no-fund', '--loglevel=error')
  run('npx', 'openapi-typescript', join(root, 'docs/openapi.json'), '-o', 'landfall.d.ts')
  const options = [
    '--strict',
    '--exactOptionalPropertyTypes',
    '--noUncheckedIndexedAccess',
    '--skipLibCheck',
    '--allowImportingTsExtensions',
    '--rewriteRelativeImportExtensions',
    '--target',
    'es2024',
    '--module',
    'nodenext',
  ]
  run('npx', 'tsc', ...options, 'walk.mts')
  const program = startProgram({ dataFolder: data.path, ports: await freePorts(), env: withoutThreads })
  try {
    asked['LANDFALL_API_KEY'] = await program.up
    asked['LANDFALL_API_URL'] = program.apiUrl
    run(process.execPath, 'walk.mjs')
  } finally {
    await program.kill('SIGTERM')
  }
} finally {
  await data.remove()
  rmSync(folder, { recursive: true, force: true })
}
