// The programs of docs/quickstarts.md, copied from the page and run against the real program with its sandbox.
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openDataFolder } from '../e2e/prepared-folder.ts'
import { freePorts, type Program, root, startProgram, withoutThreads } from '../e2e/program.ts'
import { eventually } from '../support/eventually.ts'
import { openFront } from './front.ts'

const quickstarts = [
  { file: 'quickstart.sh', command: ['sh'], needs: ['curl', 'jq', 'openssl', 'perl'] },
  { file: 'quickstart.mts', command: [process.execPath], needs: [] },
  { file: 'quickstart.py', command: ['python3'], needs: ['python3'], least: 3.9 },
  { file: 'Quickstart.java', command: ['java'], needs: ['java'], least: 17 },
  { file: 'quickstart.php', command: ['php'], needs: ['php'], least: 8.1 },
] as const
const page = readFileSync(join(root, 'docs/quickstarts.md'), 'utf8')
const programs = new Map(
  [...page.matchAll(/```\w+ (\S+\.\w+)\n(.*?)```/gs)].map(([, file = '', code = '']) => [file, code]),
)

let data: Awaited<ReturnType<typeof openDataFolder>>
let program: Program
let folder: string
let port: number

before(async () => {
  data = await openDataFolder()
  const ports = await freePorts()
  program = startProgram({
    dataFolder: data.path,
    ports,
    env: { ...withoutThreads, LANDFALL_SANDBOX_SPEED: '1000000' },
  })
  folder = mkdtempSync(join(tmpdir(), 'landfall-quickstarts-'))
  for (const [file, code] of programs) writeFileSync(join(folder, file), code)
  installSdk()
  port = (await freePorts()).api
  await program.up
  await eventually(hasCaughtUp, { late: program.stderr })
})
after(async () => {
  await program?.kill('SIGKILL')
  await data?.remove()
  rmSync(folder, { recursive: true })
})

test('the page has exactly one program for each language of its table', () => {
  assert.deepEqual(
    [...programs.keys()],
    quickstarts.map(({ file }) => file),
  )
  for (const { file } of quickstarts) assert.match(page, new RegExp(`\\| \`\\w+ ${file}\` \\|`))
})

for (const [readme, file, command] of [
  ['sdk/typescript/README.md', 'readme.mts', process.execPath],
  ['sdk/python/README.md', 'readme.py', 'python3'],
] as const) {
  const skip = (command === 'python3' && whyNot(quickstarts[2])) || false
  test(`the first program of ${readme} runs as it is printed, and a second time`, { skip }, async () => {
    const [, code = ''] = /```\w+\n(.*?)```/s.exec(readFileSync(join(root, readme), 'utf8')) ?? []
    writeFileSync(join(folder, file), code)
    for (const time of ['first', 'second']) {
      const { code: ended, out, err } = await run({ file, command: [command] }, {})
      assert.equal(ended, 0, `${time}: ${out}${err}`)
      // In the test its journey has already ended; for a person who types, it has just begun.
      assert.match(out, /^(created|tracking_stopped) \[ ?'MSDU6000116' ?\]\n$/, time)
    }
  })
}

for (const quickstart of quickstarts) {
  const { file } = quickstart
  const options = { skip: whyNot(quickstart) ?? false }

  test(`${file} tracks a shipment, waits after a 429 and refuses a forged webhook delivery`, options, async () => {
    const front = await openFront(program.apiUrl, {
      refuseOnce: 'POST /v2/tracking_requests',
      onWebhook: () => forge(port),
    })
    try {
      const { code, out, err } = await run(quickstart, { url: front.url })
      assert.equal(code, 0, out + err)
      const [tracked = '', box = '', ...rest] = out.trimEnd().split('\n')
      assert.match(tracked, /^SBX-PLAIN-01 is tracked: Ningbo to Long Beach, arrives 2\d{3}-\S+Z$/)
      assert.match(box, /^MSDU6000116 is \w+$/)
      assert.match(rest[0] ?? '', /^ {2}2\d{3}-\S+Z container\.transport\.empty_out CNNGB$/)
      assert.ok(rest.some((line) => /^ {2}\S+ container\.transport\.vessel_arrived USLGB$/.test(line)))
      assert.match(
        rest.at(-1) ?? '',
        /^The webhook (tracking_request|container)\.\S+ came, and its signature is right\.$/,
      )
      assert.match(err, /^A delivery with a wrong signature is (refused|thrown away)\.$/m)
      const [refused, again] = front.seen('POST /v2/tracking_requests')
      assert.ok(refused?.key !== undefined && refused.key === again?.key, 'sent again under the same key')
      assert.ok(again.atMs - refused.atMs >= 1000, `again after ${again.atMs - refused.atMs} ms`)
      assert.equal(front.seen('DELETE /v2/webhooks').length, 1)
    } finally {
      await front.close()
    }
  })

  test(`${file} continues with the existing request of a tracked number`, options, async () => {
    const front = await openFront(program.apiUrl, { doubleFirst: 'POST /v2/tracking_requests' })
    try {
      const { code, out, err } = await run(quickstart, { url: front.url })
      assert.equal(code, 0, out + err)
      assert.equal(front.seen('POST /v2/tracking_requests')[0]?.status, 422)
      assert.match(out, /^MSDU6000116 is /m)
    } finally {
      await front.close()
    }
  })

  test(`${file} prints an API error and exits with code 1`, options, async () => {
    const strange = await run(quickstart, { args: ['SBX-PLAIN-01', 'ZZZZ'] })
    assert.deepEqual([strange.code, strange.out], [1, ''])
    assert.match(strange.err, /^422 unknown_scac: .*ZZZZ.* \(\/data\/attributes\/scac\)$/m)
    const { data: left } = await ask<{ data: readonly unknown[] }>('/v2/webhooks')
    assert.deepEqual(left, [], 'no webhook is left')
  })
}

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

function run(
  { file, command: [command] }: { readonly file: string; readonly command: readonly [string] },
  { url = program.apiUrl, args = [] }: { readonly url?: string; readonly args?: readonly string[] },
): Promise<Ended> {
  const env = {
    ...process.env,
    LANDFALL_API_URL: url,
    LANDFALL_API_KEY: firstKey(),
    PORT: String(port),
    PYTHONPATH: join(root, 'sdk/python'),
    PYTHONDONTWRITEBYTECODE: '1',
  }
  return new Promise((resolve) => {
    execFile(command, [file, ...args], { cwd: folder, env, timeout: 240_000 }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    )
  })
}

/** A forged notification, sent as soon as the program listens. */
async function forge(to: number): Promise<void> {
  await eventually(() =>
    fetch(`http://127.0.0.1:${to}/`, {
      method: 'POST',
      body: '{"data":{"attributes":{"event":"forged"}}}',
      headers: {
        'webhook-id': randomUUID(),
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
      },
    }).then(
      (answer) => answer.status < 500,
      () => false,
    ),
  )
}

/** The result of `npm install`, with the sources in place of the build. */
function installSdk(): void {
  const installed = join(folder, 'node_modules/landfall-sdk')
  mkdirSync(installed, { recursive: true })
  symlinkSync(join(root, 'sdk/typescript/src'), join(installed, 'src'))
  const names = ['./landfall', './refused', './webhooks']
  const exports = Object.fromEntries(
    names.map((name) => [name === './landfall' ? '.' : name, `${name.replace('.', './src')}.ts`]),
  )
  writeFileSync(join(installed, 'package.json'), JSON.stringify({ name: 'landfall-sdk', exports }))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
}

/** Why a program cannot run on this machine; null if it can. */
function whyNot(quickstart: (typeof quickstarts)[number]): string | null {
  const lacking = quickstart.needs.filter((name) => versionOf(name) === null)
  if (lacking.length > 0) return `there is no ${lacking.join(', ')} on this machine`
  if (!('least' in quickstart)) return null
  const [major = 0, minor = 0] = (versionOf(quickstart.command[0]) ?? '').split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = String(quickstart.least).split('.').map(Number)
  const isEnough = major > leastMajor || (major === leastMajor && minor >= leastMinor)
  return isEnough ? null : `${quickstart.command[0]} ${quickstart.least} is needed`
}

function versionOf(name: string): string | null {
  try {
    const output = execFileSync(name, [name === 'openssl' ? 'version' : '--version'], { stdio: 'pipe' })
    return /\d+(\.\d+)*/.exec(String(output))?.[0] ?? ''
  } catch {
    return null
  }
}

function firstKey(): string {
  return readFileSync(join(data.path, 'first-api-key'), 'utf8').trim()
}

async function ask<T>(path: string): Promise<T> {
  const answer = await fetch(program.apiUrl + path, { headers: { authorization: `Token ${firstKey()}` } })
  return (await answer.json()) as T
}

async function hasCaughtUp(): Promise<boolean> {
  const clock = (await (await fetch(`${program.sandboxUrl}/sandbox/clock`)).json()) as {
    readonly now: string
  }
  return Date.now() - Date.parse(clock.now) < 86_400_000
}
