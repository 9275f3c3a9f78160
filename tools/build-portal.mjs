// Bundles the portal (portal/ → portal/dist) when the bundle is missing or older than its sources. Plain JavaScript, so
// that tools/run.mjs can look before it starts the server; a look takes about a millisecond. `node
// tools/build-portal.mjs` builds in any case.
import { execFile } from 'node:child_process'
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
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { modules, root } from './install.mjs'

const source = join(root, 'portal')
const bundle = join(source, 'dist')
const stamp = join(bundle, 'index.html')
const vite = join(modules, 'vite', 'bin', 'vite.js')
/** What else the bundle is made of. */
const beside = ['src/portal-server/styles/look.css', 'src/domain/view/day-count.ts', 'package-lock.json']
const packed = /\.(css|js|json|mjs|svg)$/
const packedBytesMin = 1_024

/** Builds with `node` if it must. Says so on stderr, since it takes some seconds. */
export async function buildPortalIfStale(node) {
  if (!isPortalStale()) return
  if (existsSync(vite)) await build(node)
  else if (!existsSync(stamp)) console.error('The portal is not built, and Vite, which builds it, is not installed.')
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
async function build(node) {
  console.error('Building the portal …')
  const making = join(source, `dist-${process.pid}`)
  const bundleBy = (config) => {
    const options = ['--config', config, '--outDir', making, '--logLevel', 'warn']
    return promisify(execFile)(node, [vite, 'build', ...options], { cwd: source })
  }
  try {
    // The first empties the folder.
    await bundleBy('vite.config.ts')
    await Promise.all([bundleBy('widget.config.ts'), bundleBy('journey-view.config.ts')])
  } catch ({ message, stdout = '', stderr = '' }) {
    rmSync(making, { recursive: true, force: true })
    throw new Error(`The portal could not be built:\n${stdout}${stderr || message}`)
  }
  // Under a name that stays, for the widget.
  copyFileSync(join(source, 'src/map/data/land.json'), join(making, 'land.json'))
  await Promise.all(filesOf(making).map(pack))
  const old = `${making}-old`
  if (existsSync(bundle)) renameSync(bundle, old)
  renameSync(making, bundle)
  rmSync(old, { recursive: true, force: true })
}

async function pack(path) {
  const bytes = readFileSync(path)
  if (!packed.test(path) || bytes.length < packedBytesMin) return
  const [brotlied, gzipped] = await Promise.all([
    promisify(brotliCompress)(bytes),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  writeFileSync(`${path}.br`, brotlied)
  writeFileSync(`${path}.gz`, gzipped)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build(process.execPath)
