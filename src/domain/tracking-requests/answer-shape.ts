/**
 * The shape of the answers of a source: which members they have, of which types, and which codes. What is new, or
 * missing since a while, may be read wrongly.
 */

export const shapeChangeKinds = ['new_member', 'new_type', 'new_code', 'missing_member'] as const

export interface ShapeChange {
  readonly kind: (typeof shapeChangeKinds)[number]
  /** A path such as `[].transportCall.vessel string`, or `[].eventTypeCode = ARRI`. No other value of an answer. */
  readonly member: string
  /** ISO instant. */
  readonly since: string
  /** The number of the first answer that shows it; changes from before version 0.4 do not say it. */
  readonly from?: number
  /** It differs from what other installations attested of the line, not from earlier answers here. */
  readonly attested?: true
}

interface SeenMember {
  /** In how many answers since the first one that had it. */
  readonly answers: number
  /** The numbers of the first and the last answer that had it. */
  readonly first: number
  readonly last: number
}

export interface AnswerShape {
  readonly answers: number
  readonly members: Readonly<Record<string, SeenMember>>
  /** Newest last. */
  readonly changes: readonly ShapeChange[]
}

export const noShape: AnswerShape = { answers: 0, members: {}, changes: [] }

/** Before so many answers were read, rare members are still unseen, and what is new is no change. */
export const settledAfter = 200
/** A member that nearly every answer had, and none of so many any more, is missing. */
export const missingAfter = 20
export const steadyShare = 0.98
/** The share of a change is of so many newest answers, or of all since it began if they are more. */
const newestAnswers = 50
const membersMax = 1_000
const codesMax = 40
const depthMax = 12
const nameMax = 80
export const changesMax = 50

/** What a line of the shape means; null for a name that looks like one. The path may hold anything, so the end counts. */
export function readMember(member: string): ShapeMember | null {
  const [, codePath, code] = /^(.*) = ([A-Z][A-Z0-9_-]{0,19})$/s.exec(member) ?? []
  if (codePath !== undefined && code !== undefined) return { path: codePath, code, type: null }
  const [, path, type] = /^(.*) (string|number|boolean)$/s.exec(member) ?? []
  return path === undefined || type === undefined ? null : { path, type, code: null }
}

export type ShapeMember = { readonly path: string } & (
  | { readonly type: string; readonly code: null }
  | { readonly type: null; readonly code: string }
)

/** The names of members on a path, from the outside in. */
export function namesOfPath(path: string): readonly string[] {
  return path.split('.').flatMap((step) => step.replace(/(?:\[\])+$/, '') || [])
}

/**
 * How many of the newest answers show a change. `answers`: all that were read; `having`: those that have the member.
 * Null where the change does not say when it began.
 */
export function shareOfChange(
  { kind, from }: ShapeChange,
  { answers, having }: { readonly answers: number; readonly having: number },
): { readonly shown: number; readonly of: number } | null {
  if (from === undefined) return null
  const since = answers - from + 1
  if (kind === 'missing_member') return { shown: Math.max(since - having, 0), of: since }
  return { shown: having, of: Math.max(since, Math.min(answers, newestAnswers)) }
}

/** Members by their paths, with their types, and short codes by their values. Elements of a list share one path. */
export function shapeOf(answer: unknown): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (value: unknown, path: string, name: string, depth: number): void => {
    if (found.size >= membersMax || depth > depthMax) return
    if (Array.isArray(value)) {
      for (const each of value) visit(each, `${path}[]`, name, depth + 1)
      return
    }
    if (typeof value === 'object' && value !== null) {
      for (const [given, each] of Object.entries(value)) {
        const member = toName(given)
        visit(each, path === '' ? member : `${path}.${member}`, member, depth + 1)
      }
      return
    }
    // A null says nothing about the type that the member has otherwise.
    if (value === null) return
    found.add(`${path} ${typeof value}`)
    if (typeof value === 'string' && isNameOfCode(name) && /^[A-Z][A-Z0-9_-]{0,19}$/.test(value))
      found.add(`${path} = ${value}`)
  }
  visit(answer, '', '', 0)
  return found
}

/** A name that a database can hold, and that is not endless. */
function toName(member: string): string {
  return member.slice(0, nameMax).replaceAll('\0', '').toWellFormed()
}

/** Codes of a list that the source's description ends, not names of places, parties or numbers. */
function isNameOfCode(name: string): boolean {
  return (
    /(?:code|type|classifier|status|indicator)$/i.test(name) &&
    !/location|facility|port|terminal|place|country|carrier|party|scac|smdg|reference|number|iso|currency/i.test(name)
  )
}

/** `at`: when the answer came. */
export function learnShape(before: AnswerShape, answer: ReadonlySet<string>, at: string): AnswerShape {
  const number = before.answers + 1
  const members: Record<string, SeenMember> = { ...before.members }
  const changes: ShapeChange[] = []
  for (const member of answer) {
    const known = members[member]
    if (known === undefined && (Object.keys(members).length >= membersMax || isOneCodeTooMany(members, member)))
      continue
    members[member] =
      known === undefined
        ? { answers: 1, first: number, last: number }
        : { ...known, answers: known.answers + 1, last: number }
    if (known === undefined && before.answers >= settledAfter)
      changes.push({ kind: changeOf(before.members, member), member, since: at, from: number })
  }
  for (const [member, { answers, first, last }] of Object.entries(members)) {
    if (number - last !== missingAfter || member.includes(' = ')) continue
    const possible = last - first + 1
    if (possible < settledAfter || answers < possible * steadyShare) continue
    changes.push({ kind: 'missing_member', member, since: at, from: last + 1 })
    delete members[member]
  }
  return { answers: number, members, changes: [...before.changes, ...changes].slice(-changesMax) }
}

function changeOf(members: AnswerShape['members'], member: string): ShapeChange['kind'] {
  const [path = ''] = member.split(' ')
  if (member.includes(' = ')) return 'new_code'
  return Object.keys(members).some((each) => each.startsWith(`${path} `)) ? 'new_type' : 'new_member'
}

/** A member with so many values is no code. */
function isOneCodeTooMany(members: AnswerShape['members'], member: string): boolean {
  const [path] = member.split(' = ')
  if (path === member) return false
  return Object.keys(members).filter((each) => each.startsWith(`${path} = `)).length >= codesMax
}
