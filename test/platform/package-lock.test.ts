import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

type Package = {
  readonly version?: string
  readonly resolved?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'))
}

const manifest = read('package.json') as Package
const { packages } = read('package-lock.json') as { readonly packages: Readonly<Record<string, Package>> }

test('package-lock.json lists what package.json asks for', () => {
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'] as const) {
    assert.deepEqual(packages['']?.[kind], manifest[kind])
  }
})

test('package-lock.json lists the packages of every platform, without which npm ci refuses it (tools/complete-lock.mjs)', () => {
  for (const [path, { optionalDependencies }] of Object.entries(packages)) {
    for (const name of Object.keys(optionalDependencies ?? {})) {
      const entry = packages[`node_modules/${name}`] ?? packages[`${path}/node_modules/${name}`]
      assert.ok(entry?.version !== undefined, `${name} of ${path} is missing`)
    }
  }
})

test('package-lock.json names no registry, so that it works with any', () => {
  assert.deepEqual(
    Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined),
    [],
  )
})
