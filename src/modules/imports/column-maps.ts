/** An account's column maps. Each has a name, under which it is found when a table of that form is read. */

import { type ColumnMap, plainMap, readColumnMap } from '../../connectors/spreadsheets/column-map.ts'
import { inTransaction } from '../../db/database.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Context, requireScope } from '../access/context.ts'
import { changedBy, diffOf, recordChange } from '../audit/record-change.ts'
import { notFound, refusedAt, ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import { deleteColumnMap, findColumnMap, listColumnMaps, putColumnMap, type SavedMap } from './column-maps-sql.ts'

const mapsMax = 100
/** A name is a part of URLs and commands, so it has plain letters only. */
const namePattern = /^[a-z0-9][a-z0-9_.-]{0,59}$/i

export async function getColumnMap(
  service: Service,
  context: Context,
  input: { readonly name: string },
): Promise<SavedMap> {
  requireScope(context, 'read')
  const found = await findColumnMap(service.pool, { accountId: context.account.id, name: input.name })
  if (found === null) throw notFound('column map')
  return found
}

export async function getColumnMaps(service: Service, context: Context): Promise<readonly SavedMap[]> {
  requireScope(context, 'read')
  return listColumnMaps(service.pool, context.account.id)
}

/** Creates the map, or replaces it completely. */
export async function saveColumnMap(
  service: Service,
  context: Context,
  input: { readonly name: string; readonly map: Readonly<Record<string, unknown>> },
): Promise<SavedMap> {
  requireScope(context, 'write')
  const { name, map } = input
  if (!namePattern.test(name))
    throw new ServiceError(
      'invalid',
      'A name must have at most 60 letters, digits, `-`, `_` and `.`, and must begin with a letter or digit.',
    )
  const reading = readColumnMap(map)
  const [fault] = reading.ok ? [] : reading.faults
  if (fault !== undefined) throw refusedAt(`/data/attributes${fault.pointer}`, fault.detail)
  const accountId = context.account.id
  return inTransaction(service.pool, async (db) => {
    const known = await findColumnMap(db, { accountId, name })
    if (known === null && (await listColumnMaps(db, accountId)).length >= mapsMax)
      throw new ServiceError('invalid', `An account has at most ${mapsMax} column maps. Delete one first.`)
    const by = changedBy(service, context)
    const saved: SavedMap = {
      accountId,
      id: known?.id ?? uuidV7(service.clock.now()),
      name,
      map,
      createdAt: known?.createdAt ?? by.at,
      updatedAt: by.at,
      lastChangedBy: by,
    }
    await putColumnMap(db, saved)
    await recordChange(db, service, context, {
      action: known === null ? 'column_map.created' : 'column_map.updated',
      target: { type: 'column_map', id: saved.id },
      diff: diffOf(known, saved, ['name', 'map']),
    })
    return saved
  })
}

export async function removeColumnMap(
  service: Service,
  context: Context,
  input: { readonly name: string },
): Promise<void> {
  requireScope(context, 'write')
  const accountId = context.account.id
  await inTransaction(service.pool, async (db) => {
    const known = await findColumnMap(db, { accountId, name: input.name })
    if (known === null) throw notFound('column map')
    await deleteColumnMap(db, { accountId, id: known.id })
    await recordChange(db, service, context, {
      action: 'column_map.deleted',
      target: { type: 'column_map', id: known.id },
      diff: diffOf(known, null, ['name', 'map']),
    })
  })
}

/** The map with this name, to read a table with. Without a name only the usual headings are known. */
export async function readMapByName(service: Service, context: Context, name: string | null): Promise<ColumnMap> {
  if (name === null) return plainMap
  const saved = await findColumnMap(service.pool, { accountId: context.account.id, name })
  const reading = saved === null ? null : readColumnMap(saved.map)
  if (reading?.ok === true) return reading.map
  throw new ServiceError('invalid', 'There is no column map of this name.', { source: { parameter: 'map' } })
}
