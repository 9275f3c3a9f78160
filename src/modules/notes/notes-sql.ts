/** Notes: what people write about a shipment, or about one container of it. */

import type { Db } from '../../db/database.ts'
import { makeConditions, sql } from '../../db/listing/conditions.ts'
import { readJsonRow } from '../../db/listing/json-instant.ts'
import { readListing, rowJson } from '../../db/listing/listing.ts'
import type { Page, PageRequest } from '../../db/listing/page.ts'
import { type Author, authorOf } from '../audit/author-sql.ts'

export interface Note {
  readonly accountId: string
  readonly id: string
  readonly shipmentId: string
  readonly containerId: string | null
  readonly text: string
  readonly createdBy: Author
  readonly createdAt: string
  readonly updatedAt: string
}

const columns = `n.account_id as "accountId", n.id, n.shipment_id as "shipmentId", n.container_id as "containerId",
  n.text, ${authorOf({ account: 'n.account_id', by: 'n.created_by' })} as "createdBy",
  n.created_at as "createdAt", n.updated_at as "updatedAt"`

/** False when the shipment has as many as it may have. */
export async function insertNote(db: Db, note: Note, notesMax: number): Promise<boolean> {
  const { type, id } = note.createdBy
  const { rowCount } = await db.query({
    name: 'note_insert',
    text: `insert into notes (account_id, id, shipment_id, container_id, text, created_by, created_at, updated_at)
           select $1, $2, $3, $4, $5, $6, $7, $8
            where (select count(*) from notes where account_id = $1 and shipment_id = $3) < $9`,
    values: [
      note.accountId,
      note.id,
      note.shipmentId,
      note.containerId,
      note.text,
      JSON.stringify({ type, id }),
      note.createdAt,
      note.updatedAt,
      notesMax,
    ],
  })
  return rowCount === 1
}

type NoteKey = Pick<Note, 'accountId' | 'shipmentId' | 'id'>
const selectNote = `select ${columns} from notes n where n.account_id = $1 and n.shipment_id = $2 and n.id = $3`
const valuesOf = ({ accountId, shipmentId, id }: NoteKey) => [accountId, shipmentId, id]

/** Null when the shipment has no such note. */
export async function findNote(db: Db, key: NoteKey): Promise<Note | null> {
  const { rows } = await db.query<Note>({ name: 'note_find', text: selectNote, values: valuesOf(key) })
  return rows[0] ?? null
}

/** The same, locked until the transaction ends. */
export async function lockNote(db: Db, key: NoteKey): Promise<Note | null> {
  const { rows } = await db.query<Note>({
    name: 'note_lock',
    text: `${selectNote} for update of n`,
    values: valuesOf(key),
  })
  return rows[0] ?? null
}

export async function updateNote(db: Db, note: Note): Promise<void> {
  await db.query({
    name: 'note_update',
    text: `update notes set text = $3, updated_at = $4 where account_id = $1 and id = $2`,
    values: [note.accountId, note.id, note.text, note.updatedAt],
  })
}

export async function deleteNote(db: Db, key: Pick<Note, 'accountId' | 'id'>): Promise<void> {
  await db.query({
    name: 'note_delete',
    text: `delete from notes where account_id = $1 and id = $2`,
    values: [key.accountId, key.id],
  })
}

export interface NoteFilter {
  readonly containerId: string | null
}

/** Newest first. */
export async function listNotes(
  db: Db,
  of: {
    readonly accountId: string
    readonly shipmentId: string
    readonly filter: NoteFilter
    readonly page: PageRequest
  },
): Promise<Page<Note>> {
  const conditions = makeConditions('n', of.accountId)
  conditions.add(sql`n.shipment_id = ${of.shipmentId}`)
  conditions.add(sql`n.container_id = ${of.filter.containerId}`)
  const { rows, ...rest } = await readListing<Note>(db, {
    table: 'notes',
    alias: 'n',
    select: rowJson(columns),
    joins: '',
    sort: { column: 'created_at', type: 'timestamptz' },
    isDescending: true,
    conditions,
    page: of.page,
    isCounted: true,
  })
  return { rows: rows.map(readJsonRow), ...rest }
}
