/**
 * What papers foretell of ships' calls. A paper was true when it was written. It adds its word to a call that the
 * sources tell of, where theirs comes first, and stands in where they are silent. It never adds a call of its own to a
 * way whose end they know.
 */

import type { JourneyIssue } from '../shown/projection.ts'
import { compareStatements, type Statement } from '../statements/statement.ts'
import { isPaper } from '../statements/trust.ts'

/** Keys of the places where the way begins and ends, as the sources alone tell it; null where they do not. */
export interface KnownEnds {
  readonly loadedAt: string | null
  readonly dischargedAt: string | null
}

export interface PlacedPapers {
  readonly statements: readonly Statement[]
  /** One for each word that is left out. */
  readonly issues: readonly JourneyIssue[]
}

/** The words of papers apart from those of all other sources. */
export function partPapers(statements: readonly Statement[]): {
  readonly papers: readonly Statement[]
  readonly told: readonly Statement[]
} {
  const papers = statements.filter(({ claim }) => isPaper(claim))
  return papers.length === 0
    ? { papers, told: statements }
    : { papers, told: statements.filter(({ claim }) => !isPaper(claim)) }
}

/** `told`: what the sources say of the same trip. */
export function placePapers(
  papers: readonly Statement[],
  told: readonly Statement[],
  ends: KnownEnds,
): PlacedPapers {
  const statements: Statement[] = []
  const issues: JourneyIssue[] = []
  for (const paper of papers) {
    const call = findCall(paper, told)
    const end = paper.code === 'ARRI' ? ends.dischargedAt : ends.loadedAt
    if (call !== null) statements.push(atCall(paper, call))
    else if (end === null || end === paper.placeKey) statements.push(paper)
    else issues.push(leftOut(paper, end))
  }
  return { statements, issues }
}

/** The statement of a source about a ship's call at that place: of arrivals the last, of departures the first. */
function findCall(paper: Statement, told: readonly Statement[]): Statement | null {
  const codes: readonly string[] = paper.code === 'ARRI' ? ['ARRI', 'DISC'] : ['DEPA', 'LOAD']
  const calls = told
    .filter(
      ({ placeKey, code, mode }) => placeKey === paper.placeKey && codes.includes(code) && mode !== 'RAIL',
    )
    .toSorted(compareStatements)
  return (paper.code === 'ARRI' ? calls.at(-1) : calls[0]) ?? null
}

/** The paper's own time stays in its event, and decides nothing about which visit is meant. */
function atCall(paper: Statement, { from, until, callRef }: Statement): Statement {
  return { ...paper, from, until, callRef }
}

function leftOut({ claim, code, placeKey }: Statement, end: string): JourneyIssue {
  const detail = `${code} at ${placeKey} is foretold by a paper, and the sources name ${end}`
  return { kind: 'overtaken_prediction', claimId: claim.id, detail }
}
