/**
 * Plans an import: compares a file with the known records and gives what would change. Throws a `ListFault` when the
 * complete file is suspect.
 */

import { unreachable } from '../../domain/values/unreachable.ts'
import { compareRecords, type Difference, type KnownRecord } from './difference.ts'
import { readFirms } from './read-firms.ts'
import { readSmdg } from './read-smdg.ts'
import { readUnlocode } from './read-unlocode.ts'
import { readVessels } from './read-vessels.ts'
import { ListFault, type ReadList, type RefreshableList, type Refusal } from './record.ts'
import { mayRetire, resolveRecord } from './resolve-record.ts'

export interface ImportPlan {
  readonly list: RefreshableList
  readonly rows: number
  readonly refusals: readonly Refusal[]
  readonly difference: Difference
}

/** `elsewhere`: FIRMS codes of terminals that are already in our own tables. */
export function readList(list: RefreshableList, bytes: Uint8Array, elsewhere: ReadonlySet<string>): ReadList {
  switch (list) {
    case 'smdg':
      return readSmdg(bytes)
    case 'unlocode':
      return readUnlocode(bytes)
    case 'firms':
      return readFirms(bytes, elsewhere)
    case 'vessels':
      return readVessels(bytes)
    default:
      return unreachable(list)
  }
}

/** `isExtract`: the file is only an extract of the list. It may then have any size, and no record is retired. */
export function planImport(
  list: RefreshableList,
  input: {
    readonly read: ReadList
    readonly known: ReadonlyMap<string, KnownRecord>
    readonly isExtract: boolean
  },
): ImportPlan {
  const { read, known, isExtract } = input
  checkRefusals(read)
  if (!isExtract) checkSize(list, read, known)
  const resolved = read.records.map((listed) => {
    const { values, refusals } = resolveRecord(list, { listed, known: known.get(listed.key)?.values ?? null })
    return { key: listed.key, values, refusals }
  })
  // A refused row still proves that the thing exists, so its record is not retired.
  const refused = new Set(read.refusals.map(({ key }) => key))
  const isMissing = (record: KnownRecord): boolean => !isExtract && !refused.has(record.key) && mayRetire(list, record)
  return {
    list,
    rows: read.rows,
    refusals: [...read.refusals, ...resolved.flatMap(({ refusals }) => refusals)].toSorted((a, b) => a.line - b.line),
    difference: compareRecords(known, resolved, isMissing),
  }
}

/** A few bad rows are left out and reported. Many bad rows mean that the file is not what it seems. */
function checkRefusals({ rows, refusals }: ReadList): void {
  const refused = refusals.filter((refusal) => refusal.refused === 'row')
  if (refused.length <= Math.max(10, rows / 50)) return
  const [first] = refused
  throw new ListFault(
    `${refused.length} of ${rows} rows are faulty, the first on line ${first?.line}: ${first?.field} "${first?.value}", ${first?.why}. Nothing is imported.`,
  )
}

interface SizeLimits {
  /** Bounds as shares of the number of records known from the list. */
  readonly share: readonly [least: number, most: number]
  /** Bounds as numbers of records, used when nothing is known from the list yet. */
  readonly atFirst: readonly [least: number, most: number]
}

/** How much editions of these lists have differed from one to the next, with a margin. */
const sizes: Readonly<Record<RefreshableList, SizeLimits>> = {
  smdg: { share: [0.9, 1.25], atFirst: [900, 3_000] },
  unlocode: { share: [0.97, 1.1], atFirst: [90_000, 150_000] },
  firms: { share: [0.85, 1.25], atFirst: [5_000, 15_000] },
  vessels: { share: [0, 50], atFirst: [1, 200_000] },
}

function checkSize(list: RefreshableList, { records }: ReadList, known: ReadonlyMap<string, KnownRecord>): void {
  const { share, atFirst } = sizes[list]
  // Records that we maintain by hand exist whether or not the list has them, so neither number counts them.
  const isOfList = (record: KnownRecord): boolean => list === 'vessels' || mayRetire(list, record)
  const base = [...known.values()].filter(
    (record) => (list === 'vessels' || !record.isRetired) && isOfList(record),
  ).length
  const [least, most] = base === 0 ? atFirst : [Math.floor(base * share[0]), Math.ceil(base * share[1])]
  const size =
    base === 0
      ? records.length
      : records.filter((record) => isOfList(known.get(record.key) ?? { ...record, isRetired: false })).length
  if (size >= least && size <= most) return
  throw new ListFault(
    `The file has ${size} usable rows; ${least} to ${most} were expected${base === 0 ? '' : `, for ${base} are known`}. If it is an extract that only adds and changes records and retires none, use --extract.`,
  )
}
