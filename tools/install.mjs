// Installs the packages of package-lock.json once, even when several starts need them at the same time. Plain
// JavaScript without imports from npm, like tools/run.mjs, which calls it before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
export const modules = join(root, 'node_modules')
const stamp = join(modules, '.landfall-lock-sha256')
const installLock = join(root, '.install-lock')

/** Throws an Error whose message is a sentence for the operator. */
export async function installWhatIsMissing() {
  for (let told = false; !isInstalled(); told = true) {
    if (takeInstallLock()) {
      try {
        if (!isInstalled()) return install()
      } finally {
        rmSync(installLock, { recursive: true, force: true })
      }
    }
    if (!told) console.error('Another start of this checkout is installing the packages; waiting for it …')
    await new Promise((wake) => setTimeout(wake, 250))
  }
}

/** True when node_modules fits package-lock.json: by our own stamp, or by the record that npm keeps there. */
function isInstalled() {
  const hash = lockHash()
  if (readText(stamp) === hash) return true
  const record = readText(join(modules, '.package-lock.json'))
  if (record === null) return false
  const present = JSON.parse(record).packages
  const wanted = Object.entries(JSON.parse(readText(join(root, 'package-lock.json'))).packages)
  const fits = wanted.every(([path, { version, optional }]) => {
    if (path in present) return present[path].version === version
    return path === '' || optional === true
  })
  if (fits) writeStamp(hash)
  return fits
}

function install() {
  console.error('Installing the packages of package-lock.json (first run only, about a minute) …')
  // Uses the npm that started us, with the Node that ran it, or else the npm in the path.
  const { npm_execpath: npmScript, npm_node_execpath: npmNode } = process.env
  const [command, ...lead] = npmScript?.endsWith('.js') ? [npmNode ?? process.execPath, npmScript] : ['npm']
  const options = ['ci', '--include=dev', '--include=optional', '--loglevel=error']
  const startedAt = Date.now()
  const { error, status } = spawnSync(command, [...lead, ...options], { cwd: root, stdio: ['ignore', 2, 2] })
  if (error?.code === 'ENOENT')
    throw new Error('npm was not found. Install Node.js 20 or newer with its npm.')
  if (error) throw new Error(`npm could not be started: ${error.message}`)
  if (status !== 0) {
    throw new Error(
      'npm could not install the packages; its message is above. It must reach its registry once' +
        ' (see: npm config get registry) and write into this folder. Then start again.',
    )
  }
  writeStamp(lockHash())
  console.error(`Installed in ${Math.round((Date.now() - startedAt) / 1000)} s.`)
}

/**
 * mkdir is the lock: only one of several processes succeeds. A lock whose process is gone is moved away, and taken at
 * the next try.
 */
function takeInstallLock() {
  try {
    mkdirSync(installLock)
    writeFileSync(join(installLock, 'pid'), String(process.pid))
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw new Error(`The packages cannot be installed here: ${error.message}`)
  }
  const pid = Number(readText(join(installLock, 'pid')))
  const ageMs = Date.now() - (statSync(installLock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  const isStale = pid > 0 ? !isAlive(pid) || ageMs > 15 * 60_000 : ageMs > 10_000
  if (!isStale) return false
  try {
    renameSync(installLock, `${installLock}-${process.pid}`)
    rmSync(`${installLock}-${process.pid}`, { recursive: true, force: true })
  } catch {} // another start was faster; the next try sees the result
  return false
}

function lockHash() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function readText(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

function writeStamp(hash) {
  try {
    writeFileSync(stamp, hash)
  } catch {} // another user installed it: npm's own record is read each time instead
}
