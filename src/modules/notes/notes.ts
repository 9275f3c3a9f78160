/**
 * Notes of a shipment. Everybody in the account reads them. The text is changed only by its author, because it is shown
 * under the author's name. Programs of the account (keys and apps) count as one author.
 */

import { type Db, inTransaction } from '../../db/database.ts'
import type { Page, PageRequest } from '../../db/listing/page.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Context, hasPermission, requireScope } from '../access/context.ts'
import { recordChange } from '../audit/record-change.ts'
import { getContainers } from '../containers/get-container.ts'
import { notFound, refusedAt, ServiceError } from '../errors.ts'
import { authorOf, personOf } from '../members/author.ts'
import { type PreconditionCheck, requireCurrent } from '../require-current.ts'
import { realNow, type Service } from '../service.ts'
import { getShipment } from '../shipments/get-shipment.ts'
import {
  deleteNote as deleteRow,
  findNote,
  insertNote,
  listNotes as listRows,
  lockNote,
  type Note,
  type NoteFilter,
  updateNote as updateRow,
} from './notes-sql.ts'

const notesMax = 1_000

/** Which note. */
interface NoteKey {
  readonly shipmentId: string
  readonly id: string
}

/** Newest first. */
export async function listNotes(
  service: Service,
  context: Context,
  input: { readonly shipmentId: string; readonly filter: NoteFilter; readonly page: PageRequest },
): Promise<Page<Note>> {
  requireScope(context, 'read')
  await getShipment(service, context, { id: input.shipmentId })
  return listRows(service.pool, { accountId: context.account.id, ...input })
}

export async function getNote(service: Service, context: Context, input: NoteKey): Promise<Note> {
  requireScope(context, 'read')
  return requireNote(service.pool, context, input)
}

export async function createNote(
  service: Service,
  context: Context,
  input: { readonly shipmentId: string; readonly containerId: string | null; readonly text: string },
): Promise<Note> {
  requireScope(context, 'write')
  const { shipmentId, containerId } = input
  await getShipment(service, context, { id: shipmentId })
  if (containerId !== null) await checkContainer(service, context, { shipmentId, containerId })
  const at = realNow(service)
  const note: Note = {
    accountId: context.account.id,
    id: uuidV7(service.clock.now()),
    shipmentId,
    containerId,
    text: checkText(input.text),
    createdBy: { ...authorOf(context), name: null },
    createdAt: at,
    updatedAt: at,
  }
  return inTransaction(service.pool, async (db) => {
    if (!(await insertNote(db, note, notesMax)))
      throw new ServiceError('invalid', `A shipment has at most ${notesMax} notes. Delete one first.`)
    await recordNoteChange(db, service, context, { note, action: 'note.created' })
    return requireNote(db, context, note)
  })
}

export async function updateNote(
  service: Service,
  context: Context,
  input: NoteKey & { readonly text?: string; readonly ifCurrent?: PreconditionCheck<Note> | null },
): Promise<Note> {
  requireScope(context, 'write')
  return inTransaction(service.pool, async (db) => {
    const note = await requireNote(db, context, input, lockNote)
    requireCurrent(input.ifCurrent, note)
    if (!isAuthor(context, note)) throw new ServiceError('forbidden', 'Only its author may change a note.')
    const text = input.text === undefined ? note.text : checkText(input.text)
    if (text === note.text) return note
    const next: Note = { ...note, text, updatedAt: realNow(service) }
    await updateRow(db, next)
    await recordNoteChange(db, service, context, { note, action: 'note.updated' })
    return next
  })
}

/** For its author, for those who manage the members, and for the account's programs. */
export async function deleteNote(service: Service, context: Context, input: NoteKey): Promise<void> {
  requireScope(context, 'write')
  await inTransaction(service.pool, async (db) => {
    const note = await requireNote(db, context, input, lockNote)
    if (personOf(context) !== null && !isAuthor(context, note) && !hasPermission(context, 'members'))
      throw new ServiceError('forbidden', 'A note is deleted by its author or by an admin of the account.')
    await deleteRow(db, { accountId: context.account.id, id: note.id })
    await recordNoteChange(db, service, context, { note, action: 'note.deleted' })
  })
}

function isAuthor(context: Context, { createdBy }: Note): boolean {
  const person = personOf(context)
  return person === null ? createdBy.type !== 'user' : createdBy.type === 'user' && createdBy.id === person
}

/** The audit log names the note and its shipment. What is deleted must not live on there, so it has no text. */
async function recordNoteChange(
  db: Db,
  service: Service,
  context: Context,
  { note, action }: { readonly note: Note; readonly action: string },
): Promise<void> {
  const { id, shipmentId, containerId } = note
  const diff =
    action === 'note.created'
      ? { shipmentId: [null, shipmentId] as const, containerId: [null, containerId] as const }
      : null
  await recordChange(db, service, context, { action, target: { type: 'note', id }, diff })
}

async function checkContainer(
  service: Service,
  context: Context,
  of: { readonly shipmentId: string; readonly containerId: string },
): Promise<void> {
  const [container] = await getContainers(service, context, { ids: [of.containerId] })
  if (container?.shipmentId !== of.shipmentId)
    throw refusedAt('/data/relationships/container/data/id', 'The shipment has no container of this id.')
}

function checkText(text: string): string {
  if (text.trim() !== '') return text
  throw refusedAt('/data/attributes/text', 'A note needs a text.')
}

/** `read`: with a lock or without. */
async function requireNote(db: Db, context: Context, key: NoteKey, read = findNote): Promise<Note> {
  const note = await read(db, { ...key, accountId: context.account.id })
  if (note === null) throw notFound('note')
  return note
}
