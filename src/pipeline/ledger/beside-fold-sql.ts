/**
 * What is shown with shipments, containers, requests and events and does not follow from the ledger: users set it, or
 * it is computed from other things. This one table defines each of them, and what happens to it when the ledger is
 * folded again. A rebuild, `as_of` and docs/beside-the-ledger.md use it. The ledger yields everything that is not here.
 */

import type { Db } from '../../db/database.ts'
import type { FoldTableName } from '../projection/fold-rows-sql.ts'
import { type PastMoment, restoreLastChanges, restoreOwnEta, restorePollTargets } from './restore-past-sql.ts'

export interface NonLedgerData {
  readonly what: string
  readonly comesFrom: string
  readonly storedIn: string
  /** Its columns in the tables that the ledger yields. A rebuild neither compares nor writes these columns. */
  readonly columns?: Partial<Readonly<Record<FoldTableName, readonly string[]>>>
  /** SQL: which rows of these tables do not come from the ledger. A rebuild leaves these rows alone. */
  readonly rows?: Partial<Readonly<Record<FoldTableName, string>>>
  readonly inRebuild: string
  readonly inPast: string
  /** Puts it into the tables of a past state, before or after the ledger is folded. */
  readonly restore?: {
    readonly when: 'before' | 'after'
    readonly put: (db: Db, past: PastMoment) => Promise<void>
  }
}

export const besideFold: readonly NonLedgerData[] = [
  {
    what: 'Order of urgency of shipments',
    comesFrom: 'the containers of the shipment, each time one is written',
    storedIn: '`shipments`',
    columns: { shipments: ['acts_on'] },
    inRebuild: 'follows the containers',
    inPast: 'not shown',
  },
  {
    what: 'Custom fields',
    comesFrom: 'users',
    storedIn: '`custom_fields`',
    inRebuild: 'left as they are',
    inPast: 'as they are now',
  },
  {
    what: 'Names and roles of parties',
    comesFrom: 'users',
    storedIn: '`parties` and `party_roles`',
    inRebuild: 'left as they are; the ledger says which customer a tracking request named',
    inPast: 'as they are now',
  },
  {
    what: 'Notes',
    comesFrom: 'users and their programs',
    storedIn: '`notes`',
    inRebuild: 'left as they are',
    inPast: 'as they are now',
  },
  {
    what: 'Terms of free time and calendars, and the charges that follow',
    comesFrom: 'users',
    storedIn:
      '`charge_terms` and `charge_calendars`; the last published charges are in `charge_tallies`, the free day by the terms in `containers`',
    columns: { containers: ['free_by_terms_on'] },
    inRebuild: 'left as they are',
    inPast:
      'as they were on record then; `calculated` of `import_deadlines` is null, and `free_until` is without the terms',
  },
  {
    what: 'Events about charges',
    comesFrom:
      'the tally of a container, computed again after new statements, after new terms, and when its first charged day begins',
    storedIn: '`events`',
    rows: { events: `reference_type = 'container_charges_event'` },
    inRebuild: 'left as they are',
    inPast: 'as they are',
  },
  {
    what: 'What should happen next to a container, and the events when it is overdue',
    comesFrom: 'the events of the container, how long the steps of others took, and time',
    storedIn: '`container_expectations`, `step_times` and `events`',
    rows: { events: `reference_type = 'container_overdue_event'` },
    inRebuild: 'left as it is',
    inPast: 'as it is now',
  },
  {
    what: 'Roots of the ledger, and the events that send them',
    comesFrom: 'the statements that the ledger recorded, hashed once a day',
    storedIn: '`ledger_roots` and `events`',
    rows: { events: `reference_type = 'ledger_root'` },
    inRebuild: 'left as they are',
    inPast: 'as they are',
  },
  {
    what: 'Issues of last free days that differ',
    comesFrom: 'the tally of a container',
    storedIn: '`issues`, named in `charge_issues`',
    rows: { issues: `kind = 'last_free_day_differs'` },
    inRebuild: 'left as they are',
    inPast: 'as they are now',
  },
  {
    what: 'Who changed it last',
    comesFrom: 'the log of changes',
    storedIn: '`last_changed_by`, of `audit_events`',
    columns: {
      shipments: ['last_changed_by'],
      tracking_requests: ['last_changed_by'],
      containers: ['last_changed_by'],
    },
    inRebuild: 'left as it is',
    inPast: 'as it was then, for shipments and containers; null where the log does not reach back',
    restore: { when: 'after', put: restoreLastChanges },
  },
  {
    what: "Landfall's own estimate of arrival",
    comesFrom: 'positions of ships',
    storedIn: '`shipments.own_eta`, of `shipment_etas`',
    columns: { shipments: ['own_eta'] },
    inRebuild: 'left as it is',
    inPast: 'as it was made then',
    restore: { when: 'after', put: restoreOwnEta },
  },
  {
    what: 'When the line was asked last',
    comesFrom: 'the log of polls',
    storedIn: '`subjects`, of `looks` and `look_days`',
    inRebuild: 'left as it is',
    inPast: 'as it was then',
    restore: { when: 'before', put: restorePollTargets },
  },
  {
    what: 'The version of the merge rules with which a shipment was folded',
    comesFrom: 'the repair after an upgrade',
    storedIn: '`shipments.rules`',
    columns: { shipments: ['rules'] },
    inRebuild: 'left as they are',
    inPast: 'not shown',
  },
  {
    what: 'The number of an event',
    comesFrom: 'the sequencer, in the order in which events are committed',
    storedIn: '`events.sequence`, `events.ordinal`',
    columns: { events: ['ordinal', 'sequence'] },
    inRebuild: 'left as it is; gaps and numbers out of order are reported',
    inPast: 'as it is: an event never gets another number',
  },
  {
    what: 'Documents, what was read from them, and the shipments that they belong to',
    comesFrom: 'users, e-mail, and the files themselves',
    storedIn: '`documents` and the tables beside it, and the file store',
    inRebuild: 'left as they are; links to shipments that the ledger does not yield are no longer shown',
    inPast: 'as they are now; what a document stated about a journey is in the ledger',
  },
  {
    what: 'Events about documents',
    comesFrom: 'the reading of documents',
    storedIn: '`events`',
    rows: { events: `reference_type = 'document'` },
    inRebuild: 'left as they are',
    inPast: 'as they are',
  },
  {
    what: 'Reference data: ports, terminals, ships, lines',
    comesFrom: 'this version of Landfall, and editions that were imported',
    storedIn: 'the program, and tables of its own',
    inRebuild: 'as it is now',
    inPast: 'as it is now',
  },
  {
    what: 'Rules of tracking',
    comesFrom: 'the settings of the operator',
    storedIn: 'environment variables',
    inRebuild: 'as they are set now',
    inPast: 'as they are set now',
  },
]

/** Columns of the table that do not come from the ledger. */
export function listNonLedgerColumns(table: FoldTableName): readonly string[] {
  return besideFold.flatMap(({ columns }) => columns?.[table] ?? [])
}

/** SQL that is true for the rows of the table that come from the ledger. */
export function isFromLedgerSql(table: FoldTableName): string {
  const beside = besideFold.flatMap(({ rows }) => rows?.[table] ?? [])
  return beside.length === 0 ? 'true' : `not (${beside.join(' or ')})`
}

/** Puts everything that is stored of that moment into the tables of the past state. */
export async function restoreNonLedgerData(db: Db, when: 'before' | 'after', past: PastMoment): Promise<void> {
  for (const { restore } of besideFold) if (restore?.when === when) await restore.put(db, past)
}
