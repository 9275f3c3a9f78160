// The files with which others install Landfall: every setting that they name exists, and so does every file.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { settings } from '../src/platform/settings.ts'

const read = (name: string) => readFileSync(`distribution/${name}`, 'utf8')
const known = new Set(Object.values(settings).flatMap((group) => Object.values(group).map(({ variable }) => variable)))

test('image, Compose file, systemd unit and installation page name only existing settings', () => {
  for (const name of ['Containerfile', 'compose.yaml', 'landfall.service'])
    for (const [variable] of read(name).matchAll(/\b(LANDFALL_[A-Z_]+|DATABASE_URL)\b/g))
      assert.ok(known.has(variable), `${name}: ${variable}`)
  for (const [variable] of readFileSync('docs/installing.md', 'utf8').matchAll(/\bLANDFALL_[A-Z_]+\b/g))
    assert.ok(known.has(variable), variable)
})

test('the installation page links every distribution file and has the version of the package', () => {
  const page = readFileSync('docs/installing.md', 'utf8')
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  assert.ok(page.includes(`landfall-${version}.tgz`))
  for (const name of readdirSync('distribution').filter((each) => !each.endsWith('.mjs') && each !== 'binaries'))
    assert.ok(page.includes(`distribution/${name}`), name)
  for (const [, path = ''] of page.matchAll(/\]\(([^)#]+)[)#]/g)) assert.ok(existsSync(`docs/${path}`), path)
})

test('the service waits for the database, and no password or secret has a default', () => {
  const compose = read('compose.yaml')
  assert.match(compose, /condition: service_healthy/)
  for (const [, name = '', rest = ''] of compose.matchAll(/\$\{([A-Z_]+)([^}]*)\}/g))
    assert.equal(rest, ':?is needed', name)
  assert.match(read('Containerfile'), /^USER landfall$/m)
  // The platform packages of sharp and argon2 are optional for npm, but needed.
  assert.doesNotMatch(read('Containerfile'), /^RUN .*--omit=optional/m)
})
