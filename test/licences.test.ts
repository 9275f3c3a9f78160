/**
 * Licences of the packages that an installation runs. Landfall is Apache-2.0 and people sell services on it, so nothing
 * in the production tree may oblige them to publish their own code, and nothing may have an unknown licence.
 */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import satisfies from 'spdx-satisfies'
import { findNeeded } from '../tools/locked-packages.mjs'

/**
 * The LGPL is allowed for libraries that are loaded unchanged: libvips is a separate shared library, which
 * anybody can replace.
 */
const allowed = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'PostgreSQL',
]

/** Packages whose manifest names no licence, and the first line of the licence file in them. */
const inFile: Readonly<Record<string, { readonly licence: string; readonly firstLine: string }>> = {
  'node_modules/png-js': { licence: 'MIT', firstLine: 'MIT License' },
}

test('every package of an installation has a licence that allows selling services', () => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly license?: string }>>
  }
  // The binaries are brought where a machine has none.
  const needed = findNeeded(lock.packages, ['', 'distribution/binaries'], { dev: false })
  const run = Object.entries(lock.packages).filter(([path]) => needed.has(path))
  assert.ok(run.length > 100, 'the lockfile names the packages')
  assert.deepEqual(
    run.flatMap(([path, { license = licenceInFile(path) }]) =>
      isAllowed(license) ? [] : [`${path}: ${license ?? 'none'}`],
    ),
    [],
  )
})

test('refuses GPL, AGPL, unknown and missing licences', () => {
  for (const licence of [
    'AGPL-3.0-only',
    'GPL-2.0-or-later',
    'MIT AND GPL-3.0-only',
    'SEE LICENSE IN LICENSE.txt',
    'UNLICENSED',
    undefined,
  ])
    assert.equal(isAllowed(licence), false, String(licence))
  for (const licence of ['MIT', '(GPL-2.0-only OR MIT)', 'Apache-2.0 AND LGPL-3.0-or-later'])
    assert.equal(isAllowed(licence), true, licence)
})

function licenceInFile(path: string): string | undefined {
  const known = inFile[path]
  if (known === undefined) return undefined
  const [firstLine] = readFileSync(`${path}/LICENSE`, 'utf8').split('\n')
  return firstLine === known.firstLine ? known.licence : undefined
}

/** True when one choice of the SPDX expression needs only licences of the list. */
function isAllowed(licence: string | undefined): boolean {
  if (licence === undefined) return false
  try {
    return satisfies(licence, allowed)
  } catch {
    return false
  }
}
