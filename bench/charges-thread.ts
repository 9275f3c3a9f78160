/** The thread of `charges.ts`: forecasts the charges of boxes, or only reads them from JSON. */

import { parentPort, workerData } from 'node:worker_threads'
import { sumBills, sumByCurrency } from '../src/domain/charges/bill.ts'
import type { Money } from '../src/domain/charges/money.ts'
import { calculateCharges } from '../src/domain/charges/read-charges.ts'
import { benchBook, benchBoxes, benchNow, benchUntil } from './charges-load.ts'

/** So many different boxes; they are gone through again and again. */
const boxesCount = 5_000
const boxes = benchBoxes(boxesCount, (workerData as { readonly seed: number }).seed)
const texts = boxes.map((box) => JSON.stringify(box))
const book = benchBook()
const asked = { now: benchNow, until: benchUntil }

export interface ChargesDone {
  readonly chargedDays: number
  readonly minor: number
}

/** What was done, and the processor seconds that this thread took for it. */
export interface ChargesTook extends ChargesDone {
  readonly seconds: number
}

function forecast(count: number): ChargesDone {
  let chargedDays = 0
  let totals: readonly Money[] = []
  for (let from = 0; from < count; from += boxesCount) {
    const bills = boxes
      .slice(0, count - from)
      .flatMap((box) => calculateCharges(box, book, asked).charges.map((charges) => charges.forecast))
    const sum = sumBills(bills)
    chargedDays += sum.chargedDays
    totals = sumByCurrency([...totals, ...sum.totals])
  }
  return { chargedDays, minor: totals[0]?.minor ?? 0 }
}

function parse(count: number): ChargesDone {
  let found = 0
  for (let index = 0; index < count; index += 1) {
    const box = JSON.parse(texts[index % boxesCount] ?? '{}') as { container?: unknown }
    if (box.container !== undefined) found += 1
  }
  return { chargedDays: found, minor: 0 }
}

/** A null message ends the thread. */
parentPort?.on('message', (work: { readonly kind: 'forecast' | 'parse'; readonly count: number } | null) => {
  if (work === null) return parentPort?.close()
  const before = process.threadCpuUsage()
  const done = work.kind === 'forecast' ? forecast(work.count) : parse(work.count)
  const { user, system } = process.threadCpuUsage(before)
  return parentPort?.postMessage({ ...done, seconds: (user + system) / 1e6 })
})
