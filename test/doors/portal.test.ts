import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { clientFileNames } from '../../src/doors/portal/first-page/client-files.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { serve } from '../support/loopback-server.ts'

const folder = new URL('../../src/doors/portal/client/', import.meta.url)
const sources = new Map(
  readdirSync(folder)
    .filter((name) => name !== 'tsconfig.json')
    .map((name) => [name, readFileSync(new URL(name, folder), 'utf8')] as const),
)
const scripts = [...sources].filter(([name]) => name.endsWith('.js'))

describe('the page at /', () => {
  let api: TestApi
  before(async () => {
    api = await openTestApi()
  })
  after(() => api.close())
  const open = (url: string) => api.call({ url, key: null })

  test('needs no key, allows nothing but its own files, and is never kept', async () => {
    const page = await open('/')
    assert.equal(page.status, 200)
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
    assert.match(
      String(page.headers['content-security-policy']),
      /^default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'none'; frame-ancestors 'none'$/,
    )
    assert.equal(page.headers['cache-control'], 'no-store')
    assert.equal(page.headers['referrer-policy'], 'no-referrer')
  })

  test('holds no script, no style and no handler of its own, and nothing from elsewhere', async () => {
    const { text } = await open('/')
    assert.ok(!/<script(?![^>]*\bsrc=)/i.test(text), 'inline script')
    assert.ok(!/<style|\sstyle=|\son\w+=/i.test(text), 'inline style or handler')
    assert.ok(!/(src|href)="(?!\/)/i.test(text), 'an address elsewhere')
  })

  test('says what it is and where to go on without JavaScript', async () => {
    const { text } = await open('/')
    assert.match(text, /<h1>Landfall<\/h1>/)
    assert.match(text, /It works: the database answers\./)
    assert.match(text, /<noscript>[\s\S]*curl -H[\s\S]*<\/noscript>/)
    for (const address of ['/docs', '/v2/openapi.json', '/readyz', '/metrics']) {
      assert.ok(text.includes(`href="${address}"`), address)
    }
  })

  test('every file that it and its modules name is served, as what it is', async () => {
    const page = (await open('/')).text
    const named = [
      ...page.matchAll(/(?:src|href)="\/portal\/([^"]+)"/g),
      ...scripts.flatMap(([, text]) => [...text.matchAll(/^import .*from '\.\/([^']+)'/gm)]),
    ].map(([, name = '']) => name)
    assert.deepEqual([...new Set(named)].toSorted(), [...sources.keys()].toSorted())
    const types: Readonly<Record<string, string>> = {
      js: 'text/javascript; charset=utf-8',
      css: 'text/css; charset=utf-8',
      svg: 'image/svg+xml',
    }
    for (const name of named) {
      const file = await open(`/portal/${name}`)
      assert.equal(file.status, 200, name)
      assert.equal(file.headers['content-type'], types[name.split('.').at(-1) ?? ''], name)
      assert.equal(file.headers['x-content-type-options'], 'nosniff')
      assert.equal(file.text, sources.get(name))
    }
  })

  test('a file that is known already is not sent again', async () => {
    const { headers } = await open('/portal/main.js')
    const url = '/portal/main.js'
    const again = await api.app.inject({ url, headers: { 'if-none-match': String(headers['etag']) } })
    assert.equal(again.statusCode, 304)
    assert.equal(again.body, '')
  })

  test('nothing but the listed files is served', async () => {
    assert.deepEqual([...clientFileNames].toSorted(), [...sources.keys()].toSorted())
    for (const name of [
      'portal.ts',
      '..%2fportal.ts',
      '%2e%2e%2fportal.ts',
      '__proto__',
      'main.js%00',
      '.',
    ]) {
      assert.equal((await open(`/portal/${name}`)).status, 404, name)
    }
  })

  test('numbers to try need a key, and are none where no sandbox answers', async () => {
    const url = '/portal/suggestions'
    assert.equal((await api.app.inject({ url })).statusCode, 401)
    assert.deepEqual((await api.call({ url })).body, { suggestions: [] })
  })
})

test('an account in the simulation is offered one number for each thing worth watching', async (t) => {
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
    entry('container', 'MSCU0000001', 'direct'),
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
  const fiction = await api.newKey(await api.newAccount({ isFiction: true }), ['read', 'write'])

  const offered = (await api.call({ url, key: fiction })).body['suggestions'] as readonly Record<
    string,
    unknown
  >[]
  assert.deepEqual(
    offered.map(({ request_type, request_number }) => [request_type, request_number]),
    [
      ['bill_of_lading', 'M2'],
      ['booking_number', 'B1'],
      ['bill_of_lading', 'M1'],
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

describe('what a carrier wrote', () => {
  const waysIn =
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|setHTML|srcdoc|\beval\b|new Function|javascript:/

  test('can only become text: no module writes markup or makes code of words', () => {
    assert.ok(scripts.length > 10)
    for (const [name, text] of scripts) assert.ok(!waysIn.test(text), name)
  })

  test('only one function makes elements, and it makes text nodes of all that is no node', () => {
    const making = scripts.filter(([, text]) => text.includes('createElement'))
    assert.deepEqual(
      making.map(([name]) => name),
      ['dom.js'],
    )
    assert.match(sources.get('dom.js') ?? '', /child instanceof Node \? child : document\.createTextNode\(/)
  })

  test('becomes no address: every link is a fragment of this page', () => {
    for (const [name, text] of scripts) {
      for (const [link, value = ''] of text.matchAll(/\bhref: ([`'].)/g))
        assert.match(value, /#$/, `${name}: ${link}`)
    }
  })
})

describe('the key', () => {
  test('is kept for the tab alone and sent in a header only', () => {
    const all = scripts.map(([, text]) => text).join('\n')
    assert.ok(!/localStorage|document\.cookie|indexedDB/.test(all))
    const headers = [...all.matchAll(/Token \$\{/g)]
    assert.equal(headers.length, 1)
    assert.match(sources.get('api.js') ?? '', /authorization: `Token \$\{this\.#key\}`/)
  })
})

describe('times', () => {
  type Parts = { readonly day: string; readonly hour: string; readonly zone: string }
  type Time = {
    readonly localParts: (at: string, zone: string | null) => Parts
    readonly slipOf: (at: string | null, original: string | null) => string | null
  }
  const load = async () => (await import(new URL('time.js', folder).href)) as Time

  test('are shown at the place, with its zone', async () => {
    const { localParts } = await load()
    assert.deepEqual(localParts('2026-08-30T17:43:00.000Z', 'America/Los_Angeles'), {
      day: '30 Aug 2026',
      hour: '10:43',
      zone: 'PDT',
    })
    assert.equal(localParts('2026-08-30T17:43:00.000Z', 'Asia/Shanghai').day, '31 Aug 2026')
  })

  test('of a place without a known zone are shown as they were written, and that is said', async () => {
    const { localParts } = await load()
    for (const zone of [null, 'Nowhere/At_All']) {
      assert.deepEqual(localParts('2026-08-30T17:43:00.000Z', zone), {
        day: '30 Aug 2026',
        hour: '17:43',
        zone: 'zone unknown',
      })
    }
  })

  test('that moved say by how much', async () => {
    const { slipOf } = await load()
    assert.equal(slipOf('2026-01-04T00:00:00Z', '2026-01-01T00:00:00Z'), '3 d later than first said')
    assert.equal(slipOf('2026-01-01T00:00:00Z', '2026-01-01T05:00:00Z'), '5 h earlier than first said')
    assert.equal(slipOf('2026-01-01T00:00:00Z', '2026-01-01T00:10:00Z'), null)
    assert.equal(slipOf('2026-01-01T00:00:00Z', null), null)
  })
})

describe('events', () => {
  interface Event {
    readonly attributes: Readonly<Record<string, unknown>>
    readonly meta?: Readonly<Record<string, unknown>>
  }
  type Reading = {
    readonly sourceOf: (event: Event) => string | null
    readonly momentOf: (event: Event) => string | null
  }
  const load = async () => (await import(new URL('reading.js', folder).href)) as Reading

  test('that tell of a deadline stand where they were heard, others where they happened', async () => {
    const { momentOf } = await load()
    const times = { timestamp: '2026-02-06T08:00:00Z', created_at: '2026-02-03T00:00:00Z' }
    const at = (event: string) => momentOf({ attributes: { ...times, event } })
    assert.equal(at('container.pickup_lfd_line.changed'), times.created_at)
    assert.equal(at('container.pickup_appointment.changed'), times.created_at)
    assert.equal(at('container.transport.full_out'), times.timestamp)
  })

  test('say who spoke, also where the contract has no word for it', async () => {
    const { sourceOf } = await load()
    assert.equal(sourceOf({ attributes: { data_source: 'ais' } }), 'ais')
    assert.equal(sourceOf({ attributes: { data_source: 'terminal' }, meta: { data_source: 'rail' } }), 'rail')
    assert.equal(sourceOf({ attributes: { data_source: null }, meta: { data_source: 'user' } }), 'user')
  })
})

describe('what the page asks', () => {
  type News = {
    readonly Pace: new () => {
      readonly waitMs: (nowMs: number) => number
      readonly take: (nowMs: number) => void
    }
    readonly eventReader: () => (text: string) => {
      readonly lastId: number | null
      readonly hasNews: boolean
    }
  }
  const load = async () => (await import(new URL('news.js', folder).href)) as News

  test('is read at most eight times in a minute, however much happens, and at once after a pause', async () => {
    const pace = new (await load()).Pace()
    const reads: number[] = []
    const startMs = 1_700_000_000_000
    for (let nowMs = startMs; nowMs < startMs + 600_000; nowMs += 100) {
      if (pace.waitMs(nowMs) > 0) continue
      pace.take(nowMs)
      reads.push(nowMs)
    }
    for (const from of reads)
      assert.ok(reads.filter((at) => at >= from && at < from + 60_000).length <= 8, String(from))
    assert.ok(reads.length >= 59)
    const later = startMs + 1_000_000
    assert.equal(pace.waitMs(later), 0)
    pace.take(later)
    assert.equal(pace.waitMs(later), 0)
    pace.take(later)
    assert.equal(pace.waitMs(later), 10_000)
  })

  test('is told by the stream, whose heartbeats are no news', async () => {
    const read = (await load()).eventReader()
    assert.deepEqual(read('retry: 1000\n\n'), { lastId: null, hasNews: false })
    assert.deepEqual(read(': heartbeat\nid: 41\n\n'), { lastId: 41, hasNews: false })
    assert.deepEqual(read('id: 42\nevent: container.upd'), { lastId: null, hasNews: false })
    assert.deepEqual(read('ated\ndata: {}\n\nid: 43\ndata: {}\n\n'), { lastId: 43, hasNews: true })
  })
})
