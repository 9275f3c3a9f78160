// The SDK as users get it: built, packed, installed by npm from the file, and used by a program and in a browser.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { openTestApi, type TestApi } from '../support/api.ts'
import { openBrowser } from '../support/browser.ts'

const folder = mkdtempSync(join(tmpdir(), 'landfall-sdk-'))
const installed = join(folder, 'program/node_modules/landfall-sdk')
let api: TestApi
let url: string

before(async () => {
  api = await openTestApi()
  url = await api.app.listen({ port: 0, host: '127.0.0.1' })
  await api.call({
    method: 'POST',
    url: '/v2/parties',
    body: { data: { type: 'party', attributes: { company_name: 'Acme' } } },
  })
  await pack()
})
after(async () => {
  rmSync(folder, { recursive: true, force: true })
  await api.close()
})

/** Packs a copy without a build, so that nothing is left in the checkout. */
async function pack(): Promise<void> {
  const copy = join(folder, 'sdk')
  cpSync('sdk/typescript', copy, { recursive: true, filter: (path) => !/\/(dist|node_modules)$/.test(path) })
  const env = { ...process.env, PATH: `${resolve('node_modules/.bin')}:${process.env['PATH']}` }
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: copy, env })
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  mkdirSync(join(folder, 'program'))
  writeFileSync(join(folder, 'program/package.json'), '{"type":"module"}')
  const options = ['--offline', '--silent', '--no-audit', '--no-fund']
  await run('npm', ['install', ...options, join(folder, tarball)], { cwd: join(folder, 'program') })
}

/** The API is served by this process: waiting for a program must not block it. */
async function run(command: string, args: readonly string[], { cwd = '.', env = process.env } = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { cwd, env, timeout: 240_000 })
  return stdout
}

const program = `
  import { connect } from 'landfall-sdk'
  import { Refused } from 'landfall-sdk/refused'
  import { readNotification } from 'landfall-sdk/webhooks'
  const landfall = connect({ url: process.env.URL, key: process.env.KEY })
  for await (const { company_name } of landfall.listParties()) console.log(company_name)
  await landfall.getParty('none').catch((error) => console.log(error instanceof Refused, error.status))
  console.log(typeof readNotification)
`

test('a program with the installed package can read; the package has types and no dependencies', async () => {
  writeFileSync(join(folder, 'program/main.js'), program)
  const stdout = await run(process.execPath, ['main.js'], {
    cwd: join(folder, 'program'),
    env: { URL: url, KEY: api.key },
  })
  assert.equal(stdout, 'Acme\ntrue 404\nfunction\n')
  assert.deepEqual(
    readdirSync(join(folder, 'program/node_modules')).filter((name) => !name.startsWith('.')),
    ['landfall-sdk'],
  )
  assert.deepEqual(readdirSync(installed).toSorted(), ['LICENSE', 'README.md', 'dist', 'package.json'])
  assert.match(readFileSync(join(installed, 'dist/landfall.d.ts'), 'utf8'), /export declare function connect/)
})

test('build and package files in a checkout are ignored by Git', async () => {
  const left = [
    'sdk/typescript/dist/landfall.js',
    'sdk/typescript/landfall-sdk-0.3.0.tgz',
    'sdk/python/build/lib/landfall_sdk/client.py',
    'sdk/python/dist/landfall_sdk-0.3.0-py3-none-any.whl',
    'sdk/python/landfall_sdk.egg-info/PKG-INFO',
    'sdk/python/landfall_sdk/__pycache__/client.cpython-311.pyc',
  ]
  assert.equal(await run('git', ['check-ignore', ...left]), `${left.join('\n')}\n`)
})

const page = `<!doctype html><title>SDK</title><script type="module">
  import { connect } from '/sdk/landfall.js'
  const key = location.hash.slice(1)
  const read = async () => (await connect({ url: location.origin, key }).listParties().first()).company_name
  const work = () => new Promise((resolve) => {
    const worker = new Worker('/worker.js', { type: 'module' })
    worker.onmessage = ({ data }) => resolve(data)
    worker.postMessage(key)
  })
  document.title = await read() + ' ' + await work()
</script>`
const worker = `
  import { connect } from '/sdk/landfall.js'
  onmessage = async ({ data: key }) =>
    postMessage((await connect({ url: location.origin, key }).listParties().first()).company_name)
`

test('a page and a worker in a browser can use the files of the package directly', async (t) => {
  const server = createServer((request, response) => void serveSite(request, response)).listen(0, '127.0.0.1')
  t.after(() => server.close())
  const browser = await openBrowser()
  t.after(() => browser.close())
  const tab = await browser.newPage()
  await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/#${api.key}`)
  await tab.waitForFunction('document.title !== "SDK"')
  assert.equal(await tab.title(), 'Acme Acme')
})

async function serveSite({ url: path = '', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
  const send = (type: string, body: string) => response.setHeader('content-type', type).end(body)
  if (path === '/') send('text/html', page)
  else if (path === '/worker.js') send('text/javascript', worker)
  else if (path.startsWith('/sdk/'))
    send('text/javascript', readFileSync(join(installed, 'dist', path.slice(5)), 'utf8'))
  else {
    const answer = await fetch(url + path, { headers: { authorization: String(headers.authorization) } })
    response.statusCode = answer.status
    send('application/vnd.api+json', await answer.text())
  }
}
