/** The EDIFACT codes for the statements of a journey: the reader's tables in the other direction. */

import type { Said, SaidEvent, SaidHold, SaidMode } from './said.ts'

/** Codes of the code list 9011. */
const numbers: Readonly<Record<string, string | undefined>> = {
  ARRI: '1',
  GTOT: '13',
  WAYP: '16',
  DEPA: '24',
  STRP: '28',
  DISC: '29',
  LOAD: '48',
  GTIN: '74',
  STUF: '93',
}
/** Qualifiers of the estimated arrival and departure of a ship or a train. */
const expected: Readonly<Record<string, string | undefined>> = { ARRI: '132', DEPA: '133' }

/** Null for what a status cannot express: plans, and estimates of anything but arrivals and departures. */
export function statusOfEvent({
  code,
  classifier,
}: SaidEvent): { readonly number: string; readonly qualifier: string } | null {
  const number = code === null ? undefined : numbers[code]
  const qualifier = classifier === 'ACT' ? '334' : classifier === 'EST' && code !== null ? expected[code] : undefined
  return number === undefined || qualifier === undefined ? null : { number, qualifier }
}

/** Only customs and freight have codes in the list 9011. */
export function statusOfHold({ name, status }: SaidHold): string | null {
  if (name === 'customs') return status === 'hold' ? '17' : status === 'released' ? '12' : null
  return name === 'freight' && status === 'released' ? '38' : null
}

const modes: Readonly<Record<SaidMode, string>> = { VESSEL: '1', RAIL: '2', TRUCK: '3', BARGE: '8' }

export function moveCodeOf(mode: SaidMode): string {
  return modes[mode]
}

/** `status`: 2 export, 3 import, 6 transshipment. */
export function quayReportOf(
  { code }: SaidEvent,
  isTransshipped: boolean,
): { readonly report: string; readonly port: string; readonly status: string } {
  return code === 'LOAD'
    ? { report: '122', port: '9', status: isTransshipped ? '6' : '2' }
    : { report: '119', port: '11', status: isTransshipped ? '6' : '3' }
}

type Line = readonly [tag: string, ...elements: (string | readonly string[])[]]

/** Weight and seal of the box, and the chassis on which it leaves. */
export function gateFactSegments(observations: readonly Said[], { equipment, code, load }: SaidEvent): readonly Line[] {
  return observations.flatMap((said): readonly Line[] => {
    if (said.kind !== 'fact' || said.equipment !== equipment || load === 'EMPTY') return []
    if (said.fact === 'weight_kg') return [['MEA', 'AAE', 'VGM', ['KGM', String(said.value)]]]
    if (said.fact === 'seal_number') return [['SEL', said.value, 'CA']]
    return said.fact === 'chassis_number' && code === 'GTOT' && load === 'LADEN' ? [['EQA', 'CH', said.value]] : []
  })
}
