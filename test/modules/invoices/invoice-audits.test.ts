// The audit of invoices over the API: what is planted is found and nothing else, and what was found stays.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditAsOf } from '../../../src/modules/invoices/audit-invoice.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { handIn } from '../../support/hand-in.ts'
import { invoicePaper } from '../../support/papers.ts'
import { faultsOf, plantInvoices } from '../../support/planted-invoices.ts'
import { secondShip, seedRoute, told } from '../../support/route-seed.ts'

let api: TestApi
let carrier: Carrier
let strangerKey: string
let box: { readonly container: string; readonly bill: string; readonly other: string }

const journey = [
  told('LOAD', 'KRPUS', '2026-01-11T06:00:00Z', 'B', secondShip),
  told('DEPA', 'KRPUS', '2026-01-12T00:00:00Z', 'B', secondShip),
  told('ARRI', 'USLAX', '2026-01-24T00:00:00Z', 'C', secondShip),
  // The 24th in Los Angeles, Saturday evening.
  told('DISC', 'USLAX', '2026-01-25T03:00:00Z', 'C', secondShip),
  told('GTOT', 'USLAX', '2026-02-05T18:00:00Z', 'C', null),
]
const terms = {
  code: 'acme-oney',
  origin: 'contract',
  kind: 'demurrage',
  charged_by: 'line',
  charger_code: 'ONEY',
  currency: 'USD',
  calendar: 'us-lax',
  start: 'vessel_discharged',
  start_first_full_day: true,
  stop: ['full_out'],
  free: 4,
  free_unit: 'calendar_days',
  tiers: [
    { from: 1, to: 2, rate_minor: 15_000 },
    { from: 3, to: null, rate_minor: 22_550 },
  ],
  stops_for: ['closure'],
  source: 'Invented for this test',
}

before(async () => {
  api = await openTestApi({ startAt: '2026-02-20T20:00:00Z' })
  carrier = await openCarrier()
  const first = await seedRoute(api, { bill: 'ONEYINVOICE1', carrier, journey })
  const closures = [{ on: '2026-02-02', name: 'Storm', kind: 'unscheduled' }]
  await post('/v2/calendars', 'calendar', { code: 'us-lax', zone: 'America/Los_Angeles', closures })
  await post('/v2/charge_terms', 'charge_terms', terms)
  const read = async (id: string) => (await api.call({ url: `/v2/containers/${id}?include=shipment` })).one()
  const container = await read(first.containerId)
  const shipments = (await api.call({ url: '/v2/shipments' })).many()
  const bill = String(shipments[0]?.attributes['bill_of_lading_number'])
  const other = 'CXRU1255022'
  await seedRoute(api, { bill: 'ONEYINVOICE2', number: other, carrier, journey })
  box = { container: String(container.attributes['number']), bill, other }
  strangerKey = await api.newKey(await api.newAccount(), ['read', 'write'])
})
after(async () => {
  await carrier.close()
  await api.close()
})

const post = (path: string, type: string, attributes: object, key = api.key) =>
  api.call({ method: 'POST', url: path, key, body: { data: { type, attributes } } })
const audit = (attributes: object, key = api.key) => post('/v2/invoices/audits', 'invoice_audit', attributes, key)
const sendTable = (body: string, key = api.key, query = '') =>
  api.call({
    method: 'POST',
    url: `/v2/invoices/audits/import${query}`,
    key,
    body,
    headers: { 'content-type': 'text/csv' },
  })
type Money = { readonly minor: number; readonly currency: string }
type Found = Parameters<typeof faultsOf>[0] & Readonly<Record<'agreed' | 'in_dispute' | 'not_judged', readonly Money[]>>

test('invoice audits find every deliberate fault in forty invoices, and no other fault', async () => {
  const invoices = plantInvoices(box)
  assert.equal(invoices.length, 40)
  for (const { name, attributes, faults } of invoices) {
    const made = await audit(attributes)
    assert.equal(made.status, 201, `${name}: ${made.text}`)
    const found = made.one().attributes as unknown as Found
    assert.deepEqual(faultsOf(found), faults, name)
    assertWhole(found, attributes, name)
  }
})

/** What agrees, is in dispute or not judged is all that the days of the lines, or else their amounts, take. */
function assertWhole(found: Found, attributes: Readonly<Record<string, unknown>>, name: string): void {
  const sum = (amounts: readonly Money[]) => amounts.reduce((all, { minor }) => all + minor, 0)
  const lines = attributes['lines'] as readonly Readonly<Record<string, unknown>>[]
  const billed = lines.map(({ rate_minor: rate, amount_minor: amount, from, to }) => {
    const days = (Date.parse(String(to)) - Date.parse(String(from))) / 86_400_000 + 1
    return rate === undefined ? Number(amount) : Number(rate) * days
  })
  const extra = Math.max(
    0,
    Number(attributes['total_minor']) - lines.reduce((all, line) => all + Number(line['amount_minor']), 0),
  )
  const judged = sum(found.agreed) + sum(found.in_dispute) + sum(found.not_judged)
  assert.equal(
    judged,
    billed.reduce((all, each) => all + each, extra),
    name,
  )
}

test('shows the contract rate for each charged day, and disputes only the excess', async () => {
  const invoice = plantInvoices(box).find(({ name }) => name.includes('one cent too much'))
  const { attributes } = (await audit(invoice?.attributes ?? {})).one()
  const [day] = attributes['days'] as readonly Readonly<Record<string, unknown>>[]
  assert.deepEqual(
    [day?.['on'], day?.['finding'], day?.['reason'], day?.['sentence']],
    [
      '2026-01-29',
      'disputed',
      'lower_rate',
      'Day 1, tier 1 of terms acme-oney version 1, at 150.00 USD; the invoice takes 150.01 USD.',
    ],
  )
  assert.match(String(day?.['claim_ids']), /^[0-9a-f-]{36}/)
  assert.deepEqual(attributes['in_dispute'], [{ minor: 2, currency: 'USD' }])
})

test('reports a second invoice for the same days as a double charge, but not a repeated invoice', async () => {
  const [first] = plantInvoices(box).filter(({ name }) => name.includes('no fault'))
  const again = (await audit(first?.attributes ?? {})).one().attributes as unknown as Found
  assert.deepEqual(faultsOf(again), [])
  api.clock.advance(60_000)
  const second = (await audit({ ...first?.attributes, number: 'D-2' })).one().attributes as unknown as Found
  assert.deepEqual(faultsOf(second), ['7 charged_before'])
  const terminal = await audit({ ...first?.attributes, number: 'D-3', charged_by: 'terminal' })
  assert.deepEqual(faultsOf(terminal.one().attributes as unknown as Found), ['7 terms_unknown'])
})

test('does not judge a charge in another currency or without known terms', async () => {
  const [first] = plantInvoices(box).filter(({ name }) => name.includes('no fault'))
  const euros = (await audit({ ...first?.attributes, currency: 'EUR' })).one().attributes as unknown as Found
  assert.deepEqual(faultsOf(euros), ['7 other_currency'])
  assert.deepEqual(euros.in_dispute, [])
  const detention = (await audit({ ...first?.attributes, kind: 'detention' })).one().attributes as unknown as Found
  assert.deepEqual(faultsOf(detention), ['7 terms_unknown'])
})

test('reads a table as one invoice; names the row and field of each fault, and then stores nothing', async () => {
  const head = 'number,kind,charged_by,currency,bills,total,container,from,to,rate,amount\n'
  const whole = `T-1,demurrage,line,USD,${box.bill},300.00`
  const made = await sendTable(
    `${head}${whole},${box.container},2026-01-29,2026-01-30,150.00,300.00\n,,,,,,${box.container},2026-01-28,2026-01-28,150.00,150.00\n`,
  )
  assert.equal(made.status, 201, made.text)
  const { attributes } = made.one()
  assert.equal((attributes['lines'] as readonly unknown[]).length, 2)
  assert.deepEqual(
    faultsOf(attributes as unknown as Found).filter((each) => !each.startsWith('missing')),
    ['1 free', '2 charged_before', 'sum of all'],
  )
  const before = await countAudits()
  const wrong = await sendTable(
    `${head}${whole},MSKU1234567,2026-01-29,2026-01-28,150.005,\nT-2,demurrage,line,USD,${box.bill},300.00,${box.container},soon,,,\n`,
  )
  assert.equal(wrong.status, 422)
  assert.deepEqual(wrong.body.errors?.map(({ source }) => source?.pointer).toSorted(), [
    '/2/container',
    '/2/rate',
    '/2/to',
    '/3/from',
    '/3/number',
  ])
  assert.equal(await countAudits(), before)
})

test('reads a table by the headings that people use, with what it does not say given beside it', async () => {
  const head = 'Container No.,Customer,Free days,From,To,Amount\n'
  const rows = `${box.other},ACME,4,28 Jan 2026,30/01/2026,450.00\n`
  const query = '?kind=demurrage&charged_by=line&currency=USD'
  const made = await sendTable(head + rows, api.key, query)
  assert.equal(made.status, 201, made.text)
  const { kind, charged_by: by, currency, lines, days } = made.one().attributes
  assert.deepEqual([kind, by, currency], ['demurrage', 'line', 'USD'])
  const [line] = lines as readonly Record<string, unknown>[]
  assert.deepEqual(
    [line?.['container'], line?.['from'], line?.['to'], line?.['free_days'], line?.['amount_minor']],
    [box.other, '2026-01-28', '2026-01-30', 4, 45_000],
  )
  assert.equal((days as readonly unknown[]).length, 3)
  assert.deepEqual((made.body.meta as Record<string, unknown>)['ignored_columns'], ['Customer'])

  const before = await countAudits()
  const bare = await sendTable(head + rows)
  assert.deepEqual(bare.body.errors?.map(({ source }) => source?.pointer).toSorted(), [
    '/2/charged_by',
    '/2/currency',
    '/2/kind',
  ])
  assert.equal((await sendTable(head + rows, api.key, '?currency=Euro')).error().source?.parameter, 'currency')
  assert.equal((await sendTable(head + rows, api.key, '?kind=freight')).error().source?.parameter, 'kind')
  assert.equal(await countAudits(), before)
})

test('a table whose columns are not recognised names the columns that it needs, with their headings', async () => {
  const before = await countAudits()
  const wrong = await sendTable('Box number,Since,To,Price\nMSCU4000005,2026-01-28,2026-01-30,450.00\n')
  assert.equal(wrong.status, 422)
  const faults = wrong.body.errors ?? []
  assert.deepEqual(
    faults.map(({ source, detail }) => [source?.pointer, detail]),
    [
      ['/1/from', 'Row 1: `from` has no column.'],
      ['/1/amount', 'Row 1: `amount` has no column.'],
    ],
  )
  assert.match(wrong.text, /"accepted_headings":\["from","start","start date",/)
  const all = await sendTable('a,b\n1,2\n')
  assert.deepEqual(
    all.body.errors?.map(({ source }) => source?.pointer),
    ['/1/container', '/1/from', '/1/to', '/1/amount'],
  )
  assert.equal(await countAudits(), before)
})

test('refuses a body with faults, naming the fields, and stores nothing', async () => {
  const before = await countAudits()
  const refused = await audit({
    kind: 'demurrage',
    charged_by: 'line',
    currency: 'XXQ',
    lines: [{ container: 'MSKU1', from: '2026-02-30' }],
  })
  assert.equal(refused.status, 422)
  assert.deepEqual(refused.body.errors?.map(({ source }) => source?.pointer).toSorted(), [
    '/data/attributes/currency',
    '/data/attributes/lines/0/container',
    '/data/attributes/lines/0/from',
  ])
  const bare = await audit({ currency: 'USD', lines: [{ container: box.container }] })
  assert.deepEqual(bare.body.errors?.map(({ source }) => source?.pointer).toSorted(), [
    '/data/attributes/charged_by',
    '/data/attributes/kind',
  ])
  assert.equal((await audit({ kind: 'demurrage', charged_by: 'line', currency: 'USD', lines: [] })).status, 422)
  assert.equal(await countAudits(), before)
})

async function countAudits(): Promise<number> {
  const { rows } = await api.service.pool.query<{ n: number }>('select count(*)::int as n from invoice_audits')
  return rows[0]?.n ?? 0
}

test('a stored audit keeps its findings when the charge terms change later', async () => {
  const [first] = plantInvoices(box).filter(({ name }) => name.includes('a free day'))
  const made = (await audit(first?.attributes ?? {})).one()
  api.clock.advance(3_600_000)
  await post('/v2/charge_terms', 'charge_terms', { ...terms, free: 2, source: 'A new contract' })
  const now = (await audit(first?.attributes ?? {})).one().attributes as unknown as Found
  assert.notDeepEqual(faultsOf(now), faultsOf(made.attributes as unknown as Found))
  const stored = (await api.call({ url: `/v2/invoices/audits/${made.id}` })).one()
  assert.deepEqual(stored.attributes, made.attributes)
  const { rows } = await api.service.pool.query<{ invoice: never; audit: object }>(
    'select invoice, audit from invoice_audits where id = $1',
    [made.id],
  )
  const then = await auditAsOf(api.service, api.context, {
    invoice: rows[0]?.invoice as never,
    now: String(made.attributes['made_at']),
    asOf: String(made.attributes['made_at']),
  })
  assert.deepEqual(JSON.parse(JSON.stringify(then)), rows[0]?.audit)
})

test('audits the values read from a PDF invoice, and reports unread items as possibly missing', async () => {
  const row = [box.container, '2026-01-28', '2026-01-30', '3', '150.00', '450.00']
  const bytes = await invoicePaper({ number: 'D-2026-77', bill: box.bill, row })
  const id = await handIn(api, api.key, bytes)
  await api.drain()
  const document = (await api.call({ url: `/v2/documents/${id}?include=last_document_representation` })).body
  assert.equal(
    (document.data as { attributes: Record<string, unknown> }).attributes['document_type'],
    'demurrage_invoice',
    JSON.stringify(document),
  )
  const made = await audit({ document_id: id })
  assert.equal(made.status, 201, `${made.text} ${JSON.stringify(document.included)}`)
  const { attributes } = made.one()
  assert.deepEqual(
    [
      attributes['number'],
      attributes['kind'],
      attributes['charged_by'],
      attributes['bills'],
      attributes['total_minor'],
    ],
    ['D-2026-77', 'demurrage', 'line', [box.bill], 45_000],
  )
  const [line] = attributes['lines'] as readonly Record<string, unknown>[]
  assert.deepEqual(
    [line?.['from'], line?.['to'], line?.['rate_minor'], line?.['free_days']],
    ['2026-01-28', '2026-01-30', 15_000, 4],
  )
  const corrected = (await audit({ document_id: id, kind: 'storage', charged_by: 'terminal' })).one().attributes
  assert.deepEqual([corrected['kind'], corrected['charged_by']], ['storage', 'terminal'])
  const lacks = attributes['missing_items'] as readonly { readonly is_certain: boolean }[]
  assert.ok(lacks.length > 0 && lacks.every((each) => !each.is_certain))
  const days = attributes['days'] as readonly Readonly<Record<string, unknown>>[]
  assert.deepEqual(
    days.map(({ on, billed }) => [on, billed]),
    ['2026-01-28', '2026-01-29', '2026-01-30'].map((on) => [on, { minor: 15_000, currency: 'USD' }]),
  )
  assert.ok(days.every(({ finding }) => finding !== 'unknown'))
  const strange = await audit({ document_id: id, kind: 'demurrage', charged_by: 'line' }, strangerKey)
  assert.deepEqual([strange.status, strange.error().source?.pointer], [422, '/data/attributes/document_id'])
})

test('lists audits newest first, by page and by number, and hides them from other accounts', async () => {
  const page = await api.call({ url: '/v2/invoices/audits?page[size]=2' })
  assert.equal(page.many().length, 2)
  const times = page.many().map(({ attributes }) => String(attributes['made_at']))
  assert.deepEqual(times, times.toSorted().toReversed())
  assert.equal((await api.call({ url: '/v2/invoices/audits?filter[number]=D-2' })).many().length, 1)
  const [first] = page.many()
  assert.equal((await api.call({ url: `/v2/invoices/audits/${first?.id}`, key: strangerKey })).status, 404)
  assert.deepEqual((await api.call({ url: '/v2/invoices/audits', key: strangerKey })).many(), [])
  const stranger = (await audit(plantInvoices(box)[30]?.attributes ?? {}, strangerKey)).one()
    .attributes as unknown as Found
  assert.ok(stranger.days.every(({ reason }) => ['container_unknown', 'charged_twice'].includes(reason)))
})
