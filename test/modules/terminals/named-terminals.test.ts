// How the API shows terminals and inland places as lines write them: the spelling of a carrier, and a village as
// destination.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findTerminal } from '../../../src/reference/terminals.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { giveAccess } from '../../support/service.ts'
import { event, journey } from '../../support/tracking-harness.ts'

let api: TestApi
let carrier: Carrier
before(async () => {
  api = await openTestApi({ startAt: '2026-02-01T00:00:00Z', hasReference: true })
  carrier = await openCarrier()
  await giveAccess(api, { scac: 'HLCU', profile: carrier.profile('HLCU') })
})
after(async () => {
  await carrier.close()
  await api.close()
})

type Json = Readonly<Record<string, unknown>>

async function track(bill: string, events: readonly Json[]): Promise<void> {
  carrier.answers({ json: events })
  const attributes = { request_type: 'bill_of_lading', request_number: bill, scac: 'HLCU' }
  const body = { data: { type: 'tracking_request', attributes } }
  assert.equal((await api.call({ method: 'POST', url: '/v2/tracking_requests', body })).status, 201)
  await api.drain()
}

/** From Rotterdam to Busan; where the container is discharged, the line writes `locationName`. */
function toBusan(bill: string, locationName: string): readonly Json[] {
  const events = journey(bill, 'discharged').map((each) =>
    each['equipmentEventTypeCode'] === 'DISC'
      ? { ...each, eventLocation: { UNLocationCode: 'USLAX', locationName } }
      : each,
  )
  const text = JSON.stringify(events).replaceAll('CNSHG', 'NLRTM').replaceAll('USLAX', 'KRPUS')
  return JSON.parse(text) as readonly Json[]
}

test("recognises the discharge terminal by the line's own spelling, with its known attributes", async () => {
  await track('HLCUTERM00000001', toBusan('HLCUTERM00000001', 'PUSAN NEWPORT COMPANY LIMITED'))
  const answer = await api.call({
    url: '/v2/containers?filter[number]=LDFU1000018&include=pod_terminal,transport_events.terminal',
  })
  const known = findTerminal({ provider: 'SMDG', code: 'PNC', unlocode: 'KRPUS' })
  const [container] = answer.many()
  assert.deepEqual(container?.relationships?.['pod_terminal']?.data, { type: 'terminal', id: known?.id })
  const terminal = answer.body.included?.find(({ id }) => id === known?.id)
  assert.deepEqual(
    [terminal?.attributes['name'], terminal?.attributes['nickname'], terminal?.attributes['smdg_code']],
    ['Pusan Newport Company', 'PNC', 'PNC'],
  )
  const discharged = answer.body.included?.find(
    ({ attributes }) => attributes['event'] === 'container.transport.vessel_discharged',
  )
  assert.equal(discharged?.attributes['location_locode'], 'KRPUS')
  assert.deepEqual(discharged?.relationships?.['terminal']?.data, { type: 'terminal', id: known?.id })
})

test('shows a village that a line delivers to as a metropolitan area with an address', async () => {
  const bill = 'HLCUTERM00000002'
  const boxes = ['LDFU1000023']
  const rail = { told: 500, bill, boxes, place: 'USLAX' } as const
  const inland = event({ ...rail, code: 'DISC', at: '2026-02-03T10:00:00-06:00', classifier: 'PLN' })
  const toElwood = {
    ...inland,
    eventLocation: { UNLocationCode: 'USEWI' },
    transportCall: { modeOfTransport: 'RAIL', UNLocationCode: 'USEWI' },
  }
  await track(bill, [...journey(bill, 'discharged', boxes), toElwood])
  const answer = await api.call({ url: `/v2/shipments?number=${bill}&include=destination` })
  const destination = answer.many()[0]?.relationships?.['destination']?.data as { type: string; id: string }
  assert.equal(destination?.type, 'metro_area')
  assert.equal(answer.body.included?.[0]?.attributes['code'], 'USEWI')
  for (const address of [destination.id, 'USEWI'])
    assert.equal((await api.call({ url: `/v2/metro_areas/${address}` })).one().id, destination.id)
  const listed = (await api.call({ url: '/v2/metro_areas?q=Elwood' })).many()
  assert.ok(!listed.some(({ id }) => id === destination.id))
})
