/**
 * Reads a file that was sent, in a process of its own, and finds out what each column is. The file itself is not
 * stored.
 */

import { createHash } from 'node:crypto'
import type { ColumnMap } from '../../connectors/spreadsheets/column-map.ts'
import { type FoundColumns, findColumns } from '../../connectors/spreadsheets/find-columns.ts'
import type { TableField } from '../../connectors/spreadsheets/headings.ts'
import { readTableInJail } from '../../connectors/spreadsheets/read-table-apart.ts'
import type { Table } from '../../connectors/spreadsheets/table.ts'
import { openConnectionShares } from '../../db/account-shares.ts'
import { memoizePerOwner } from '../../platform/memoize-per-owner.ts'
import type { Context } from '../access/context.ts'
import { ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import { readMapByName } from './column-maps.ts'

export interface UploadedFile {
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
const readSlotsOf = memoizePerOwner<Service['pool'], ReturnType<typeof openReadSlots>>(openReadSlots)

function openReadSlots() {
  return {
    all: openConnectionShares({ connectionsMax: 2, waitMs: 20_000 }),
    ofAccounts: openConnectionShares({ connectionsMax: 1, waitMs: 20_000 }),
  }
}

/** Refuses a file that is no table, that is too large, or that has none of the wanted columns. */
export async function readFile(
  service: Service,
  context: Context,
  upload: UploadedFile,
  fields: readonly TableField[],
): Promise<ReadFile> {
  if (upload.bytes.length === 0) throw unreadableError('The body is empty: send the table.')
  const saved = await readMapByName(service, context, upload.map)
  const map = {
    ...saved,
    scac: upload.scac ?? saved.scac,
    detectsLine: upload.detectsLine ?? saved.detectsLine,
  }
  const readSlots = readSlotsOf(service.pool)
  const releaseAccountSlot = await readSlots.ofAccounts.take(context.account.id)
  try {
    const releaseSharedSlot = await readSlots.all.take('all')
    try {
      const reading = await readTableInJail(upload.bytes, { sheet: upload.sheet ?? map.sheet })
      if (!reading.ok) throw unreadableError(reading.detail)
      const { rows, ...table } = reading.table
      const columns = findColumns({ rows }, map, fields)
      if (!columns.ok) throw unreadableError(columns.detail)
      return { ...columns, table, map, sha256: createHash('sha256').update(upload.bytes).digest('hex') }
    } finally {
      releaseSharedSlot()
    }
  } finally {
    releaseAccountSlot()
  }
}

/** The pointer is empty, because the fault is in the complete body and not in one member of it. */
export function unreadableError(detail: string): ServiceError {
  return new ServiceError('invalid', detail, { source: { pointer: '' } })
}
