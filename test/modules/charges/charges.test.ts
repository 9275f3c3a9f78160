// Charges over the API: terms and calendars in versions, tables with a dry run, and the days of a container.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { secondShip, seedRoute, told } from '../../support/route-seed.ts'

let api: TestApi
let carrier: Carrier
let containerId: string
let strangerKey: string

const journey = [
  told('LOAD', 'KRPUS', '2026-01-11T06:00:00Z', 'B', secondShip),
  told('DEPA', 'KRPUS', '2026-01-12T00:00:00Z', 'B', secondShip),
  told('ARRI', 'USLAX', '2026-01-24T00:00:00Z', 'C', secondShip),
  // Saturday evening in Los Angeles.
  told('DISC', 'USLAX', '2026-01-25T03:00:00Z', 'C', secondShip),
]

before(async () => {
  api = await openTestApi({ startAt: '2026-01-31T20:00:00Z' })
  carrier = await openCarrier()
  ;({ containerId } = await seedRoute(api, { bill: 'ONEYCHARGES1', carrier, journey }))
  strangerKey = await api.newKey(await api.newAccount(), ['read', 'write'])
})
after(async () => {
  await carrier.close()
  await api.close()
})

const terms = {
  code: 'acme-oney',
  origin: 'contract',
  kind: 'demurrage',
  charged_by: 'line',
  charger_code: 'ONEY',
  currency: 'USD',
  start: 'vessel_discharged',
  start_first_full_day: true,
  stop: ['full_out'],
  free: 4,
  free_unit: 'calendar_days',
  tiers: [
    { from: 1, to: 2, rate_minor: 15_000 },
    { from: 3, to: null, rate_minor: 22_550 },
  ],
  stops_for: ['hold:customs'],
  source: 'Invented for this test',
}
const post = (path: string, type: string, attributes: object, key = api.key) =>
  api.call({ method: 'POST', url: path, key, body: { data: { type, attributes } } })
const sendTable = (path: string, body: string, key = api.key) =>
  api.call({ method: 'POST', url: path, key, body, headers: { 'content-type': 'text/csv' } })
const versionsIn = async () => {
  const { rows } = await api.service.pool.query<{ n: number }>(
    'select (select count(*) from charge_terms) + (select count(*) from charge_calendars) as n',
  )
  return rows[0]?.n
}

interface Money {
  readonly minor: number
  readonly currency: string
}
interface Charges {
  readonly terms: { readonly code: string; readonly version: number }
  readonly missing: string | null
  readonly start: { readonly claim_id: string } | null
  readonly last_free_day: string | null
  readonly days: readonly {
    readonly on: string
    readonly outcome: string
    readonly sentence: string
    readonly amount: Money | null
    readonly claim_ids: readonly string[]
    readonly is_ahead: boolean
  }[]
  readonly owed: { readonly totals: readonly Money[]; readonly charged_days: number }
  readonly forecast: { readonly totals: readonly Money[] }
  readonly avoidable: readonly Money[]
}
interface Shown {
  readonly until: string
  readonly charges: readonly Charges[]
  readonly reported: readonly {
    readonly of: string
    readonly day: string
    readonly source: { kind: string }
  }[]
  readonly differences: readonly { readonly calculated: string; readonly reported: string }[]
  readonly passed_over: readonly { readonly why: string }[]
}
const chargesOf = async (query = '') => {
  const answer = await api.call({ url: `/v2/containers/${containerId}/charges${query}` })
  assert.equal(answer.status, 200, answer.text)
  return (JSON.parse(answer.text) as { data: { attributes: Shown } }).data.attributes
}

test('without terms on record a container has no charges', async () => {
  const { charges, reported, differences } = await chargesOf()
  assert.deepEqual([charges, reported, differences], [[], [], []])
})

test('terms give each day an amount, a reason and a claim', async () => {
  const made = await post('/v2/charge_terms', 'charge_terms', terms)
  assert.equal(made.status, 201, made.text)
  assert.equal(made.one().attributes['version'], 1)
  const { charges, until } = await chargesOf('?until=2026-02-02')
  assert.equal(until, '2026-02-02')
  const [only] = charges
  assert.ok(only)
  assert.deepEqual(
    only.days.map(({ on, outcome, amount, is_ahead: isAhead }) => [on, outcome, amount?.minor ?? null, isAhead]),
    [
      ['2026-01-24', 'not_counted', null, false],
      ['2026-01-25', 'free', null, false],
      ['2026-01-26', 'free', null, false],
      ['2026-01-27', 'free', null, false],
      ['2026-01-28', 'free', null, false],
      ['2026-01-29', 'charged', 15_000, false],
      ['2026-01-30', 'charged', 15_000, false],
      ['2026-01-31', 'charged', 22_550, false],
      ['2026-02-01', 'charged', 22_550, true],
      ['2026-02-02', 'charged', 22_550, true],
    ],
  )
  assert.equal(only.last_free_day, '2026-01-28')
  assert.deepEqual(only.owed.totals, [{ minor: 52_550, currency: 'USD' }])
  assert.deepEqual(only.forecast.totals, [{ minor: 97_650, currency: 'USD' }])
  assert.deepEqual(only.avoidable, [{ minor: 45_100, currency: 'USD' }])
  assert.equal(only.days[1]?.sentence, 'Free day 1 of 4.')
  const claim = await api.service.pool.query<{ code: string }>(
    `select observation ->> 'code' as code from claims where id = $1`,
    [only.start?.claim_id],
  )
  assert.deepEqual(claim.rows, [{ code: 'DISC' }])
})

test('shows a reported last free day beside the calculated one, each with its source and the difference', async () => {
  const stated = await post(`/v2/containers/${containerId}/statements`, 'statement', {
    says: 'pickup_lfd_line',
    value: '2026-01-27',
  })
  assert.equal(stated.status, 201, stated.text)
  const { reported, differences } = await chargesOf()
  assert.deepEqual(
    reported.map(({ of, day, source }) => [of, day, source.kind]),
    [['line', '2026-01-27', 'user']],
  )
  assert.deepEqual(
    differences.map(({ calculated, reported: day }) => [calculated, day]),
    [['2026-01-28', '2026-01-27']],
  )
})

test('a customs hold stops the clock and its release restarts it; both statements remain', async () => {
  const hold = (status: string) =>
    post(`/v2/containers/${containerId}/statements`, 'statement', {
      says: 'hold',
      value: { name: 'customs', status },
    })
  assert.equal((await hold('hold')).status, 201)
  const stopped = (await chargesOf('?until=2026-02-03')).charges[0]
  assert.deepEqual(
    stopped?.days.slice(-4).map(({ on, outcome }) => [on, outcome]),
    [
      ['2026-01-31', 'charged'],
      ['2026-02-01', 'not_counted'],
      ['2026-02-02', 'not_counted'],
      ['2026-02-03', 'not_counted'],
    ],
  )
  assert.match(stopped?.days.at(-1)?.sentence ?? '', /^The clock stands still for the hold customs, by claim /)
  api.clock.advance(2 * 86_400_000)
  assert.equal((await hold('released')).status, 201)
  const after = (await chargesOf('?until=2026-02-03')).charges[0]
  assert.deepEqual(
    after?.days.slice(-4).map(({ on, outcome }) => [on, outcome]),
    [
      ['2026-01-31', 'charged'],
      ['2026-02-01', 'not_counted'],
      ['2026-02-02', 'charged'],
      ['2026-02-03', 'charged'],
    ],
  )
})

test('a new version never changes an old one, and `as_of` uses the terms recorded by then', async () => {
  const before = new Date(api.clock.now()).toISOString()
  api.clock.advance(60_000)
  const dear = { ...terms, tiers: [{ from: 1, to: null, rate_minor: 99_900 }] }
  const made = (await post('/v2/charge_terms', 'charge_terms', dear)).one()
  assert.equal(made.attributes['version'], 2)
  assert.equal((await post('/v2/charge_terms', 'charge_terms', dear)).one().attributes['version'], 2)
  const found = (await api.call({ url: `/v2/charge_terms/${made.id}` })).one()
  const versions = found.attributes['versions'] as { version: number; tiers: { rate_minor: number }[] }[]
  assert.deepEqual(
    versions.map(({ version, tiers }) => [version, tiers.map(({ rate_minor: minor }) => minor)]),
    [
      [2, [99_900]],
      [1, [15_000, 22_550]],
    ],
  )
  const now = (await chargesOf()).charges[0]
  const then = (await chargesOf(`?as_of=${before}&until=2026-02-03`)).charges[0]
  assert.equal(now?.terms.version, 2)
  assert.equal(then?.terms.version, 1)
  assert.equal(then?.days.find(({ on }) => on === '2026-01-31')?.amount?.minor, 22_550)
})

test('refuses invalid terms and an invalid calendar, naming the position', async () => {
  const wrong: readonly (readonly [string, string, object, string])[] = [
    ['charge_terms', 'charge_terms', { ...terms, currency: 'XQQ' }, 'currency'],
    ['charge_terms', 'charge_terms', { ...terms, source: null }, 'source'],
    ['charge_terms', 'charge_terms', { ...terms, free_unit: 'working_days' }, 'calendar'],
    ['charge_terms', 'charge_terms', { ...terms, start: 'vessel_arrived' }, 'start'],
    ['charge_terms', 'charge_terms', { ...terms, tiers: [{ from: 2, to: null, rate_minor: 1 }] }, 'tiers'],
    ['charge_terms', 'charge_terms', { ...terms, free: -1 }, 'free'],
    ['calendars', 'calendar', { code: 'x', zone: 'Los Angeles' }, 'zone'],
    ['calendars', 'calendar', { code: 'x', holidays: [{ on: '2026-02-30', name: 'No' }] }, 'holidays/0/on'],
    [
      'calendars',
      'calendar',
      { code: 'x', gate_hours: [{ weekday: 'mon', opens: '17:00', closes: '07:00' }] },
      'gate_hours/0',
    ],
  ]
  const count = await versionsIn()
  for (const [path, type, attributes, field] of wrong) {
    const answer = await post(`/v2/${path}`, type, attributes)
    assert.equal(answer.status, 422, answer.text)
    const { errors } = JSON.parse(answer.text) as { errors: { source: { pointer: string } }[] }
    assert.deepEqual(
      errors.map(({ source }) => source.pointer),
      [`/data/attributes/${field}`],
      answer.text,
    )
  }
  assert.equal(await versionsIn(), count)
})

const head = 'code,origin,kind,charged_by,currency,start,stop,free,free_unit,tiers,source'

test('a dry run of a table records nothing and reports how many containers would change', async () => {
  const table = `${head}\nacme-oney,contract,demurrage,line,USD,vessel_discharged,full_out,9,calendar_days,1-:1.00,Invented\nelsewhere,tariff,storage,terminal,USD,rail_unloaded,full_out,9,calendar_days,1-:?,\n`
  const count = await versionsIn()
  const preview = await sendTable('/v2/charge_terms/import?dry_run=true', table)
  assert.equal(preview.status, 200, preview.text)
  const { meta } = JSON.parse(preview.text) as { meta: Record<string, unknown> }
  assert.deepEqual(meta, {
    dry_run: true,
    versions: [
      { id: null, code: 'acme-oney', version: 3, is_new: true },
      { id: null, code: 'elsewhere', version: 1, is_new: true },
    ],
    containers_checked: 1,
    containers_changed: 1,
    is_complete: true,
  })
  assert.equal(await versionsIn(), count)
  assert.equal((await chargesOf()).charges[0]?.terms.version, 2)
  assert.equal((await sendTable('/v2/charge_terms/import', table)).status, 200)
  assert.equal((await chargesOf()).charges[0]?.terms.version, 3)
  const again = JSON.parse((await sendTable('/v2/charge_terms/import?dry_run=true', table)).text) as {
    meta: { containers_changed: number; versions: { is_new: boolean }[] }
  }
  assert.equal(again.meta.containers_changed, 0)
  assert.ok(again.meta.versions.every(({ is_new: isNew }) => !isNew))
})

test('stores nothing of a table with faults, and names the row and field of each fault', async () => {
  const count = await versionsIn()
  const answer = await sendTable(
    '/v2/charge_terms/import',
    `${head}\ngood,contract,demurrage,line,USD,vessel_discharged,full_out,9,calendar_days,1-:?,\nbad,contract,fine,line,USD,vessel_discharged,full_out,nine,calendar_days,1-:?,\n`,
  )
  assert.equal(answer.status, 422)
  const { errors } = JSON.parse(answer.text) as { errors: { source: { pointer: string } }[] }
  assert.deepEqual(errors.map(({ source }) => source.pointer).toSorted(), ['/3/free', '/3/kind'])
  const days = await sendTable('/v2/calendars/import', 'code,entry,on,value\nus,zone,,Mars\n')
  assert.equal(days.status, 422)
  assert.match(days.text, /"pointer":"\/2\/value"/)
  assert.equal(await versionsIn(), count)
})

test('a changed calendar changes past days, and the answer states its version', async () => {
  const working = {
    ...terms,
    code: 'acme-oney',
    free_unit: 'working_days',
    calendar: 'lax',
    start_on_working_day: true,
  }
  await post('/v2/charge_terms', 'charge_terms', working)
  assert.equal((await chargesOf()).charges[0]?.missing, 'calendar')
  const lax = { code: 'lax', zone: 'America/Los_Angeles', weekend: ['sat', 'sun'] }
  assert.equal((await post('/v2/calendars', 'calendar', lax)).status, 201)
  assert.equal((await chargesOf()).charges[0]?.last_free_day, '2026-01-29')
  const closed = await sendTable(
    '/v2/calendars/import',
    'code,entry,on,value\nlax,zone,,America/Los_Angeles\nlax,weekend,,sat sun\nlax,unscheduled_closure,2026-01-28,Storm\n',
  )
  assert.equal((JSON.parse(closed.text) as { meta: { containers_changed: number } }).meta.containers_changed, 1)
  const only = (await chargesOf()).charges[0]
  assert.equal(only?.last_free_day, '2026-01-30')
  assert.equal(
    only?.days.find(({ on }) => on === '2026-01-28')?.sentence,
    'Closed (unscheduled): Storm by calendar lax version 2.',
  )
})

test('refuses a forecast that is too long or has an invalid day', async () => {
  const url = `/v2/containers/${containerId}/charges`
  assert.equal((await api.call({ url: `${url}?until=2028-01-01` })).status, 422)
  assert.equal((await api.call({ url: `${url}?until=soon` })).status, 422)
  assert.equal((await api.call({ url: `${url}?as_of=2027-01-01` })).status, 422)
})

test('another account sees no terms or charges of ours, and its terms do not apply to our container', async () => {
  const [ours] = (await api.call({ url: '/v2/charge_terms' })).many()
  assert.ok(ours)
  assert.deepEqual((await api.call({ url: '/v2/charge_terms', key: strangerKey })).many(), [])
  assert.equal((await api.call({ url: `/v2/charge_terms/${ours.id}`, key: strangerKey })).status, 404)
  assert.equal((await api.call({ url: `/v2/containers/${containerId}/charges`, key: strangerKey })).status, 404)
  const before = (await chargesOf()).charges
  const theirs = { ...terms, charger_code: null, free: 30 }
  const made = (await post('/v2/charge_terms', 'charge_terms', theirs, strangerKey)).one()
  assert.equal(made.attributes['version'], 1)
  assert.deepEqual((await chargesOf()).charges, before)
  const preview = await sendTable(
    '/v2/charge_terms/import?dry_run=true',
    `${head}\nx,tariff,demurrage,line,USD,vessel_discharged,full_out,9,calendar_days,1-:?,\n`,
    strangerKey,
  )
  assert.equal((JSON.parse(preview.text) as { meta: { containers_checked: number } }).meta.containers_checked, 0)
})
