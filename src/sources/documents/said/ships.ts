/**
 * When a ship is expected: its arrival at the port of discharge, and its departure from the port of loading. A booking
 * confirmation plans it, every other document estimates it, unless the document says which. That something happened, as
 * the on-board date of a bill, no document says here: those who saw it do.
 */

import type { ObservedVessel } from '../../../core/statements/observation.ts'
import { parseImoNumber } from '../../../core/values/identifiers.ts'
import { lose, printedOf, type SaidContext, type Stated, statedCall, textOf } from './context.ts'
import { fieldNames, memberNames } from './names.ts'
import type { SaidPlace } from './places.ts'
import { timeOf } from './times.ts'

export interface SaidPorts {
  readonly loading: SaidPlace | null
  readonly discharge: SaidPlace | null
}

export function readShips(context: SaidContext, ports: SaidPorts): readonly Stated[] {
  return [
    ...callAt(context, { code: 'ARRI', name: fieldNames.arrival, port: ports.discharge }),
    ...callAt(context, { code: 'DEPA', name: fieldNames.departure, port: ports.loading }),
  ]
}

function callAt(
  context: SaidContext,
  of: { readonly code: 'ARRI' | 'DEPA'; readonly name: string; readonly port: SaidPlace | null },
): readonly Stated[] {
  const { code, name, port } = of
  const { fields } = context
  const field = fields.find(name, memberNames.time.value)
  const said = textOf(fields.find(name, memberNames.time.classifier))
  const time = said === 'ACT' ? null : timeOf(field, context)
  if (field === null || time === null) return []
  if (port === null) {
    lose(context, field, { kind: 'missing_field', detail: 'the document does not say at which port' })
    return []
  }
  const plans = said === 'PLN' || (said === null && context.type === 'booking_confirmation')
  const [ship, voyage] = [fields.find(fieldNames.vesselName), fields.find(fieldNames.voyage)]
  const call = {
    classifier: plans ? 'PLN' : 'EST',
    code,
    time,
    place: port.place,
    vessel: vesselIn(context),
    voyage: textOf(voyage),
    original: printedOf(field),
  } as const
  return statedCall(context, call, [field, ...port.fields, ship, voyage])
}

function vesselIn(context: SaidContext): ObservedVessel | null {
  const name = textOf(context.fields.find(fieldNames.vesselName))
  const field = context.fields.find(fieldNames.vesselImo)
  const text = textOf(field)
  const imo = text === null ? null : parseImoNumber(text)
  if (imo?.ok === false && field !== null)
    lose(context, field, { kind: 'bad_imo', detail: imo.reason.replaceAll('_', ' ') })
  const number = imo?.ok === true ? imo.value : null
  return name === null && number === null ? null : { imo: number, name }
}
