/**
 * Compares every journey with the sandbox's truth at the time of the last look. A second sandbox replays the same
 * world.
 */

import { startSandbox } from '../../sandbox/server.ts'
import type { Pool } from '../../src/db/database.ts'
import { compareJourney, type Served } from '../../test/e2e/compare-journey.ts'
import { type Asked, askTruth } from '../../test/e2e/truth.ts'
import type { Report } from './checks.ts'

interface Tracked {
  readonly scac: string
  readonly kind: Asked['kind']
  readonly number: string
  readonly shipment_id: string | null
  /** The line's last good answer came between these two times, on the sandbox's clock. */
  readonly started_at: string
  readonly recorded_at: string
  /** If the shipment was first requested by a bill or booking: that number. */
  readonly tracked_as: string | null
  /**
   * The time of the last good answer about any number of the shipment, or of anything else received about it from
   * ships, terminals, railways or partners.
   */
  readonly shipment_at: string | null
  readonly status: string
  /** Whether this request has the last good answer in the ledger. */
  readonly is_heard: boolean
}

export async function checkTruth(pool: Pool, asked: readonly Asked[], seed: number): Promise<Report> {
  const { rows } = await pool.query<Tracked>(
    `select s.scac, s.kind, s.number, r.shipment_id, l.started_at, s.last_succeeded_at as recorded_at,
            of.tracked_as, of.shipment_at, r.status,
            exists (select from ledger h where h.account_id = r.account_id and h.tracking_request_id = r.id
                       and h.snapshot_id = s.last_snapshot_id) as is_heard
       from tracking_requests r
       join subjects s on s.id = r.subject_id
       join lateral (select started_at from looks
                      where subject_id = s.id and outcome not in ('unreachable', 'unrecognized', 'internal_error')
                      order by ended_at desc limit 1) l on true
       left join lateral (
              select greatest(max(s2.last_succeeded_at),
                              (select max(recorded_at) from ledger a where a.account_id = r.account_id
                                  and a.shipment_id = r.shipment_id and a.kind = 'heard')) as shipment_at,
                     (array_agg(case when r2.request_type <> 'container' then s2.number end
                                order by r2.created_at, r2.id))[1] as tracked_as
                from tracking_requests r2 join subjects s2 on s2.id = r2.subject_id
               where r2.account_id = r.account_id and r2.shipment_id = r.shipment_id) of on true
      where s.scac <> 'TEST'`,
  )
  const served = await readServed(pool)
  const { rows: anchors } = await pool.query<{ readonly value: { readonly epochMs: number } }>(
    `select value from settings where name = 'sandbox_anchor'`,
  )
  let nowMs = 0
  const world = await startSandbox({
    port: 0,
    host: '127.0.0.1',
    seed,
    epoch: anchors[0]?.value.epochMs ?? 0,
    now: () => nowMs,
  })
  const problems: string[] = []
  const untold: Record<string, number> = {}
  let facts = 0
  let events = 0
  let passed = 0
  try {
    if (rows.length < asked.length)
      problems.push(`${asked.length - rows.length} of ${asked.length} numbers were never looked at`)
    for (const row of rows) {
      nowMs = Date.parse(row.recorded_at)
      const later = await askTruth(world.url, row)
      nowMs = Date.parse(row.shipment_at ?? row.recorded_at)
      const happened = await askTruth(world.url, row)
      nowMs = Date.parse(row.started_at)
      const truth = await askTruth(world.url, row)
      // During the look the sandbox's time went on by hours. Only what is said both before and after the look is
      // certain.
      const sure = truth.words.filter((word) => later.words.some(({ id, at }) => id === word.id && at === word.at))
      const own = row.shipment_id === null ? [] : (served.get(row.shipment_id) ?? [])
      const compared = compareJourney(row, { ...truth, words: sure }, own, {
        now: row.started_at,
        allowed: [...truth.words, ...later.words, ...happened.words],
        happened,
        trackedAs: row.kind === 'container' ? row.tracked_as : null,
      })
      problems.push(...compared.problems.map((problem) => `${problem} (${standingOf(row)})`))
      facts += compared.facts
      events += compared.served
      passed += compared.passed
      for (const [reason, count] of Object.entries(compared.untold)) untold[reason] = (untold[reason] ?? 0) + count
    }
  } finally {
    await world.close()
  }
  const reasons = Object.entries(untold).map(([reason, count]) => `${count}: ${reason}`)
  return {
    says: `${facts} things truly happened in ${rows.length} journeys and all that was told of them is served: ${events} transport events stand, each of them told; ${passed} calls on the way are no milestones; not told yet or never (${reasons.join('; ') || 'nothing'}).`,
    problems,
  }
}

/** Hints for finding the reason. */
function standingOf({ status, is_heard, tracked_as, started_at }: Tracked): string {
  const shipment = tracked_as === null ? '' : `, its shipment is that of ${tracked_as}`
  return `its request is ${status}${shipment}, the last answer came at ${started_at} and was ${is_heard ? 'folded' : 'never folded'}`
}

/** The actual events that are valid now, for every shipment's containers. */
async function readServed(pool: Pool): Promise<ReadonlyMap<string, readonly Served[]>> {
  const { rows } = await pool.query<Served & { readonly shipmentId: string }>(
    `select e.shipment_id as "shipmentId", c.number as box, e.unlocode, e.occurs_at as at,
            replace(e.event, 'container.transport.', '') as name, e.data_source as source
       from transport_events e join containers c on c.account_id = e.account_id and c.id = e.container_id
      where e.invalidated_at is null and e.milestone is not null
        and e.event like 'container.transport.%' and e.event not like 'container.transport.estimated.%'`,
  )
  return Map.groupBy(rows, ({ shipmentId }) => shipmentId)
}
