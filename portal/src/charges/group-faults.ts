/** The faults of a table as a person mends them: column by column, each problem once with its rows, and only a few. */

import type { Fault } from '../api/connection.ts'
import { plain } from '../words/names.ts'

interface Problem {
  readonly text: string
  readonly rows: readonly number[]
}

export interface FaultyColumn {
  /** The heading as the table writes it, or the name of the field. */
  readonly title: string
  /** Headings that are recognised, where the table has no such column. */
  readonly accepted: readonly string[]
  readonly problems: readonly Problem[]
}

export interface GroupedFaults {
  readonly columns: readonly FaultyColumn[]
  /** Problems that are not shown. */
  readonly more: number
}

export function groupFaults(faults: readonly Fault[], max = 5): GroupedFaults {
  const read = faults.map(readFault)
  const all = [...Map.groupBy(read, ({ field, text }) => `${field} ${text}`).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : { ...first, rows: [first, ...others].flatMap(({ rows }) => rows) },
  )
  const shown = all.slice(0, max)
  const columns = [...Map.groupBy(shown, ({ field }) => field).values()].flatMap((problems) =>
    problems[0] === undefined ? [] : { ...problems[0], problems },
  )
  return {
    columns: columns.map(({ title, accepted, problems }) => ({
      title,
      accepted,
      problems: problems.map(({ text, rows }) => ({ text, rows })),
    })),
    more: all.length - shown.length,
  }
}

/** The API names the row and the field of a fault in its pointer, and says both in its sentence. */
function readFault({ source, detail = '', title: usual = '', meta = {} }: Fault) {
  const ofTable = /^\/(\d+)\/(.+)$/.exec(source?.pointer ?? '')
  const ofLine = /\/lines\/(\d+)\/([^/]+)$/.exec(source?.pointer ?? '')
  const written = ofTable?.[2] ?? ofLine?.[2] ?? /([^/]+)$/.exec(source?.pointer ?? '')?.[1] ?? source?.parameter ?? ''
  const field = written
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
    .replace(/_minor$/, '')
  // safe: the API describes these members
  const { heading, accepted_headings: accepted = [] } = meta as {
    readonly heading?: string
    readonly accepted_headings?: readonly string[]
  }
  return {
    field,
    title: heading ?? plain(field),
    accepted,
    text: (detail || usual).replace(/^(?:Row \d+: )?`[^`]*` /, ''),
    rows: ofTable !== null ? [Number(ofTable[1])] : ofLine !== null ? [Number(ofLine[1]) + 1] : [],
  }
}
