// /v2/scorecards/sources: what each line and terminal told of the journeys that ended, how soon, and where they differ.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChannel } from '../../../src/modules/channels/channels.ts'
import { ingestDelivery } from '../../../src/pipeline/ingestion/ingest-delivery.ts'
import { openTestApi } from '../../support/api.ts'
import { openCarrier } from '../../support/carrier.ts'
import { giveAccess } from '../../support/service.ts'
import { box, journey } from '../../support/tracking-harness.ts'

const bill = 'HLCUSHA260100004'

test('counts what line and terminal told of finished journeys, and compares their last free days', async (t) => {
  const api = await openTestApi({ startAt: '2026-01-22T15:00:00Z' })
  t.after(api.close)
  const carrier = await openCarrier()
  t.after(() => carrier.close())
  await giveAccess(api, { scac: 'HLCU', profile: carrier.profile('HLCU') })
  const cards = async (query = '', key = api.key) => api.call({ url: `/v2/scorecards/sources${query}`, key })
  const of = async (code: string) =>
    (await cards()).many().find(({ attributes }) => attributes['code'] === code)?.attributes ?? {}

  // Nobody tells the gate-in.
  const told = (upTo: Parameters<typeof journey>[1]) =>
    journey(bill, upTo).filter(
      (each) => each['equipmentEventTypeCode'] !== 'GTIN' || each['emptyIndicatorCode'] === 'EMPTY',
    )
  carrier.answers({ json: told('arrived') })
  const request = { request_type: 'bill_of_lading', request_number: bill, scac: 'HLCU' }
  const body = { data: { type: 'tracking_request', attributes: request } }
  assert.equal((await api.call({ method: 'POST', url: '/v2/tracking_requests', body })).status, 201)
  await api.drain()
  assert.deepEqual((await of('HLCU'))['containers'], 0, 'no journey has ended')

  const { id, isSandbox } = api.context.account
  const { channel } = await createChannel(api.service, {
    name: 'pier',
    account: { id, isSandbox },
    speaker: { kind: 'terminal', code: 'W185' },
    source: 'statements',
    profile: {},
    isFirstHand: true,
    keyKind: 'bearer',
  })
  const send = async (...statements: object[]) => {
    const lines = statements.map((each, n) =>
      JSON.stringify({ id: `${api.clock.now()}-${n}`, container: box, ...each }),
    )
    await ingestDelivery(api.service, channel, {
      body: Buffer.from(lines.join('\n')),
      contentType: 'application/x-ndjson',
      idempotencyKey: null,
    })
    await api.drain()
  }
  // Nine hours after the discharge the terminal tells it, the line half a day later still.
  await api.pass(37)
  const discharged = { says: 'vessel_discharged', at: '2026-01-23T11:00:00-08:00', place: 'USLAX' }
  await send(
    discharged,
    { says: 'pickup_lfd_terminal', value: '2026-01-28' },
    { says: 'pickup_lfd_line', value: '2026-01-30' },
  )
  await api.pass(13)
  carrier.answers({ json: told('discharged') })
  await api.pass(24)
  await api.pass(24 * 9)
  carrier.answers({ json: told('back') })
  await api.pass(30)

  const line = await of('HLCU')
  assert.deepEqual([line['speaker'], line['containers']], ['shipping_line', 1])
  assert.equal(line['milestones_known'], 7, 'nobody told the gate-in')
  assert.equal(line['milestones_told'], 7)
  assert.equal(line['told_share'], 1)
  assert.equal(line['answered_share'], null, 'the journey has ended, so nothing is polled next')
  assert.equal(line['milestones_timed'], 3, 'discharge, gate-out and return came after the request')
  assert.equal(line['told_within_12h_share'], 0)
  assert.deepEqual(
    (line['provided_data'] as { name: string; promised: boolean; present: number }[]).map((field) => [
      field.name,
      field.promised,
      field.present,
    ]),
    [
      ['weight_in_lbs', false, 0],
      ['seal_number', false, 0],
      ['equipment_type', true, 1],
      ['departures_and_arrivals', true, 1],
      ['time_of_day', true, 1],
    ],
  )
  const pier = await of('W185')
  assert.deepEqual([pier['speaker'], pier['containers'], pier['milestones_told']], ['terminal', 1, 1])
  assert.equal(pier['milestones_timed'], 1)
  assert.deepEqual([pier['told_within_12h_share'], pier['told_within_24h_share']], [1, 1])
  assert.deepEqual(pier['free_days'], line['free_days'])

  const table = await cards('?format=csv')
  assert.match(table.text, /terminal,W185/)
  assert.deepEqual((await cards('?page[size]=1&page[number]=2')).many().length, 1)
  const other = await api.newKey(await api.newAccount(), ['read'])
  const foreign = (await cards('', other)).many()
  assert.ok(foreign.every(({ attributes }) => attributes['containers'] === 0 && attributes['code'] !== 'W185'))
})
