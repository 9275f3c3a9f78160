/**
 * Terms of free time and calendars of an account: recorded version by version, and read with all their versions. A
 * version is never changed; what is recorded again as it is makes no new one.
 */

import { inTransaction } from '../../db/database.ts'
import { isSameJson } from '../../domain/values/json-value.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Context, requireScope } from '../access/context.ts'
import { recordChange } from '../audit/record-change.ts'
import { notFound, ServiceError } from '../errors.ts'
import { journeyNow, realNow, type Service } from '../service.ts'
import { sweepTallies } from './charge-tallies-sql.ts'
import {
  type ChargeVersion,
  insertVersion,
  lockVersions,
  readVersions,
  type VersionContents,
  type VersionTable,
} from './charge-versions-sql.ts'
import type { NamedContents } from './read-charge-table.ts'

/** Terms or a calendar with all its versions, the newest first. */
export interface ChargeSeries<Table extends VersionTable> {
  readonly id: string
  readonly code: string
  readonly versions: readonly [ChargeVersion<Table>, ...ChargeVersion<Table>[]]
}

const tableLabels = { charge_terms: 'charge terms', charge_calendars: 'calendar' } as const
const targets = { charge_terms: 'charge_terms', charge_calendars: 'calendar' } as const
/** Everything of an account is read for each container, so it is limited. */
const seriesMax = 1_000
const versionsMax = 200

export async function listSeries<Table extends VersionTable>(
  service: Service,
  context: Context,
  table: Table,
): Promise<readonly ChargeSeries<Table>[]> {
  requireScope(context, 'read')
  const rows = await readVersions(service.pool, table, { accountId: context.account.id, until: null })
  return groupIntoSeries(rows)
}

export async function getSeries<Table extends VersionTable>(
  service: Service,
  context: Context,
  input: { readonly table: Table; readonly id: string },
): Promise<ChargeSeries<Table>> {
  requireScope(context, 'read')
  return readSeries(service, context, input)
}

/** Records one version, and returns the complete series. */
export async function recordSeries<Table extends VersionTable>(
  service: Service,
  context: Context,
  input: { readonly table: Table; readonly named: NamedContents[Table] },
): Promise<ChargeSeries<Table>> {
  const { table, named } = input
  const [made] = await recordVersions(service, context, { table, named: [named] })
  if (made === undefined) throw new Error('a version was recorded but was not found')
  return readSeries(service, context, { table, id: made.id })
}

async function readSeries<Table extends VersionTable>(
  service: Service,
  context: Context,
  { table, id }: { readonly table: Table; readonly id: string },
): Promise<ChargeSeries<Table>> {
  const rows = await readVersions(service.pool, table, { accountId: context.account.id, until: null, id })
  const [series] = groupIntoSeries(rows)
  if (series === undefined) throw notFound(tableLabels[table])
  return series
}

function groupIntoSeries<Table extends VersionTable>(
  rows: readonly ChargeVersion<Table>[],
): readonly ChargeSeries<Table>[] {
  return [...Map.groupBy(rows, ({ id }) => id)].flatMap(([id, versions]) => {
    const [newest, ...older] = versions.toSorted((a, b) => b.version - a.version)
    return newest === undefined ? [] : [{ id, code: newest.code, versions: [newest, ...older] as const }]
  })
}

export interface RecordedVersion {
  readonly id: string
  readonly code: string
  readonly version: number
  /** False: it was on record as it is. */
  readonly isNew: boolean
}

/** All are recorded, or none. Of one code the last counts as the newest. */
export async function recordVersions<Table extends VersionTable>(
  service: Service,
  context: Context,
  input: { readonly table: Table; readonly named: readonly NamedContents[Table][] },
): Promise<readonly RecordedVersion[]> {
  requireScope(context, 'write')
  const { table, named } = input
  const accountId = context.account.id
  return inTransaction(service.pool, async (db) => {
    await lockVersions(db, table, accountId)
    const known = await readVersions(db, table, { accountId, until: null })
    const newest = new Map(known.map((row) => [row.code, row]))
    const recordedAt = journeyNow(service, context.account.isSandbox)
    const { actor } = context
    const recordedBy = { type: actor.kind, id: actor.kind === 'system' ? null : actor.id }
    const done: RecordedVersion[] = []
    for (const { code, ...rest } of named) {
      // The rest of a named content is the content (NamedTerms, NamedCalendar).
      const content = rest as unknown as VersionContents[Table]
      const before = newest.get(code)
      if (before !== undefined && isSameJson(before.content, content)) {
        done.push({ id: before.id, code, version: before.version, isNew: false })
        continue
      }
      if (before === undefined && newest.size >= seriesMax) throw tooManyError(`${seriesMax} ${tableLabels[table]}`)
      if ((before?.version ?? 0) >= versionsMax) throw tooManyError(`${versionsMax} versions of ${code}`)
      const id = before?.id ?? uuidV7(service.clock.now())
      const version = (before?.version ?? 0) + 1
      const row = { accountId, id, code, version, content, recordedAt }
      await insertVersion(db, table, { ...row, recordedBy })
      newest.set(code, { ...row, recordedBy: { ...recordedBy, name: null } })
      done.push({ id, code, version, isNew: true })
      await recordChange(db, service, context, {
        action: `${targets[table]}.recorded`,
        target: { type: targets[table], id },
        diff: { version: [before?.version ?? null, version] },
      })
    }
    if (done.some(({ isNew }) => isNew)) await sweepTallies(db, { accountId, now: realNow(service) })
    return done
  })
}

function tooManyError(what: string): ServiceError {
  return new ServiceError('invalid', `An account has at most ${what}.`)
}
