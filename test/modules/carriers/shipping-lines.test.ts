import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { standardProfile } from '../../../src/connectors/dcsa/profile.ts'
import { setLineEnabled } from '../../../src/modules/carriers/enabled-lines.ts'
import { createChannel } from '../../../src/modules/channels/channels.ts'
import { installSandboxCarriers } from '../../../src/modules/installation/install-carriers.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { giveAccess } from '../../support/service.ts'

let api: TestApi
before(async () => {
  api = await openTestApi()
})
after(() => api.close())

test('lists all 38 lines at once, without pages', async () => {
  const answer = await api.call({ url: '/v2/shipping_lines' })
  assert.equal(answer.many().length, 38)
  assert.equal(answer.body.meta, undefined)
  assert.equal((await api.call({ url: '/v2/shipping_lines?page[size]=5' })).status, 400)
})

test('search finds a line by part of a name and by the start of a SCAC, also an alternative one', async () => {
  const found = async (search: string) =>
    (await api.call({ url: `/v2/shipping_lines?search=${search}` })).many().map(({ attributes }) => attributes['scac'])
  assert.deepEqual(await found('hapag'), ['HLCU'])
  assert.deepEqual(await found('medu'), ['MSCU'])
  assert.deepEqual(await found('no such line'), [])
  assert.equal((await found('')).length, 38)
})

test('finds a line by id, SCAC and alternative SCAC, in any case; else 404', async () => {
  const bySeal = (await api.call({ url: '/v2/shipping_lines/SEAL' })).one()
  assert.equal(bySeal.attributes['scac'], 'SEAU')
  assert.deepEqual(bySeal.attributes['alternative_scacs'], ['SEAL'])
  assert.equal((await api.call({ url: `/v2/shipping_lines/${bySeal.id}` })).one().id, bySeal.id)
  assert.equal((await api.call({ url: '/v2/shipping_lines/seau' })).one().id, bySeal.id)
  for (const id of ['ZZZZ', '018f0000-0000-7000-8000-000000000000', '%20']) {
    assert.equal((await api.call({ url: `/v2/shipping_lines/${id}` })).status, 404)
  }
})

interface ShownLine {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly meta: Readonly<Record<string, unknown>>
}
const tell = async (scac: string, key = api.key) =>
  (await api.call({ url: `/v2/shipping_lines/${scac}`, key })).one() as unknown as ShownLine
const supportOf = ({ attributes }: ShownLine) =>
  ['bill_of_lading', 'booking_number', 'container_number'].map((name) => attributes[`${name}_tracking_support`])
const providedBy = ({ attributes }: ShownLine) => attributes['provided_data'] as Record<string, unknown>
const profileOf = (scac: string, changes: object = {}) => ({
  ...standardProfile,
  scac,
  base: 'https://line.invalid',
  ...changes,
})

test('without credentials a line is not enabled, supports no kind of number and gives no data', async () => {
  const shown = await tell('ACLU')
  assert.deepEqual(shown.meta, {
    access: 'public',
    configured: false,
    heard: false,
    verified: false,
    verified_at: null,
    attested_by: 0,
    attested_on: null,
    enabled: false,
    left_alone_until: null,
    recent_answers: null,
  })
  assert.deepEqual(supportOf(shown), [false, false, false])
  assert.ok(Object.values(providedBy(shown)).every((value) => value === false))
})

test('marks a line as unverified until the operator has verified the access', async () => {
  await giveAccess(api, { scac: 'TRKU', profile: profileOf('TRKU') })
  assert.equal((await tell('TRKU')).meta['verified'], false)
  await giveAccess(api, { scac: 'TRKU', profile: profileOf('TRKU', { verified: true }) })
  assert.equal((await tell('TRKU')).meta['verified'], true)
})

test('lists the number types that the line supports and our profile can send', async () => {
  await giveAccess(api, { scac: 'COSU', profile: profileOf('COSU') })
  assert.deepEqual(supportOf(await tell('COSU')), [true, true, false], 'the line does not track boxes')
  assert.deepEqual((await tell('COSU')).meta, {
    access: 'public',
    configured: true,
    heard: false,
    verified: false,
    verified_at: null,
    attested_by: 0,
    attested_on: null,
    enabled: true,
    left_alone_until: null,
    recent_answers: null,
  })
  const parameters = { ...standardProfile.parameters, booking: null }
  await giveAccess(api, { scac: 'CMDU', profile: profileOf('CMDU', { parameters }) })
  assert.deepEqual(supportOf(await tell('CMDU')), [true, false, true], 'it cannot be polled by booking')
  await giveAccess(api, { scac: 'WHLC', profile: { odd: true } })
  assert.deepEqual(supportOf(await tell('WHLC')), [false, false, false], 'a profile that is none')
  assert.equal((await tell('WHLC')).meta['enabled'], false)
  const sandboxKey = await api.newKey(await api.newAccount({ isSandbox: true }), ['read'])
  assert.equal((await tell('COSU', sandboxKey)).meta['configured'], false, 'access of real accounts alone')
})

test('lists which data a line provides, with a note if the data is partial', async () => {
  for (const scac of ['ACLU', 'EGLV', 'COSU', 'MSCU', 'MAEU', 'HDMU', 'YMLU'])
    await giveAccess(api, { scac, profile: profileOf(scac) })
  assert.deepEqual(providedBy(await tell('ACLU')), {
    weight_in_lbs: false, // Track & Trace has none
    seal_number: true,
    equipment_type: true,
    departures_and_arrivals: true,
    time_of_day: true,
  })
  const evergreen = providedBy(await tell('EGLV'))
  assert.equal(evergreen['time_of_day'], false)
  assert.match(String(evergreen['time_of_day_notes']), /^Dates only/)
  assert.equal(evergreen['equipment_type_notes'], 'Only dry, reefer, flat rack.')
  assert.equal(providedBy(await tell('COSU'))['departures_and_arrivals'], false)
  assert.equal(providedBy(await tell('MSCU'))['seal_number'], false)
  assert.match(String(providedBy(await tell('MAEU'))['departures_and_arrivals_notes']), /Not always/)
  assert.equal(providedBy(await tell('HDMU'))['equipment_type'], false)
  assert.equal(providedBy(await tell('YMLU'))['weight_in_lbs_notes'], undefined)
  await giveAccess(api, { scac: 'ACLU', profile: profileOf('ACLU', { hasDayOnlyTimes: true }) })
  assert.equal(providedBy(await tell('ACLU'))['time_of_day'], false)
})

test('a line that needs permission refuses requests until the operator enables it, only for that account', async () => {
  const other = await api.newKey(await api.newAccount(), ['read', 'write'])
  const isEnabled = async (key: string) => (await tell('SMLU', key)).meta
  const request = (key: string, scac: string) =>
    api.call({
      method: 'POST',
      url: '/v2/tracking_requests',
      key,
      body: {
        data: {
          type: 'tracking_request',
          attributes: { request_type: 'bill_of_lading', request_number: 'SMLU12345678', scac },
        },
      },
    })
  assert.deepEqual(await isEnabled(api.key), {
    access: 'account',
    configured: false,
    heard: false,
    verified: false,
    verified_at: null,
    attested_by: 0,
    attested_on: null,
    enabled: false,
    left_alone_until: null,
    recent_answers: null,
  })
  const refused = await request(api.key, 'SMLU')
  assert.deepEqual([refused.status, refused.error().code], [422, 'carrier_not_enabled'])
  assert.equal(refused.error().source?.pointer, '/data/attributes/scac')
  assert.match(refused.error().detail, /lines enable SMLU/)
  await setLineEnabled(api.service, api.context, { scac: 'smlu', isEnabled: true })
  // This check is passed; that the operator has no access to the line is checked separately.
  assert.deepEqual(await isEnabled(api.key), {
    access: 'account',
    configured: false,
    heard: false,
    verified: false,
    verified_at: null,
    attested_by: 0,
    attested_on: null,
    enabled: false,
    left_alone_until: null,
    recent_answers: null,
  })
  const refusal = (await request(api.key, 'SMLU')).error()
  assert.equal(refusal.code, 'carrier_not_configured')
  assert.match(refusal.detail, /no access to it.*describe its interface.*or open a channel.*docs\/coverage\.md/)
  await giveAccess(api, { scac: 'SMLU', profile: profileOf('SMLU') })
  assert.deepEqual(await isEnabled(api.key), {
    access: 'account',
    configured: true,
    heard: false,
    verified: false,
    verified_at: null,
    attested_by: 0,
    attested_on: null,
    enabled: true,
    left_alone_until: null,
    recent_answers: null,
  })
  assert.deepEqual(await isEnabled(other), {
    access: 'account',
    configured: true,
    heard: false,
    verified: false,
    verified_at: null,
    attested_by: 0,
    attested_on: null,
    enabled: false,
    left_alone_until: null,
    recent_answers: null,
  })
  assert.equal((await request(other, 'SMLU')).error().code, 'carrier_not_enabled')
  await setLineEnabled(api.service, api.context, { scac: 'SMLU', isEnabled: false })
  assert.equal((await request(api.key, 'SMLU')).error().code, 'carrier_not_enabled')
})

test('only the operator enables a line, by any of its SCACs, and only a line that needs permission', async () => {
  const enable = (scac: string, context = api.context) =>
    setLineEnabled(api.service, context, { scac, isEnabled: true })
  await assert.rejects(enable('MAEU'), { code: 'invalid' })
  await assert.rejects(enable('ZZZZ'), { code: 'not_found' })
  assert.equal((await enable('PYRR')).scac, 'TRBR')
  await assert.rejects(enable('SMLU', { ...api.context, actor: { kind: 'api_key', id: 'x' } }), {
    code: 'forbidden',
  })
})

test('enables every simulated line in the sandbox, except those that need an agreement', async () => {
  await installSandboxCarriers(api.service, 'http://127.0.0.1:9')
  const context = await api.newAccount({ isSandbox: true })
  const key = await api.newKey(context, ['read', 'write'])
  const off = async (): Promise<readonly unknown[]> => {
    const lines = (await api.call({ url: '/v2/shipping_lines', key })).many() as unknown as readonly {
      readonly attributes: { readonly scac: string }
      readonly meta: { readonly enabled: boolean }
    }[]
    assert.equal(lines.length, 38)
    return lines.flatMap(({ attributes, meta }) => (meta.enabled ? [] : [attributes.scac]))
  }
  const track = (scac: string) =>
    api.call({
      method: 'POST',
      url: '/v2/tracking_requests',
      key,
      body: {
        data: {
          type: 'tracking_request',
          attributes: { request_type: 'booking_number', request_number: 'TB1234567', scac },
        },
      },
    })
  assert.deepEqual(await off(), ['SMLU', 'TRBR'])
  const refused = (await track('TRBR')).error()
  assert.deepEqual([refused.code, refused.source?.pointer], ['carrier_not_enabled', '/data/attributes/scac'])
  assert.match(refused.detail, new RegExp(`lines enable TRBR --account ${context.account.id}`))
  await setLineEnabled(api.service, { ...api.context, account: context.account }, { scac: 'TRBR', isEnabled: true })
  assert.deepEqual(await off(), ['SMLU'])
  assert.equal((await track('TRBR')).status, 201)
})

test('shows until when a line is paused, and nothing after the pause', async () => {
  const context = await api.newAccount()
  const key = await api.newKey(context, ['read'])
  await giveAccess(api, { scac: 'ONEY', profile: profileOf('ONEY') })
  assert.equal((await tell('ONEY', key)).meta['left_alone_until'], null)
  await api.service.pool.query(`update credentials set left_alone_until = $1, refusals = 1 where scac = 'ONEY'`, [
    new Date(api.clock.now() + 3_600_000).toISOString(),
  ])
  assert.equal(
    (await tell('ONEY', key)).meta['left_alone_until'],
    new Date(api.clock.now() + 3_600_000).toISOString().replace('.000Z', 'Z'),
  )
  api.clock.advance(3_600_000)
  assert.equal((await tell('ONEY', key)).meta['left_alone_until'], null)
})

test('a push-only line is listed with the data that its message format carries, without what the line omits', async () => {
  const { account } = api.context
  const send = (scac: string, source: string) =>
    createChannel(api.service, {
      name: `${scac}-${source}`.toLowerCase(),
      account: { id: account.id, isSandbox: account.isSandbox },
      speaker: { kind: 'shipping_line', code: scac },
      source,
      profile: {},
      isFirstHand: true,
      keyKind: 'bearer',
    })
  await send('MATS', 'edifact')
  const matson = providedBy(await tell('MATS'))
  assert.deepEqual(
    ['weight_in_lbs', 'seal_number', 'equipment_type', 'departures_and_arrivals', 'time_of_day'].map(
      (name) => matson[name],
    ),
    [false, false, true, true, true],
  )
  await send('MATS', 'statements')
  assert.deepEqual([providedBy(await tell('MATS'))['weight_in_lbs'], (await tell('MATS')).meta['heard']], [true, true])
  await send('OOLU', 'x12')
  assert.equal(providedBy(await tell('OOLU'))['seal_number'], false, 'the line leaves seals out')
})
