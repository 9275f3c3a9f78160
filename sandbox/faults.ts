/**
 * Faults that are made on purpose: for a number that begins with FAULT…, for a box of `faultBox`, or for the next
 * requests to a line.
 */
import { checkDigit } from './numbers.ts'

export const FAULT_KINDS = [
  '400', // the line says that it has no such number
  '500',
  '429',
  'login', // a login page with status 200
  'html', // a maintenance page that claims to be JSON
  'slow', // the right answer, a few bytes at a time
  'empty', // status 200 and no body
  'trunc', // the right answer, cut in the middle
  'other', // somebody else's container
  'stale', // yesterday's answer
  'reset', // the connection is cut
  'half', // half of the boxes that were asked about; for a line, half an answer
  'unknown', // nobody knows the number
  'nodata', // the number is known, but the answer has no data about it
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

export interface Fault {
  /** The SCAC of a line, or the name of a terminal operator or railway. */
  readonly scac: string
  readonly kind: FaultKind
  readonly count: number
}

export class Faults {
  private readonly left = new Map<string, number>()

  constructor(faults: readonly Fault[] = []) {
    for (const fault of faults) this.set(fault)
  }

  set({ scac, kind, count }: Fault): void {
    this.left.set(`${scac}|${kind}`, Math.max(0, count))
  }

  list(): readonly Fault[] {
    return [...this.left].flatMap(([key, count]) => {
      const [scac = '', kind = ''] = key.split('|')
      const known = findKind(kind)
      return known === null || count === 0 ? [] : [{ scac, kind: known, count }]
    })
  }

  clear(): void {
    this.left.clear()
  }

  /** The fault of this request, if any. A fault that was ordered for a number of requests is counted down. */
  take(scac: string, numbers: readonly string[]): FaultKind | null {
    for (const number of numbers) {
      const magic = magicKind(number)
      if (magic !== null) return magic
    }
    for (const { kind, count } of this.list().filter((fault) => fault.scac === scac)) {
      this.left.set(`${scac}|${kind}`, count - 1)
      return kind
    }
    return null
  }
}

export function findKind(text: string): FaultKind | null {
  return FAULT_KINDS.find((kind) => kind === text.toLowerCase()) ?? null
}

/** The kind of fault that a number means. */
export function magicKind(number: string): FaultKind | null {
  const text = number.toUpperCase()
  const isOf = (kind: FaultKind): boolean => text.startsWith(`FAULT${kind.toUpperCase()}`) || text === faultBox(kind)
  return FAULT_KINDS.find(isOf) ?? null
}

/**
 * The box that means a kind of fault. A container number is valid only with its check digit, so each kind has one box,
 * of an owner that does not exist.
 */
export function faultBox(kind: FaultKind): string {
  const body = `FLTU${String(FAULT_KINDS.indexOf(kind) + 1).padStart(2, '0')}0000`
  return body + String(checkDigit(body))
}
