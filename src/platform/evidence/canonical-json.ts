/** JSON in one form only (RFC 8785), so that what is signed or hashed can be written again by anybody. */

/** Members in the order of their names, no blanks. What JSON cannot hold throws. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (typeof value !== 'object' || value === null) {
    if (value === undefined || (typeof value === 'number' && !Number.isFinite(value)))
      throw new TypeError(`${String(value)} is no JSON.`)
    return JSON.stringify(value)
  }
  const members = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    // By UTF-16 code units, as the standard requires; `<` compares so.
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`).join()}}`
}
