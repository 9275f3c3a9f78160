/**
 * Reads a file that was sent, in a process of its own, and finds out what each column is. The file itself is not kept.
 */

import { createHash } from 'node:crypto'
import type { ColumnMap } from '../../../sources/tables/column-map.ts'
import { type FoundColumns, findColumns } from '../../../sources/tables/find-columns.ts'
import type { TableField } from '../../../sources/tables/headings.ts'
import { readTableApart } from '../../../sources/tables/read-table-apart.ts'
import type { Table } from '../../../sources/tables/table.ts'
import { openShares } from '../../../store/account-share.ts'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../errors.ts'
import { keptBeside } from '../../ground/kept-beside.ts'
import type { Service } from '../../service.ts'
import { mapNamed } from './column-maps.ts'

export interface SentFile {
  readonly bytes: Buffer
  readonly fileName: string | null
  /** Name of a column map. */
  readonly map: string | null
  readonly sheet: string | null
  /** The line of rows that name none. Used instead of the map's. */
  readonly scac: string | null
  readonly detectsLine: boolean | null
}

export interface ReadFile extends FoundColumns {
  readonly table: Omit<Table, 'rows'>
  readonly map: ColumnMap
  readonly sha256: string
}

/** Reading a file takes a core and some memory for seconds. So two are read at a time, and one of an account. */
const turnsOf = keptBeside<Service['pool'], ReturnType<typeof openTurns>>(openTurns)

function openTurns() {
  return {
    all: openShares({ connectionsMax: 2, waitMs: 20_000 }),
    ofAccounts: openShares({ connectionsMax: 1, waitMs: 20_000 }),
  }
}

/** Refuses a file that is no table, that is too large, or that has none of the wanted columns. */
export async function readFile(
  service: Service,
  context: Context,
  sent: SentFile,
  fields: readonly TableField[],
): Promise<ReadFile> {
  if (sent.bytes.length === 0) throw unreadable('The body is empty: send the table.')
  const saved = await mapNamed(service, context, sent.map)
  const map = { ...saved, scac: sent.scac ?? saved.scac, detectsLine: sent.detectsLine ?? saved.detectsLine }
  const turns = turnsOf(service.pool)
  const leave = await turns.ofAccounts.take(context.account.id)
  try {
    const leaveAll = await turns.all.take('all')
    try {
      const reading = await readTableApart(sent.bytes, { sheet: sent.sheet ?? map.sheet })
      if (!reading.ok) throw unreadable(reading.detail)
      const { rows, ...table } = reading.table
      const columns = findColumns({ rows }, map, fields)
      if (!columns.ok) throw unreadable(columns.detail)
      return { ...columns, table, map, sha256: createHash('sha256').update(sent.bytes).digest('hex') }
    } finally {
      leaveAll()
    }
  } finally {
    leave()
  }
}

/** The pointer is empty, because the fault is in the whole body and not in one member of it. */
export function unreadable(detail: string): ServiceError {
  return new ServiceError('invalid', detail, { source: { pointer: '' } })
}
