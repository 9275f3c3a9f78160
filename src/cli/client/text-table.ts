/** Rows as a table for people: columns as wide as their widest cell, headings above. */

/** Control characters are removed, because a terminal would act on them. Null and nothing are a dash. */
export function tableLines(
  headings: readonly string[],
  rows: readonly (readonly (string | number | null | undefined)[])[],
): readonly string[] {
  const cells = [headings, ...rows.map((row) => row.map(toCellText))]
  const widths = headings.map((_, at) => Math.max(...cells.map((row) => (row[at] ?? '').length)))
  return cells.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

function toCellText(value: string | number | null | undefined): string {
  return value === null || value === undefined || value === '' ? '–' : String(value).replace(/\p{Cc}+/gu, ' ')
}
