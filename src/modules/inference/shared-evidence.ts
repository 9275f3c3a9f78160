/**
 * What accounts learn from each other: counts of nodes with outcomes of at least three accounts or five bills. An
 * outcome counts in the finest node above it that has enough. When more outcomes come, it moves down to a finer one.
 */

import { createEvidence, type Evidence, learnOutcome, type Outcome } from '../../inference/evidence.ts'
import { ancestorKeys, isShareable } from '../../inference/node-key.ts'

export interface SharedOutcome {
  readonly accountId: string
  readonly node: string
  readonly scac: string
  readonly weight: number
  readonly month: number
  readonly bill: string | null
}

/**
 * Called whenever an outcome starts to count in a node, or moves there from a coarser one. `from` is null when it
 * counted in none.
 */
export type PlacementListener = (outcome: SharedOutcome, from: string | null, to: string) => void

export interface SharedEvidence {
  readonly evidence: Evidence
  readonly add: (outcome: SharedOutcome) => void
  /** The node in which an outcome of `node` counts now; null when no node above it has enough accounts or bills. */
  readonly placeOf: (node: string) => string | null
}

const accountsMin = 3
const billsMin = 5

interface NodeProgress {
  isMet: boolean
  readonly accounts: Set<string>
  readonly bills: Set<string>
  /** All outcomes that will count here as soon as there are enough. */
  waiting: SharedOutcome[]
}

export function createSharedEvidence(placed: PlacementListener): SharedEvidence {
  const evidence = createEvidence()
  const standings = new Map<string, NodeProgress>()
  const progressOf = (key: string): NodeProgress => {
    const known = standings.get(key)
    if (known !== undefined) return known
    const made: NodeProgress = { isMet: false, accounts: new Set(), bills: new Set(), waiting: [] }
    standings.set(key, made)
    return made
  }
  const place = (outcome: SharedOutcome, from: string | null, to: string): void => {
    const bill = outcome.bill === null ? null : `${outcome.accountId} ${outcome.bill}`
    if (from !== null) learnOutcome(evidence, negateOutcome(outcome, from))
    learnOutcome(evidence, { ...outcome, node: to, bill })
    placed(outcome, from, to)
  }
  return {
    evidence,
    add: (outcome) => {
      const keys = shareableKeys(outcome.node)
      const unmet = keys.filter((key) => !progressOf(key).isMet)
      const start = keys.findLast((key) => progressOf(key).isMet) ?? null
      if (start !== null) place(outcome, null, start)
      let above = start
      for (const key of unmet) {
        const progress = progressOf(key)
        progress.waiting.push(outcome)
        // A denial does not show who ships with the line.
        if (outcome.weight > 0) {
          progress.accounts.add(outcome.accountId)
          if (outcome.bill !== null) progress.bills.add(`${outcome.accountId} ${outcome.bill}`)
        }
        if (progress.accounts.size < accountsMin && progress.bills.size < billsMin) continue
        progress.isMet = true
        for (const waiting of progress.waiting) place(waiting, above, key)
        progress.waiting = []
        progress.accounts.clear()
        progress.bills.clear()
        above = key
      }
    },
    placeOf: (node) => shareableKeys(node).findLast((key) => standings.get(key)?.isMet === true) ?? null,
  }
}

/** An outcome that removes the given one from a node. */
export function negateOutcome(outcome: SharedOutcome, node: string): Outcome {
  return { ...outcome, node, weight: -outcome.weight, bill: null, rows: outcome.weight > 0 ? -1 : 0 }
}

/** The nodes above it and the node itself, coarse to fine. */
function shareableKeys(node: string): readonly string[] {
  return [...ancestorKeys(node).toReversed(), node].filter(isShareable)
}
