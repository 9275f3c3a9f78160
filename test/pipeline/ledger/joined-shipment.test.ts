/**
 * The values that a request has for its shipment are also set if the shipment existed before, and never on a shipment
 * of another account.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Context } from '../../../src/modules/access/context.ts'
import { listHistory } from '../../../src/modules/provenance/list-history.ts'
import { stopTracking } from '../../../src/modules/shipments/stop-tracking.ts'
import { updateShipment } from '../../../src/modules/shipments/update-shipment.ts'
import { requestTracking } from '../../../src/modules/tracking-requests/request-tracking.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { joinTexts } from '../../../src/pipeline/ledger/normalize-texts.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { box, journey, openStage, otherBox, type Stage } from '../../support/tracking-harness.ts'

const bill = 'HLCUSHA260100005'

interface Joined {
  readonly refNumbers: readonly string[]
  readonly shipmentTags: readonly string[]
}

async function track(stage: Stage, requestNumber: string, brought: Joined, as: Context): Promise<string> {
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
  return (await rebuildProjections(stage.service, foldBy(readRules(config)), check)).differences
}

test('appends references and tags of a joining request to those of the shipment', async (t) => {
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

test('the history of a shipment shows the values that came from a request; later user changes remain', async (t) => {
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
  const recorded = rows.flatMap(({ changes }) => changes).filter((change) => change.id === id)
  assert.deepEqual(
    recorded.map(({ before, after }) => [before, after]),
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

test('joined texts keep their order without duplicates, up to the limit of one request', () => {
  assert.deepEqual(joinTexts(['b', 'a'], ['c', 'a', ' c ', '']), ['b', 'a', 'c'])
  const full = Array.from({ length: 99 }, (_, index) => `R${index}`)
  assert.deepEqual(joinTexts(full, ['x', 'y']), [...full, 'x'])
})
