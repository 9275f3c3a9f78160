/**
 * Why a statement cannot be read. It is thrown while the statement is read, caught in `statement.ts`, and never seen
 * outside.
 */

import type { SourceIssueKind } from '../source-issue.ts'

export class StatementProblem extends Error {
  readonly kind: SourceIssueKind
  /** JSON pointer within the statement: `/at`. */
  readonly field: string

  constructor(kind: SourceIssueKind, field: string, what: string) {
    super(what)
    this.kind = kind
    this.field = field
  }
}
