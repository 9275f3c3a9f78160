// `npm run -s qa -- install-sizes [-- <number>]`: what the packages of this checkout weigh, by what they are for, and the
// heaviest of those that run. Sizes on disk, in MB, of what is installed here now.
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findNeeded, type Packages } from './locked-packages.mjs'

const [count = '15'] = process.argv.slice(2)
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { readonly packages: Packages }
const runtime = findNeeded(packages, [''], { dev: false })
const build = findNeeded(packages, ['', 'portal'], { dev: false })
const binaries = findNeeded(packages, ['distribution/binaries'], { dev: false })

const sizes = Object.keys(packages)
  .filter((path) => path.includes('node_modules/') && packages[path]?.['link'] !== true)
  .map((path) => ({ path, use: useOf(path), bytes: sizeOf(path) }))
  .filter(({ bytes }) => bytes > 0)
  .sort((a, b) => b.bytes - a.bytes)

for (const use of ['runs', 'from npm for this machine', 'builds the portal', 'for contributors']) {
  const those = sizes.filter((each) => each.use === use)
  write(
    those.reduce((sum, { bytes }) => sum + bytes, 0),
    `${those.length} packages: ${use}`,
  )
}
write(
  sizes.reduce((sum, { bytes }) => sum + bytes, 0),
  'all that is installed',
)
console.log(`\nThe ${count} heaviest that run:`)
for (const { path, bytes } of sizes.filter(({ use }) => use.startsWith('runs')).slice(0, Number(count)))
  write(bytes, path.replace('node_modules/', ''))

function useOf(path: string): string {
  if (binaries.has(path)) return 'from npm for this machine'
  if (runtime.has(path)) return 'runs'
  return build.has(path) ? 'builds the portal' : 'for contributors'
}

/** Blocks on disk, as `du` counts; the packages within a package are counted by themselves. */
function sizeOf(path: string): number {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined || stats.isSymbolicLink()) return 0
  if (!stats.isDirectory()) return stats.blocks * 512
  return readdirSync(path)
    .filter((name) => name !== 'node_modules')
    .reduce((sum, name) => sum + sizeOf(join(path, name)), stats.blocks * 512)
}

function write(bytes: number, what: string): void {
  console.log(`${(bytes / 1_048_576).toFixed(1).padStart(7)} MB  ${what}`)
}
