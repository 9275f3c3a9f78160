/**
 * How the line of a number is found when the caller names none: the likely lines are asked one after the other until one
 * knows it. A line that gives no answer is asked again later; silence rules nothing out.
 */

/** A line that may have the number, and what it is asked about: the number as it writes it, and the subject of looks. */
export interface CandidateLine {
  readonly scac: string
  readonly number: string
  readonly subjectId: string
}

export interface LineDetection {
  /** Still to be asked, the one that is asked now first; empty when no line comes into question. */
  readonly candidates: readonly CandidateLine[]
  /** Gave no answer when they were asked; asked again when all others have said no. */
  readonly unanswered: readonly CandidateLine[]
  /** SCACs of the lines that answered that they do not know the number. */
  readonly ruledOut: readonly string[]
}

/** Null when nobody is left to ask. */
export function lineAsked(detection: LineDetection): CandidateLine | null {
  return detection.candidates[0] ?? null
}

/** After the line that was asked said no. */
export function ruleOut({ candidates, unanswered, ruledOut }: LineDetection): LineDetection {
  const [asked, ...left] = candidates
  return {
    candidates: left,
    unanswered,
    ruledOut: asked === undefined ? ruledOut : [...ruledOut, asked.scac],
  }
}

/** After the line that was asked gave no answer. */
export function putOff({ candidates, unanswered, ruledOut }: LineDetection): LineDetection {
  const [asked, ...left] = candidates
  return { candidates: left, unanswered: asked === undefined ? unanswered : [...unanswered, asked], ruledOut }
}

/** Those that gave no answer are asked once more. */
export function askAgain({ candidates, unanswered, ruledOut }: LineDetection): LineDetection {
  return { candidates: [...candidates, ...unanswered], unanswered: [], ruledOut }
}
