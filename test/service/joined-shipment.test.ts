/**
 * The values that a request has for its shipment are also set if the shipment existed before, and never on a shipment
 * of another account.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Context } from '../../src/service/context.ts'
import { foldBy } from '../../src/service/ledger/fold.ts'
import { rebuild } from '../../src/service/ledger/rebuild.ts'
import { readRules } from '../../src/service/ledger/rules.ts'
import { joinTexts } from '../../src/service/ledger/tidy-texts.ts'
import { listHistory } from '../../src/service/proving/explain/list-history.ts'
import { requestTracking } from '../../src/service/tracking/requests/request-tracking.ts'
import { stopTracking } from '../../src/service/tracking/shipments/stop-tracking.ts'
import { updateShipment } from '../../src/service/tracking/shipments/update-shipment.ts'
import { box, journey, openStage, otherBox, type Stage } from './tracking-harness.ts'

const bill = 'HLCUSHA260100005'

interface Brought {
  readonly refNumbers: readonly string[]
  readonly shipmentTags: readonly string[]
}

async function track(stage: Stage, requestNumber: string, brought: Brought, as: Context): Promise<string> {
  const requestType = requestNumber === bill ? 'bill_of_lading' : 'container'
  const input = { requestType, requestNumber, scac: 'HLCU', ...brought } as const
  const { id } = await requestTracking(stage.service, as, input)
  await stage.drain()
  return id
}

async function labelsOf(stage: Stage, as: Context): Promise<unknown> {
  const labels = await stage.rows<{ refs: string[]; tags: string[] }>(
    'select ref_numbers as refs, tags from shipments where account_id = $1',
    [as.account.id],
  )
  return labels.map(({ refs, tags }) => `${refs.join(',')} ${tags.join(',')}`)
}

async function differences(stage: Stage): Promise<readonly unknown[]> {
  const { config } = stage.service
  const check = { repair: false, differencesMax: 5, progress: () => {} }
  return (await rebuild(stage.service, foldBy(readRules(config)), check)).differences
}

test('references and tags of a request that joins a shipment are kept on it, behind those that it has', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(bill, 'sailed', [box, otherBox]) })
  const neighbour = await stage.newAccount()
  await track(stage, bill, { refNumbers: ['PO-9'], shipmentTags: ['theirs'] }, neighbour)
  await track(stage, bill, { refNumbers: ['PO-1', 'PO-2'], shipmentTags: ['urgent'] }, stage.account)
  await track(stage, box, { refNumbers: ['PO-3', 'PO-1'], shipmentTags: ['cold', 'urgent'] }, stage.account)
  assert.deepEqual(await labelsOf(stage, stage.account), ['PO-1,PO-2,PO-3 urgent,cold'])
  assert.deepEqual(await labelsOf(stage, neighbour), ['PO-9 theirs'])
  assert.deepEqual(await differences(stage), [])
})

test('the history of the shipment shows the values from a request; later changes of users stay', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(bill, 'sailed', [box, otherBox]) })
  const first = await track(stage, bill, { refNumbers: ['PO-1'], shipmentTags: [] }, stage.account)
  await track(stage, box, { refNumbers: ['PO-3'], shipmentTags: [] }, stage.account)
  const { shipmentId: id = null } = await stage.request(first)
  assert.ok(id !== null)
  const { rows } = await listHistory(stage.service, stage.account, {
    of: { type: 'shipment', id },
    page: { number: 1, size: 100 },
    show: (reading) => ('refNumbers' in reading ? { ref_numbers: reading.refNumbers } : {}),
  })
  const told = rows.flatMap(({ changes }) => changes).filter((change) => change.id === id)
  assert.deepEqual(
    told.map(({ before, after }) => [before, after]),
    [
      [['PO-1'], ['PO-1', 'PO-3']],
      [null, ['PO-1']],
    ],
  )
  await stopTracking(stage.service, stage.account, { id })
  assert.deepEqual(await labelsOf(stage, stage.account), ['PO-1,PO-3 '], 'stopping takes nothing away')
  await updateShipment(stage.service, stage.account, { id, refNumbers: ['PO-7'] })
  await stage.nextLook()
  assert.deepEqual(await labelsOf(stage, stage.account), ['PO-7 '])
  assert.deepEqual(await differences(stage), [])
})

test('joined texts keep their order, each once, and are no more than one request may bring', () => {
  assert.deepEqual(joinTexts(['b', 'a'], ['c', 'a', ' c ', '']), ['b', 'a', 'c'])
  const full = Array.from({ length: 99 }, (_, index) => `R${index}`)
  assert.deepEqual(joinTexts(full, ['x', 'y']), [...full, 'x'])
})
