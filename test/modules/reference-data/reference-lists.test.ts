// Ports, metropolitan areas, terminals and ships through the API.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadShippedReference } from '../../../src/modules/reference-data/load-shipped.ts'
import { storeFixes, upsertRadios } from '../../../src/pipeline/positions/fixes-sql.ts'
import { readTable } from '../../../src/reference/data-files.ts'
import { findPlaceByCode } from '../../../src/reference/places.ts'
import { allPortOverrides } from '../../../src/reference/port-overrides.ts'
import { allTerminals } from '../../../src/reference/terminals.ts'
import { openTestApi, type TestApi, type WireResource } from '../../support/api.ts'

let api: TestApi
let beforeLoad: number
before(async () => {
  api = await openTestApi({ startAt: '2026-02-01T00:00:00Z' })
  beforeLoad = (await api.call({ url: '/v2/ports?q=rotterdam' })).status
  await loadShippedReference(api.service)
})
after(() => api.close())

const codes = (resources: readonly WireResource[]) => resources.map(({ attributes }) => attributes['code'])
const names = (resources: readonly WireResource[]) => resources.map(({ attributes }) => attributes['name'])
const randomId = '018f0000-0000-7000-8000-0000000000aa'

test('lists answer 503 until the reference data is loaded, never a partial list', () => {
  assert.equal(beforeLoad, 503)
})

test('finds a port by id, by UN/LOCODE in any case and by its aliases: CNSHA, CNSHG and CNSGH are one Shanghai', async () => {
  const shanghai = (await api.call({ url: '/v2/ports/CNSHG' })).one()
  assert.deepEqual(
    [shanghai.type, shanghai.attributes['code'], shanghai.attributes['name']],
    ['port', 'CNSHG', 'Shanghai'],
  )
  assert.equal(shanghai.attributes['time_zone'], 'Asia/Shanghai')
  assert.equal(typeof shanghai.attributes['latitude'], 'string')
  for (const id of ['CNSHA', 'cnsgh', shanghai.id, shanghai.id.toUpperCase()])
    assert.equal((await api.call({ url: `/v2/ports/${id}` })).one().id, shanghai.id, id)
})

test('every alternative UN/LOCODE finds its port, and every terminal id finds its terminal', async () => {
  for (const { unlocode, canonicalUnlocode } of allPortOverrides()) {
    const found = (await api.call({ url: `/v2/ports/${unlocode}` })).one()
    assert.equal(found.attributes['code'], canonicalUnlocode)
  }
  for (const terminal of allTerminals()) {
    const found = (await api.call({ url: `/v2/terminals/${terminal.id}` })).one()
    assert.equal(found.type, terminal.facilityType === 'rail_terminal' ? 'rail_terminal' : 'terminal')
    assert.equal(found.attributes['name'], terminal.name)
    const texts = terminal.facilityType === 'rail_terminal' ? ['firms_code', 'city'] : ['firms_code', 'city', 'zip']
    for (const name of texts) assert.equal(typeof found.attributes[name], 'string', `${terminal.name} ${name}`)
    assert.notEqual(found.attributes['city'], '', terminal.name)
  }
})

test('searching the terminal list by any code of a terminal or ramp returns it first', async () => {
  const ocean = readTable('terminals.tsv', (cells) => ({
    name: cells(0),
    port: cells(1),
    codes: [cells(2) ?? cells(3), cells(4)],
  }))
  const rail = readTable('rail-terminals.tsv', (cells) => ({
    name: cells(1),
    port: cells(2),
    codes: [cells(4)],
  }))
  for (const { name, port, codes } of [...ocean, ...rail]) {
    for (const code of codes) {
      if (code === null || code === undefined) continue
      const url = `/v2/terminals?q=${code}${port ? `&filter[port]=${port}` : ''}`
      assert.equal(names((await api.call({ url })).many())[0], name, url)
    }
  }
})

test('a metropolitan area has its own address, and a port is not a metropolitan area', async () => {
  const dallas = (await api.call({ url: '/v2/metro_areas?q=Dallas&filter[country]=US' })).many()
  assert.ok(dallas.length > 0 && dallas.every(({ type }) => type === 'metro_area'))
  const [first] = dallas
  const byCode = (await api.call({ url: `/v2/metro_areas/${first?.attributes['code']}` })).one()
  assert.equal(byCode.id, first?.id)
  assert.equal((await api.call({ url: '/v2/metro_areas/NLRTM' })).status, 404)
  assert.equal((await api.call({ url: `/v2/ports/${byCode.id}` })).status, 404)
})

test('a port includes its terminals', async () => {
  const answer = await api.call({ url: '/v2/ports/USLAX?include=terminals' })
  const linked = answer.one().relationships?.['terminals']?.data as readonly { id: string; type: string }[]
  assert.ok(linked.length > 3)
  assert.deepEqual(
    linked.map(({ id }) => id),
    answer.body.included?.map(({ id }) => id),
  )
  assert.ok(answer.body.included?.every(({ type }) => type === 'terminal'))
})

test('major ports list their terminals, each once, with their known attributes', async () => {
  const expected: readonly (readonly [port: string, least: number, name: string, nickname: string])[] = [
    ['CNSHG', 7, 'Shanghai Shengdong International Container Terminal', 'Yangshan Shengdong'],
    ['CNNGB', 7, 'Ningbo Meishan Island International Container Terminal', 'Meishan'],
    ['KRPUS', 10, 'Pusan Newport Company', 'PNC'],
    ['JPTYO', 4, 'Tokyo Oi Container Terminal', 'Oi'],
    ['SGSIN', 5, 'Pasir Panjang Terminal', 'Pasir Panjang'],
    ['NLRTM', 4, 'APM Terminals Maasvlakte II', 'APMT MVII'],
    ['BEANR', 5, 'MSC PSA European Terminal', 'MPET'],
    ['VNCMT', 6, 'Gemalink International Port', 'Gemalink'],
    ['VNHPH', 9, 'Tan Vu Terminal', 'Tan Vu'],
  ]
  for (const [port, least, name, nickname] of expected) {
    const answer = await api.call({ url: `/v2/ports/${port}?include=terminals` })
    const included = answer.body.included ?? []
    assert.ok(included.length >= least, `${port}: ${included.length}`)
    assert.equal(new Set(included.map(({ attributes }) => attributes['name'])).size, included.length, port)
    const one = included.find(({ attributes }) => attributes['name'] === name)
    assert.equal(one?.attributes['nickname'], nickname, port)
    const { attributes, relationships } = (await api.call({ url: `/v2/terminals/${one?.id}` })).one()
    assert.deepEqual(attributes, one?.attributes)
    assert.equal(attributes['facility_type'], 'ocean_terminal')
    assert.deepEqual(relationships?.['port']?.data, { type: 'port', id: answer.one().id })
    // None of them is a source by itself.
    assert.ok(Object.values(attributes['provided_data'] as object).every((is) => is === false || is === ''))
    // By its everyday name, in the list and in its port.
    const found = await api.call({
      url: `/v2/terminals?q=${encodeURIComponent(nickname)}&filter[port]=${port}`,
    })
    assert.ok(
      found.many().some(({ id }) => id === one?.id),
      nickname,
    )
  }
})

test('a terminal shows its known codes, and null for others', async () => {
  const first = async (q: string) => (await api.call({ url: `/v2/terminals?q=${q}` })).many()[0]?.attributes
  const altenwerder = await first('DEHAMSRJQ')
  assert.deepEqual(
    [altenwerder?.['name'], altenwerder?.['bic_facility_code'], altenwerder?.['smdg_code']],
    ['HHLA Container Terminal Altenwerder', 'DEHAMSRJQ', 'CTA'],
  )
  const shengdong = await first('SHENG')
  assert.deepEqual(
    [shengdong?.['nickname'], shengdong?.['smdg_code'], shengdong?.['bic_facility_code']],
    ['Yangshan Shengdong', 'SHENG', null],
  )
  assert.equal((await first('Yangshan Phase 3'))?.['smdg_code'], null)
})

test('a terminal or ramp without a nickname is shown by its name', async () => {
  const included = (await api.call({ url: '/v2/ports/USLAX?include=terminals' })).body.included ?? []
  const ramp = (await api.call({ url: '/v2/terminals?filter[port]=USCHI' })).many()[0]
  assert.equal(ramp?.type, 'rail_terminal')
  for (const { attributes } of [...included, ramp]) assert.equal(attributes['nickname'], attributes['name'])
})

test('does not find unknown or malformed ids', async () => {
  for (const path of ['ports', 'metro_areas', 'terminals', 'vessels']) {
    for (const id of [randomId, 'XXXXX', 'nonsense', '%20', '1'])
      assert.equal((await api.call({ url: `/v2/${path}/${id}` })).status, 404, `${path}/${id}`)
  }
  assert.equal((await api.call({ url: '/v2/vessels/9304735' })).status, 404, 'a wrong check digit')
})

test('ranks matches of a code first, then of a whole name, its beginning and its words, in a stable order', async () => {
  const ask = async (q: string, more = '') =>
    codes((await api.call({ url: `/v2/ports?q=${encodeURIComponent(q)}${more}` })).many())
  assert.equal((await ask('USLAX'))[0], 'USLAX')
  assert.equal((await ask('cn sha'))[0], 'CNSHG')
  assert.equal((await ask('Shanghai'))[0], 'CNSHG')
  assert.equal((await ask('rotter'))[0], 'NLRTM')
  assert.ok((await ask('ang los')).includes('USLAX'), 'words in any order')
  assert.ok((await ask('NLRT')).includes('NLRTM'), 'the beginning of a code')
  assert.equal((await ask('São Francisco do Sul'))[0], (await ask('sao francisco do sul'))[0])
  for (const code of await ask('port', '&filter[country]=nl')) assert.match(String(code), /^NL/)
  assert.deepEqual(await ask('no such port at all'), [])
  for (const odd of ["'", '\\', ':*', '& |', '(', '%', '_', "a' | 'b"]) await ask(odd)
})

test('pages are stable and complete: no port twice, none left out', async () => {
  const seen = new Set<string>()
  let url: string | undefined = '/v2/ports?filter[country]=NL&page[size]=100'
  let total = 0
  while (url !== undefined) {
    const answer = await api.call({ url: url.replace(/^https?:\/\/[^/]+/, '') })
    for (const { id } of answer.many()) {
      assert.ok(!seen.has(id))
      seen.add(id)
    }
    total = answer.body.meta?.['total'] as number
    url = answer.body.links?.['next']
  }
  assert.equal(seen.size, total)
  assert.ok(total > 100)
  const beyond = await api.call({ url: '/v2/ports?filter[country]=NL&page[number]=999' })
  assert.deepEqual([beyond.many().length, beyond.body.meta?.['total']], [0, total])
  const searched = await api.call({ url: '/v2/ports?q=san&page[number]=999' })
  assert.ok((searched.body.meta?.['total'] as number) > 0)
})

test('lists terminals by their port or metropolitan area, and ramps as rail terminals', async () => {
  const ofPort = (await api.call({ url: '/v2/terminals?filter[port]=CNSHA' })).many()
  assert.deepEqual(
    new Set(ofPort.map(({ id }) => id)),
    new Set(
      allTerminals()
        .filter(({ unlocode }) => unlocode === 'CNSHG')
        .map(({ id }) => id),
    ),
  )
  const chicago = (await api.call({ url: '/v2/terminals?filter[port]=USCHI&page[size]=100' })).many()
  assert.ok(chicago.some(({ type, attributes }) => type === 'rail_terminal' && attributes['name'] === 'Cicero'))
  const port = findPlaceByCode('USLAX')
  const byId = (await api.call({ url: `/v2/terminals?filter[port]=${port?.id}` })).many()
  assert.ok(byId.length > 3)
  // The other facilities of the customs list, only on request.
  assert.deepEqual(names((await api.call({ url: '/v2/terminals?q=W933' })).many()), ['MATSON NAVIGATION CO., INC.'])
  const all = await api.call({ url: '/v2/terminals' })
  assert.equal(all.body.meta?.['total'], allTerminals().length)
})

test('a ramp relates to the metropolitan area that it serves and to its port, not to its own town', async () => {
  const ramp = allTerminals().find(({ name }) => name === 'Cicero')
  const answer = await api.call({ url: `/v2/terminals/${ramp?.id}?include=metro_area,port` })
  assert.equal(answer.one().type, 'rail_terminal')
  assert.deepEqual(
    answer.body.included?.map(({ type, attributes }) => [type, attributes['code']]),
    [
      ['metro_area', 'USCHI'],
      ['port', 'USCHI'],
    ],
  )
})

test('finds a ship by id, IMO number, MMSI, and present or former name', async () => {
  const first = async (q: string) => (await api.call({ url: `/v2/vessels?q=${q}` })).many()[0]
  const ship = (await api.call({ url: '/v2/vessels/9304734' })).one()
  assert.equal((await api.call({ url: `/v2/vessels/${ship.id}` })).one().id, ship.id)
  assert.equal((await first('IMO 9304734'))?.id, ship.id)
  assert.equal((await first('E.R. Camilla'))?.id, ship.id)
  assert.deepEqual(
    [ship.attributes['imo'], ship.attributes['latitude'], ship.attributes['positions']],
    ['9304734', null, null],
  )
})

test('a ship shows its last received position, and earlier positions on request', async () => {
  const fix = { imo: '9304734', speedKnots: 14.5, courseDegrees: 270, source: 'test' }
  const received = [
    { ...fix, heardAt: '2026-01-10T00:00:00Z', latitude: 10, longitude: 60 },
    { ...fix, heardAt: '2026-01-30T00:00:00Z', latitude: 30, longitude: 32 },
  ]
  for (const each of received) await storeFixes(api.service.pool, { isSandbox: false, minutes: 1, fixes: [each] })
  await upsertRadios(api.service.pool, {
    isSandbox: false,
    radios: [
      { mmsi: '636090000', imo: '9304734', name: 'X', callSign: null, heardAt: '2026-01-30T00:00:00Z' },
      // Listed nowhere; its radio names it.
      {
        mmsi: '636090001',
        imo: '9074729',
        name: 'UNLISTED',
        callSign: null,
        heardAt: '2026-01-30T00:00:00Z',
      },
    ],
  })
  const ask = async (query: string) => (await api.call({ url: `/v2/vessels/9304734${query}` })).one().attributes
  const plain = await ask('')
  assert.deepEqual(
    [plain['latitude'], plain['nautical_speed_knots'], plain['position_timestamp'], plain['mmsi']],
    [30, 14.5, '2026-01-30T00:00:00Z', '636090000'],
  )
  assert.equal(plain['positions'], null)
  const positionsOf = async (query: string) =>
    ((await ask(query))['positions'] as readonly { timestamp: string }[]).map(({ timestamp }) => timestamp)
  assert.deepEqual(await positionsOf('?show_positions[to_timestamp]='), [received[1]?.heardAt])
  assert.deepEqual(await positionsOf('?show_positions[from_timestamp]=2026-01-01'), [
    received[0]?.heardAt,
    received[1]?.heardAt,
  ])
  assert.deepEqual(
    await positionsOf(
      '?show_positions%5Bfrom_timestamp%5D=2026-01-10T00:00:00Z&show_positions%5Bto_timestamp%5D=2026-01-10',
    ),
    [received[0]?.heardAt],
  )
  assert.equal((await api.call({ url: '/v2/vessels/9074729' })).one().attributes['name'], 'UNLISTED')
  // The sandbox's ships are another world.
  const sandboxKey = await api.newKey(await api.newAccount({ isSandbox: true }), ['read'])
  const theirs = (await api.call({ url: '/v2/vessels/9304734', key: sandboxKey })).one()
  assert.equal(theirs.attributes['latitude'], null)
})

test('a page size above 100 counts as 100', async () => {
  for (const size of [101, 5_000])
    assert.equal((await api.call({ url: `/v2/ports?page[size]=${size}` })).many().length, 100)
})

test('reference lists refuse an invalid parameter, and the error names the parameter', async () => {
  const refused: readonly (readonly [string, number, string])[] = [
    ['/v2/ports?filter[country]=XX', 422, 'filter[country]'],
    ['/v2/ports?filter[country]=Netherlands', 422, 'filter[country]'],
    ['/v2/ports?page[size]=0', 422, 'page[size]'],
    ['/v2/ports?page[number]=0', 422, 'page[number]'],
    [`/v2/ports?q=${'a'.repeat(201)}`, 422, 'q'],
    ['/v2/ports?name=x', 400, 'name'],
    ['/v2/ports/CNSHG?include=nothing', 400, 'include'],
    ['/v2/metro_areas?filter[port]=USCHI', 400, 'filter[port]'],
    ['/v2/terminals?filter[port]=XXXXX', 422, 'filter[port]'],
    ['/v2/vessels?filter[country]=NL', 400, 'filter[country]'],
    ['/v2/vessels/9304734?show_positions[from_timestamp]=yesterday', 422, 'show_positions[from_timestamp]'],
    [
      '/v2/vessels/9304734?show_positions[from_timestamp]=2026-02-02&show_positions[to_timestamp]=2026-01-01',
      422,
      'show_positions[to_timestamp]',
    ],
  ]
  for (const [url, status, parameter] of refused) {
    const answer = await api.call({ url })
    assert.equal(answer.status, status, url)
    assert.equal(answer.error().source?.parameter, parameter, url)
  }
})
