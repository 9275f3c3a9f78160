/**
 * Bill, booking and container numbers in the shapes that the lines print. The serial makes each unique, and the seed
 * always gives the same ones.
 */
import { fraction, pick } from './chance.ts'
import type { EquipmentFamily, Line } from './lines.ts'

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const LESSORS = ['TCNU', 'TGHU', 'BMOU', 'TCLU', 'FCIU', 'SEGU', 'CAIU', 'TLLU', 'DRYU'] as const

/** Fills in a pattern of `Line.bill`. The `#` take the digits of a serial, which never repeats within a line. */
export function writeNumber(pattern: string, name: string, serial: number, bookedAt: number): string {
  const width = pattern.split('#').length - 1
  const digits = String(scatter(serial, worldOf(name), 10 ** width)).padStart(width, '0')
  const day = new Date(bookedAt).toISOString()
  let next = 0
  return Array.from(pattern, (sign, n) => {
    if (sign === '#') return digits.charAt(next++)
    if (sign === '%') return String(Math.floor(fraction(`${name}|${n}`) * 10))
    if (sign === '@') return pick(`${name}|${n}`, Array.from(LETTERS))
    return sign === 'Y' && hasMonth(pattern) ? `${day.slice(2, 4)}${day.slice(5, 7)}` : sign
  }).join('')
}

/** Its `Y` takes four digits: year and month of the booking. */
function hasMonth(pattern: string): boolean {
  return pattern.startsWith('HLCU')
}

/** Two boxes in three are the line's own, the others are leased. */
export function containerNumber(line: Line, name: string, serial: number): string {
  const isOwn = line.owners.length > 0 && fraction(`own|${name}`) < 0.66
  const owner = pick(`owner|${name}`, isOwn ? line.owners : LESSORS)
  const body = owner + String(scatter(serial, `box ${worldOf(name)}`, 1_000_000)).padStart(6, '0')
  return body + String(checkDigit(body))
}

export interface SerialRange {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** The serials in the range from which the pattern may have made this number. Only the serial's digits are compared. */
export function serialsOf(pattern: string, world: string, number: string, range: SerialRange): readonly number[] {
  const signs = hasMonth(pattern) ? pattern.replace('Y', 'YYMM') : pattern
  const digits = Array.from(number)
    .filter((_, n) => signs[n] === '#')
    .join('')
  if (number.length !== signs.length || !/^\d+$/.test(digits)) return []
  return gather(Number(digits), world, 10 ** digits.length, range)
}

/** Like `serialsOf`, for a container number. A shipment has the serials of eight boxes. */
export function boxSerialsOf(world: string, number: string, { from, to }: SerialRange): readonly number[] {
  if (!/^[A-Z]{4}\d{7}$/.test(number)) return []
  const boxes = gather(Number(number.slice(4, 10)), `box ${world}`, 1_000_000, { from: from * 8, to: to * 8 })
  return boxes.map((serial) => Math.floor(serial / 8))
}

/** The check digit of ISO 6346. */
export function checkDigit(body: string): number {
  let sum = 0
  for (let n = 0; n < 10; n++) {
    const code = body.charCodeAt(n)
    const letter = code - 65
    // The values of letters begin at 10 and skip the multiples of 11.
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

/** The line and the seed, with which names begin. */
function worldOf(name: string): string {
  return name.split('|', 2).join('|')
}

/** Undoes `scatter`: all serials of the range that it sends to this number. */
function gather(scattered: number, name: string, size: number, { from, to }: SerialRange): readonly number[] {
  const { step, start } = stride(name, size)
  const rest = (BigInt(scattered - start) * inverse(BigInt(step), BigInt(size))) % BigInt(size)
  const first = Number(rest < 0n ? rest + BigInt(size) : rest)
  const found: number[] = []
  for (let serial = first + Math.max(0, Math.ceil((from - first) / size)) * size; serial < to; serial += size)
    found.push(serial)
  return found
}

/**
 * The modular inverse, by the extended Euclidean algorithm. It exists because `of` ends in 7 and `size` is a power of
 * ten.
 */
function inverse(of: bigint, size: bigint): bigint {
  let [a, b, x, y] = [of, size, 1n, 0n]
  while (b !== 0n) {
    const quotient = a / b
    ;[a, b, x, y] = [b, a - quotient * b, y, x - quotient * y]
  }
  return x
}

/** Maps a serial to another number below `size` (a power of ten). No two serials get the same number. */
function scatter(serial: number, name: string, size: number): number {
  const { step, start } = stride(name, size)
  return Number((BigInt(step) * BigInt(serial) + BigInt(start)) % BigInt(size))
}

function stride(name: string, size: number): { readonly step: number; readonly start: number } {
  return {
    step: 10 * Math.floor(fraction(`step|${name}`) * (size / 10)) + 7,
    start: Math.floor(fraction(`start|${name}`) * size),
  }
}
