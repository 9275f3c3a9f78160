/**
 * The tables that one account's ledger yields, held in memory while it is folded and written when they are read. Of the
 * 10 ms that an entry took through the database, 8 were its dozen statements (bench/explain.ts).
 * test/service/rebuild.test.ts holds them to it: each entry leaves here the rows that it leaves there.
 */

import { claimsOnRecord } from './claims.ts'
import type { Db } from './database.ts'
import { recordOf, writeTextOf } from './fold-rows.ts'
import type { FoldTables } from './fold-tables.ts'
import { holdClaims } from './held-claims.ts'
import { holdRequests } from './held-requests.ts'
import { holdShipments } from './held-shipments.ts'
import { issuesOnRecord } from './issues.ts'
import { shipmentOnRecord } from './shipment-rules.ts'
import { getSnapshots, type Snapshot } from './snapshots.ts'
import type { Stood } from './stood.ts'
import { getSubjectAccess, type SubjectAccess } from './subjects.ts'
import { announcedTransportEvents } from './transport-events.ts'

export interface HeldTables {
  readonly tables: FoldTables
  /** Writes what became different since the last time: of shipments, containers, requests and events alone. */
  readonly writeShown: () => Promise<void>
  /** What stands of a shipment by now; null where nothing does. */
  readonly stoodOf: (shipmentId: string) => Stood | null
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
    putBack: async ({ accountId, shipmentId, stood }) => {
      const { standing, ended } = stood.transportEvents
      const announced = await announcedTransportEvents(db, { accountId, ids: [...standing, ...ended] })
      projected.putBack(stood, announced)
      asked.putBack(stood.requests)
      said.putBack(shipmentId, stood.issues)
    },
    shipmentOnRecord: (key) => shipmentOnRecord(db, key),
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
  const dropRemoved = async (tableNames: readonly (keyof typeof held)[]): Promise<void> => {
    for (const name of tableNames) {
      const ids = held[name].takeRemoved()
      if (ids.length === 0) continue
      const values = [of.accountId, ids]
      await db.query({ text: `delete from ${name} where account_id = $1 and id = any($2::uuid[])`, values })
    }
  }
  const recordsOf = (tableNames: readonly (keyof typeof held)[]): string[] =>
    tableNames.map((name) => JSON.stringify(held[name].takeChanged().map(recordOf)))
  const writeShown = async (): Promise<void> => {
    await dropRemoved(shown)
    const values = [of.accountId, ...recordsOf(shown)]
    await db.query({ name: 'held_write_shown', text: shownText, values })
  }
  const write = async (): Promise<void> => {
    await writeShown()
    await dropRemoved(behind)
    const values = [of.accountId, ...recordsOf(behind)]
    await db.query({ name: 'held_write_behind', text: behindText, values })
  }
  const stoodOf = (shipmentId: string): Stood | null => {
    const shipment = projected.shipments.find(shipmentId)
    if (shipment === undefined) return null
    const isOf = (row: { readonly shipmentId: string | null }): boolean => row.shipmentId === shipmentId
    const announced = projected.transportEvents.all().filter(isOf)
    return {
      shipment,
      containers: projected.containers.all().filter(isOf),
      requests: asked.requests.all().filter(isOf),
      issues: said.issues.all().filter(isOf),
      transportEvents: {
        standing: announced.flatMap(({ id, invalidatedAt }) => (invalidatedAt === null ? [id] : [])),
        ended: announced.flatMap(({ id, invalidatedAt }) => (invalidatedAt === null ? [] : [id])),
      },
      events: projected.events
        .all()
        .filter(isOf)
        .map(({ id }) => id),
    }
  }
  return { tables, write, writeShown, stoodOf }
}

const shown = ['shipments', 'tracking_requests', 'containers', 'events'] as const
const behind = ['claims', 'issues', 'transport_events'] as const
const shownText = writeTextOf(shown)
const behindText = writeTextOf(behind)

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
