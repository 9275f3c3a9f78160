// How every npm script starts: installs missing packages, then runs a TypeScript file on a Node that can, which comes from
// npm where the machine's own is older. Plain JavaScript without imports from npm: it must run on Node 20, before anything
// is installed.
import { join, resolve } from 'node:path'
import { findBrought } from '../distribution/bring.mjs'
import { buildPortalIfStale, isPortalStale } from './build-portal.mjs'
import { installWhatIsMissing, modules, root } from './install.mjs'
import { findNode, runScript } from './run-node.mjs'
import { refuseUnknownSettings } from './setting-names.mjs'

const [script = '', ...args] = process.argv.slice(2)

/** The scripts of operators; all others are for contributors. */
const operators = ['src/main.ts', 'src/cli/landfall.ts']
/** The scripts that start a server, or test one. */
const servesPortal = ['src/main.ts', 'tools/test.ts', 'tools/pictures.ts', 'tools/package.ts', 'qa/main.ts']

try {
  if (!script.endsWith('.ts')) throw new Error('Usage: node tools/run.mjs <script.ts> [arguments]')
  if (script === 'src/main.ts') refuseUnknownSettings(process.env)
  const needsPortal = servesPortal.includes(script) && isPortalStale()
  await installWhatIsMissing(!operators.includes(script) ? 'all' : needsPortal ? 'build' : 'runtime')
  const node = findNode(findBrought('node', modules))
  if (needsPortal) await buildPortalIfStale(node)
  runScript(node, resolve(root, script), args, { cache: join(modules, '.cache/landfall') })
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
