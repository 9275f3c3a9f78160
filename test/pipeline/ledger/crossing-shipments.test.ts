/**
 * Many requests that lead to few shipments are worked on at the same time. In any order, each shipment is created once,
 * each event is sent once, and a rebuild from the ledger gives what is served.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkEntries, checkEvents, checkStates } from '../../../qa/kill/checks.ts'
import { containerCheckDigit } from '../../../src/domain/values/identifiers.ts'
import type { Context } from '../../../src/modules/access/context.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../../src/platform/ids.ts'
import { journey, openStage, type Stage } from '../../support/tracking-harness.ts'

interface Voyage {
  readonly bill: string
  readonly boxes: readonly string[]
}
type UpTo = Parameters<typeof journey>[1]

function makeVoyages(count: number, boxesEach: number): readonly Voyage[] {
  return Array.from({ length: count }, (_, voyage) => ({
    bill: `HLCUSHA2602${String(voyage).padStart(5, '0')}`,
    boxes: Array.from({ length: boxesEach }, (_, box) => {
      const body = `LDFU${String(200_000 + voyage * 100 + box)}`
      return body + String(containerCheckDigit(body))
    }),
  }))
}

/** For a container the line reports its events and the calls of its ship; for a bill or a booking, everything. */
function answerFrom(stage: Stage, voyages: readonly Voyage[], upTo: UpTo): void {
  stage.carrier.answersTo((query) => {
    const box = query.get('equipmentReference')
    const number = query.get('transportDocumentReference') ?? query.get('carrierBookingReference')
    const voyage = voyages.find(({ bill, boxes }) => bill === number || (box !== null && boxes.includes(box)))
    if (voyage === undefined) return { status: 404, json: { statusCode: 404, errors: [] } }
    const { bill } = voyage
    const answer = journey(bill, upTo, voyage.boxes).filter(
      ({ equipmentReference }) => box === null || [undefined, box].includes(equipmentReference as string),
    )
    const documents = ['TRD', 'BKG'].map((type) => ({
      documentReferenceType: type,
      documentReferenceValue: bill,
    }))
    const of = (event: (typeof answer)[number]) => ({
      ...event,
      eventID: uuidV5(LANDFALL_NAMESPACE, `${bill} ${String(event['eventID'])}`),
      documentReferences: documents,
      ...(box !== null && { references: [{ referenceType: 'EQ', referenceValue: box }] }),
    })
    return { json: answer.map(of) }
  })
}

/** Lets this many workers poll every number now, until there is nothing more to do. */
async function lookAtAll(stage: Stage, workers: number): Promise<void> {
  stage.clock.advance(3_600_000)
  await stage.rows('update subjects set next_look_at = $1 where next_look_at is not null', [
    new Date(stage.clock.now()).toISOString(),
  ])
  await Promise.all(Array.from({ length: workers }, () => stage.drain()))
  // Two transactions that waited for each other both succeed in the end, one of them later.
  for (let times = 0; times < 20; times += 1) {
    if ((await stage.rows('select 1 from tasks')).length === 0) return
    stage.clock.advance(60_000)
    await stage.drain()
  }
  assert.fail('tasks are left over')
}

async function assertWhole(stage: Stage): Promise<void> {
  for (const line of stage.logged())
    if (line['event'] === 'job.failed')
      assert.match(JSON.stringify(line), /deadlock|could not serialize/, 'nothing else may go wrong')
  const { pool, config } = stage.service
  for (const { says, problems } of [await checkEvents(pool), await checkEntries(pool), await checkStates(pool)])
    assert.deepEqual(problems, [], says)
  const check = { repair: false, differencesMax: 5, progress: () => {} }
  assert.deepEqual((await rebuildProjections(stage.service, foldBy(readRules(config)), check)).differences, [])
}

async function eventCounts(stage: Stage, as: Context): Promise<Readonly<Record<string, number>>> {
  const counted = Map.groupBy(await stage.heard(as), (name) => name)
  return Object.fromEntries([...counted].map(([name, same]) => [name, same.length]))
}

/** The events of so many containers that have been discharged. */
function eachOnce(boxes: number): Readonly<Record<string, number>> {
  const steps = ['empty_out', 'full_in', 'vessel_loaded', 'vessel_departed', 'vessel_arrived', 'vessel_discharged']
  const names = ['container.created', ...steps.map((step) => `container.transport.${step}`)]
  return Object.fromEntries(names.map((name) => [name, boxes]))
}

test('sixteen containers of one bill, answered at the same moment, make one shipment with each event once', async (t) => {
  const stage = await openStage(t, { profile: { concurrency: 16 }, env: { LANDFALL_WORKERS: '16' } })
  const voyages = makeVoyages(1, 16)
  const boxes = voyages.flatMap((voyage) => voyage.boxes)
  answerFrom(stage, voyages, 'loaded')
  const ids: string[] = []
  for (const box of boxes) ids.push(await stage.track(box, { type: 'container' }))
  await lookAtAll(stage, 1)
  for (const upTo of ['sailed', 'arrived', 'discharged'] as const) {
    answerFrom(stage, voyages, upTo)
    await lookAtAll(stage, 1)
  }
  const shipments = await Promise.all(ids.map(async (id) => (await stage.request(id)).shipmentId))
  assert.ok(shipments[0] !== null)
  assert.equal(new Set(shipments).size, 1)
  assert.deepEqual(await stage.rows('select bill_of_lading_number as bill from shipments'), [
    { bill: voyages[0]?.bill },
  ])
  const held = await stage.rows<{ number: string }>('select number from containers order by number')
  assert.deepEqual(
    held.map(({ number }) => number),
    boxes.toSorted(),
  )
  assert.deepEqual(await eventCounts(stage, stage.account), {
    'tracking_request.succeeded': 16,
    ...eachOnce(16),
  })
  await assertWhole(stage)
})

/** The numbers by which an account requests a voyage: the number of its bill (as a bill or as a booking), and containers. */
const waysOfAsking = [
  { numbers: ['bill_of_lading'], boxes: 3 },
  { numbers: ['booking_number'], boxes: 3 },
  { numbers: [], boxes: 3 },
  { numbers: ['bill_of_lading', 'booking_number'], boxes: 2 },
] as const

test('eight workers over sixteen shipments with shared poll targets lose and duplicate nothing', async (t) => {
  const env = { LANDFALL_WORKERS: '1', LANDFALL_POOL_MAX: '24' }
  const stage = await openStage(t, { profile: { concurrency: 16 }, env })
  const voyages = makeVoyages(4, 3)
  const accounts = [stage.account]
  while (accounts.length < waysOfAsking.length) accounts.push(await stage.newAccount())
  answerFrom(stage, voyages, 'loaded')
  for (const { bill, boxes } of voyages)
    for (const [place, as] of accounts.entries()) {
      const { numbers = [], boxes: count = 0 } = waysOfAsking[place] ?? {}
      for (const box of boxes.slice(0, count)) await stage.track(box, { type: 'container', as })
      for (const type of numbers) await stage.track(bill, { type, as })
    }
  for (const upTo of ['loaded', 'sailed', 'arrived', 'discharged'] as const) {
    answerFrom(stage, voyages, upTo)
    await lookAtAll(stage, 8)
  }
  assert.equal((await stage.rows('select 1 from shipments')).length, 16)
  const subjects = await stage.rows<{ accounts: number }>(
    `select count(distinct account_id)::int as accounts from tracking_requests group by subject_id`,
  )
  assert.ok(
    subjects.every(({ accounts: sharing }) => sharing > 1),
    'every number is asked for by several accounts',
  )
  for (const [place, as] of accounts.entries()) {
    const { numbers = [], boxes = 0 } = waysOfAsking[place] ?? {}
    assert.deepEqual(await eventCounts(stage, as), {
      'tracking_request.succeeded': voyages.length * (numbers.length + boxes),
      ...eachOnce(voyages.length * 3),
    })
  }
  await assertWhole(stage)
})

test('polls a request again when its kind of number changes, although a second answer was waiting', async (t) => {
  const stage = await openStage(t)
  const [voyage] = makeVoyages(1, 1)
  const bill = voyage?.bill ?? ''
  const id = await stage.track(bill)
  await stage.rows(
    `with kept as (
       insert into snapshots (id, subject_id, content_hash, status, content_type, body, recorded_at)
       select gen_random_uuid(), id, 'x', 404, 'application/json', '{}', created_at from subjects returning id, subject_id)
     insert into tasks (account_id, tracking_request_id, kind, subject_id, snapshot_id, payload)
     select account_id, r.id, 'absorb', r.subject_id, kept.id, '{}'
       from tracking_requests r join kept using (subject_id), generate_series(1, 2)`,
  )
  // The poll that is due comes later than the answers that wait.
  await stage.rows(`update subjects set next_look_at = next_look_at + interval '1 day'`)
  await stage.drain()
  answerFrom(stage, voyage === undefined ? [] : [voyage], 'sailed')
  for (let looks = 0; looks < 5 && (await stage.nextLook()) !== null; looks += 1) await stage.drain()
  assert.equal((await stage.request(id)).status, 'created')
})
