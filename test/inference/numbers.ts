// Invented numbers with right check digits, and outcomes of them.
import { containerCheckDigit } from '../../src/domain/values/identifiers.ts'
import type { Outcome } from '../../src/inference/evidence.ts'
import { nodeKey } from '../../src/inference/node-key.ts'

export const november = 2026 * 12 + 10

export function box(ten: string): string {
  return `${ten}${containerCheckDigit(ten)}`
}

export function confirmed(number: string, scac: string, more: Partial<Outcome> = {}): Outcome {
  const node = nodeKey(number)
  if (node === null) throw new Error(`${number} is no number`)
  return { node, scac, weight: 1, month: november, bill: number, ...more }
}

/** Containers of consecutive hundreds: `TCNU7210` to `TCNU7219`, each with a bill of its own. */
export function batch(start: string, count: number, scac: string, more: Partial<Outcome> = {}): readonly Outcome[] {
  return Array.from({ length: count }, (_, index) => {
    const number = box(`${start}${String((index * 37) % 10 ** (10 - start.length)).padStart(10 - start.length, '0')}`)
    return confirmed(number, scac, { bill: `${scac} ${index}`, ...more })
  })
}
