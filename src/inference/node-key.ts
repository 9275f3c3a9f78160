/**
 * The keys under which evidence is counted and stored, coarse to fine: an owner code and leading serial digits
 * (`c:TCNU724`), a shape and leading characters (`s:L3D7:SIJ`), a line's bill prefix (`p:MEDU`).
 */

import { serialDigitsMax } from './evidence.ts'
import { type NumberReading, readNumber, shapeOf } from './number.ts'

/**
 * The finest node of a bill number that is stored has five characters. The finest node of container numbers has a
 * hundred containers.
 */
const charactersMax = 5
/** The finest node of container numbers that may be shared with others has a thousand containers. */
const sharedSerialDigitsMax = 3

/** The finest key of a number; null for a text that is no number. */
export function nodeKey(raw: string): string | null {
  const reading = readNumber(raw)
  return reading === null ? null : nodeKeyOf(reading)
}

export function nodeKeyOf(reading: NumberReading): string {
  if (reading.kind === 'container') return `c:${reading.number.slice(0, 4 + serialDigitsMax)}`
  if (reading.prefix !== null) return `p:${reading.prefix}`
  return `s:${shapeOf(reading.number)}:${reading.number.slice(0, charactersMax)}`
}

/** The coarser keys of a key, nearest first. */
export function ancestorKeys(key: string): readonly string[] {
  const found: string[] = []
  const shortest = key.startsWith('c:') ? 'c:TCNU'.length : key.startsWith('p:') ? key.length : shapeEnd(key)
  for (let end = key.length - 1; end >= shortest; end -= 1) {
    if (key[end - 1] !== ':') found.push(key.slice(0, end))
  }
  return found
}

/** Whether the key may be shared outside the account, once enough other accounts have evidence for it. */
export function isShareable(key: string): boolean {
  return !key.startsWith('c:') || key.length <= 'c:TCNU'.length + sharedSerialDigitsMax
}

function shapeEnd(key: string): number {
  const end = key.indexOf(':', 2)
  return end === -1 ? key.length : end
}
