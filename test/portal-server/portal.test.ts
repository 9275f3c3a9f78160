// The page that starts the portal, its files, and example numbers.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { openTestApi, type TestApi } from '../support/api.ts'
import { serve } from '../support/loopback-server.ts'

const bundle = new URL('../../portal/dist/', import.meta.url)
const assets = readdirSync(new URL('assets/', bundle)).filter((name) => !/\.(br|gz)$/.test(name))

describe('the page of the app', () => {
  let api: TestApi
  before(async () => {
    api = await openTestApi()
  })
  after(() => api.close())
  const open = (url: string) => api.call({ url, key: null, headers: { accept: 'text/html' } })

  test('needs no key, allows only its own files, and is never cached', async () => {
    for (const url of ['/', '/track', '/shipments', '/shipments/018f', '/developers/webhooks', '/operate/sources']) {
      const page = await open(url)
      assert.equal(page.status, 200, url)
      assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(
        page.headers['content-security-policy'],
        "default-src 'self'; img-src 'self' data: blob:; base-uri 'none'; object-src 'none'; form-action 'none'; frame-ancestors 'none'",
      )
      assert.equal(page.headers['cache-control'], 'no-store')
      assert.equal(page.headers['referrer-policy'], 'no-referrer')
    }
  })

  test('contains no inline script, style or handler, and no external address', async () => {
    const { text } = await open('/')
    assert.ok(!/<script(?![^>]*\bsrc=)/i.test(text), 'inline script')
    assert.ok(!/<style|\sstyle=|\son\w+=/i.test(text), 'inline style or handler')
    assert.ok(!/(src|href)="(?!\/)/i.test(text), 'an address elsewhere')
  })

  test('explains itself and links further pages without JavaScript', async () => {
    const { text } = await open('/')
    assert.match(text, /<noscript>[\s\S]*<h1>Landfall<\/h1>[\s\S]*curl -H[\s\S]*<\/noscript>/)
    assert.match(text, /It works: the database answers\./)
    for (const address of ['/docs', '/v2/openapi.json', '/readyz', '/metrics', '/sign-in']) {
      assert.ok(text.includes(`href="${address}"`), address)
    }
  })

  test('every file of the bundle has its content type, is cached for ever, and is compressed on request', async () => {
    const types: Readonly<Record<string, string>> = {
      js: 'text/javascript; charset=utf-8',
      css: 'text/css; charset=utf-8',
      json: 'application/json; charset=utf-8',
      pmtiles: 'application/vnd.pmtiles',
    }
    assert.ok(assets.length > 10)
    for (const name of assets) {
      const url = `/portal/assets/${name}`
      const file = await open(url)
      assert.equal(file.status, 200, name)
      assert.equal(file.headers['content-type'], types[name.split('.').at(-1) ?? ''], name)
      assert.equal(file.headers['x-content-type-options'], 'nosniff')
      assert.match(String(file.headers['cache-control']), /immutable/)
      assert.equal(file.text, readFileSync(new URL(`assets/${name}`, bundle), 'utf8'))
    }
    const [large = ''] = assets.filter((name) => name.startsWith('index-') && name.endsWith('.js'))
    const packed = await api.app.inject({
      url: `/portal/assets/${large}`,
      headers: { 'accept-encoding': 'gzip, br' },
    })
    assert.equal(packed.headers['content-encoding'], 'br')
    assert.deepEqual(packed.rawPayload, readFileSync(new URL(`assets/${large}.br`, bundle)))
  })

  test('a byte range of the map is served, and a range beyond its end is refused', async () => {
    const [name = ''] = assets.filter((each) => each.endsWith('.pmtiles'))
    const url = `/portal/assets/${name}`
    const whole = readFileSync(new URL(`assets/${name}`, bundle))
    const part = await api.app.inject({ url, headers: { range: 'bytes=127-1126' } })
    assert.equal(part.statusCode, 206)
    assert.equal(part.headers['content-range'], `bytes 127-1126/${whole.length}`)
    assert.deepEqual(part.rawPayload, whole.subarray(127, 1_127))
    const rest = await api.app.inject({ url, headers: { range: `bytes=${whole.length - 5}-` } })
    assert.deepEqual(rest.rawPayload, whole.subarray(-5))
    const beyond = await api.app.inject({ url, headers: { range: `bytes=${whole.length}-` } })
    assert.deepEqual([beyond.statusCode, beyond.headers['content-range']], [416, `bytes */${whole.length}`])
    const strange = await api.app.inject({ url, headers: { range: 'bytes=1-2,4-5' } })
    assert.deepEqual([strange.statusCode, strange.rawPayload.length], [200, whole.length])
  })

  test('a file that the browser has already is not sent again', async () => {
    const url = '/portal/look.css'
    const { headers } = await open(url)
    const again = await api.app.inject({ url, headers: { 'if-none-match': String(headers['etag']) } })
    assert.equal(again.statusCode, 304)
    assert.equal(again.body, '')
  })

  test('only the files of these folders are served', async () => {
    for (const name of [
      'portal.ts',
      '..%2fportal.ts',
      '%2e%2e%2fportal.ts',
      '__proto__',
      'look.css%00',
      '.',
      'assets/..%2findex.html',
      'assets/%2e%2e%2findex.html',
    ])
      assert.equal((await open(`/portal/${name}`)).status, 404, name)
  })

  test('example numbers need a key, and are empty without a sandbox', async () => {
    const url = '/portal/suggestions'
    assert.equal((await api.app.inject({ url })).statusCode, 401)
    assert.deepEqual((await api.call({ url })).body, { suggestions: [] })
  })
})

test('a sandbox account gets one example number for each interesting scenario, and some at other stages', async (t) => {
  const asked: string[] = []
  const entry = (kind: string, number: string, scenario: string) => ({
    kind,
    number,
    scenario,
    scac: 'MSCU',
    stage: 'sailing',
    containers: [],
    from: 'CNSHG',
    to: 'USLGB',
  })
  let answer: unknown = [
    { ...entry('container', 'MSCU0000001', 'direct'), stage: 'discharged' },
    entry('container', 'MSCU0000002', 'eta_slips'),
    entry('booking', 'B1', 'corrected'),
    entry('bill_of_lading', 'M1', 'eta_slips'),
    { ...entry('bill_of_lading', 'M2', 'direct'), lively: true },
    { scenario: 'corrected' },
  ]
  const sandbox = await serve(t, (request, response) => {
    asked.push(request.url ?? '')
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  const api = await openTestApi({ env: { LANDFALL_SANDBOX_PORT: String(sandbox.port) } })
  t.after(() => api.close())
  const url = '/portal/suggestions'
  const fiction = await api.newKey(await api.newAccount({ isSandbox: true }), ['read', 'write'])

  const offered = (await api.call({ url, key: fiction })).body['suggestions'] as readonly Record<string, unknown>[]
  assert.deepEqual(
    offered.map(({ request_type, request_number }) => [request_type, request_number]),
    [
      ['bill_of_lading', 'M2'],
      ['booking_number', 'B1'],
      ['bill_of_lading', 'M1'],
      ['container', 'MSCU0000001'],
      ['container', 'MSCU0000002'],
    ],
  )
  assert.match(String(offered[0]?.['about']), /has just begun/)
  assert.deepEqual(offered[1], {
    request_type: 'booking_number',
    request_number: 'B1',
    scac: 'MSCU',
    line_name: 'Mediterranean Shipping Company',
    from: 'Shanghai',
    to: 'Long Beach',
    about: 'the line corrects itself',
  })

  await api.call({ url })
  assert.equal(asked.length, 1, 'an account with real shipments is offered nothing')
  answer = '<h1>Some other program</h1>'
  assert.deepEqual((await api.call({ url, key: fiction })).body, { suggestions: [] })
})
