/** Roots over the ledger of each account, and how far they go. */

import type { Db } from '../../db/database.ts'
import { makeConditions } from '../../db/listing/conditions.ts'
import { getJsonInstant } from '../../db/listing/json-instant.ts'
import { readListing, rowJson } from '../../db/listing/listing.ts'
import type { Page, PageRequest } from '../../db/listing/page.ts'

export interface RootRow {
  readonly accountId: string
  readonly id: string
  readonly sequence: number
  readonly firstPosition: number
  readonly lastPosition: number
  readonly fromAt: string
  readonly toAt: string
  readonly leafCount: number
  /** Hexadecimal digits. */
  readonly root: string
  readonly previousRoot: string | null
  readonly kid: string
  /** In base64url. */
  readonly signature: string
  readonly madeAt: string
}

const columns = `r.account_id as "accountId", r.id, r.sequence, r.first_position as "firstPosition",
  r.last_position as "lastPosition", r.from_at as "fromAt", r.to_at as "toAt", r.leaf_count as "leafCount",
  encode(r.root, 'hex') as root, encode(r.previous_root, 'hex') as "previousRoot", r.kid,
  translate(replace(encode(r.signature, 'base64'), E'\\n', ''), '+/=', '-_') as signature, r.made_at as "madeAt"`

export async function insertRoot(db: Db, root: RootRow, leaves: Buffer): Promise<void> {
  await db.query({
    name: 'ledger_root_insert',
    text: `insert into ledger_roots (account_id, id, sequence, first_position, last_position, from_at, to_at, leaf_count,
                                     root, previous_root, leaves, kid, signature, made_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    values: [
      root.accountId,
      root.id,
      root.sequence,
      root.firstPosition,
      root.lastPosition,
      root.fromAt,
      root.toAt,
      root.leafCount,
      Buffer.from(root.root, 'hex'),
      root.previousRoot === null ? null : Buffer.from(root.previousRoot, 'hex'),
      leaves,
      root.kid,
      Buffer.from(root.signature, 'base64url'),
      root.madeAt,
    ],
  })
}

export async function findLastRoot(db: Db, accountId: string): Promise<RootRow | null> {
  const { rows } = await db.query<RootRow>({
    name: 'ledger_root_last',
    text: `select ${columns} from ledger_roots r where r.account_id = $1 order by r.sequence desc limit 1`,
    values: [accountId],
  })
  return rows[0] ?? null
}

export async function findRoots(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly RootRow[]> {
  const { rows } = await db.query<RootRow>({
    name: 'ledger_roots_find',
    text: `select ${columns} from ledger_roots r where r.account_id = $1 and r.id = any($2::uuid[])`,
    values: [of.accountId, of.ids],
  })
  return rows
}

/** Newest first. */
export async function listRoots(
  db: Db,
  of: { readonly accountId: string; readonly page: PageRequest },
): Promise<Page<RootRow>> {
  const { rows, ...rest } = await readListing<RootRow>(db, {
    table: 'ledger_roots',
    alias: 'r',
    select: rowJson(columns),
    joins: '',
    sort: { column: 'made_at', type: 'timestamptz' },
    isDescending: true,
    conditions: makeConditions('r', of.accountId),
    page: of.page,
    isCounted: true,
  })
  const times = ['fromAt', 'toAt', 'madeAt'] as const
  return {
    rows: rows.map((row) => ({
      ...row,
      ...Object.fromEntries(times.map((name) => [name, getJsonInstant(row[name])])),
    })),
    ...rest,
  }
}

export interface RootWithLeaves extends RootRow {
  readonly leaves: Buffer
}

/** The root that has this statement, by the bytes of its id; the earliest of several. */
export async function findRootOf(
  db: Db,
  of: { readonly accountId: string; readonly claimId: string; readonly recordedAt: string },
): Promise<RootWithLeaves | null> {
  const { rows } = await db.query<RootWithLeaves>({
    name: 'ledger_root_of_claim',
    text: `select ${columns}, r.leaves from ledger_roots r
            where r.account_id = $1 and r.from_at <= $3 and r.to_at >= $3
              and position(uuid_send($2::uuid) in r.leaves) > 0
            order by r.sequence limit 1`,
    values: [of.accountId, of.claimId, of.recordedAt],
  })
  return rows[0] ?? null
}

export interface RootMark {
  readonly accountId: string
  readonly coveredPosition: number
  readonly seenPosition: number
  readonly seenAt: string | null
  readonly madeAt: string | null
}

/** Every account gets a mark; a new one is due at once. Returns how many were new. */
export async function addRootMarks(db: Db, now: string): Promise<number> {
  const { rowCount } = await db.query({
    name: 'ledger_root_marks_add',
    text: `insert into ledger_root_marks (account_id, due_at)
           select a.id, $1 from accounts a
            where not exists (select from ledger_root_marks m where m.account_id = a.id)
           on conflict do nothing`,
    values: [now],
  })
  return rowCount ?? 0
}

/** One account whose time has come, locked until the transaction ends. */
export async function lockDueMark(db: Db, now: string): Promise<RootMark | null> {
  const { rows } = await db.query<RootMark>({
    name: 'ledger_root_mark_lock',
    text: `select account_id as "accountId", covered_position as "coveredPosition", seen_position as "seenPosition",
                  seen_at as "seenAt", made_at as "madeAt"
             from ledger_root_marks where due_at <= $1 order by due_at limit 1 for update skip locked`,
    values: [now],
  })
  return rows[0] ?? null
}

export async function updateMark(db: Db, mark: RootMark, dueAt: string): Promise<void> {
  await db.query({
    name: 'ledger_root_mark_update',
    text: `update ledger_root_marks
              set covered_position = $2, seen_position = $3, seen_at = $4, made_at = $5, due_at = $6
            where account_id = $1`,
    values: [mark.accountId, mark.coveredPosition, mark.seenPosition, mark.seenAt, mark.madeAt, dueAt],
  })
}

/** 0 for an empty ledger. */
export async function readLastLedgerPosition(db: Db, accountId: string): Promise<number> {
  const { rows } = await db.query<{ position: number }>({
    name: 'ledger_last_position',
    text: `select coalesce(max(position), 0) as position from ledger where account_id = $1`,
    values: [accountId],
  })
  return Number(rows[0]?.position ?? 0)
}

export interface LeafRow {
  readonly position: number
  readonly id: string
  readonly sourceKind: string
  readonly sourceCode: string
  readonly observation: unknown
  readonly readAt: string
  readonly recordedAt: string
  readonly snapshotId: string | null
}

const leafColumns = `c.id, c.source_kind as "sourceKind", c.source_code as "sourceCode", c.observation,
  c.read_at as "readAt", c.recorded_at as "recordedAt", c.first_snapshot_id as "snapshotId"`

/**
 * The statements that entries of the ledger added, in order: those that were ingested, and those of people. A statement
 * without an entry (a repetition) has its leaf where it was stated first.
 */
export async function readAddedStatements(
  db: Db,
  of: { readonly accountId: string; readonly after: number; readonly until: number; readonly limit: number },
): Promise<readonly LeafRow[]> {
  const { rows } = await db.query<LeafRow>({
    name: 'ledger_statements_added',
    text: `select l.position, ${leafColumns}
             from ledger l
             cross join lateral (
               select g.place, i.id::uuid as id, i.at
                 from jsonb_path_query(l.payload, '$.heard.add[*].ids') with ordinality as g (ids, place),
                      jsonb_array_elements_text(g.ids) with ordinality as i (id, at)
               union all
               select w.place, (w.word ->> 'id')::uuid, 0
                 from jsonb_path_query(l.payload, '$.add[*]') with ordinality as w (word, place)) x
             join claims c on c.account_id = l.account_id and c.id = x.id
            where l.account_id = $1 and l.position > $2 and l.position <= $3
            order by l.position, x.place, x.at limit $4`,
    values: [of.accountId, of.after, of.until, of.limit],
  })
  return rows.map((row) => ({ ...row, position: Number(row.position) }))
}

export async function readStatementLeaves(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly Omit<LeafRow, 'position'>[]> {
  const { rows } = await db.query<Omit<LeafRow, 'position'>>({
    name: 'statements_by_id',
    text: `select ${leafColumns} from claims c where c.account_id = $1 and c.id = any($2::uuid[])`,
    values: [of.accountId, of.ids],
  })
  return rows
}
