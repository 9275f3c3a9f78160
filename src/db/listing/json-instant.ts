/**
 * Converts times as Postgres writes them inside JSON (`2026-03-10T00:00:00.5+00:00`) to the form that the rest of the
 * code uses.
 */

/** Sessions use UTC, so the offset is always zero. Milliseconds are preserved; finer digits are cut off. */
export function getJsonInstant(text: string): string {
  const fraction = text.length > 25 ? text.slice(20, -6) : ''
  return `${text.slice(0, 19)}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
}

export function readJsonInstant(text: string | null): string | null {
  return text === null ? null : getJsonInstant(text)
}

/** Of a row that was read as JSON. */
export function readJsonRow<Row extends { readonly createdAt: string; readonly updatedAt: string }>(row: Row): Row {
  return { ...row, createdAt: getJsonInstant(row.createdAt), updatedAt: getJsonInstant(row.updatedAt) }
}
