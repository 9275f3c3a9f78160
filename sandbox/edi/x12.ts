/**
 * Writes X12 315 (in the dialect of a line or of a terminal) and 322 from statements in the notation, as samples where
 * no public ones exist. They are synthetic and marked so: by the name of their sender and by the test mark (ISA-15).
 */

import type { Said } from './said.ts'
import { writeMessage315 } from './x12-315.ts'
import { writeMessage322 } from './x12-322.ts'
import type { X12Journey } from './x12-journey.ts'

export const syntheticSender = 'SYNTHETIC'

export function writeX12(journey: X12Journey): Buffer {
  const write = journey.words === 'rail' ? writeMessage322 : writeMessage315
  const messages = journey.said.filter(isToldAlone).map((told) => write(told, journey))
  const bodies = messages.map((segments, index) => {
    const number = String(index + 1).padStart(4, '0')
    const type = journey.words === 'rail' ? '322' : '315'
    return [['ST', type, number], ...segments, ['SE', String(segments.length + 2), number]]
  })
  const group = journey.words === 'rail' ? 'SO' : 'QO'
  const name = syntheticSender.padEnd(15)
  const blanks = ' '.repeat(10)
  const { writtenAt = '2026-01-01T00:00:00Z', control = 1 } = journey
  const [day, time] = [writtenAt.slice(0, 10).replaceAll('-', ''), writtenAt.slice(11, 16).replace(':', '')]
  const number = String(control).padStart(9, '0')
  const clock = [day.slice(2), time, 'U', '00401', number, '0', 'T', '>']
  const segments = [
    ['ISA', '00', blanks, '00', blanks, 'ZZ', name, 'ZZ', 'LANDFALL'.padEnd(15), ...clock],
    ['GS', group, syntheticSender, 'LANDFALL', day, time, '1', 'X', '004010'],
    ...bodies.flat(),
    ['GE', String(bodies.length), '1'],
    ['IEA', '1', number],
  ]
  return Buffer.from(segments.map((elements) => `${elements.join('*').replace(/\*+$/, '')}~\n`).join(''))
}

const factsToldAlone: ReadonlySet<string> = new Set([
  'hold',
  'available',
  'pickup_lfd_line',
  'pickup_lfd_terminal',
  'pickup_lfd_rail',
  'pickup_appointment',
])

function isToldAlone(said: Said): boolean {
  return said.kind === 'event' || factsToldAlone.has(said.fact)
}
