/**
 * A simulated installation with a stream of confirmed boxes. Lessors buy batches of consecutive serials and lease each
 * batch to one carrier. A carrier's bills carry its own boxes and leased ones. Every box is predicted first, and then
 * its bill is learned.
 */

import { seededChance } from '../../qa/bench/measure.ts'
import { containerCheckDigit } from '../../src/domain/values/identifiers.ts'
import { sameCarrier } from '../../src/inference/carriers.ts'
import { createEvidence, learnOutcome } from '../../src/inference/evidence.ts'
import { makeInference } from '../../src/inference/infer.ts'
import { inferTogether } from '../../src/inference/infer-together.ts'
import { openModel } from '../../src/inference/model.ts'
import { nodeKey } from '../../src/inference/node-key.ts'

export interface StreamOptions {
  readonly seed: number
  readonly outcomes: number
  /** After this many outcomes, a tenth of all batches change carrier. */
  readonly releaseAt: number
  /** Our own choice: the task does not say how many batches a lessor has. */
  readonly batchesPerLessor: number
}

export interface StreamWindow {
  /** The number of outcomes learned at the end of this window. */
  readonly until: number
  readonly boxes: number
  readonly right: number
  readonly leased: number
  readonly leasedRight: number
  /** When the boxes of a bill are judged together: how many of all boxes, and of the leased ones, are right. */
  readonly billRight: number
  readonly billLeasedRight: number
  readonly auto: number
  readonly autoRight: number
  /** Boxes of batches that have changed carrier. */
  readonly moved: number
  readonly movedRight: number
}

const lessors = ['TCNU', 'TEMU', 'TCLU', 'SEGU', 'TRIU', 'FCIU', 'CAIU', 'BMOU', 'TGHU', 'GESU', 'DFSU', 'BEAU']
const carriers: Readonly<Record<string, string>> = {
  MSCU: 'MEDU',
  MAEU: 'MSKU',
  CMDU: 'CMAU',
  COSU: 'CSNU',
  HLCU: 'HLBU',
  ONEY: 'ONEU',
  EGLV: 'EITU',
  YMLU: 'YMMU',
}
const scacs = Object.keys(carriers)
const leasedPart = 0.45
const concentration = 0.3
const changedPart = 0.1
const windowSize = 500
const outcomesPerMonth = 1_000
const firstMonth = 2026 * 12

interface Batch {
  readonly lessor: string
  readonly from: number
  readonly size: number
  scac: string
  hasMoved: boolean
}

export function runStream(options: StreamOptions): readonly StreamWindow[] {
  const chance = seededChance(options.seed)
  const batches = makeBatches(chance, options.batchesPerLessor)
  const own = createEvidence()
  const windows: StreamWindow[] = []
  let now = emptyWindow
  let learned = 0
  let hasChanged = false
  while (learned < options.outcomes) {
    if (!hasChanged && learned >= options.releaseAt) {
      change(batches, chance)
      hasChanged = true
    }
    const month = firstMonth + Math.floor(learned / outcomesPerMonth)
    const bill = makeBill(batches, chance)
    const model = openModel({ ownEvidence: own })
    const together = inferTogether(
      bill.boxes.map(({ number }) => ({ number, scac: null })),
      model,
      { month, isExplained: false },
    )
    for (const [at, { number, batch }] of bill.boxes.entries()) {
      const line = makeInference(number, model, { month, isExplained: false })?.shippingLine
      const first = line?.candidates[0]
      const isRight = first !== undefined && sameCarrier(first.scac, bill.scac)
      const ofBill = together[at]?.shippingLine.candidates[0]
      const isRightByBill = ofBill !== undefined && sameCarrier(ofBill.scac, bill.scac)
      now = count(now, { isRight, isRightByBill, isAuto: line?.decision === 'auto_select', batch })
    }
    for (const { number } of bill.boxes) {
      const node = nodeKey(number)
      if (node === null) throw new Error(`${number} is no number`)
      learnOutcome(own, {
        node,
        scac: bill.scac,
        weight: 1 / Math.sqrt(bill.boxes.length),
        month,
        bill: String(learned),
      })
      learned += 1
    }
    if (now.boxes >= windowSize) {
      windows.push({ ...now, until: learned })
      now = emptyWindow
    }
  }
  return windows
}

const emptyWindow: StreamWindow = {
  until: 0,
  boxes: 0,
  right: 0,
  leased: 0,
  leasedRight: 0,
  billRight: 0,
  billLeasedRight: 0,
  auto: 0,
  autoRight: 0,
  moved: 0,
  movedRight: 0,
}

function count(
  window: StreamWindow,
  {
    isRight,
    isRightByBill,
    isAuto,
    batch,
  }: {
    readonly isRight: boolean
    readonly isRightByBill: boolean
    readonly isAuto: boolean
    readonly batch: Batch | null
  },
): StreamWindow {
  const right = isRight ? 1 : 0
  const byBill = isRightByBill ? 1 : 0
  const leased = batch === null ? 0 : 1
  const moved = batch?.hasMoved === true ? 1 : 0
  return {
    until: 0,
    boxes: window.boxes + 1,
    right: window.right + right,
    leased: window.leased + leased,
    leasedRight: window.leasedRight + leased * right,
    billRight: window.billRight + byBill,
    billLeasedRight: window.billLeasedRight + leased * byBill,
    auto: window.auto + (isAuto ? 1 : 0),
    autoRight: window.autoRight + (isAuto ? right : 0),
    moved: window.moved + moved,
    movedRight: window.movedRight + moved * right,
  }
}

/**
 * The batches of a lessor follow one another, from a random serial on. Each goes to a carrier by the lessor's own
 * shares.
 */
function makeBatches(chance: () => number, perLessor: number): Batch[] {
  return lessors.flatMap((lessor) => {
    const shares = dirichlet(chance, concentration, scacs.length)
    let from = Math.floor(chance() * 700_000)
    return Array.from({ length: perLessor }, () => {
      const size = 200 + Math.floor(chance() * 1_801)
      const batch: Batch = { lessor, from, size, scac: pick(chance, scacs, shares), hasMoved: false }
      from += size
      return batch
    })
  })
}

function change(batches: readonly Batch[], chance: () => number): void {
  for (const batch of batches) {
    if (chance() >= changedPart) continue
    const others = scacs.filter((scac) => scac !== batch.scac)
    batch.scac = others[Math.floor(chance() * others.length)] ?? batch.scac
    batch.hasMoved = true
  }
}

/** A carrier ships in proportion to its leased boxes. A carrier without leased boxes ships its own. */
function makeBill(batches: readonly Batch[], chance: () => number) {
  const sizes = batches.map(({ size }) => size)
  const { scac } = pick(chance, batches, sizes)
  const leased = batches.filter((batch) => batch.scac === scac)
  const boxes = Array.from({ length: 1 + Math.floor(chance() * 12) }, () => {
    const batch =
      chance() < leasedPart
        ? pick(
            chance,
            leased,
            leased.map(({ size }) => size),
          )
        : null
    const serial = batch === null ? Math.floor(chance() * 1_000_000) : batch.from + Math.floor(chance() * batch.size)
    const ten = `${batch?.lessor ?? carriers[scac]}${String(serial % 1_000_000).padStart(6, '0')}`
    return { number: `${ten}${containerCheckDigit(ten)}`, batch }
  })
  return { scac, boxes }
}

function pick<Item>(chance: () => number, items: readonly Item[], weights: readonly number[]): Item {
  let left = chance() * weights.reduce((sum, weight) => sum + weight, 0)
  for (const [index, item] of items.entries()) {
    left -= weights[index] ?? 0
    if (left <= 0) return item
  }
  const last = items.at(-1)
  if (last === undefined) throw new Error('there is nothing to pick from')
  return last
}

function dirichlet(chance: () => number, alpha: number, length: number): readonly number[] {
  const draws = Array.from({ length }, () => gamma(chance, alpha))
  const sum = draws.reduce((total, draw) => total + draw, 0)
  return draws.map((draw) => draw / sum)
}

/**
 * The method of Marsaglia and Tsang. For alpha below one, the value for alpha + 1 is multiplied with a power of a
 * uniform number.
 */
function gamma(chance: () => number, alpha: number): number {
  if (alpha < 1) return gamma(chance, alpha + 1) * (1 - chance()) ** (1 / alpha)
  const d = alpha - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const normal = Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance())
    const v = (1 + c * normal) ** 3
    if (v > 0 && Math.log(1 - chance()) < 0.5 * normal ** 2 + d - d * v + d * Math.log(v)) return d * v
  }
}
