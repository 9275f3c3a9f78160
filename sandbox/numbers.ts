/** Bill, booking and container numbers in the shapes that the lines print; unique by their serial, the same by seed. */
import { fraction, pick } from './chance.ts'
import type { EquipmentFamily, Line } from './lines.ts'

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const LESSORS = ['TCNU', 'TGHU', 'BMOU', 'TCLU', 'FCIU', 'SEGU', 'CAIU', 'TLLU', 'DRYU'] as const

/** Fills a pattern of `Line.bill`: `#` takes the digits of a serial that never repeats within a line. */
export function writeNumber(pattern: string, name: string, serial: number, bookedAt: number): string {
  const width = pattern.split('#').length - 1
  const digits = String(scatter(serial, worldOf(name), 10 ** width)).padStart(width, '0')
  const day = new Date(bookedAt).toISOString()
  let next = 0
  return Array.from(pattern, (sign, n) => {
    if (sign === '#') return digits.charAt(next++)
    if (sign === '%') return String(Math.floor(fraction(`${name}|${n}`) * 10))
    if (sign === '@') return pick(`${name}|${n}`, Array.from(LETTERS))
    return sign === 'Y' && pattern.startsWith('HLCU') ? `${day.slice(2, 4)}${day.slice(5, 7)}` : sign
  }).join('')
}

/** Two boxes in three are the line's own, the others are leased. */
export function containerNumber(line: Line, name: string, serial: number): string {
  const isOwn = line.owners.length > 0 && fraction(`own|${name}`) < 0.66
  const owner = pick(`owner|${name}`, isOwn ? line.owners : LESSORS)
  const body = owner + String(scatter(serial, `box ${worldOf(name)}`, 1_000_000)).padStart(6, '0')
  return body + String(checkDigit(body))
}

/** ISO 6346. */
export function checkDigit(body: string): number {
  let sum = 0
  for (let n = 0; n < 10; n++) {
    const code = body.charCodeAt(n)
    const letter = code - 65
    // Letter values run from 10 and leave out the multiples of 11.
    const value = code < 65 ? code - 48 : 10 + letter + Math.floor((letter + 9) / 10)
    sum += value * 2 ** n
  }
  return (sum % 11) % 10
}

const EQUIPMENT: readonly (readonly [number, string, EquipmentFamily])[] = [
  [0.45, '45G1', 'dry'],
  [0.72, '22G1', 'dry'],
  [0.84, '42G1', 'dry'],
  [0.92, '45R1', 'reefer'],
  [0.95, '42P1', 'flatrack'],
  [0.98, '42U1', 'open_top'],
  [1, '22T1', 'tank'],
]

export function equipmentOf(name: string): { readonly code: string; readonly family: EquipmentFamily } {
  const chance = fraction(`equipment|${name}`)
  const [, code, family] = EQUIPMENT.find(([limit]) => chance < limit) ?? [1, '22G1', 'dry' as const]
  return { code, family }
}

/** Names begin with the line and the seed. */
function worldOf(name: string): string {
  return name.split('|', 2).join('|')
}

/** A permutation of the numbers below `size` (a power of ten), so that no two serials meet. */
function scatter(serial: number, name: string, size: number): number {
  const step = 10 * Math.floor(fraction(`step|${name}`) * (size / 10)) + 7
  const start = Math.floor(fraction(`start|${name}`) * size)
  return Number((BigInt(step) * BigInt(serial) + BigInt(start)) % BigInt(size))
}
