/**
 * Chance without a random source: every "random" choice of the world is a function of a text. So nothing has to be
 * stored, and the same question always has the same answer.
 */
import { createHash } from 'node:crypto'

/** A number in [0, 1) that depends on the text alone (cyrb53). */
export function fraction(text: string): number {
  let h1 = 0xdeadbeef
  let h2 = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    h1 = Math.imul(h1 ^ code, 2654435761)
    h2 = Math.imul(h2 ^ code, 1597334677)
  }
  h1 = Math.imul(h1 ^ (h1 >>> 16), 2246822507) ^ Math.imul(h2 ^ (h2 >>> 13), 3266489909)
  h2 = Math.imul(h2 ^ (h2 >>> 16), 2246822507) ^ Math.imul(h1 ^ (h1 >>> 13), 3266489909)
  return (4294967296 * (2097151 & h2) + (h1 >>> 0)) / 9007199254740992
}

export function between(text: string, low: number, high: number): number {
  return low + fraction(text) * (high - low)
}

export function wholeBetween(text: string, low: number, high: number): number {
  return Math.floor(between(text, low, high + 1))
}

export function pick<T>(text: string, choices: readonly T[]): T {
  const choice = choices[Math.floor(fraction(text) * choices.length)]
  if (choice === undefined) throw new Error(`nothing to pick from for ${text}`)
  return choice
}

/** The number of events in one period, for a stream of events with this mean (Poisson). */
export function howMany(text: string, mean: number): number {
  let left = fraction(text)
  let chance = Math.exp(-mean)
  let count = 0
  while (left >= chance && count < 20) {
    left -= chance
    count += 1
    chance *= mean / count
  }
  return count
}

/** A name-based UUID (layout of version 5): the same name always has the same UUID. */
export function nameUuid(name: string): string {
  const bytes = createHash('sha1').update(`landfall sandbox|${name}`).digest()
  bytes[6] = (bytes.readUInt8(6) & 0x0f) | 0x50
  bytes[8] = (bytes.readUInt8(8) & 0x3f) | 0x80
  const hex = bytes.toString('hex', 0, 16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
