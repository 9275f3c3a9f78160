/**
 * Combines a listed record with the known one. Our own names and corrected coordinates stay, values that the list does
 * not give stay, and no point may move farther than a port is wide.
 */

import { unreachable } from '../../domain/values/unreachable.ts'
import { once, readCells, readTableLines } from '../data-files.ts'
import { plainName } from '../plain-name.ts'
import { canonicalUnlocode, findPortOverride } from '../port-overrides.ts'
import type { KnownRecord } from './difference.ts'
import { distanceKm } from './distance.ts'
import type { ReadRecord, RecordValue, RecordValues, RefreshableList, Refusal } from './record.ts'

/** The greatest distance that one import may move a port or a terminal. */
const movedKmMax = 25

export interface ResolvedRecord {
  readonly values: RecordValues
  readonly refusals: readonly Refusal[]
}

export function resolveRecord(
  list: RefreshableList,
  { listed, known }: { readonly listed: ReadRecord; readonly known: RecordValues | null },
): ResolvedRecord {
  switch (list) {
    case 'unlocode':
      return resolvePlaceRecord(listed, known)
    case 'smdg':
      return resolveTerminalRecord(listed, known)
    case 'firms':
      return {
        values: known === null ? listed.values : fillFromKnown(listed.values, known, ['unlocode']),
        refusals: [],
      }
    case 'vessels':
      return { values: resolveVesselRecord(listed.values, known), refusals: [] }
    default:
      return unreachable(list)
  }
}

/** Whether a record that is missing in the list came from that list. Records that we maintain by hand did not. */
export function mayRetire(list: RefreshableList, { key, values }: KnownRecord): boolean {
  switch (list) {
    case 'unlocode':
      return findPortOverride(key) === null
    case 'smdg':
      return !isOurTerminal(key, values)
    case 'firms':
      return true
    case 'vessels':
      // No list contains all ships, so a missing ship proves nothing.
      return false
    default:
      return unreachable(list)
  }
}

function resolvePlaceRecord(listed: ReadRecord, known: RecordValues | null): ResolvedRecord {
  const override = findPortOverride(listed.key)
  const named: RecordValues = {
    ...listed.values,
    ...(override === null
      ? {}
      : { name: known?.['name'] ?? override.displayName, city: known?.['city'] ?? null, kind: 'port' }),
  }
  const isOutside = pointOf(named) !== null && named['timeZone'] === null
  const outside = isOutside ? [refusePoint(listed, `it is in no time zone of ${listed.key.slice(0, 2)}`)] : []
  if (known === null) return { values: isOutside ? { ...named, ...noPoint } : named, refusals: outside }
  const values = {
    ...fillFromKnown(named, known, ['subdivision']),
    timeZone: known['timeZone'] ?? named['timeZone'] ?? null,
  }
  const knownPoint = Object.fromEntries(Object.keys(noPoint).map((field) => [field, known[field] ?? null]))
  // This point came from the list and was found to be wrong. The list repeats it, which proves nothing.
  if (known['coordinateDoubt'] != null)
    return { values: { ...values, ...knownPoint, timeZone: known['timeZone'] ?? null }, refusals: [] }
  if (pointOf(known) === null) return { values: isOutside ? { ...values, ...noPoint } : values, refusals: outside }
  const movedKm = measureMovedKm(known, listed.values)
  if (movedKm !== null && movedKm > movedKmMax)
    return { values: { ...values, ...knownPoint }, refusals: [refuseMove(listed, 'coordinates', movedKm)] }
  // UN/LOCODE gives only minutes of arc. Its new point replaces an older one of its own, and never a point that was
  // corrected or that came from a better list.
  const isBetter = movedKm !== null && !isOutside && known['coordinateSource'] === 'U'
  return { values: isBetter ? values : { ...values, ...knownPoint }, refusals: [] }
}

const noPoint = { latitude: null, longitude: null, coordinateSource: null, coordinateDoubt: null } as const

function resolveTerminalRecord(listed: ReadRecord, known: RecordValues | null): ResolvedRecord {
  if (known === null) return { values: listed.values, refusals: [] }
  const named = isOurTerminal(listed.key, known) ? { ...listed.values, name: known['name'] ?? null } : listed.values
  const values = fillFromKnown(named, known, ['latitude', 'longitude'])
  const movedKm = measureMovedKm(known, listed.values)
  if (movedKm === null || movedKm <= movedKmMax) return { values, refusals: [] }
  return { values: { ...values, ...pointOf(known) }, refusals: [refuseMove(listed, 'Latitude', movedKm)] }
}

function resolveVesselRecord(listed: RecordValues, known: RecordValues | null): RecordValues {
  if (known === null) return listed
  const formerly = splitNames(known['formerNames'])
  const news = [...splitNames(listed['formerNames']), ...splitNames(known['name'])]
  const all = [...formerly, ...news.filter((name) => name !== listed['name'])]
  return {
    ...fillFromKnown(listed, known, ['mmsi']),
    formerNames: [...new Set(all)].join('|') || null,
  }
}

function splitNames(names: RecordValue | undefined): readonly string[] {
  return typeof names === 'string' ? names.split('|') : []
}

function refuseMove(listed: ReadRecord, field: string, km: number): Refusal {
  return refusePoint(listed, `it would move ${Math.round(km)} km, more than ${movedKmMax}`, field)
}

function refusePoint({ line, key, values }: ReadRecord, why: string, field = 'coordinates'): Refusal {
  return { line, key, field, value: `${values['latitude']} ${values['longitude']}`, why, refused: 'value' }
}

function fillFromKnown(listed: RecordValues, known: RecordValues, fields: readonly string[]): RecordValues {
  const filled = fields.map((field) => [field, listed[field] ?? known[field] ?? null] as const)
  return { ...listed, ...Object.fromEntries(filled) }
}

function measureMovedKm(known: RecordValues, listed: RecordValues): number | null {
  const [from, to] = [pointOf(known), pointOf(listed)]
  return from === null || to === null ? null : distanceKm(from, to)
}

function pointOf(values: RecordValues): { readonly latitude: number; readonly longitude: number } | null {
  const [latitude, longitude]: readonly (RecordValue | undefined)[] = [values['latitude'], values['longitude']]
  return typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : null
}

/**
 * Whether we maintain the terminal's name. The terminal is found by its code, or by our name for it when its code came
 * with an import.
 */
function isOurTerminal(key: string, known: RecordValues): boolean {
  const [unlocode = ''] = key.split(':')
  const name = known['name']
  return ourTerminals().has(key) || (typeof name === 'string' && ourTerminals().has(`${unlocode} ${plainName(name)}`))
}

const ourTerminals = once(
  () =>
    new Set(
      readTableLines('terminals.tsv').map((line) => {
        const cells = readCells(line)
        const unlocode = canonicalUnlocode(cells(1) ?? '')
        return cells(4) === null ? `${unlocode} ${plainName(cells(0) ?? '')}` : `${unlocode}:${cells(4)}`
      }),
    ),
)
