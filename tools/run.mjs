// How every npm script starts: installs missing packages, then runs a TypeScript file on the Node 24 that npm installs.
// Plain JavaScript without imports from npm: it must run on Node 20, before anything is installed.
import { join, resolve } from 'node:path'
import { buildPortalIfStale } from './build-portal.mjs'
import { installWhatIsMissing, modules, root } from './install.mjs'
import { findNode, runScript } from './run-node.mjs'

const [script = '', ...args] = process.argv.slice(2)

/** The scripts that start a server, or test one. */
const servesPortal = [
  'src/main.ts',
  'tools/test.ts',
  'tools/pictures.ts',
  'tools/package.ts',
  'bench/main.ts',
]

try {
  if (!script.endsWith('.ts')) throw new Error('Usage: node tools/run.mjs <script.ts> [arguments]')
  await installWhatIsMissing()
  const node = findNode(modules)
  if (servesPortal.includes(script)) buildPortalIfStale(node)
  runScript(node, resolve(root, script), args, { cache: join(modules, '.cache/landfall') })
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
