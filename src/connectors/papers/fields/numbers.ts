/** Numbers of documents, containers and ships, as they are printed. */

import { parseContainerNumber, parseImoNumber, parseScac } from '../../../domain/values/identifiers.ts'
import { digitsForLetters } from '../../../domain/values/number-slips.ts'
import { findShippingLine } from '../../../reference/shipping-lines.ts'

/** The number of a paper: letters and digits, at least four of them and one digit. */
export function findPaperNumber(text: string): string | null {
  const [first = ''] = text
    .trim()
    .replace(/^(?:no|nr|number|#)[.:#\s]+/i, '')
    .split(/\s{2,}|[,;|]/)
  // Some print a number in groups: `MAEU 260 102 345`. A word of letters alone ends it, save a code in front.
  const groups = first.trim().split(/\s+/)
  const [head = '', next = ''] = groups
  const isGrouped = /^[A-Z]{3,5}$/.test(head) && /\d{4}/.test(next)
  const number = (isGrouped ? `${head}${next}` : head).replace(/[.,;:]+$/, '').replace(/^[:#.]+/, '')
  return isPaperNumber(number) ? number.toUpperCase() : null
}

export function isPaperNumber(number: string): boolean {
  return (
    /^[A-Z0-9][A-Z0-9/-]{3,29}$/i.test(number) && /\d/.test(number) && !/^\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}$/.test(number)
  )
}

/** A voyage: `012W`, `2401E`, `FE603R`. */
export function findVoyage(text: string): string | null {
  const found = /(?:^|[\s/(])([A-Z]{0,3}\d{1,5}[A-Z]{0,2})(?=$|[\s),/.])/i.exec(text.trim())?.[1]
  return found === undefined ? null : found.toUpperCase()
}

export interface PrintedContainer {
  readonly number: string
  /** The words of the text that it is printed in: first, and how many. */
  readonly from: number
  readonly count: number
}

/**
 * Container numbers in the words of a line. A number may be printed in parts (`MSCU 400000 5`), and a sign that was
 * recognised wrongly is put right where the check digit proves it.
 */
export function findContainers(words: readonly string[]): readonly PrintedContainer[] {
  const found: PrintedContainer[] = []
  for (let from = 0; from < words.length; from += 1)
    for (let count = 1; count <= 3 && from + count <= words.length; count += 1) {
      const number = parsePrintedNumber(words.slice(from, from + count).join(''))
      if (number === null) continue
      found.push({ number, from, count })
      from += count - 1
      break
    }
  return found
}

/** Printed numbers in the form of ISO 6346 whose check digit does not fit. */
export function findInvalidContainers(text: string): readonly string[] {
  const printed = text.toUpperCase().matchAll(/(?<![A-Z0-9])([A-Z]{3}[UJZ])[ .-]?(\d{6})[ ./-]?(\d)(?![A-Z0-9])/g)
  return [...printed].flatMap(([, owner = '', serial = '', digit = '']) => {
    const number = `${owner}${serial}${digit}`
    return parseContainerNumber(number).ok ? [] : [number]
  })
}

function parsePrintedNumber(printed: string): string | null {
  if (printed.length < 11 || printed.length > 16) return null
  // What is printed right behind: `MSCU4000005/AB123456`, `MSCU4000005,`.
  const text = printed
    .toUpperCase()
    .replace(/[\s.-]/g, '')
    .replace(/[,;:|)].*$/, '')
    .replace(/^[(|:]+/, '')
  const cut = text.split('/')[0] ?? ''
  if (cut.length === 12) return withoutDoubledSign(cut)
  if (cut.length !== 11) return null
  const parsed = parseContainerNumber(cut)
  if (parsed.ok) return parsed.value
  const corrected = digitsForLetters(cut)
  const repaired = corrected === null ? null : parseContainerNumber(corrected)
  return repaired?.ok === true ? repaired.value : null
}

/** Signs that Tesseract sometimes writes both, a letter and the digit that it looks like, where one of them is printed. */
const lookAlikes = ['O0', 'Q0', 'D0', 'I1', 'L1', 'Z2', 'S5', 'G6', 'B8', 'S8', 'A4', 'T7']

/** Twelve characters of which one repeats its neighbour. Null if the check digit does not leave exactly one number. */
function withoutDoubledSign(text: string): string | null {
  const found = new Set<string>()
  for (let at = 0; at + 1 < text.length; at += 1) {
    const pair = text.slice(at, at + 2)
    if (!lookAlikes.some((pairOf) => pairOf === pair || pairOf === `${pair[1]}${pair[0]}`)) continue
    for (const omittedAt of [at, at + 1]) {
      const parsed = parseContainerNumber(`${text.slice(0, omittedAt)}${text.slice(omittedAt + 1)}`)
      if (parsed.ok) found.add(parsed.value)
    }
  }
  const [only = null] = found
  return found.size === 1 ? only : null
}

/** Whether a letter is beside the digit that it looks like: one of the two may not be printed. */
export function hasDoubledSign(number: string): boolean {
  const text = number.toUpperCase()
  return lookAlikes.some((pairOf) => text.includes(pairOf) || text.includes(`${pairOf[1]}${pairOf[0]}`))
}

export function findImo(text: string): string | null {
  const found = /(?<!\d)(\d{7})(?!\d)/.exec(text)?.[1]
  const parsed = found === undefined ? null : parseImoNumber(found)
  return parsed?.ok === true ? parsed.value : null
}

/** Only the code of a shipping line that is known: any four letters may be an ordinary word. */
export function findScac(text: string): string | null {
  for (const word of text.toUpperCase().match(/\b[A-Z]{4}\b/g) ?? []) {
    const parsed = parseScac(word)
    if (parsed.ok && findShippingLine(parsed.value) !== null) return parsed.value
  }
  return null
}

/** FIRMS codes of US customs: a letter and three letters or digits. */
export function findFirms(text: string): string | null {
  return /\b([A-Z][A-Z0-9]{3})\b/.exec(text.toUpperCase())?.[1] ?? null
}

const incoterms = ['EXW', 'FCA', 'FAS', 'FOB', 'CFR', 'CIF', 'CPT', 'CIP', 'DAP', 'DPU', 'DDP', 'DAT'] as const

export function findIncoterm(text: string): string | null {
  return incoterms.find((each) => new RegExp(`\\b${each}\\b`, 'i').test(text)) ?? null
}

/** ISO 6346 size and type, or the trade's own: `45G1`, `40HC`, `40' HC`, `20GP`. */
export function findSizeType(text: string): string | null {
  const found =
    /(?<![\w.])((?:[24L]\d|[24]0)\s?['’′]?\s?(?:[A-Z]\d|[A-Z]{2})|[24]0\s?['’′]?\s?(?:HQ|HC|DV|DC|GP|RF|RH|OT|FR|ST))(?!\w)/i.exec(
      text,
    )?.[1]
  return found === undefined ? null : found.toUpperCase().replace(/[\s'’′]/g, '')
}
