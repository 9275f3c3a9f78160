/**
 * The codes of moves in EDI, the reverse of our readers' tables: element 157 of ANSI X12 as carriers use it in 315, and
 * the code list 9011 of UN/EDIFACT in IFTSTA.
 */

import { toMoveStatement } from './move-statement.ts'
import type { Move } from './moves-sql.ts'

/** By code, then by load or mode. */
const x12Codes: Readonly<Record<string, string>> = {
  'GTOT EMPTY': 'EE',
  'GTOT LADEN': 'OA',
  'GTIN LADEN': 'I',
  'GTIN EMPTY': 'RD',
  'LOAD VESSEL': 'AE',
  'LOAD BARGE': 'AO',
  'DEPA VESSEL': 'VD',
  'ARRI VESSEL': 'VA',
  'DISC VESSEL': 'UV',
  'LOAD RAIL': 'AL',
  'DEPA RAIL': 'RL',
  'ARRI RAIL': 'AR',
  'DISC RAIL': 'UR',
}
/** A ship's estimate has changed. The date of its place shows it: `role`, and element 374. */
const x12Estimates: Readonly<
  Record<string, { readonly status: string; readonly role: string; readonly date: string }>
> = {
  'ARRI VESSEL': { status: 'E', role: 'D', date: '371' },
  'DEPA VESSEL': { status: 'C', role: 'L', date: '369' },
}

export interface X12Code {
  readonly status: string
  /** Role of the place, and what its date means. */
  readonly role: string
  readonly date: string
}

/** Null for a move without a code. */
export function x12CodeOf(recordedMove: Move): X12Code | null {
  const statement = toMoveStatement(recordedMove)
  if (statement === null) return null
  const { move, mode } = statement
  const isGate = move.code === 'GTIN' || move.code === 'GTOT'
  const what = `${move.code} ${isGate ? move.load : mode}`
  if (statement.classifier !== 'ACT') return x12Estimates[what] ?? null
  const status = x12Codes[what]
  return status === undefined ? null : { status, role: '5', date: '140' }
}

const edifactCodes: Readonly<Record<string, string>> = {
  ARRI: '1',
  GTOT: '13',
  DEPA: '24',
  DISC: '29',
  LOAD: '48',
  GTIN: '74',
}
/** What the date of a status means: that it happened, or that an arrival or a departure is expected. */
const edifactExpected: Readonly<Record<string, string>> = { ARRI: '132', DEPA: '133' }

export interface EdifactCode {
  readonly status: string
  readonly date: string
}

/** Null for a move without a code. */
export function edifactCodeOf(recordedMove: Move): EdifactCode | null {
  const statement = toMoveStatement(recordedMove)
  if (statement === null) return null
  const status = edifactCodes[statement.move.code]
  const date = statement.classifier === 'ACT' ? '334' : edifactExpected[statement.move.code]
  return status === undefined || date === undefined ? null : { status, date }
}
