/**
 * Imports terms or calendars as a table: all rows or none. A preview records nothing and states for how many containers
 * the charges would change.
 */

import { isSameJson } from '../../domain/values/json-value.ts'
import { type Context, requireScope } from '../access/context.ts'
import { journeyNow, type Service } from '../service.ts'
import { type RecordedVersions, readRecordedVersions } from './charge-book.ts'
import { type RecordedVersion, recordVersions } from './charge-versions.ts'
import type { VersionTable } from './charge-versions-sql.ts'
import { type ChangedContainersCount, countChangedContainers } from './count-changed.ts'
import { readCalendarsTable, readTermsTable, type TableFault } from './read-charge-table.ts'

export interface ChargesImportResult {
  readonly ok: true
  /** In a preview those that would be made; new terms have no id yet. */
  readonly versions: readonly (Omit<RecordedVersion, 'id'> & { readonly id: string | null })[]
  readonly containers: ChangedContainersCount
}

export async function importCharges(
  service: Service,
  context: Context,
  input: { readonly table: VersionTable; readonly bytes: Buffer; readonly isPreview: boolean },
): Promise<ChargesImportResult | { readonly ok: false; readonly faults: readonly TableFault[] }> {
  requireScope(context, 'write')
  const accountId = context.account.id
  const now = journeyNow(service, context.account.isSandbox)
  const before = await readRecordedVersions(service.pool, { accountId, until: null })
  if (input.table === 'charge_terms') {
    const read = await readTermsTable(input.bytes)
    if (!read.ok) return read
    const planned = planVersions(before.terms, read.named, now)
    const containers = await countChangedContainers(service, {
      accountId,
      now,
      before,
      after: { ...before, terms: planned.all },
    })
    if (input.isPreview) return { ok: true, versions: planned.versions, containers }
    const versions = await recordVersions(service, context, { table: 'charge_terms', named: read.named })
    return { ok: true, versions, containers }
  }
  const read = await readCalendarsTable(input.bytes)
  if (!read.ok) return read
  const planned = planVersions(before.calendars, read.named, now)
  const after: RecordedVersions = { ...before, calendars: planned.all }
  const containers = await countChangedContainers(service, { accountId, now, before, after })
  if (input.isPreview) return { ok: true, versions: planned.versions, containers }
  const versions = await recordVersions(service, context, { table: 'charge_calendars', named: read.named })
  return { ok: true, versions, containers }
}

interface Version {
  readonly code: string
  readonly version: number
  readonly recordedAt: string
}

/** What would be on record afterwards, by the rule by which versions are recorded. */
function planVersions<Of extends Version>(
  known: readonly Of[],
  named: readonly Omit<Of, 'version' | 'recordedAt'>[],
  now: string,
): { readonly all: readonly Of[]; readonly versions: ChargesImportResult['versions'] } {
  const newest = new Map<string, Of>()
  for (const each of known) if ((newest.get(each.code)?.version ?? 0) < each.version) newest.set(each.code, each)
  const added: Of[] = []
  const versions = named.map((given) => {
    // With the two members that `Omit` removes it is complete again.
    const whole = given as Of
    const before = newest.get(whole.code)
    if (before !== undefined && isSameJson(contentOf(before), contentOf(whole)))
      return { id: null, code: whole.code, version: before.version, isNew: false }
    const next: Of = { ...whole, version: (before?.version ?? 0) + 1, recordedAt: now }
    newest.set(next.code, next)
    added.push(next)
    return { id: null, code: next.code, version: next.version, isNew: true }
  })
  return { all: [...known, ...added], versions }
}

function contentOf<Of extends Version>(version: Of): unknown {
  const { version: _number, recordedAt: _at, ...content } = version
  return content
}
