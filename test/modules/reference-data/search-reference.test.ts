/** Names as people type them, and the result that must come first. Written by hand before the search got better. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi, type WireResource } from '../../support/api.ts'

let api: TestApi
before(async () => {
  api = await openTestApi({ startAt: '2026-02-01T00:00:00Z', hasReference: true })
})
after(() => api.close())

const find = async (path: string, q: string): Promise<readonly WireResource[]> =>
  (await api.call({ url: `/v2/${path}?q=${encodeURIComponent(q)}` })).many()
const codesOf = (found: readonly WireResource[]): readonly unknown[] =>
  found.map(({ attributes }) => attributes['code'])

/** What is typed, the code that comes first, and codes that must be among the others. */
type Typed = readonly [q: string, first: string, ...others: string[]]

const ports: readonly Typed[] = [
  // English, local and old names.
  ['Genoa', 'ITGOA'],
  ['genova', 'ITGOA'],
  ['Gothenburg', 'SEGOT'],
  ['Göteborg', 'SEGOT'],
  ['Pusan', 'KRPUS'],
  ['Port Kelang', 'MYPKG'],
  ['Anvers', 'BEANR'],
  ['Antwerpen', 'BEANR'],
  ['Leghorn', 'ITLIV'],
  ['Saigon', 'VNSGN'],
  ['Ho Chi Minh City', 'VNSGN'],
  ['Bombay', 'INBOM'],
  ['Madras', 'INMAA'],
  ['上海', 'CNSHG'],
  ['Ningpo', 'CNNGB'],
  ['Tsingtao', 'CNTAO'],
  ['Piraeus', 'GRPIR'],
  ['Copenhagen', 'DKCPH'],
  // Short names and abbreviations.
  ['JNPT', 'INNSA'],
  ['Nhava Sheva', 'INNSA'],
  ['Xingang', 'CNTXG'],
  ['Yangshan', 'CNSHG'],
  // The port there; in UN/LOCODE the town is not a port.
  ['Elizabeth NJ', 'USPEB'],
  ['Pier 400', 'USLAX'],
  // Words written together, and with words that people add before and after.
  ['portkelang', 'MYPKG'],
  ['LOSANGELES', 'USLAX'],
  ['Port of Los Angeles', 'USLAX'],
  ['Port of Spain', 'TTPOS'],
  ['Rotterdam, Netherlands', 'NLRTM'],
  ['Shanghai, China', 'CNSHG'],
  ['Savannah, GA', 'USSAV'],
  // While a name is typed: ports whose own name begins so come before ports whose other name begins so.
  ['san', 'BRSSZ', 'CLSAI'],
  ['san p', 'USSPQ', 'CISPY'],
  ['San Pedro', 'USLAX', 'CISPY'],
  ['gothenb', 'SEGOT'],
  ['rotter', 'NLRTM'],
  ['singa', 'SGSIN'],
  // If several ports have the name, the large one comes first, and the others are listed too.
  ['Manzanillo', 'MXZLO', 'PAMIT'],
  ['Hamburg', 'DEHAM'],
  ['Rotterdam', 'NLRTM', 'USRAJ'],
  ['Valencia', 'ESVLC'],
  ['Cartagena', 'COCTG', 'ESCAR'],
  ['Vancouver', 'CAVAN', 'USVAN'],
  ['Melbourne', 'AUMEL'],
  ['Santos', 'BRSSZ'],
  ['Kansas City', 'USMKC', 'USKCK'],
  ['Port Elizabeth', 'USPEB', 'ZAPLZ'],
  ['Newark', 'USEWR'],
  ['Kingston', 'JMKIN'],
  // A code is still first, and so is a whole name before a longer one.
  ['USLAX', 'USLAX'],
  ['cn sha', 'CNSHG'],
]

const metroAreas: readonly Typed[] = [
  ['New York', 'USNYC'],
  ['Chicago', 'USCHI'],
  ['Chicagoland', 'USCHI'],
  ['Detroit', 'USDET'],
  ['Memphis', 'USMEM'],
  ['Toronto', 'CATOR'],
  ['GTA', 'CATOR'],
  ['Montreal', 'CAMTR'],
  ['Montréal', 'CAMTR'],
  ['Kansas City', 'USMKC'],
  ['Elizabeth NJ', 'USEZA'],
  ['Elizabeth, New Jersey, USA', 'USEZA'],
  ['DFW', 'USDAL'],
  ['Columbus', 'USCMH'],
  ['Birmingham', 'USBHM'],
  ['Greater Houston', 'USHOU'],
  ['USMEM', 'USMEM'],
  // Inland cities and large cities of other countries, by their English and their local names.
  ['Munich', 'DEMUC'],
  ['München', 'DEMUC'],
  ['Vienna', 'ATVIE'],
  ['Praha', 'CZPRG'],
  ['Milan', 'ITMIL'],
  ['Madrid', 'ESMAD'],
  ['Delhi', 'INDEL'],
  ['ICD TKD', 'INTKD'],
  ['Lat Krabang', 'THLKR'],
  ['Johannesburg', 'ZAJNB'],
  ['Nairobi', 'KENBO'],
  ['São Paulo', 'BRSAO'],
  ['Monterrey', 'MXMTY'],
  // A city among several ports, which is a port as well.
  ['London', 'GBLON'],
]

/**
 * The terminal or ramp that comes first, and its port. For a ramp in a town without a port it is the port of the area.
 */
const terminals: readonly (readonly [q: string, first: string])[] = [
  ['Global IV', 'Global 4 USCHI'],
  ['Global 4', 'Global 4 USCHI'],
  ['global ii', 'Global 2 USCHI'],
  ['Pier 400', 'APM Terminals USLAX'],
  ['pier400', 'APM Terminals USLAX'],
  ['Pier 300', 'Fenix Marine Services USLAX'],
  ['LBCT', 'Long Beach Container Terminal USLGB'],
  ['PNCT', 'Port Newark Container Terminal USNYC'],
  ['Delta Port', 'GCT Deltaport CAVAN'],
  ['LPC', 'Logistics Park Chicago (LPC) USCHI'],
]

/** What is typed, and all ramps that must be found, before any other: by the railroad and the area, the town or the name. */
const ramps: readonly (readonly [q: string, names: readonly string[]])[] = [
  ['BNSF Chicago', ['Cicero', 'Corwith', 'Logistics Park Chicago (LPC)', 'Willow Springs']],
  ['Union Pacific Chicago', ['Canal Street', 'Global 1', 'Global 2', 'Global 4', 'Yard Center']],
  ['UP Joliet', ['Global 4']],
  ['CN Joliet', ['Joliet']],
  ['NS Memphis', ['Memphis Rossville']],
  ['BNSF Edgerton', ['Logistics Park Kansas City (LPKC)']],
  ['BNSF Kansas City', ['Logistics Park Kansas City (LPKC)']],
  ['CN Brampton', ['Brampton (BIT)']],
  ['CN Toronto', ['Brampton (BIT)']],
  ['CPKC Vaughan', ['Vaughan']],
  ['Canadian Pacific Montreal', ['Montreal Lachine']],
  ['CSX Detroit', ['Detroit Livernois']],
]

/** The town of the ramp and the area that it serves: separate towns near large cities. */
const areasOfRamps: readonly (readonly [ramp: string, area: string])[] = [
  ['LPC', 'USCHI'],
  ['Global IV', 'USCHI'],
  ['CN Joliet', 'USCHI'],
  ['Cicero', 'USCHI'],
  ['Global 2', 'USCHI'],
  ['LPKC', 'USMKC'],
  ['Memphis Rossville', 'USMEM'],
  ['BNSF Marion', 'USMEM'],
  ['CSX Detroit', 'USDET'],
  ['CP Detroit', 'USDET'],
  ['CN Brampton', 'CATOR'],
  ['CP Vaughan', 'CATOR'],
  ['Taschereau', 'CAMTR'],
  ['CP Montreal', 'CAMTR'],
  ['Croxton', 'USNYC'],
]

const ships: readonly (readonly [q: string, imo: string])[] = [
  ['EVER GIVEN', '9811000'],
  ['EVERGIVEN', '9811000'],
  ['M/V EVER GIVEN', '9811000'],
  ['MV Ever Given', '9811000'],
  ['M.V. EVER-GIVEN', '9811000'],
  ['mv evergiven', '9811000'],
  ['EVERGIV', '9811000'],
  ['9811000', '9811000'],
  // A name that begins as a prefix of ships does.
  ['MV TASMAN', '9189342'],
]

const nothing: readonly (readonly [path: string, q: string])[] = [
  // Never the nearest-sounding one.
  ['ports', 'Shanghia'],
  ['ports', 'Rotterdm'],
  ['ports', 'Gothenborg'],
  ['ports', 'Port of Nowhere'],
  ['ports', 'Atlantis Harbour'],
  ['ports', 'Rotterdam, Peru'],
  ['metro_areas', 'Chicagoo'],
  ['terminals', 'Pier 40000'],
  ['terminals', 'Global XIV'],
  ['vessels', 'EVER GIVING'],
]

test('finds a port first by any of its common names, a major port before others of the same name', async () => {
  for (const [q, first, ...others] of ports) {
    const codes = codesOf(await find('ports', q))
    assert.equal(codes[0], first, q)
    for (const code of others) assert.ok(codes.includes(code), `${q}: ${code}`)
  }
})

test('lists ports found by their main name before ports found by an alternative name', async () => {
  const answer = await api.call({ url: '/v2/ports?q=san&page[size]=100' })
  const names = answer.many().map(({ attributes }) => String(attributes['name']))
  assert.ok(
    names.every((name) => /^san/i.test(name)),
    names.join(),
  )
})

test('finds a metropolitan area by code and name, near the right place, also if it has a port', async () => {
  for (const [q, first, ...others] of metroAreas) {
    const found = await find('metro_areas', q)
    assert.equal(found[0]?.attributes['code'], first, q)
    for (const code of others) assert.ok(codesOf(found).includes(code), `${q}: ${code}`)
    const one = (await api.call({ url: `/v2/metro_areas/${first}` })).one()
    assert.deepEqual([one.type, one.id], ['metro_area', found[0]?.id])
    assert.equal((await api.call({ url: `/v2/metro_areas/${one.id}` })).one().attributes['code'], first)
  }
  const points: readonly (readonly [code: string, latitude: number, longitude: number])[] = [
    ['USNYC', 40.71, -74.01],
    ['USCHI', 41.88, -87.63],
    ['USDET', 42.33, -83.05],
    ['USMEM', 35.15, -90.05],
    ['CATOR', 43.65, -79.38],
    ['CAMTR', 45.5, -73.57],
    ['USMKC', 39.1, -94.58],
  ]
  for (const [code, latitude, longitude] of points) {
    const { attributes } = (await api.call({ url: `/v2/metro_areas/${code}` })).one()
    assert.ok(Math.abs(Number(attributes['latitude']) - latitude) < 0.25, code)
    assert.ok(Math.abs(Number(attributes['longitude']) - longitude) < 0.25, code)
  }
  // The port of the city is still a port. A port that is not a metropolitan area is not listed as one.
  assert.equal((await api.call({ url: '/v2/ports/USCHI' })).one().type, 'port')
  assert.equal((await api.call({ url: '/v2/metro_areas/NLRTM' })).status, 404)
})

test('a village without a port is no metropolitan area: it is in no list, but has an address', async () => {
  // Elwood, where the ramps of Chicago lie, and Dutch villages.
  for (const [code, q] of [
    ['USEWI', 'Elwood'],
    ['NLGIE', 'Giessenlanden'],
  ] as const) {
    for (const asked of [q, code]) assert.ok(!codesOf(await find('metro_areas', asked)).includes(code), asked)
    const place = (await api.call({ url: `/v2/metro_areas/${code}` })).one()
    assert.deepEqual([place.type, place.attributes['code']], ['metro_area', code])
    assert.equal((await api.call({ url: `/v2/metro_areas/${place.id}` })).one().id, place.id)
  }
  const all = await api.call({ url: '/v2/metro_areas' })
  const total = all.body.meta?.['total'] as number
  assert.ok(total > 250 && total < 400, `${total}`)
  const page = await api.call({
    url: `/v2/metro_areas?page[size]=100&page[number]=${Math.ceil(total / 100)}`,
  })
  assert.equal(page.many().length, total % 100 || 100)
})

test('pages list every metropolitan area once, including those that have a port', async () => {
  const seen: WireResource[] = []
  let url: string | undefined = '/v2/metro_areas?filter[country]=CA&page[size]=100'
  let total = 0
  while (url !== undefined) {
    const answer = await api.call({ url: url.replace(/^https?:\/\/[^/]+/, '') })
    seen.push(...answer.many())
    total = answer.body.meta?.['total'] as number
    url = answer.body.links?.['next']
  }
  assert.equal(new Set(seen.map(({ id }) => id)).size, total)
  assert.equal(seen.length, total)
  assert.ok(seen.every(({ type }) => type === 'metro_area'))
  for (const code of ['CATOR', 'CAMTR', 'CAVAN']) assert.ok(codesOf(seen).includes(code), code)
})

test('finds a terminal or ramp by its everyday name', async () => {
  for (const [q, first] of terminals) {
    const [found] = await find('terminals', q)
    assert.ok(found, q)
    const { included } = (await api.call({ url: `/v2/terminals/${found.id}?include=port` })).body
    const port = included?.map(({ attributes }) => attributes['code']) ?? []
    assert.equal([found.attributes['name'], ...port].join(' '), first, q)
  }
})

test('shows the railroad of a ramp, and finds ramps by it', async () => {
  for (const [q, names] of ramps) {
    const found = await find('terminals', q)
    const first = found.slice(0, names.length).map(({ attributes }) => attributes['name'])
    assert.deepEqual(first.toSorted(), names.toSorted(), q)
  }
  const [corwith] = await find('terminals', 'Corwith')
  const { meta } = corwith as unknown as { readonly meta: unknown }
  assert.deepEqual(meta, { rail_carrier: { scac: 'BNSF', name: 'BNSF Railway' } })
})

test('a ramp names the metropolitan area that it serves, not its own town', async () => {
  for (const [q, area] of areasOfRamps) {
    const [ramp] = await find('terminals', q)
    assert.ok(ramp, q)
    const answer = await api.call({ url: `/v2/terminals/${ramp.id}?include=metro_area` })
    const [named] = answer.body.included ?? []
    assert.deepEqual([named?.type, named?.attributes['code']], ['metro_area', area], q)
    assert.equal((await api.call({ url: `/v2/metro_areas/${named?.id}` })).status, 200)
    const there = await api.call({ url: `/v2/terminals?filter[port]=${area}&page[size]=100` })
    assert.ok(
      there.many().some(({ id }) => id === ramp.id),
      `${q} in ${area}`,
    )
  }
})

test('finds a ship by its name in capitals, without blanks, and with M/V before it', async () => {
  for (const [q, imo] of ships) assert.equal((await find('vessels', q))[0]?.attributes['imo'], imo, q)
})

test('finds nothing for unknown names', async () => {
  for (const [path, q] of nothing) assert.deepEqual(await find(path, q), [], `${path}: ${q}`)
})

test('a reference search returns the same order each time, and its pages together give the whole list', async () => {
  const whole = codesOf(await find('ports', 'san'))
  const ask = async (page: number): Promise<readonly unknown[]> =>
    codesOf((await api.call({ url: `/v2/ports?q=san&page[size]=5&page[number]=${page}` })).many())
  assert.deepEqual([...(await ask(1)), ...(await ask(2))], whole.slice(0, 10))
})
