/** The counters of tracking for Prometheus: they count each committed change once, and nothing else. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinTransactions } from '../../../src/db/database.ts'
import { expectedMilestones } from '../../../src/domain/view/projection.ts'
import { requestTracking } from '../../../src/modules/tracking-requests/request-tracking.ts'
import {
  type FoldedEntries,
  type FoldedShipment,
  reportFoldedEntries,
} from '../../../src/pipeline/ledger/report-folded-entries.ts'
import type { StoredIssue } from '../../../src/pipeline/projection/issues-sql.ts'
import { createLog } from '../../../src/platform/log.ts'
import { createMetrics, type Metrics } from '../../../src/platform/metrics.ts'
import { openStage } from '../../support/tracking-harness.ts'

/** The counters above zero, without those of the process. */
async function counted(metrics: Metrics): Promise<readonly string[]> {
  const lines = (await metrics.write()).split('\n').filter((line) => /^landfall_\w+_total\S* [^0]/.test(line))
  return lines.map((line) => line.replace('landfall_', '').replace('_total', '')).toSorted()
}

const asked = {
  requestType: 'bill_of_lading' as const,
  scac: 'hlcu',
  refNumbers: [],
  shipmentTags: [],
}
const created = (count: number): readonly string[] =>
  count === 0 ? [] : [`tracking_request_created{scac="HLCU",type="bill_of_lading"} ${count}`]

test('counts a tracking request when it is created, not when it is refused or only tried', async (t) => {
  const { service, account } = await openStage(t)
  const make = (requestNumber: string, making = {}): Promise<unknown> =>
    requestTracking(service, account, { ...asked, requestNumber }, making)
  await make('HLCUTRIED0000001', { isDryRun: true })
  assert.deepEqual(await counted(service.metrics), created(0))
  await make('HLCUMADE00000001')
  assert.deepEqual(await counted(service.metrics), created(1))
  await assert.rejects(make('HLCUMADE00000001'), /tracked already/)
  assert.deepEqual(await counted(service.metrics), created(1))
})

test('counts a request with an Idempotency-Key on commit, and never on rollback', async (t) => {
  const { service, account } = await openStage(t)
  for (const [requestNumber, how, count] of [
    ['HLCULOST00000001', 'rollback', 0],
    ['HLCUKEPT00000001', 'commit', 1],
  ] as const) {
    const joined = await joinTransactions(service.pool)
    await requestTracking({ ...service, pool: joined.pool }, account, { ...asked, requestNumber })
    assert.deepEqual(await counted(service.metrics), created(0))
    await joined[how]()
    assert.deepEqual(await counted(service.metrics), created(count))
  }
})

type Row = FoldedShipment['row']
const projection = {} as Row['projection']
const tracked: FoldedShipment = {
  row: { scac: 'HLCU', projection, trackingStoppedAt: null, trackingStoppedReason: null },
  containers: [],
}
const issue: Pick<StoredIssue, 'scac' | 'kind' | 'subjectId' | 'times'> = {
  scac: 'HLCU',
  kind: 'contradicted',
  subjectId: null,
  times: 1,
}
const nothing = { requests: new Map(), shipments: new Map(), issues: new Map() }
const idle: FoldedEntries = {
  accountId: 'a',
  before: nothing,
  after: nothing,
  events: [],
  absorbed: [],
  contradicted: [],
}

async function metricLines(folded: Partial<FoldedEntries>): Promise<readonly string[]> {
  const metrics = createMetrics(createLog({ level: 'silent' }))
  reportFoldedEntries({ metrics }, { ...idle, ...folded })
  return counted(metrics)
}

test('counts nothing for entries that changed nothing', async () => {
  assert.deepEqual(await metricLines({}), [])
  const state = { ...nothing, shipments: new Map([['s', tracked]]), issues: new Map([['i', issue]]) }
  assert.deepEqual(await metricLines({ before: state, after: state }), [])
})

test('counts events by name, and snapshots by line', async () => {
  const names = ['container.created', 'container.transport.vessel_loaded', 'container.created'] as const
  assert.deepEqual(await metricLines({ events: names.map((name) => ({ name })), absorbed: ['HLCU', 'HLCU', 'MSCU'] }), [
    'event_emitted{name="container.created"} 2',
    'event_emitted{name="container.transport.vessel_loaded"} 1',
    'snapshot_absorbed{scac="HLCU"} 2',
    'snapshot_absorbed{scac="MSCU"} 1',
  ])
})

test('counts requests by the status that they reached, once each', async () => {
  const statuses = { a: 'pending', b: 'created', c: 'created' } as const
  const later = { a: 'created', b: 'created', c: 'tracking_stopped', d: 'pending', e: 'failed' } as const
  const requests = (of: Readonly<Record<string, (typeof later)[keyof typeof later]>>) =>
    new Map(Object.entries(of).map(([id, status]) => [id, { status }]))
  assert.deepEqual(
    await metricLines({
      before: { ...nothing, requests: requests(statuses) },
      after: { ...nothing, requests: requests(later) },
    }),
    [
      'tracking_request_changed{status="created"} 1',
      'tracking_request_changed{status="failed"} 1',
      'tracking_request_changed{status="tracking_stopped"} 1',
    ],
  )
})

test('counts a container once at its empty return, with the milestones that no source reported', async () => {
  const milestones = expectedMilestones
    .filter((name) => name !== 'full_in')
    .map((name) => ({ kind: 'actual' as const, name }))
  const box = (isTerminated: boolean) => ({ id: 'b', projection: { isTerminated, milestones } as never }) as const
  const out = { ...tracked, containers: [box(false)] }
  const back = { ...tracked, containers: [box(true)] }
  const of = (shipment: FoldedShipment) => ({ ...nothing, shipments: new Map([['s', shipment]]) })
  const expected = [
    'box_returned{scac="HLCU"} 1',
    'journey_projected{outcome="changed"} 1',
    'milestone_untold{scac="HLCU",name="full_in"} 1',
  ]
  assert.deepEqual(await metricLines({ before: of(out), after: of(back) }), expected)
  assert.deepEqual(await metricLines({ before: of(back), after: of({ ...back }) }), [
    'journey_projected{outcome="unchanged"} 1',
  ])
  const contradicted = [{ kind: 'terminal', code: 'Y258' } as const]
  assert.deepEqual(await metricLines({ contradicted }), ['statement_contradicted{speaker="terminal",code="Y258"} 1'])
})

test('counts each updated shipment, and each stop of tracking by its reason', async () => {
  const again: FoldedShipment = { ...tracked }
  const changed: FoldedShipment = { ...tracked, containers: [{ id: 'b', projection: {} as never }] }
  const stop = { trackingStoppedAt: '2026-01-01T00:00:00Z', trackingStoppedReason: 'booking_cancelled' }
  const stopped: FoldedShipment = { ...tracked, row: { ...tracked.row, ...stop } }
  const before = { same: tracked, again: tracked, changed: tracked, stopped: tracked, stood: stopped }
  const after = { same: tracked, again, changed, stopped, stood: { ...stopped }, made: tracked }
  assert.deepEqual(
    await metricLines({
      before: { ...nothing, shipments: new Map(Object.entries(before)) },
      after: { ...nothing, shipments: new Map(Object.entries(after)) },
    }),
    [
      'journey_projected{outcome="changed"} 1',
      'journey_projected{outcome="made"} 1',
      'journey_projected{outcome="unchanged"} 3',
      'tracking_stopped{reason="booking_cancelled"} 1',
    ],
  )
})

test('counts contradictions between sources by line and kind', async () => {
  const issues = (of: Readonly<Record<string, Partial<typeof issue>>>) =>
    new Map(Object.entries(of).map(([id, each]) => [id, { ...issue, ...each }]))
  assert.deepEqual(
    await metricLines({
      before: { ...nothing, issues: issues({ a: { times: 2 } }) },
      after: {
        ...nothing,
        issues: issues({ a: { times: 3 }, b: { times: 2 }, c: { subjectId: 'answer' } }),
      },
    }),
    ['issue_raised{scac="HLCU",kind="contradicted"} 3'],
  )
})
