/**
 * The tables that one account's ledger yields, held in memory while it is folded and written when they are read. Of the
 * 10 ms that an entry took through the database, 8 were its dozen statements (bench/explain.ts).
 * test/service/rebuild.test.ts holds them to it: each entry leaves here the rows that it leaves there.
 */

import { claimsOnRecord } from './claims.ts'
import type { Db } from './database.ts'
import type { FoldTables } from './fold-tables.ts'
import { holdClaims } from './held-claims.ts'
import { holdRequests } from './held-requests.ts'
import { holdShipments } from './held-shipments.ts'
import { issuesOnRecord } from './issues.ts'
import { getSnapshots, type Snapshot } from './snapshots.ts'
import { getSubjectAccess, type SubjectAccess } from './subjects.ts'

export interface HeldTables {
  readonly tables: FoldTables
  /** Writes what became different since the last time: of shipments, containers, requests and events alone. */
  readonly writeShown: () => Promise<void>
  /** The same of all. */
  readonly write: () => Promise<void>
}

/** Of no use beside a fold of the same account by anyone else. */
export function holdTables(
  db: Db,
  of: {
    readonly accountId: string
    /** In the order in which they will be read. */
    readonly snapshotIds: readonly string[]
  },
): HeldTables {
  const asked = holdRequests()
  const said = holdClaims()
  const projected = holdShipments(asked)
  const tables: FoldTables = {
    ...asked.tables,
    ...said.tables,
    ...projected.tables,
    ...readAhead(db, of.snapshotIds),
    claimsOnRecord: (key) => claimsOnRecord(db, key),
    issuesOnRecord: (key) => issuesOnRecord(db, key),
  }
  const held = {
    shipments: projected.shipments,
    tracking_requests: asked.requests,
    containers: projected.containers,
    claims: said.claims,
    issues: said.issues,
    transport_events: projected.transportEvents,
    events: projected.events,
  }
  const recordsOf = (tableNames: readonly (keyof typeof held)[]): string[] =>
    tableNames.map((name) => JSON.stringify(held[name].takeChanged().map(recordOf)))
  const writeShown = async (): Promise<void> => {
    const values = [of.accountId, ...recordsOf(shown)]
    await db.query({ name: 'held_write_shown', text: shownText, values })
  }
  const write = async (): Promise<void> => {
    await writeShown()
    const values = [of.accountId, ...recordsOf(behind)]
    await db.query({ name: 'held_write_behind', text: behindText, values })
  }
  return { tables, write, writeShown }
}

const columns = {
  shipments: `id, scac, bill_of_lading_number, normalized_number, ref_numbers, tags, customer_id, projection,
              tracking_stopped_at, tracking_stopped_reason, timer_at, created_at, updated_at, container_ids,
              container_statuses`,
  tracking_requests: `id, request_type, request_number, number, scac, subject_id, shipment_id, status, failed_reason, lifecycle,
              is_retrying, retry_count, ref_numbers, shipment_tags, customer_id, has_initial_fields, timer_at,
              created_at, updated_at`,
  containers: `id, shipment_id, scac, number, trip, status, ref_numbers, projection, created_at, updated_at`,
  claims: `id, subject_id, shipment_id, source_kind, source_code, source_key, equipment, observation,
              first_snapshot_id, gone_snapshot_id, reader, read_at, recorded_at, missing_since, retired_at`,
  issues: `id, subject_id, shipment_id, snapshot_id, kind, detail, claim_id, times, first_at, last_at, scac,
              tracking_request_id, page, path, lost`,
  transport_events: `id, shipment_id, container_id, event, call_key, occurs_at, time_zone, unlocode, terminal_id, vessel_imo,
              vessel_name, voyage_number, data_source, value, source_claim_id, previous_version_id, milestone,
              created_at, invalidated_at`,
  events: `id, name, reference_type, reference_id, tracking_request_id, shipment_id, container_id, payload, created_at`,
} as const

const shown = ['shipments', 'tracking_requests', 'containers', 'events'] as const
const behind = ['claims', 'issues', 'transport_events'] as const
const shownText = writeTextOf(shown)
const behindText = writeTextOf(behind)

function writeTextOf(names: readonly (keyof typeof columns)[]): string {
  const writes = names.map((name, index) => {
    const changed = columns[name].split(/,\s+/).filter((column) => column !== 'id')
    return `${name}_written as (
      insert into ${name} (account_id, ${columns[name]})
      select $1, ${columns[name]}
        from jsonb_populate_recordset(null::public.${name}, $${index + 2}::jsonb) with ordinality
       order by ordinality
      on conflict (account_id, id) do update set ${changed.map((column) => `${column} = excluded.${column}`).join(', ')})`
  })
  return `with ${writes.join(', ')} select`
}

/** By the names of the columns: `refNumbers` is `ref_numbers`. */
function recordOf(row: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  )
}

const snapshotsAtOnce = 20

/** What is read of the database, and never changes while it is. */
function readAhead(db: Db, ids: readonly string[]): Pick<FoldTables, 'getSnapshot' | 'getSubjectAccess'> {
  let ahead: ReadonlyMap<string, Snapshot> = new Map()
  const accesses = new Map<string, SubjectAccess>()
  return {
    getSnapshot: async (id) => {
      if (!ahead.has(id)) {
        const place = ids.indexOf(id)
        const found = await getSnapshots(db, [id, ...ids.slice(place + 1, place + snapshotsAtOnce)])
        ahead = new Map(found.map((snapshot) => [snapshot.id, snapshot]))
      }
      const snapshot = ahead.get(id)
      if (snapshot === undefined) throw new Error(`snapshot ${id} is gone`)
      return snapshot
    },
    getSubjectAccess: async (id) => {
      const access = accesses.get(id) ?? (await getSubjectAccess(db, id))
      accesses.set(id, access)
      return access
    },
  }
}
