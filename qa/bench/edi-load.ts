/**
 * Deliveries of X12 and EDIFACT of any size, written by `tools/edi-samples` or in the same way, and the samples of the
 * tests.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeCoarri, writeIftsta } from '../../sandbox/edi/edifact.ts'
import { writeX12 } from '../../sandbox/edi/x12.ts'
import { type EventObservation, nowhere } from '../../src/domain/statements/observation.ts'
import { containerCheckDigit } from '../../src/domain/values/identifiers.ts'

/** A box number with the right check digit. */
export function boxNumber(nth: number): string {
  const ten = `BNCU${String(nth % 1_000_000).padStart(6, '0')}`
  return `${ten}${containerCheckDigit(ten)}`
}

function discharge(nth: number): EventObservation {
  return {
    kind: 'event',
    key: `k${nth}`,
    classifier: 'ACT',
    code: 'DISC',
    load: 'LADEN',
    mode: 'VESSEL',
    time: { kind: 'local', local: `2026-02-${String(1 + (nth % 28)).padStart(2, '0')}T10:00:00` },
    place: { ...nowhere, unlocode: 'USLAX', name: 'Los Angeles' },
    vessel: { imo: '9321483', name: 'KING OF THE SEAS' },
    voyage: '012E',
    callId: null,
    callSequence: null,
    original: null,
    equipment: boxNumber(nth),
    statedAt: null,
    isRetracted: false,
  }
}

/** One interchange with this many 315 messages. */
export function manyX12(messages: number): Buffer {
  const one = writeX12({
    words: 'line',
    box: boxNumber(1),
    bill: 'BNCHBILL0001',
    booking: null,
    said: [discharge(1)],
  }).toString('latin1')
  const [head = '', rest = ''] = one.split(/(?=ST\*)/)
  const [message = '', tail = ''] = rest.split(/(?=GE\*)/)
  const bodies = Array.from({ length: messages }, (_, nth) => {
    const box = boxNumber(nth)
    return message
      .replaceAll(boxNumber(1).slice(4, 10), box.slice(4, 10))
      .replace(/^(B4(?:\*[^*~]*){12}\*)\d/m, `$1${box.slice(10)}`)
      .replaceAll('BNCHBILL0001', `BNCHBILL${String(nth).padStart(6, '0')}`)
      .replace(/^ST\*315\*\d+/, `ST*315*${nth + 1}`)
      .replace(/(SE\*\d+\*)\d+/, `$1${nth + 1}`)
  })
  return Buffer.from(head + bodies.join('') + tail.replace(/^GE\*1/, `GE*${messages}`))
}

/** One interchange with this many messages, status reports and quay reports in turn. */
export function manyEdifact(messages: number): Buffer {
  const bodies = Array.from({ length: messages }, (_, nth) => {
    const journey = {
      bill: `BNCHBILL${String(nth).padStart(6, '0')}`,
      booking: null,
      observations: [discharge(nth)],
      writtenAt: '2026-02-03T12:00:00.000Z',
      reference: `R${nth}`,
    }
    const [written = Buffer.alloc(0)] = nth % 2 === 0 ? [writeIftsta(journey)] : writeCoarri(journey)
    return /^UNH[\s\S]*^UNT.*\n/m.exec(written.toString('latin1'))?.[0] ?? ''
  })
  const envelope = "UNA:+.? '\nUNB+UNOC:3+SYNTHETIC+LANDFALL+260203:1200+R'\n"
  return Buffer.from(`${envelope}${bodies.join('')}UNZ+${messages}+R'\n`)
}

/** One quay report of a ship with this many boxes, four segments each. */
export function shipOfBoxes(boxes: number): Buffer {
  const [one = Buffer.alloc(0)] = writeCoarri({
    bill: null,
    booking: null,
    observations: [discharge(0)],
    writtenAt: '2026-02-03T12:00:00.000Z',
    reference: 'SHIP',
  })
  const lines = one.toString('latin1').trim().split('\n')
  const first = lines.findIndex((line) => line.startsWith('EQD'))
  const head = lines.slice(0, first)
  const groups = Array.from({ length: boxes }, (_, nth) =>
    [
      `EQD+CN+${boxNumber(nth)}+++6+5'`,
      `RFF+BM:BNCHBILL${String(nth).padStart(6, '0')}'`,
      "DTM+203:20260201100000:204'",
      "LOC+9+CNSHA:139:6'",
    ].join('\n'),
  )
  const within = head.length - 2 + boxes * 4
  return Buffer.from([...head, ...groups, `UNT+${within + 1}+SHIP-1'`, "UNZ+1+SHIP-1'\n"].join('\n'))
}

/**
 * The samples of the tests: public messages, with their licences beside them, and some that were written by the
 * standard.
 */
export function samplesOf(language: 'x12' | 'edifact'): readonly Buffer[] {
  const folder = join(import.meta.dirname, '..', '..', 'test', 'connectors', language, 'fixtures')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.edi'))
    .toSorted()
    .map((name) => readFileSync(join(folder, name)))
}
