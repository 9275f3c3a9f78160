// The command line: its help, what it refuses, and its exit codes.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { commands } from '../../src/cli/commands.ts'
import { defineCommand, type ListedCommand, loadCommand } from '../../src/cli/framework/command.ts'
import { writeCommandsPage } from '../../src/cli/framework/help.ts'
import { runCommand } from '../../src/cli/framework/run-command.ts'
import { respondToArguments } from '../../src/cli/framework/start-help.ts'
import { listMigrations } from '../../src/db/migrate.ts'
import { programVersion } from '../../src/platform/program-version.ts'

const weigh = defineCommand({
  operands: [
    { name: 'unit', about: 'unit of weight', oneOf: ['kilos', 'pounds'] },
    { name: 'box', about: 'a container number', isRepeated: true },
  ],
  options: {
    scale: { type: 'string', value: '<name>', about: 'which scale', isRequired: true },
    note: { type: 'string', about: 'a remark' },
    json: { type: 'boolean', about: 'print JSON' },
  },
  run: async ({ operands, options, shell }) => {
    const { scale, note, json }: { readonly scale: string; readonly note: string | null; readonly json: boolean } =
      options
    shell.print(JSON.stringify({ operands, scale, note, json }))
    return 0
  },
})
const failing = defineCommand({
  run: async () => {
    throw new Error('It broke.')
  },
})
const opening = defineCommand({
  run: async ({ shell }) => {
    await shell.openService()
    return 0
  },
})

const program = fileURLToPath(new URL('../../src/cli/landfall.ts', import.meta.url))

const table: readonly ListedCommand[] = [
  { name: 'box weigh', summary: 'Weigh boxes', load: async () => weigh },
  { name: 'fail', summary: 'Fail', load: async () => failing },
  { name: 'open', summary: 'Open', load: async () => opening },
]

async function call(line: string, options: { readonly env?: Readonly<Record<string, string>> } = {}) {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await runCommand(table, {
    args: line.split(' ').filter((word) => word !== ''),
    env: options.env ?? {},
    out: { write: (text) => out.push(text) },
    err: { write: (text) => err.push(text) },
  })
  return { code, out: out.join(''), err: err.join('') }
}

test('a command gets its operands and options in the types that it declares', async () => {
  assert.deepEqual(await call('box weigh kilos MSKU1 MSKU2 --scale=dock --json'), {
    code: 0,
    out: '{"operands":["kilos","MSKU1","MSKU2"],"scale":"dock","note":null,"json":true}\n',
    err: '',
  })
  assert.match((await call('box weigh pounds --scale dock --note heavy')).out, /"note":"heavy","json":false/)
})

test('wrong usage exits with code 2, explains the mistake and suggests a correction', async () => {
  for (const [line, message] of [
    ['box wiegh kilos', /There is no command box wiegh\. Did you mean box weigh\?/],
    ['boxx', /There is no command boxx\. Did you mean box\?/],
    ['box', /box needs one more word: box weigh\./],
    ['--scale', /the command comes first/],
    ['box weigh', /needs <unit>: kilos, pounds\./],
    ['box weigh kilo --scale dock', /kilo is not a <unit> \(kilos, pounds\)\. Did you mean kilos\?/],
    ['box weigh kilos', /--scale <name> is missing: which scale\./],
    ['box weigh kilos --scale', /--scale needs a value/],
    ['box weigh kilos --scale --json', /--scale needs a value/],
    ['box weigh kilos --scale a --scale b', /--scale may be given only once/],
    ['box weigh kilos --scale a --jsn', /no option --jsn\. Did you mean --json\?/],
    ['box weigh kilos --scale a --json=1', /--json takes no value/],
    ['fail now', /fail takes no now/],
  ] as const) {
    const { code, out, err } = await call(line)
    assert.equal(code, 2, line)
    assert.equal(out, '', line)
    assert.match(err, message, line)
    assert.match(err, /--help lists the commands/, line)
  }
})

test('an error exits with code 1 and prints its own message', async () => {
  assert.deepEqual(await call('fail'), { code: 1, out: '', err: 'It broke.\n' })
})

test('help lists all commands, the commands of one group, or the details of one command', async () => {
  for (const line of ['', '--help', '-h', 'help']) {
    const { code, out } = await call(line)
    assert.equal(code, 0, line)
    assert.match(out, /^Usage: npm run landfall -- <command>/, line)
    for (const said of [/^ {2}box weigh {2}Weigh boxes$/m, /^ {2}fail {7}Fail$/m, /^ {2}open {7}Open$/m])
      assert.match(out, said, line)
  }
  for (const line of ['box weigh --help', 'help box weigh', 'box weigh kilos -h']) {
    const { code, out } = await call(line)
    assert.equal(code, 0, line)
    assert.match(out, /^Usage: npm run landfall -- box weigh <unit> \[<box> …\] --scale <name> \[options\]/, line)
    assert.match(out, /--note <value> {2}a remark/, line)
  }
  assert.equal((await call('help bxo')).code, 2)
})

test('--version prints the versions of the program, its schema and Node', async () => {
  const { code, out } = await call('--version')
  assert.equal(code, 0)
  const last = listMigrations().at(-1)?.name
  assert.equal(out, `landfall ${programVersion}, schema ${last}, Node ${process.versions.node}\n`)
  assert.deepEqual(respondToArguments(['--version']), { code: 0, text: out.trimEnd() })
  assert.match(respondToArguments(['--version', '-h'])?.text ?? '', /^Usage: npm start -- \[--help/)
  assert.equal(respondToArguments([]), null)
  const refused = respondToArguments(['--port=80'])
  assert.equal(refused?.code, 2)
  assert.match(refused.text, /^The start command has no argument --port=80: settings are environment variables/)
  assert.equal((await call('--version box')).code, 2)
})

test('a command does not create an installation', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'landfall-cli-'))
  try {
    const folder = join(parent, 'nothing')
    const { code, err } = await call('open', { env: { LANDFALL_DATA: folder } })
    assert.equal(code, 1)
    assert.match(err, /There is no installation in .*nothing\. Start Landfall once/)
    assert.equal(existsSync(folder), false)
  } finally {
    rmSync(parent, { recursive: true })
  }
})

test('a command that cannot reach the database says what to do', async () => {
  const { code, err } = await call('open', { env: { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' } })
  assert.equal(code, 1)
  assert.match(err, /^connect ECONNREFUSED .*\nThe database does not answer\. See that the server in DATABASE_URL runs/)
})

test('docs/cli.md is up to date with the table of commands, and command names are unique', async () => {
  const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')
  assert.equal(page, writeCommandsPage(await Promise.all(commands.map(loadCommand))), 'run tools/cli-page.ts')
  assert.equal(new Set(commands.map(({ name }) => name)).size, commands.length)
  for (const { summary } of commands) assert.doesNotMatch(summary, /\.$/)
})

test('the help and the client commands load no package', () => {
  const loadHook = `import { registerHooks } from 'node:module'
    registerHooks({ load: (url, context, next) => (process.stderr.write(url + '\\n'), next(url, context)) })`
  for (const args of [['--help'], ['track', '--help'], ['infer', 'MSKU1234565']]) {
    const { stderr } = spawnSync(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(loadHook)}`, program, ...args],
      { encoding: 'utf8', env: { PATH: process.env['PATH'] } },
    )
    assert.match(stderr, /framework\/arguments\.ts$/m, args.join(' '))
    assert.doesNotMatch(stderr, /node_modules/, args.join(' '))
  }
})

test('a reader that closes the pipe early, as `head` does, causes no error', async () => {
  const child = spawn(process.execPath, [program, 'completion', 'bash'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] },
  })
  child.stdout.destroy()
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  assert.deepEqual([code, said], [0, ''])
})
