/** The possible faults of an answer: a closed list. Each issue states its place and what was lost because of it. */

export const sourceIssueKinds = [
  // The answer as a whole
  'empty_answer',
  'login_page',
  'not_json',
  'truncated_body',
  'redirected',
  'error_status',
  'missing_page',
  'wrong_structure',
  'other_body_shape',
  'bad_profile',
  // One event
  'missing_field',
  'wrong_type',
  'unknown_code',
  'unsupported_event',
  'unreadable_time',
  'implausible_time',
  'time_without_zone',
  'day_only_times',
  'bad_equipment',
  'check_digit',
  'bad_imo',
  'bad_event_id',
  'duplicate_event_id',
  'unknown_place',
  'unknown_facility',
  'conflicting_location',
  // A message of an interchange
  'not_edi',
  'broken_syntax',
  'count_mismatch',
  'unsupported_message',
  'unmapped_code',
  // About something that was not polled
  'other_container',
  'other_document',
  'more_issues',
] as const
export type SourceIssueKind = (typeof sourceIssueKinds)[number]

export interface SourceIssue {
  readonly kind: SourceIssueKind
  /** 1 for the first page. */
  readonly page: number
  /**
   * JSON pointer within the page (RFC 6901). In an interchange: the numbers of segment and element, `/12/3`. Empty for
   * the page itself.
   */
  readonly path: string
  /** What is missing because of the issue: the whole answer, this event, this field, or nothing (it was still read). */
  readonly lost: 'answer' | 'event' | 'field' | 'nothing'
  /** A short sentence. It quotes only codes from the answer. */
  readonly detail: string
}

/**
 * A code of the sender's own: a meaning in the channel's profile decides how it is read, or would. Codes of a standard
 * that this program knows are not listed.
 */
export interface StatedCode {
  /** JSON pointer to the place of the profile where its meaning is or would be. */
  readonly field: string
  /** As profiles are compared: upper case where case does not count. */
  readonly code: string
  /** Only in EDIFACT, where these two distinguish meanings of one code; empty where there is none. */
  readonly reason: string
  readonly text: string
  readonly isMapped: boolean
  /** Its place in the answer, as in an issue. */
  readonly path: string
}

/** The longest code that a profile can map. */
const statedCodeLengthMax = 100
/** Maximum number of codes of one message part. */
const codesMax = 200

/** Events that are left out because they do not concern us. They are not a gap in the answer to the poll. */
const notOurs: ReadonlySet<SourceIssueKind> = new Set(['unsupported_event', 'other_container', 'other_document'])

/** An answer with more issues than this is garbage: the rest of its issues are only counted. */
const issuesMax = 200

/** Collects the issues of one page, and the codes in it whose meaning the profile may give. */
export class IssueList {
  readonly page: number
  readonly #issues: SourceIssue[] = []
  readonly #said = new Set<string>()
  #leftOut = 0
  readonly #codes = new Map<string, StatedCode>()
  #lossOfEvent: SourceIssueKind | null = null
  #lostEvents = 0
  #asWritten = (path: string): string => path

  constructor(page: number) {
    this.page = page
  }

  /** For a reader that renames members: converts its pointers into pointers of the original answer. */
  pointBy(asWritten: (path: string) => string): void {
    this.#asWritten = asWritten
  }

  add(kind: SourceIssueKind, at: { readonly path: string; readonly lost: SourceIssue['lost'] }, detail: string): void {
    if (at.lost === 'event') this.#lossOfEvent ??= kind
    if (at.lost === 'event' && !notOurs.has(kind)) this.#lostEvents += 1
    if (this.#issues.length >= issuesMax) this.#leftOut += 1
    else this.#issues.push({ kind, page: this.page, path: this.#asWritten(at.path), lost: at.lost, detail })
  }

  /** Like `add`, for issues that every event would repeat: only the first of the same kind and detail is stored. */
  addOnce(
    kind: SourceIssueKind,
    at: { readonly path: string; readonly lost: SourceIssue['lost'] },
    detail: string,
  ): void {
    const issueKey = `${kind} ${detail}`
    if (this.#said.has(issueKey)) return
    this.#said.add(issueKey)
    this.add(kind, at, detail)
  }

  /** Notes a code whose meaning the profile gives, or could give. Each counts once. */
  noteCode(code: StatedCode): void {
    if (code.code === '' || code.code.length > statedCodeLengthMax || this.#codes.size >= codesMax) return
    const codeKey = JSON.stringify([code.field, code.code, code.reason, code.text])
    if (!this.#codes.has(codeKey)) this.#codes.set(codeKey, { ...code, path: this.#asWritten(code.path) })
  }

  codes(): readonly StatedCode[] {
    return [...this.#codes.values()]
  }

  /** Why the current event (the last `beginEvent`) is lost; null while it is not lost. */
  get lossOfEvent(): SourceIssueKind | null {
    return this.#lossOfEvent
  }

  beginEvent(): void {
    this.#lossOfEvent = null
  }

  /** Number of events that should have become observations and did not. */
  get lostEvents(): number {
    return this.#lostEvents
  }

  all(): readonly SourceIssue[] {
    if (this.#leftOut === 0) return this.#issues
    const detail = `${this.#leftOut} further issues are counted but not listed`
    return [...this.#issues, { kind: 'more_issues', page: this.page, path: '', lost: 'nothing', detail }]
  }
}

/** The codes as a member of a reading, which lacks it where nothing was noted. */
export function collectStatedCodes(issues: IssueList): { readonly codes?: readonly StatedCode[] } {
  const codes = issues.codes()
  return codes.length === 0 ? {} : { codes }
}

/** Writes a value as an issue may quote it: short codes verbatim, of everything else only the length. */
export function quoteValue(text: string): string {
  return /^[A-Za-z0-9 ._()+:/-]{1,24}$/.test(text) ? `"${text}"` : `(${text.length} characters)`
}
