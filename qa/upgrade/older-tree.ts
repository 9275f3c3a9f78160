/** The code of another commit in a folder of its own, with packages, so that it can be started beside this code. */

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git } from '../../tools/keep-installation/from-commit.ts'

export interface Tree {
  readonly folder: string
  /** For people: the version, or what was asked for, and the commit. */
  readonly name: string
  readonly remove: () => void
}

/**
 * The last release before this code. Where nothing was released: the first commit, at least so many back, whose
 * migrations are all among those of this code. While a change was being made, its migrations were other ones.
 */
export function findOlder(commitsBack: number): string {
  try {
    return git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^')
  } catch {
    const here = new Set(landedAt('HEAD'))
    const candidates = git('rev-list', '--first-parent', `--skip=${commitsBack}`, 'HEAD').split('\n')
    const found = candidates.find((commit) => landedAt(commit).every((line) => here.has(line)))
    if (found === undefined) throw new Error(`There is no commit ${commitsBack} before this one.`)
    return found
  }
}

/** The migrations of older code lie in another folder of `src`. */
function landedAt(commit: string): readonly string[] {
  const list = git('ls-tree', '-r', '--name-only', commit, 'src')
    .split('\n')
    .find((path) => path.endsWith('/migrations/landed.sha256'))
  if (list === undefined) throw new Error(`The commit ${commit} has no list of migrations.`)
  return git('show', `${commit}:${list}`).split('\n')
}

/** What the program needs to run, besides the portal and the packages. */
const programParts = ['src', 'sandbox', 'sdk', 'docs/openapi.json', 'package.json', 'package-lock.json']

/** Its packages are those of this checkout where they are the same, else npm installs them. */
export function openOlderTree(ref: string, root: string): Tree {
  const commit = git('rev-parse', '--verify', '--short', `${ref}^{commit}`)
  const parent = mkdtempSync(join(tmpdir(), 'landfall-older-'))
  const folder = join(parent, 'tree')
  const remove = (): void => rmSync(parent, { recursive: true, force: true })
  try {
    mkdirSync(folder)
    const parts = programParts.filter((each) => git('ls-tree', '--name-only', commit, '--', each) !== '')
    const archive = execFileSync('git', ['archive', commit, ...parts], {
      cwd: root,
      maxBuffer: 500_000_000,
    })
    execFileSync('tar', ['--extract', '--directory', folder], { input: archive })
    // What a person would see in a browser is not asked for: the portal of today stands in its place.
    cpSync(join(root, 'portal/dist'), join(folder, 'portal/dist'), { recursive: true })
    if (needsNoOtherPackages(folder, root)) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    else execFileSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'ignore' })
    const { version } = readDependencies(folder)
    return { folder, name: `${version} (${ref.startsWith(commit) ? commit : `${ref}, ${commit}`})`, remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** A copy of this checkout's code with one more migration, for a short proof without a history. */
export function openPlantedTree(root: string, migration: { readonly name: string; readonly sql: string }): Tree {
  const parent = mkdtempSync(join(tmpdir(), 'landfall-newer-'))
  const folder = join(parent, 'tree')
  for (const each of [...programParts, 'portal/dist']) cpSync(join(root, each), join(folder, each), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'src/db/migrations', `${migration.name}.sql`), migration.sql)
  return { folder, name: 'planted', remove: () => rmSync(parent, { recursive: true, force: true }) }
}

interface Manifest {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
}

const readDependencies = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

function needsNoOtherPackages(folder: string, root: string): boolean {
  const here = readDependencies(root).dependencies
  return Object.entries(readDependencies(folder).dependencies).every(([name, version]) => here[name] === version)
}
