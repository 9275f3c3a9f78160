/**
 * What accounts learn from each other: counts of nodes with outcomes of at least three accounts or five bills. An
 * outcome counts in the finest node above it that has enough. When more outcomes come, it moves down to a finer one.
 */

import { createEvidence, type Evidence, learn, type Outcome } from '../../inference/evidence.ts'
import { ancestors, isShareable } from '../../inference/node-key.ts'

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
export type Placed = (outcome: SharedOutcome, from: string | null, to: string) => void

export interface SharedEvidence {
  readonly evidence: Evidence
  readonly add: (outcome: SharedOutcome) => void
  /** The node in which an outcome of `node` counts now; null when no node above it has enough accounts or bills. */
  readonly placeOf: (node: string) => string | null
}

const accountsMin = 3
const billsMin = 5

interface Standing {
  isMet: boolean
  readonly accounts: Set<string>
  readonly bills: Set<string>
  /** All outcomes that will count here as soon as there are enough. */
  waiting: SharedOutcome[]
}

export function createSharedEvidence(placed: Placed): SharedEvidence {
  const evidence = createEvidence()
  const standings = new Map<string, Standing>()
  const standingOf = (key: string): Standing => {
    const known = standings.get(key)
    if (known !== undefined) return known
    const made: Standing = { isMet: false, accounts: new Set(), bills: new Set(), waiting: [] }
    standings.set(key, made)
    return made
  }
  const place = (outcome: SharedOutcome, from: string | null, to: string): void => {
    const bill = outcome.bill === null ? null : `${outcome.accountId} ${outcome.bill}`
    if (from !== null) learn(evidence, opposite(outcome, from))
    learn(evidence, { ...outcome, node: to, bill })
    placed(outcome, from, to)
  }
  return {
    evidence,
    add: (outcome) => {
      const keys = shareableKeys(outcome.node)
      const unmet = keys.filter((key) => !standingOf(key).isMet)
      const start = keys.findLast((key) => standingOf(key).isMet) ?? null
      if (start !== null) place(outcome, null, start)
      let above = start
      for (const key of unmet) {
        const standing = standingOf(key)
        standing.waiting.push(outcome)
        // A denial does not say who ships with the line.
        if (outcome.weight > 0) {
          standing.accounts.add(outcome.accountId)
          if (outcome.bill !== null) standing.bills.add(`${outcome.accountId} ${outcome.bill}`)
        }
        if (standing.accounts.size < accountsMin && standing.bills.size < billsMin) continue
        standing.isMet = true
        for (const waiting of standing.waiting) place(waiting, above, key)
        standing.waiting = []
        standing.accounts.clear()
        standing.bills.clear()
        above = key
      }
    },
    placeOf: (node) => shareableKeys(node).findLast((key) => standings.get(key)?.isMet === true) ?? null,
  }
}

/** An outcome that removes the given one from a node. */
export function opposite(outcome: SharedOutcome, node: string): Outcome {
  return { ...outcome, node, weight: -outcome.weight, bill: null, rows: outcome.weight > 0 ? -1 : 0 }
}

/** The nodes above it and the node itself, coarse to fine. */
function shareableKeys(node: string): readonly string[] {
  return [...ancestors(node).toReversed(), node].filter(isShareable)
}
