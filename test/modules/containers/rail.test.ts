// A container that continues by rail, as the API shows it: with data of its line, its railways and their documents, alone
// and together.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createChannel } from '../../../src/modules/channels/channels.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { openTestApi, type TestApi, type WireResource } from '../../support/api.ts'

const speakers = {
  hapag: { kind: 'shipping_line', code: 'HLCU' },
  bnsf: { kind: 'rail', code: 'BNSF' },
  ns: { kind: 'rail', code: 'NS' },
  pier: { kind: 'terminal', code: 'Y258' },
} as const
type Speaker = keyof typeof speakers

let api: TestApi
const keys = new Map<string, string>()

before(async () => {
  api = await openTestApi({ startAt: '2026-03-10T00:00:00Z' })
  const { id, isSandbox } = api.context.account
  for (const [name, speaker] of Object.entries(speakers)) {
    const { key } = await createChannel(api.service, {
      name,
      account: { id, isSandbox },
      speaker,
      source: 'statements',
      profile: {},
      isFirstHand: true,
      keyKind: 'bearer',
    })
    keys.set(name, key)
  }
})
after(() => api.close())

interface Word {
  readonly says?: string
  readonly at?: string
  readonly place?: unknown
  readonly value?: unknown
  readonly mode?: string
  readonly classifier?: string
  readonly id?: string
  readonly retracted?: boolean
  /** Where it is not the one that was opened. */
  readonly container?: string
}

/** A bill of one container that was discharged in Los Angeles on its way to the given place. */
async function openBill(bill: string, container: string) {
  const created = await api.call({
    method: 'POST',
    url: '/v2/tracking_requests',
    body: {
      data: {
        type: 'tracking_request',
        attributes: { request_type: 'bill_of_lading', request_number: bill, scac: 'HLCU' },
      },
    },
  })
  assert.equal(created.status, 201, created.text)
  const hears = async (speaker: Speaker, ...said: readonly Word[]): Promise<void> => {
    const answer = await api.app.inject({
      method: 'POST',
      url: `/v2/inbound/${speaker}`,
      payload: JSON.stringify(said.map((word) => ({ container, bill, ...word }))),
      headers: {
        'content-type': 'application/json',
        host: 'landfall.test',
        authorization: `Bearer ${keys.get(speaker)}`,
      },
    })
    assert.equal(answer.statusCode, 202, answer.body)
    await api.pass(1)
  }
  await hears(
    'hapag',
    { says: 'vessel_loaded', at: '2026-01-08T10:00:00Z', place: 'HKHKG' },
    { says: 'vessel_discharged', at: '2026-01-24T02:00:00Z', place: 'USLAX' },
  )
  return {
    hears,
    box: async (include = ''): Promise<{ readonly one: WireResource; readonly included: readonly WireResource[] }> => {
      const list = (await api.call({ url: `/v2/containers?filter[number]=${container}` })).many()
      const answer = await api.call({ url: `/v2/containers/${list[0]?.id}${include}` })
      return { one: answer.one(), included: answer.body.included ?? [] }
    },
    shipment: async (include = '') => {
      const list = (await api.call({ url: `/v2/shipments?number=${bill}` })).many()
      const answer = await api.call({ url: `/v2/shipments/${list[0]?.id}${include}` })
      return { one: answer.one(), included: answer.body.included ?? [] }
    },
  }
}

const shown = ({ attributes }: WireResource, ...names: readonly string[]) => names.map((name) => attributes[name])

test('shows a container from the port to its ramp: waiting, on the train, arrived, in free time, picked up', async () => {
  const { hears, box, shipment } = await openBill('HLCUHKG260300001', 'TCNU1234565')
  await hears('hapag', { says: 'place_of_delivery', value: 'USCHI' })
  assert.deepEqual(shown((await box()).one, 'current_status', 'ind_eta_at'), ['awaiting_inland_transfer', null])
  assert.deepEqual(shown((await shipment()).one, 'destination_locode', 'destination_timezone'), [
    'USCHI',
    'America/Chicago',
  ])
  const lpc = { name: 'BNSF Logistics Park Chicago', city: 'Elwood', subdivision: 'IL', country: 'US' }
  await hears(
    'bnsf',
    { says: 'rail_loaded', at: '2026-01-26T02:00:00Z', place: 'USLAX' },
    { says: 'rail_departed', at: '2026-01-26T10:00:00Z', place: 'USLAX' },
    { says: 'ARRI', mode: 'RAIL', at: '2026-01-30T06:00:00Z', place: { unlocode: 'USEWI', ...lpc } },
    { says: 'rail_unloaded', at: '2026-01-30T09:00:00Z', place: { unlocode: 'USEWI', ...lpc } },
    { says: 'pickup_lfd_rail', value: '2026-03-14' },
  )
  const { one, included } = await box('?include=pickup_facility,transport_events')
  assert.deepEqual(shown(one, 'current_status', 'pod_rail_carrier_scac', 'ind_rail_carrier_scac'), [
    'grounded',
    'BNSF',
    'BNSF',
  ])
  assert.deepEqual(shown(one, 'pod_rail_loaded_at', 'pod_rail_departed_at', 'ind_ata_at', 'ind_rail_unloaded_at'), [
    '2026-01-26T02:00:00Z',
    '2026-01-26T10:00:00Z',
    '2026-01-30T06:00:00Z',
    '2026-01-30T09:00:00Z',
  ])
  assert.deepEqual(shown(one, 'ind_facility_lfd_on', 'pickup_lfd'), ['2026-03-14T05:00:00Z', '2026-03-14T05:00:00Z'])
  const ramp = included.find(({ type }) => type === 'terminal')
  assert.deepEqual(shown(ramp ?? assert.fail(), 'firms_code', 'facility_type'), ['H572', 'rail_terminal'])
  const arrived = included.find(
    ({ attributes }) => attributes['event'] === 'container.transport.arrived_at_inland_destination',
  )
  const { data } = arrived?.relationships?.['terminal'] ?? {}
  assert.deepEqual(data, { type: 'rail_terminal', id: ramp?.id })
  const whole = await shipment('?include=destination_terminal')
  assert.deepEqual(shown(whole.one, 'destination_locode', 'destination_ata_at'), ['USCHI', '2026-01-30T06:00:00Z'])
  assert.equal(whole.included.find(({ type }) => type === 'rail_terminal')?.id, ramp?.id)
  await hears('bnsf', { says: 'full_out', at: '2026-02-02T18:00:00Z', place: { unlocode: 'USEWI', ...lpc } })
  assert.deepEqual(shown((await box()).one, 'current_status', 'pod_full_out_at', 'final_destination_full_out_at'), [
    'picked_up',
    null,
    '2026-02-02T18:00:00Z',
  ])
})

test('a gate-out reported by a railway is a gate-out from a ramp', async () => {
  const { hears } = await openBill('HLCUHKG260300009', 'TCNU1234570')
  const beside = { container: 'TCNU1234586', place: 'USCHI' }
  await hears(
    'bnsf',
    { ...beside, says: 'rail_arrived', at: '2026-01-30T06:00:00Z' },
    { ...beside, says: 'rail_unloaded', at: '2026-01-30T09:00:00Z' },
    { ...beside, says: 'full_out', at: '2026-02-02T18:00:00Z' },
  )
  const [box] = (await api.call({ url: '/v2/containers?filter[number]=TCNU1234586' })).many()
  assert.deepEqual(shown(box ?? assert.fail(), 'pod_full_out_at', 'final_destination_full_out_at'), [
    null,
    '2026-02-02T18:00:00Z',
  ])
})

test('shows the first railway at the port and the second railway at the destination', async () => {
  const { hears, box } = await openBill('HLCUHKG260300002', 'MSKU7432104')
  await hears('hapag', { says: 'place_of_delivery', value: 'USATL' })
  const gone = { id: 'gone', says: 'rail_departed', at: '2026-01-26T10:00:00Z', place: 'USLAX' }
  await hears('bnsf', gone)
  assert.deepEqual(shown((await box()).one, 'current_status', 'pod_rail_carrier_scac'), ['on_rail', 'BNSF'])
  await hears('bnsf', { id: 'gone', retracted: true })
  assert.deepEqual(shown((await box()).one, 'current_status', 'pod_rail_carrier_scac', 'pod_rail_departed_at'), [
    'awaiting_inland_transfer',
    null,
    null,
  ])
  await hears('bnsf', { ...gone, at: '2026-01-27T10:00:00Z' })
  await hears(
    'bnsf',
    { says: 'rail_arrived', at: '2026-01-30T06:00:00Z', place: 'USMEM' },
    { says: 'rail_unloaded', at: '2026-01-30T09:00:00Z', place: 'USMEM' },
  )
  assert.deepEqual(shown((await box()).one, 'current_status', 'ind_rail_unloaded_at', 'ind_ata_at'), [
    'awaiting_inland_transfer',
    null,
    null,
  ])
  await hears(
    'ns',
    { says: 'rail_loaded', at: '2026-01-31T06:00:00Z', place: 'USMEM' },
    { says: 'rail_departed', at: '2026-01-31T09:00:00Z', place: 'USMEM' },
    { says: 'rail_arrived', at: '2026-02-01T09:00:00Z', place: 'USATL' },
    { says: 'rail_unloaded', at: '2026-02-01T12:00:00Z', place: 'USATL' },
  )
  assert.deepEqual(
    shown(
      (await box()).one,
      'current_status',
      'pod_rail_carrier_scac',
      'ind_rail_carrier_scac',
      'pod_rail_loaded_at',
      'pod_rail_departed_at',
      'ind_rail_unloaded_at',
    ),
    ['grounded', 'BNSF', 'NSRR', '2026-01-31T06:00:00Z', '2026-01-27T10:00:00Z', '2026-02-01T12:00:00Z'],
  )
})

test('shows a gate-out at the port if a lorry fetches the container that was planned for rail', async () => {
  const { hears, box } = await openBill('HLCUHKG260300003', 'MSCU4000005')
  await hears('hapag', { says: 'place_of_delivery', value: 'USCHI' })
  await hears('hapag', {
    says: 'rail_arrived',
    classifier: 'estimated',
    at: '2026-03-20',
    place: 'USCHI',
  } as Word)
  await hears('pier', { says: 'full_out', at: '2026-01-28T18:00:00Z', place: 'USLAX' })
  const { one } = await box('?provenance=true')
  assert.deepEqual(
    shown(one, 'current_status', 'pod_full_out_at', 'final_destination_full_out_at', 'pod_rail_departed_at'),
    ['picked_up', '2026-01-28T18:00:00Z', null, null],
  )
})

test('does not count a train before the sea voyage as a train from the port of discharge', async () => {
  const { hears, box } = await openBill('HLCUHKG260300004', 'MSCU4000010')
  await hears(
    'ns',
    { says: 'rail_loaded', at: '2026-01-02T06:00:00Z', place: 'CNCKG' },
    { says: 'rail_departed', at: '2026-01-02T09:00:00Z', place: 'CNCKG' },
    { says: 'rail_arrived', at: '2026-01-05T09:00:00Z', place: 'HKHKG' },
    { says: 'rail_unloaded', at: '2026-01-05T12:00:00Z', place: 'HKHKG' },
  )
  assert.deepEqual(
    shown(
      (await box()).one,
      'current_status',
      'pod_rail_carrier_scac',
      'pod_rail_loaded_at',
      'pod_rail_departed_at',
      'ind_rail_unloaded_at',
    ),
    ['grounded', null, null, null, null],
  )
})

test('a rebuild from the ledger finds no difference from the stored rows', async () => {
  const fold = foldBy(readRules(api.service.config))
  const { differences } = await rebuildProjections(api.service, fold, {
    repair: false,
    differencesMax: 20,
    progress: () => {},
  })
  assert.deepEqual(differences, [])
})
