// `import_deadlines.pod`: the last free days of line and terminal at the port of discharge as they were stated first, as
// they are stated now, and by the account's own terms.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createChannel } from '../../../src/modules/channels/channels.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'

const speakers = {
  hapag: { kind: 'shipping_line', code: 'HLCU' },
  bnsf: { kind: 'rail', code: 'BNSF' },
  pier: { kind: 'terminal', code: 'Y258' },
} as const
type Speaker = keyof typeof speakers

let api: TestApi
const keys = new Map<string, string>()
let bills = 0

before(async () => {
  api = await openTestApi({ startAt: '2026-03-10T00:00:00Z' })
  const { id, isSandbox } = api.context.account
  for (const [name, speaker] of Object.entries(speakers)) {
    const account = { id, isSandbox }
    const channel = { name, account, speaker, source: 'statements', profile: {}, isFirstHand: true, keyKind: 'bearer' }
    keys.set(name, (await createChannel(api.service, channel as Parameters<typeof createChannel>[1])).key)
  }
})
after(() => api.close())

interface Pod {
  readonly line: Readonly<Record<string, unknown>>
  readonly facility: Readonly<Record<string, unknown>>
  readonly unified: Readonly<Record<string, unknown>>
}

/** A bill of one container that was discharged in Los Angeles. */
async function openContainer(container: string) {
  bills += 1
  const bill = `HLCUHKG26040000${bills}`
  const attributes = { request_type: 'bill_of_lading', request_number: bill, scac: 'HLCU' }
  const body = { data: { type: 'tracking_request', attributes } }
  assert.equal((await api.call({ method: 'POST', url: '/v2/tracking_requests', body })).status, 201)
  const send = async (speaker: Speaker, ...statements: readonly object[]): Promise<void> => {
    const answer = await api.app.inject({
      method: 'POST',
      url: `/v2/inbound/${speaker}`,
      payload: JSON.stringify(statements.map((statement) => ({ container, bill, ...statement }))),
      headers: {
        'content-type': 'application/json',
        host: 'landfall.test',
        authorization: `Bearer ${keys.get(speaker)}`,
      },
    })
    assert.equal(answer.statusCode, 202, answer.body)
    await api.pass(1)
  }
  await send(
    'hapag',
    { says: 'vessel_loaded', at: '2026-01-08T10:00:00Z', place: 'HKHKG' },
    { says: 'vessel_discharged', at: '2026-01-24T02:00:00Z', place: 'USLAX' },
  )
  const listed = async () => (await api.call({ url: `/v2/containers?filter[number]=${container}` })).many()[0]
  const { id } = (await listed()) ?? assert.fail('the container is not listed')
  const url = `/v2/containers/${id}`
  const pod = async (query = ''): Promise<Pod> => {
    const shown = (await api.call({ url: `${url}${query}` })).one().attributes['import_deadlines'] as { pod: Pod }
    return shown.pod
  }
  return { url, send, pod, listed }
}

const unknown = { original: null, current: null, calculated: null, manual: false }
/** 00:00 of the day in Los Angeles; daylight saving time begins on 8 March. */
const at = (day: string): string => `${day}T${day < '2026-03-09' ? '08' : '07'}:00:00Z`

test('all members are null while nobody has stated a last free day', async () => {
  const { pod } = await openContainer('TCNU1234565')
  assert.deepEqual(await pod(), {
    line: unknown,
    facility: unknown,
    unified: { original_value: null, original_selection: null, current_value: null, current_selection: null },
  })
})

test('a day that only the line states counts, and the list shows the same as the container itself', async () => {
  const { send, pod, listed } = await openContainer('TCNU1234570')
  await send('hapag', { says: 'pickup_lfd_line', value: '2026-03-14' })
  const day = at('2026-03-14')
  const shown = await pod()
  assert.deepEqual(shown, {
    line: { ...unknown, original: day, current: day },
    facility: unknown,
    unified: { original_value: day, original_selection: null, current_value: day, current_selection: null },
  })
  const { attributes } = (await listed()) ?? assert.fail()
  assert.deepEqual((attributes['import_deadlines'] as { pod: Pod }).pod, shown)
  assert.equal(attributes['pickup_lfd'], day)
})

test('the day of the terminal counts until the line states one; the first choice stays on record', async () => {
  const { url, send, pod } = await openContainer('TCNU1234586')
  await send('pier', { id: 'lfd', says: 'pickup_lfd_terminal', value: '2026-03-12' })
  assert.deepEqual((await pod()).unified, {
    original_value: at('2026-03-12'),
    original_selection: 'facility',
    current_value: at('2026-03-12'),
    current_selection: 'facility',
  })
  const before = new Date(api.clock.now()).toISOString()
  await send('pier', { id: 'lfd', says: 'pickup_lfd_terminal', value: '2026-03-16' })
  await send('hapag', { id: 'lfd', says: 'pickup_lfd_line', value: '2026-03-14' })
  await send('hapag', { id: 'lfd', says: 'pickup_lfd_line', value: '2026-03-15' })
  assert.deepEqual(await pod(), {
    line: { ...unknown, original: at('2026-03-14'), current: at('2026-03-15') },
    facility: { ...unknown, original: at('2026-03-12'), current: at('2026-03-16') },
    unified: {
      original_value: at('2026-03-12'),
      original_selection: 'facility',
      current_value: at('2026-03-15'),
      current_selection: null,
    },
  })
  assert.equal((await pod(`?as_of=${before}`)).facility['current'], at('2026-03-12'))
  const stranger = await api.newKey(await api.newAccount(), ['read'])
  assert.equal((await api.call({ url, key: stranger })).status, 404)
})

test('a statement that comes late but was written first is the original', async () => {
  const { send, pod } = await openContainer('MSKU7432104')
  const stated = (value: string, writtenAt: string) => ({
    id: 'x',
    says: 'pickup_lfd_terminal',
    value,
    written_at: writtenAt,
  })
  await send('pier', stated('2026-03-18', '2026-03-09T12:00:00Z'))
  await send('pier', stated('2026-03-11', '2026-03-08T12:00:00Z'))
  const { facility } = await pod()
  assert.deepEqual([facility['original'], facility['current']], [at('2026-03-11'), at('2026-03-18')])
})

test('`manual` is true while a person of the account states the day, and false once the terminal does', async () => {
  const { url, send, pod } = await openContainer('MSCU4000005')
  const body = { data: { type: 'statement', attributes: { says: 'pickup_lfd_terminal', value: '2026-03-14' } } }
  assert.equal((await api.call({ method: 'POST', url: `${url}/statements`, body })).status, 201)
  assert.deepEqual((await pod()).facility, {
    ...unknown,
    original: at('2026-03-14'),
    current: at('2026-03-14'),
    manual: true,
  })
  await send('pier', { says: 'pickup_lfd_terminal', value: '2026-03-13' })
  const { facility } = await pod()
  assert.deepEqual([facility['current'], facility['manual']], [at('2026-03-13'), false])
})

test('a container that goes inland by rail keeps the days of the port, in the zone of the port, without that of the ramp', async () => {
  const { send, pod, listed } = await openContainer('MSCU4000010')
  await send('hapag', { says: 'place_of_delivery', value: 'USCHI' })
  await send('pier', { says: 'pickup_lfd_terminal', value: '2026-01-29' })
  await send(
    'bnsf',
    { says: 'rail_loaded', at: '2026-01-26T02:00:00Z', place: 'USLAX' },
    { says: 'rail_unloaded', at: '2026-01-30T09:00:00Z', place: 'USCHI' },
    { says: 'pickup_lfd_rail', value: '2026-02-02' },
  )
  const { attributes } = (await listed()) ?? assert.fail()
  assert.equal((attributes['import_deadlines'] as { pickup_lfd_rail: string }).pickup_lfd_rail, '2026-02-02T06:00:00Z')
  const { line, facility, unified } = await pod()
  assert.deepEqual(line, unknown)
  assert.deepEqual(facility, { ...unknown, original: at('2026-01-29'), current: at('2026-01-29') })
  assert.equal(unified['current_value'], at('2026-01-29'))
})

test("`calculated` comes from the account's own terms at the port, and only from those of the same charger", async () => {
  const { url, pod } = await openContainer('MSCU4000026')
  const whole = `?include=shipment`
  assert.deepEqual((await pod(whole)).line, unknown)
  const attributes = {
    origin: 'contract',
    kind: 'demurrage',
    charged_by: 'line',
    currency: 'USD',
    start: 'vessel_discharged',
    start_first_full_day: true,
    stop: ['full_out'],
    free: 4,
    free_unit: 'calendar_days',
    tiers: [{ from: 1, to: null, rate_minor: null }],
  }
  const record = async (code: string, others: object = {}): Promise<void> => {
    const body = { data: { type: 'charge_terms', attributes: { code, ...attributes, ...others } } }
    const answer = await api.call({ method: 'POST', url: '/v2/charge_terms', body })
    assert.equal(answer.status, 201, answer.text)
    await api.drain()
  }
  await record('line')
  await record('ramp', { kind: 'storage', charged_by: 'railway', start: 'rail_unloaded', free: 1 })
  await record('detention', { kind: 'detention', start: 'full_out', stop: ['empty_in'], free: 1 })
  for (const query of ['', whole]) {
    const { line, facility, unified } = await pod(query)
    assert.deepEqual(line, { ...unknown, calculated: at('2026-01-27') })
    assert.deepEqual([facility, unified['current_value']], [unknown, null])
  }
  await record('terminal', { kind: 'storage', charged_by: 'terminal', free: 2 })
  assert.equal((await pod(whole)).facility['calculated'], at('2026-01-25'))
  const past = new Date(api.clock.now()).toISOString()
  assert.equal((await pod(`?as_of=${past}`)).line['calculated'], null)
  const stranger = await api.newKey(await api.newAccount(), ['read'])
  assert.equal((await api.call({ url, key: stranger })).status, 404)
})

test('a rebuild from the ledger finds no difference from the stored rows', async () => {
  const quietly = { repair: false, differencesMax: 20, progress: () => {} }
  const fold = foldBy(readRules(api.service.config))
  assert.deepEqual((await rebuildProjections(api.service, fold, quietly)).differences, [])
})
