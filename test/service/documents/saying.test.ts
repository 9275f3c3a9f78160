// What a document says reaches the shipments that it names, changes with it, and goes with it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Context } from '../../../src/service/context.ts'
import { sayDocument } from '../../../src/service/documents/saying/say-document.ts'
import { foldBy } from '../../../src/service/ledger/fold.ts'
import { rebuild } from '../../../src/service/ledger/rebuild.ts'
import { rereadAll } from '../../../src/service/ledger/reread.ts'
import { readRules } from '../../../src/service/ledger/rules.ts'
import { explainValue } from '../../../src/service/proving/explain/explain-value.ts'
import { readPickupNumber } from '../../../src/service/tracking/containers/read-pickup-number.ts'
import { openTestService, testSecret } from '../../support/service.ts'
import { type IntakeStage, openIntake } from '../intake/intake-harness.ts'
import { box, journey, otherBox } from '../tracking-harness.ts'
import { bill, field, handIn } from './saying-harness.ts'

const numbers = [field('transportDocumentReference', bill), field('containers[0].number', box)]
const freeUntil = (day: string) => [
  field('freeTimes[0].typeCodes[0]', 'DEM'),
  field('freeTimes[0].lastFreeDate', day),
]

async function openTracked(t: Parameters<typeof openIntake>[0]): Promise<IntakeStage> {
  const stage = await openIntake(t)
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.track(bill)
  await stage.drain()
  return stage
}

/** Of each box its last free day of the line, its seal and its terminal. */
async function boxes(stage: IntakeStage, as: Context = stage.account): Promise<Record<string, unknown>> {
  const rows = await stage.rows<{ number: string; line: unknown; seal: unknown; terminal: unknown }>(
    `select number, projection #>> '{freeTime,line,on}' as line, projection ->> 'sealNumber' as seal,
            projection #>> '{podTerminal,facilityCode}' as terminal
       from containers where account_id = $1 order by number`,
    [as.account.id],
  )
  return Object.fromEntries(rows.map(({ number, ...shown }) => [number, shown]))
}

async function assertRebuilt(stage: IntakeStage): Promise<void> {
  const fold = foldBy(readRules(stage.service.config))
  const quietly = { repair: false, differencesMax: 20, progress: () => {} }
  assert.deepEqual((await rebuild(stage.service, fold, quietly)).differences, [])
}

test('an arrival notice fills the last free day, the seal and the terminal where nobody else has said them', async (t) => {
  const stage = await openTracked(t)
  const paper = await handIn(stage, 'arrival_notice', { as: stage.account })
  await paper.read([
    ...numbers,
    ...freeUntil('2026-02-06'),
    field('containers[0].sealNumbers[0]', 'S-77'),
    field('portOfDischarge.name', 'Los Angeles, CA'),
    field('pickupLocation.firmsCode', 'Y258'),
  ])
  await stage.drain()
  assert.deepEqual(await boxes(stage), { [box]: { line: '2026-02-06', seal: 'S-77', terminal: 'Y258' } })
  await assertRebuilt(stage)
})

test('the same content again is nothing new', async (t) => {
  const stage = await openTracked(t)
  const paper = await handIn(stage, 'arrival_notice', { as: stage.account })
  assert.equal(await paper.read([...numbers, ...freeUntil('2026-02-06')]), 1)
  assert.equal(await paper.read([...numbers, ...freeUntil('2026-02-06')]), 0)
  await stage.drain()
  const [{ count } = { count: 0 }] = await stage.rows<{ count: number }>(
    'select count(*)::int as count from mentions',
  )
  assert.equal(count, 1)
})

test('a correction takes back what was read, at once and also when it is heard before the reading', async (t) => {
  const stage = await openTracked(t)
  const paper = await handIn(stage, 'arrival_notice', { as: stage.account })
  const fields = [...numbers, ...freeUntil('2026-02-06'), field('containers[0].sealNumbers[0]', 'S-77')]
  const corrected = {
    transportDocumentReference: bill,
    containers: [{ number: box }],
    freeTimes: [{ typeCodes: ['DEM'], lastFreeDate: '2026-02-08' }],
  }
  await paper.read(fields)
  await paper.correct(corrected, fields)
  await stage.drain()
  const expected = { [box]: { line: '2026-02-08', seal: null, terminal: null } }
  assert.deepEqual(await boxes(stage), expected)
  await assertRebuilt(stage)

  const second = await openTracked(t)
  const other = await handIn(second, 'arrival_notice', { as: second.account })
  await other.read(fields)
  const late = await second.rows<{ id: string }>(`update mentions set matched_at = now() returning id`)
  await other.correct(corrected, fields)
  await second.drain()
  await second.rows('update mentions set matched_at = null where id = $1', [late[0]?.id])
  await second.drain()
  assert.equal((await second.rows('select from hearings')).length, 2, 'the reading is heard last')
  assert.deepEqual(await boxes(second), expected)
})

test('a document that is deleted takes back all that it said, and nothing of another', async (t) => {
  const stage = await openTracked(t)
  const [first, second] = [
    await handIn(stage, 'arrival_notice', { as: stage.account }),
    await handIn(stage, 'delivery_order', { as: stage.account }),
  ]
  await first.read([
    ...numbers,
    ...freeUntil('2026-02-06'),
    field('portOfDischarge.name', 'Los Angeles, CA'),
    field('pickupLocation.firmsCode', 'Y258'),
  ])
  await second.read([...numbers, field('containers[0].sealNumbers[0]', 'S-77')])
  await stage.drain()
  assert.equal(await first.remove(), 1)
  await stage.drain()
  assert.deepEqual(await boxes(stage), { [box]: { line: null, seal: 'S-77', terminal: null } })
  assert.equal(await first.remove(), 0)
  await assertRebuilt(stage)
})

test('a document about a number that nobody tracks waits, and is heard when it is tracked', async (t) => {
  const stage = await openIntake(t)
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  const paper = await handIn(stage, 'arrival_notice', { as: stage.account })
  await paper.read([...numbers, ...freeUntil('2026-02-06')])
  await stage.drain()
  await stage.pass(24 * 90)
  await stage.track(bill)
  await stage.drain()
  assert.equal((await boxes(stage))[box] !== undefined, true)
  assert.deepEqual((await boxes(stage))[box], { line: '2026-02-06', seal: null, terminal: null })
})

test('a bill number that a person corrects moves what is said to the other shipment', async (t) => {
  const stage = await openTracked(t)
  const elsewhere = 'HLCUSHA260100099'
  stage.carrier.answers({ json: journey(elsewhere, 'sailed', [otherBox]) })
  await stage.track(elsewhere)
  await stage.drain()
  const paper = await handIn(stage, 'arrival_notice', { as: stage.account })
  const fields = [field('transportDocumentReference', bill), ...freeUntil('2026-02-06')]
  await paper.read(fields)
  await stage.drain()
  assert.equal(((await boxes(stage)) as Record<string, { line: unknown }>)[box]?.line, '2026-02-06')
  const free = [{ typeCodes: ['DEM'], lastFreeDate: '2026-02-06' }]
  assert.equal(await paper.correct({ transportDocumentReference: elsewhere, freeTimes: free }, fields), 2)
  await stage.drain()
  assert.equal(((await boxes(stage)) as Record<string, { line: unknown }>)[box]?.line, null)
  await assertRebuilt(stage)
})

test('another account with the same numbers hears nothing of it', async (t) => {
  const stage = await openTracked(t)
  const other = await stage.newAccount()
  await stage.track(bill, { as: other })
  await stage.drain()
  const paper = await handIn(stage, 'arrival_notice', { as: stage.account })
  await paper.read([...numbers, ...freeUntil('2026-02-06')])
  await stage.drain()
  assert.deepEqual(await boxes(stage, other), { [box]: { line: null, seal: null, terminal: null } })
  const told = await stage.rows(`select from claims where account_id = $1 and source_kind = 'document'`, [
    other.account.id,
  ])
  assert.deepEqual(told, [])
})

test('two documents said at once are both heard, and two words of one document follow each other', async (t) => {
  const stage = await openTracked(t)
  const papers = await Promise.all([
    handIn(stage, 'arrival_notice', { as: stage.account }),
    handIn(stage, 'delivery_order', { as: stage.account }),
  ])
  const [first, second] = papers
  await Promise.all([
    first.read([...numbers, ...freeUntil('2026-02-06')]),
    second.read([...numbers, field('containers[0].sealNumbers[0]', 'S-77')]),
    first.read([...numbers, ...freeUntil('2026-02-06')]),
  ])
  await stage.drain()
  assert.deepEqual(await boxes(stage), { [box]: { line: '2026-02-06', seal: 'S-77', terminal: null } })
  const words = await stage.rows<{ version: number }>('select version from document_words order by version')
  assert.deepEqual(
    words.map(({ version }) => version),
    [1, 1],
  )
})

test('a paper makes no box: what it says of a box that no source names waits for it', async (t) => {
  const stage = await openTracked(t)
  const paper = await handIn(stage, 'bill_of_lading', { as: stage.account })
  await paper.read([
    field('transportDocumentReference', bill),
    field('containers[0].number', box),
    field('containers[1].number', otherBox),
    field('containers[1].sealNumbers[0]', 'S-99'),
  ])
  await stage.drain()
  assert.deepEqual(Object.keys(await boxes(stage)), [box])
})

test('what a model read counts once a person confirms it, and what was read without confidence too', async (t) => {
  const stage = await openTracked(t)
  const paper = await handIn(stage, 'arrival_notice', { as: stage.account })
  const fields = [
    ...numbers,
    field('containers[0].sealNumbers[0]', 'S-77', { by: 'model' }),
    field('freeTimes[0].typeCodes[0]', 'DEM'),
    field('freeTimes[0].lastFreeDate', '2026-02-06', { confidence: 0.4 }),
  ]
  await paper.read(fields)
  await stage.drain()
  assert.deepEqual(await boxes(stage), { [box]: { line: null, seal: null, terminal: null } })
  await paper.correct(
    {
      transportDocumentReference: bill,
      containers: [{ number: box, sealNumbers: ['S-77'] }],
      freeTimes: [{ typeCodes: ['DEM'], lastFreeDate: '2026-02-06' }],
    },
    fields,
  )
  await stage.drain()
  assert.deepEqual(await boxes(stage), { [box]: { line: '2026-02-06', seal: 'S-77', terminal: null } })
})

test('kept words are read again as they were heard', async (t) => {
  const stage = await openTracked(t)
  const paper = await handIn(stage, 'arrival_notice', { as: stage.account })
  await paper.read([...numbers, ...freeUntil('2026-02-06'), field('pickupNumber', 'PIN-1')])
  await paper.correct({ transportDocumentReference: bill, pickupNumber: 'PIN-2' })
  await stage.drain()
  const before = await stage.rows('select * from claims order by id')
  const { service } = stage
  await rereadAll(service, foldBy(readRules(service.config)), service.journeyClock)
  assert.deepEqual(await stage.rows('select * from claims order by id'), before)
  assert.ok(!JSON.stringify(before).includes('PIN-'))
})

test('a pick-up number of a document is sealed where it lies, shown at its own address, and goes with the document', async (t) => {
  const stage = await openTracked(t)
  const { service, account } = stage
  const { id: containerId } = await stage.row<{ id: string }>('select id from containers')
  const number = async () => (await readPickupNumber(service, account, { containerId })).number
  const paper = await handIn(stage, 'delivery_order', { as: account })
  await paper.read([...numbers, field('pickupNumber', 'PIN-4711')])
  await stage.drain()
  assert.equal(await number(), 'PIN-4711')
  const embedded = { ...account, isEmbedded: true } as const
  await assert.rejects(readPickupNumber(service, embedded, { containerId }), { code: 'forbidden' })
  for (const table of ['claims', 'ledger', 'document_words', 'inbound_messages', 'kept_snapshots', 'events'])
    assert.deepEqual(
      await stage.rows(`select from ${table} where ${table}::text like '%PIN-4711%'`),
      [],
      table,
    )
  assert.ok(!JSON.stringify(stage.logged()).includes('PIN-4711'))
  const told = await explainValue(service, account, {
    of: { type: 'container', id: containerId },
    value: null,
  })
  assert.ok(!JSON.stringify(told).includes('PIN-4711'))
  await paper.remove()
  await stage.drain()
  assert.equal(await number(), null)
})

test('a page that anybody may open is not shown where in which document a value is printed', async (t) => {
  const stage = await openTracked(t)
  const { id } = await stage.row<{ id: string }>('select id from containers')
  const paper = await handIn(stage, 'arrival_notice', { as: stage.account })
  await paper.read([...numbers, ...freeUntil('2026-02-06')])
  await stage.drain()
  const of = { of: { type: 'container', id }, value: 'pickup_lfd' } as const
  const [own] = await explainValue(stage.service, stage.account, of)
  assert.equal(own?.said?.paper?.name, 'arrival_notice.pdf')
  const [shown] = await explainValue(stage.service, { ...stage.account, isEmbedded: true }, of)
  assert.equal(shown?.said?.paper, null)
})

test('a program that starts anew goes on with what a document said', async (t) => {
  const stage = await openTracked(t)
  const paper = await handIn(stage, 'arrival_notice', { as: stage.account })
  const fields = [...numbers, ...freeUntil('2026-02-06')]
  await paper.read(fields)
  const next = await openTestService({
    startAt: '2026-02-02T00:00:00Z',
    on: { database: { url: stage.databaseUrl, close: async () => {} }, secret: testSecret },
  })
  const { id: documentId } = paper
  const said = {
    type: 'arrival_notice',
    payload: {},
    isManual: false,
    at: '2026-02-02T00:00:00.000Z',
  } as const
  const { account } = stage.account
  assert.equal(await sayDocument(next.service, { account, documentId, said: { ...said, fields } }), 0)
  const later = [...numbers, ...freeUntil('2026-02-09')]
  assert.equal(await sayDocument(next.service, { account, documentId, said: { ...said, fields: later } }), 1)
  await next.drain()
  await next.close()
  assert.deepEqual(await boxes(stage), { [box]: { line: '2026-02-09', seal: null, terminal: null } })
})
