/**
 * Saved views of the account. A person sees those of the whole account and their own. A key or an app acts for the
 * account, so it sees and makes only views of the whole account.
 */

import { type Db, inTransaction } from '../../db/database.ts'
import type { Page, PageRequest } from '../../db/listing/page.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Context, requireScope } from '../access/context.ts'
import { changedBy, diffOf, recordChange } from '../audit/record-change.ts'
import { notFound, refusedAt, ServiceError } from '../errors.ts'
import { authorOf, personOf } from '../members/author.ts'
import { type PreconditionCheck, requireCurrent } from '../require-current.ts'
import type { Service } from '../service.ts'
import { deleteShareLinksOfView } from '../share-links/share-links-sql.ts'
import { checkSavedViewName } from './check-name.ts'
import {
  deleteSavedView as deleteRow,
  findSavedViews,
  insertSavedView,
  listSavedViews as listRows,
  lockSavedView,
  type SavedView,
  type SavedViewFilter,
  type SavedViewOrder,
  updateSavedView as updateRow,
} from './saved-views-sql.ts'

/** Of the whole account, and as many again of each person. */
const viewsMax = 200
const fields = ['name', 'query', 'columns', 'ownerId'] as const

export async function listSavedViews(
  service: Service,
  context: Context,
  input: { readonly filter: SavedViewFilter; readonly order: SavedViewOrder; readonly page: PageRequest },
): Promise<Page<SavedView>> {
  requireScope(context, 'read')
  return listRows(service.pool, { ...viewerOf(context), ...input })
}

export async function getSavedView(
  service: Service,
  context: Context,
  input: { readonly id: string },
): Promise<SavedView> {
  requireScope(context, 'read')
  return requireSavedView(service.pool, context, input.id)
}

/** Returns those of the ids that the caller sees, in no order. */
export async function getSavedViews(
  service: Service,
  context: Context,
  input: { readonly ids: readonly string[] },
): Promise<readonly SavedView[]> {
  requireScope(context, 'read')
  return findSavedViews(service.pool, { ...viewerOf(context), ids: input.ids })
}

export interface NewSavedView extends Pick<SavedView, 'name' | 'list' | 'query' | 'columns'> {
  /** Missing: a person's view is the person's own, and all others are of the whole account. */
  readonly isShared?: boolean
}

export async function createSavedView(service: Service, context: Context, input: NewSavedView): Promise<SavedView> {
  requireScope(context, 'write')
  const by = changedBy(service, context)
  const person = personOf(context)
  if (input.isShared === false && person === null) throw personOnlyError()
  const { name, list, query, columns } = input
  const view: SavedView = {
    accountId: context.account.id,
    id: uuidV7(service.clock.now()),
    name: checkSavedViewName(name),
    list,
    query,
    columns,
    ownerId: input.isShared === true ? null : person,
    createdBy: { ...authorOf(context), name: null },
    createdAt: by.at,
    updatedAt: by.at,
    lastChangedBy: by,
  }
  return inTransaction(service.pool, async (db) => {
    if (!(await insertSavedView(db, view, viewsMax))) throw tooManyViewsError()
    await recordChange(db, service, context, {
      action: 'saved_view.created',
      target: { type: 'saved_view', id: view.id },
      diff: diffOf(null, view, ['list', ...fields]),
    })
    return requireSavedView(db, context, view.id)
  })
}

export interface SavedViewChanges extends Partial<Pick<SavedView, 'name' | 'query' | 'columns'>> {
  readonly isShared?: boolean
}

/** Fields that are left out stay. Everybody who may write may change a view of the whole account. */
export async function updateSavedView(
  service: Service,
  context: Context,
  input: SavedViewChanges & { readonly id: string; readonly ifCurrent?: PreconditionCheck<SavedView> | null },
): Promise<SavedView> {
  requireScope(context, 'write')
  return inTransaction(service.pool, async (db) => {
    const view = await lockSavedView(db, { ...viewerOf(context), id: input.id })
    if (view === null) throw notFound('saved view')
    requireCurrent(input.ifCurrent, view)
    const by = changedBy(service, context)
    const next: SavedView = {
      ...view,
      name: input.name === undefined ? view.name : checkSavedViewName(input.name),
      query: input.query ?? view.query,
      columns: input.columns ?? view.columns,
      ownerId: ownerOf(context, view, input.isShared),
      updatedAt: by.at,
      lastChangedBy: by,
    }
    const diff = diffOf(view, next, fields)
    if (diff === null) return view
    await updateRow(db, next)
    await recordChange(db, service, context, {
      action: 'saved_view.updated',
      target: { type: 'saved_view', id: view.id },
      diff,
    })
    return next
  })
}

export async function deleteSavedView(
  service: Service,
  context: Context,
  input: { readonly id: string },
): Promise<void> {
  requireScope(context, 'write')
  await inTransaction(service.pool, async (db) => {
    const view = await lockSavedView(db, { ...viewerOf(context), id: input.id })
    if (view === null) throw notFound('saved view')
    await deleteShareLinksOfView(db, { accountId: context.account.id, savedViewId: view.id })
    await deleteRow(db, { accountId: context.account.id, id: view.id })
    await recordChange(db, service, context, {
      action: 'saved_view.deleted',
      target: { type: 'saved_view', id: view.id },
      diff: diffOf(view, null, ['list', ...fields]),
    })
  })
}

/** Others would lose a view of the whole account, so only the person who made it may make it private again. */
function ownerOf(context: Context, view: SavedView, isShared: boolean | undefined): string | null {
  if (isShared === undefined || isShared === (view.ownerId === null)) return view.ownerId
  if (isShared) return null
  const person = personOf(context)
  if (person === null) throw personOnlyError()
  if (view.createdBy.type === 'user' && view.createdBy.id === person) return person
  throw refusedAt('/data/attributes/is_shared', 'Only the person who made this view can make it private.')
}

function viewerOf(context: Context): { readonly accountId: string; readonly userId: string | null } {
  return { accountId: context.account.id, userId: personOf(context) }
}

async function requireSavedView(db: Db, context: Context, id: string): Promise<SavedView> {
  const [view] = await findSavedViews(db, { ...viewerOf(context), ids: [id] })
  if (view === undefined) throw notFound('saved view')
  return view
}

function personOnlyError(): ServiceError {
  return refusedAt(
    '/data/attributes/is_shared',
    'A view that an API key creates belongs to the whole account: leave this out.',
  )
}

function tooManyViewsError(): ServiceError {
  return new ServiceError(
    'invalid',
    `An account has at most ${viewsMax} shared views, and each person ${viewsMax} of their own. Delete one first.`,
  )
}
