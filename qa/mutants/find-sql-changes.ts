// A few faults of SQL, in the template literals that contain it: a bound that is one off, `and` for `or`, the other order.

export interface TextChange {
  readonly at: number
  readonly remove: string
  readonly insert: string
}

/** A template literal between its `${…}`, each with its place in the file. */
export interface TemplatePart {
  readonly at: number
  readonly text: string
}

const isSql = /\b(select\b[\s\S]*\bfrom|insert into|update\b[\s\S]*\bset|delete from)\b/i
const filters = /\b(where|having|on|order by)\b/i

/** Only from the first `where`, `on` or `order by`; none where the text is no SQL. */
export function findSqlChanges(parts: readonly TemplatePart[]): readonly TextChange[] {
  const whole = parts.map(({ text }) => text).join(' ')
  if (!isSql.test(whole)) return []
  const from = whole.search(filters)
  if (from < 0) return []
  let before = 0
  return parts.flatMap(({ at, text }) => {
    const start = Math.max(0, from - before)
    before += text.length + 1
    return [...text.matchAll(places)]
      .filter(({ index }) => index >= start && !isComment(text, index))
      .map(({ 0: remove, index }) => ({ at: at + index, remove, insert: swaps[remove] ?? '' }))
  })
}

const swaps: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  and: 'or',
  or: 'and',
  'is null': 'is not null',
  'is not null': 'is null',
  desc: 'asc',
}
// The `and` of a `between` is part of it; `<>`, `->`, `@>` and the like are other operators.
const places =
  /(?<![<>=@|!#-])(?:<=|>=|<|>)(?![<>=@|])|(?<!between\s+\S+\s+)\band\b|\bor\b(?!\s+replace)|\bis (?:not )?null\b|\bdesc\b/g

function isComment(text: string, index: number): boolean {
  return text.slice(text.lastIndexOf('\n', index) + 1, index).includes('--')
}
