/** JSON values as values: one text for one value, and whether two are the same, whatever order their members are in. */

/** What names and fingerprints are made of. Members that are undefined are none. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = value as Readonly<Record<string, unknown>>
  let text = ''
  for (const name of Object.keys(members).sort()) {
    const member = members[name]
    if (member !== undefined)
      text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(member)}`
  }
  return `{${text}}`
}

/** jsonb does not keep the order of members, so what comes back from the database is compared by this. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const left = Object.entries(a)
  if (left.length !== Object.keys(b).length) return false
  return left.every(
    ([member, value]) => member in b && isSameJson(value, (b as Record<string, unknown>)[member]),
  )
}
