/**
 * When a ship is expected: its arrival at the port of discharge, and its departure from the port of loading. A document
 * that foretells is an estimate, a booking confirmation a plan. That something happened, as the on-board date of a
 * bill, no document says here: those who saw it do.
 */

import type { ObservedVessel } from '../../../core/statements/observation.ts'
import { parseImoNumber } from '../../../core/values/identifiers.ts'
import { lose, type SaidContext, type Stated, statedCall, textOf } from './context.ts'
import { fieldNames } from './names.ts'
import type { SaidPlace } from './places.ts'
import { timeOf } from './times.ts'

export interface SaidPorts {
  readonly loading: SaidPlace | null
  readonly discharge: SaidPlace | null
}

export function readShips(context: SaidContext, ports: SaidPorts): readonly Stated[] {
  return [
    ...callAt(context, { code: 'ARRI', names: fieldNames.arrival, port: ports.discharge }),
    ...callAt(context, { code: 'DEPA', names: fieldNames.departure, port: ports.loading }),
  ]
}

function callAt(
  context: SaidContext,
  of: { readonly code: 'ARRI' | 'DEPA'; readonly names: readonly string[]; readonly port: SaidPlace | null },
): readonly Stated[] {
  const { code, names, port } = of
  const field = context.fields.find(names)
  const time = timeOf(field, context)
  if (field === null || time === null) return []
  if (port === null) {
    lose(context, field, { kind: 'missing_field', detail: 'the document does not say at which port' })
    return []
  }
  const [vesselField, voyage] = [
    context.fields.find(fieldNames.vesselName),
    context.fields.find(fieldNames.voyage),
  ]
  return statedCall(
    context,
    {
      classifier: context.type === 'booking_confirmation' ? 'PLN' : 'EST',
      code,
      time,
      place: port.place,
      vessel: vesselIn(context),
      voyage: textOf(voyage),
      original: field.text,
    },
    [field, ...port.fields, vesselField, voyage],
  )
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
