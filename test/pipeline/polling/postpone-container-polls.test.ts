// If the answer about a bill contains everything about a container, the line is not polled for the container, as long as
// such answers come.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stopTracking } from '../../../src/modules/shipments/stop-tracking.ts'
import { postponeContainerPolls } from '../../../src/pipeline/polling/postpone-container-polls-sql.ts'
import { box, journey, openStage, otherBox, type Stage } from '../../support/tracking-harness.ts'

const bill = 'HLCUSHA260900001'
const hourMs = 3_600_000

interface Answering {
  /** The line's answer about the bill; about a container it gives only the part for this container. */
  upTo: Parameters<typeof journey>[1]
  billFails: boolean
  named: readonly string[]
}

async function open(
  t: Parameters<typeof openStage>[0],
  { startAt, upTo }: { readonly startAt: string; readonly upTo: Answering['upTo'] } = {
    startAt: '2026-01-12T00:00:00Z',
    upTo: 'sailed',
  },
) {
  const stage = await openStage(t, { startAt })
  const answering: Answering = { upTo, billFails: false, named: [box, otherBox] }
  const asked: string[] = []
  stage.carrier.answersTo((query) => {
    const number = query.get('equipmentReference') ?? query.get('transportDocumentReference') ?? ''
    asked.push(number)
    if (number === bill && answering.billFails) return { status: 500, json: {} }
    const all = journey(bill, answering.upTo, [box, otherBox])
    const isOf = (event: (typeof all)[number], boxes: readonly string[]) =>
      event['equipmentReference'] === undefined || boxes.includes(String(event['equipmentReference']))
    return { json: all.filter((event) => isOf(event, number === bill ? answering.named : [number])) }
  })
  await stage.track(bill)
  await stage.drain()
  const boxes = [box, otherBox]
  const requests: string[] = []
  for (const number of boxes) requests.push(await stage.track(number, { type: 'container' }))
  await stage.drain()
  asked.length = 0
  const isOfBox = (number: string) => number !== bill
  return { stage, told: answering, asked, requests, ofBoxes: () => asked.filter(isOfBox).length }
}

/** From poll to poll, each when it is due. */
async function live(stage: Stage, hours: number): Promise<void> {
  const end = stage.clock.now() + hours * hourMs
  for (let looks = 0; looks < 200 && stage.clock.now() < end; looks += 1) await stage.nextLook()
}

const shipmentOf = async (stage: Stage, id: string): Promise<string> => (await stage.request(id)).shipmentId ?? ''

test('polls containers at sea rarely while their bill is polled, and often without the bill', async (t) => {
  const { stage, asked, requests, ofBoxes } = await open(t)
  assert.equal(new Set(await Promise.all(requests.map((id) => shipmentOf(stage, id)))).size, 1, 'one shipment')
  await live(stage, 72)
  const withBill = { bill: asked.length - ofBoxes(), boxes: ofBoxes() }
  assert.ok(withBill.bill >= 8, JSON.stringify(withBill))
  assert.ok(withBill.boxes <= 4, JSON.stringify(withBill))
  const request = await stage.row<{ id: string }>(`select id from tracking_requests where number = $1`, [bill])
  await stage.rows(`update tracking_requests set status = 'tracking_stopped' where id = $1`, [request.id])
  asked.length = 0
  await live(stage, 72)
  assert.ok(ofBoxes() >= 14, `${ofBoxes()} without the bill`)
})

test('uses news of the bill for the requests of its containers, and then polls the containers again', async (t) => {
  const {
    stage,
    told: answering,
    ofBoxes,
    asked,
    requests,
  } = await open(t, {
    startAt: '2026-01-24T00:00:00Z',
    upTo: 'arrived',
  })
  await live(stage, 12)
  answering.upTo = 'discharged'
  asked.length = 0
  while (!asked.includes(bill)) await stage.nextLook()
  assert.equal(ofBoxes(), 0, 'the bill says it first')
  const [request = ''] = requests
  const shipment = await shipmentOf(stage, request)
  const { discharged } = await stage.row<{ discharged: number }>(
    `select count(*)::int as discharged from containers where shipment_id = $1 and projection ->> 'status' = 'grounded'`,
    [shipment],
  )
  assert.equal(discharged, 2)
  await live(stage, 0.5)
  // The gap to the next poll is randomized, so one of them may have been polled again.
  assert.equal(new Set(asked.filter((each) => each !== bill)).size, 2, 'soon after it each was asked about')
})

test('polls a container itself when the bill fails or no longer names it', async (t) => {
  const { stage, told: answering, asked } = await open(t)
  await live(stage, 24)
  answering.named = [box]
  await live(stage, 14)
  asked.length = 0
  await live(stage, 48)
  const of = (number: string) => asked.filter((each) => each === number).length
  assert.ok(of(otherBox) >= 5, `${of(otherBox)} of the box that is not named`)
  assert.ok(of(box) <= 3, `${of(box)} of the one that is`)
  answering.billFails = true
  await live(stage, 14)
  asked.length = 0
  await live(stage, 48)
  assert.ok(of(box) >= 5, `${of(box)} while the bill fails`)
})

test('does not postpone a container poll that is already due or that another account needs', async (t) => {
  const { stage } = await open(t)
  const { id: subjectId } = await stage.row<{ id: string }>(`select id from subjects where number = $1`, [bill])
  const now = new Date(stage.clock.now()).toISOString()
  const putOff = () => postponeContainerPolls(stage.service.pool, { subjectId, now, marginMs: 48 * hourMs })
  assert.equal(await putOff(), 2)
  await stage.rows(`update subjects set next_look_at = $1 where kind = 'container'`, [now])
  assert.equal(await putOff(), 0, 'somebody wants to know now')
  const later = new Date(stage.clock.now() + hourMs).toISOString()
  await stage.rows(`update subjects set next_look_at = $1 where kind = 'container'`, [later])
  const other = await stage.newAccount()
  await stage.track(box, { type: 'container', as: other })
  await stage.drain()
  await stage.rows(`update subjects set next_look_at = $1 where kind = 'container'`, [later])
  assert.equal(await putOff(), 1, 'the other account has no bill')
  const stopped = await stage.row<{ id: string }>(`select id from shipments where account_id = $1`, [
    stage.account.account.id,
  ])
  await stage.rows(`update subjects set next_look_at = $1 where kind = 'container'`, [later])
  await stopTracking(stage.service, stage.account, { id: stopped.id })
  assert.equal(await putOff(), 0)
})
