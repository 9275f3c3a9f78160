// One journey has the same result through each kind of channel alone and through all of them together.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeIftsta } from '../../../sandbox/edi/edifact.ts'
import { writeX12 } from '../../../sandbox/edi/x12.ts'
import type { Observation } from '../../../src/domain/statements/observation.ts'
import { createChannel, getChannel } from '../../../src/modules/channels/channels.ts'
import { ingestDelivery } from '../../../src/pipeline/ingestion/ingest-delivery.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { writePushedEvents } from '../../../tools/edi-samples/dcsa-pushed.ts'
import { readJourney, writeStatements } from '../../../tools/edi-samples/statements.ts'
import { openTestApi } from '../../support/api.ts'
import { openCarrier } from '../../support/carrier.ts'
import { giveAccess } from '../../support/service.ts'
import { box, journey, unknown } from '../../support/tracking-harness.ts'
import { type IntakeStage, openIntake } from './ingestion-harness.ts'

const bill = 'HLCUSHA260100091'

/** From Shanghai to Los Angeles and back empty; `days` later for another trip of the same container. */
function observationsOf(days = 0): readonly Observation[] {
  const at = (text: string) => `${new Date(Date.parse(text) + days * 86_400_000).toISOString().slice(0, 16)}Z`
  const ship = `via=VESSEL vessel=9321483/"King of the Seas" voyage=${days === 0 ? '601E' : '607E'}`
  return readJourney(`
    ACT GTOT EMPTY CNSHG ${at('2026-01-03T01:00Z')} carrier:HLCU box=${box}
    ACT GTIN LADEN CNSHG ${at('2026-01-05T08:00Z')} carrier:HLCU box=${box}
    ACT LOAD LADEN CNSHG ${at('2026-01-07T14:00Z')} carrier:HLCU box=${box} ${ship}
    ACT DEPA -     CNSHG ${at('2026-01-07T21:00Z')} carrier:HLCU box=${box} ${ship}
    ACT ARRI -     USLAX ${at('2026-01-22T14:00Z')} carrier:HLCU box=${box} ${ship}
    ACT DISC LADEN USLAX ${at('2026-01-23T19:00Z')} carrier:HLCU box=${box} ${ship}
    ACT GTOT LADEN USLAX ${at('2026-01-26T18:00Z')} carrier:HLCU box=${box}
    ACT GTIN EMPTY USLAX ${at('2026-01-30T22:00Z')} carrier:HLCU box=${box}`)
}

const wholeJourney = [
  'empty_out CNSHG 2026-01-03T01:00',
  'full_in CNSHG 2026-01-05T08:00',
  'vessel_loaded CNSHG 2026-01-07T14:00',
  'vessel_departed CNSHG 2026-01-07T21:00',
  'vessel_arrived USLAX 2026-01-22T14:00',
  'vessel_discharged USLAX 2026-01-23T19:00',
  'full_out USLAX 2026-01-26T18:00',
  'empty_in USLAX 2026-01-30T22:00',
]

const languages = ['statements', 'dcsa', 'x12', 'edifact'] as const
type Language = (typeof languages)[number]

/** `number` makes the ids of one interchange differ from those of another. */
function write(language: Language, said: readonly Observation[], number = 1, of = bill): Buffer {
  const numbers = { bill: of, booking: null }
  const control = String(number).padStart(9, '0')
  switch (language) {
    case 'statements':
      return Buffer.from(writeStatements(said, numbers))
    case 'dcsa':
      return Buffer.from(JSON.stringify(writePushedEvents(said, numbers)))
    case 'x12':
      return Buffer.from(`${writeX12({ words: 'line', box, ...numbers, said })}`.replaceAll('000000001', control))
    case 'edifact':
      return writeIftsta({
        ...numbers,
        observations: said,
        writtenAt: '2026-02-01T00:00:00.000Z',
        reference: control,
      })
  }
}

async function openAll(stage: IntakeStage): Promise<void> {
  for (const source of languages)
    await stage.open({ name: source, source, profile: source === 'dcsa' ? { scac: 'HLCU' } : {} })
  stage.carrier.answers(unknown)
}

/** Of each trip, in journey order: what, where, when. */
async function happened(stage: IntakeStage, of = bill): Promise<readonly string[]> {
  const rows = await stage.rows<{ said: string }>(
    `select concat_ws(' ', m ->> 'name', m #>> '{place,unlocode}', left(coalesce(m #>> '{time,at}', m #>> '{time,local}', m #>> '{time,on}'), 16)) as said
       from containers c join shipments s on s.account_id = c.account_id and s.id = c.shipment_id,
            jsonb_array_elements(c.projection -> 'milestones') with ordinality as e (m, place)
      where s.bill_of_lading_number = $1 and m ->> 'kind' = 'actual' order by c.trip, e.place`,
    [of],
  )
  return rows.map(({ said }) => said)
}

async function assertRebuilt(stage: Pick<IntakeStage, 'service'>): Promise<void> {
  const fold = foldBy(readRules(stage.service.config))
  const quietly = { repair: false, differencesMax: 20, progress: () => {} }
  assert.deepEqual((await rebuildProjections(stage.service, fold, quietly)).differences, [])
}

for (const language of languages)
  for (const isBefore of [true, false])
    test(`${language} alone reports the complete journey, ${isBefore ? 'before' : 'after'} the request`, async (t) => {
      const stage = await openIntake(t)
      await openAll(stage)
      if (!isBefore) await stage.track(bill)
      if (!isBefore) await stage.drain()
      await stage.send(language, write(language, observationsOf()))
      await stage.drain()
      if (isBefore) await stage.track(bill)
      await stage.drain()
      assert.deepEqual(await happened(stage), wholeJourney)
      await assertRebuilt(stage)
    })

test('messages that are split and repeated over all channels report each event of the journey once', async (t) => {
  const stage = await openIntake(t)
  await openAll(stage)
  await stage.send('x12', write('x12', observationsOf().slice(0, 3)))
  await stage.track(bill)
  await stage.drain()
  for (const [index, language] of languages.entries()) {
    const [first, rest] = [observationsOf().slice(0, 3 + index), observationsOf().slice(2)]
    await stage.send(language, write(language, rest, 20 + index))
    if (index % 2 === 0) await stage.drain()
    for (const _ of [1, 2]) await stage.send(language, write(language, first, 10 + index))
    await stage.drain()
  }
  assert.deepEqual(await happened(stage), wholeJourney)
  const transport = (await stage.heard()).filter((name) => name.startsWith('container.transport.'))
  assert.deepEqual([...new Set(transport)].toSorted(), transport.toSorted(), 'no event comes twice')
  assert.equal((await stage.rows('select 1 from containers')).length, 1)
  await assertRebuilt(stage)
})

for (const language of languages)
  test(`keeps two trips of one container by one channel apart: ${language}`, async (t) => {
    const stage = await openIntake(t, { startAt: '2026-04-20T00:00:00Z' })
    await openAll(stage)
    const next = 'HLCUSHA260300092'
    await stage.send(language, write(language, observationsOf(60), 2, next))
    await stage.track(next)
    await stage.track(bill)
    await stage.drain()
    await stage.send(language, write(language, observationsOf(), 1))
    await stage.drain()
    assert.deepEqual(await happened(stage), wholeJourney)
    const [first = ''] = await happened(stage, next)
    assert.match(first, /^empty_out CNSHG 2026-03-04T01:00/)
    assert.equal((await happened(stage, next)).length, wholeJourney.length)
    await assertRebuilt(stage)
  })

test('an answer with as_of before a pushed message shows no data of that message', async (t) => {
  const api = await openTestApi({ startAt: '2026-02-01T00:00:00Z' })
  const carrier = await openCarrier()
  t.after(async () => {
    await carrier.close()
    await api.close()
  })
  await giveAccess(api, { scac: 'HLCU', profile: carrier.profile('HLCU') })
  const account = { id: api.context.account.id, isSandbox: api.context.account.isSandbox }
  await createChannel(api.service, {
    account,
    name: 'edi',
    source: 'x12',
    profile: {},
    speaker: { kind: 'shipping_line', code: 'HLCU' },
    isFirstHand: true,
    keyKind: 'bearer',
  })
  carrier.answers({ json: journey(bill, 'sailed') })
  const attributes = { request_type: 'bill_of_lading', request_number: bill, scac: 'HLCU' }
  const body = { data: { type: 'tracking_request', attributes } }
  assert.equal((await api.call({ method: 'POST', url: '/v2/tracking_requests', body })).status, 201)
  await api.drain()
  const [shown] = (await api.call({ url: '/v2/containers' })).many()
  const url = `/v2/containers/${shown?.id}`
  const before = new Date(api.clock.now()).toISOString()
  const was = (await api.call({ url })).one().attributes
  api.clock.advance(60_000)
  await ingestDelivery(api.service, await getChannel(api.service, 'edi'), {
    body: write('x12', observationsOf().slice(4, 6)),
    contentType: null,
    idempotencyKey: null,
  })
  await api.drain()
  const now = (await api.call({ url })).one().attributes
  assert.equal(now['pod_discharged_at'], '2026-01-23T19:00:00Z')
  assert.deepEqual((await api.call({ url: `${url}?as_of=${before}` })).one().attributes, was)
  assert.equal(was['pod_discharged_at'], null)
  const at = new Date(api.clock.now()).toISOString()
  assert.deepEqual((await api.call({ url: `${url}?as_of=${at}` })).one().attributes, now)
})
