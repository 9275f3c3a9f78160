// Bundles the portal (portal/ → portal/dist) when the bundle is missing or older than its sources. Plain JavaScript, so
// that tools/run.mjs can look before it starts the server; a look takes about a millisecond. `node
// tools/build-portal.mjs` builds in any case.
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { modules, root } from './install.mjs'

const source = join(root, 'portal')
const bundle = join(source, 'dist')
const stamp = join(bundle, 'index.html')
const vite = join(modules, 'vite', 'bin', 'vite.js')
/** What else the bundle is made of. */
const beside = ['src/doors/portal/look/look.css', 'package-lock.json']
const packed = /\.(css|js|json|mjs|svg)$/
const packedBytesMin = 1_024

/** Builds with `node` if it must. Says so on stderr, since it takes some seconds. */
export function buildPortalIfStale(node) {
  if (!isPortalStale()) return
  if (existsSync(vite)) build(node)
  else if (!existsSync(stamp))
    console.error('The portal is not built, and Vite, which builds it, is not installed.')
}

export function isPortalStale() {
  if (!existsSync(stamp)) return true
  const builtAt = statSync(stamp).mtimeMs
  const files = [...filesOf(source), ...beside.map((path) => join(root, path))]
  return files.some((path) => statSync(path).mtimeMs > builtAt)
}

function filesOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('dist')) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesOf(path) : [path]
  })
}

/** Builds beside the old bundle and puts it in its place, so that a server which runs meanwhile never sees half of it. */
function build(node) {
  console.error('Building the portal …')
  const making = join(source, `dist-${process.pid}`)
  for (const config of ['vite.config.ts', 'widget.config.ts', 'journey-view.config.ts']) {
    const options = ['--config', config, '--outDir', making, '--logLevel', 'warn']
    const { status, stdout, stderr } = spawnSync(node, [vite, 'build', ...options], {
      cwd: source,
      encoding: 'utf8',
    })
    if (status === 0) continue
    rmSync(making, { recursive: true, force: true })
    throw new Error(`The portal could not be built:\n${stdout}${stderr}`)
  }
  // Under a name that stays, for the widget.
  copyFileSync(join(source, 'src/map/data/land.json'), join(making, 'land.json'))
  for (const path of filesOf(making)) pack(path)
  const old = `${making}-old`
  if (existsSync(bundle)) renameSync(bundle, old)
  renameSync(making, bundle)
  rmSync(old, { recursive: true, force: true })
}

function pack(path) {
  const bytes = readFileSync(path)
  if (!packed.test(path) || bytes.length < packedBytesMin) return
  writeFileSync(`${path}.br`, brotliCompressSync(bytes))
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build(process.execPath)
