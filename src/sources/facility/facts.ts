/** What a facility says of a box besides holds, fees and events. */

import {
  type FactName,
  type FactObservation,
  type FactValues,
  nowhere,
} from '../../core/statements/observation.ts'
import { quoted } from '../source-issue.ts'
import { type BoxContext, factOf, isOneOfWords, noteWord, type Part, textAt } from './box-context.ts'
import { readPlace } from './places.ts'
import type { FacilityProfile, FactField, TextField } from './profile.ts'
import { readTime } from './times.ts'

const times = [
  'pickup_lfd_terminal',
  'pickup_lfd_rail',
  'pickup_lfd_line',
  'pickup_appointment',
  'general_order_at',
  'empty_return_by',
] as const
/** These facts are days, even if the field has a time of day. */
const days: ReadonlySet<FactField> = new Set(['pickup_lfd_terminal', 'pickup_lfd_rail', 'pickup_lfd_line'])
const texts = [
  'yard_location',
  'chassis_number',
  'seal_number',
  'pickup_number',
  'it_number',
  'size_type',
  'pod_rail_carrier',
  'destination_rail_carrier',
] as const

export function readFacts(context: BoxContext, part: Part): readonly FactObservation[] {
  const { facts = {} } = context.profile
  return [
    ...readAvailable(context, facts, part),
    ...readWeight(context, facts, part),
    ...readDelivery(context, facts, part),
    ...times.flatMap((name) => {
      const field = facts[name]
      const isDay = field?.isDay ?? days.has(name)
      const said = field === undefined ? null : readTime(context, { ...field, isDay }, part)
      return said === null ? [] : [factOf(name, said.time, context)]
    }),
    ...texts.flatMap((name) => {
      const field = facts[name]
      const said = field === undefined ? null : readText(context, name, field, part)
      return said === null ? [] : [factOf<FactName>(name, said, context)]
    }),
  ]
}

type Facts = NonNullable<FacilityProfile['facts']>

function readAvailable(
  context: BoxContext,
  { available: field }: Facts,
  part: Part,
): readonly FactObservation[] {
  const said = field === undefined ? null : textAt(context, field.at, part)
  if (field === undefined || said === null) return []
  const { text, path } = said
  const isMapped = [field.yes, field.no, field.neither ?? []].some((words) => isOneOfWords(words, text))
  noteWord(context, said, { field: '/facts/available', isMapped })
  if (isOneOfWords(field.yes, text)) return [factOf('available', true, context)]
  if (isOneOfWords(field.no, text)) return [factOf('available', false, context)]
  if (isOneOfWords(field.neither ?? [], text)) return []
  context.issues.add('unmapped_code', { path, lost: 'field' }, `${quoted(text)} is neither yes nor no`)
  return []
}

/** Only a known place: a name alone would keep a known place of another source from being shown. */
function readDelivery(
  context: BoxContext,
  { place_of_delivery: field }: Facts,
  part: Part,
): readonly FactObservation[] {
  const place = field === undefined ? nowhere : readPlace(context, field, part)
  return place.unlocode === null ? [] : [factOf('place_of_delivery', place, context)]
}

const kilograms = { kg: 1, lb: 0.45359237, t: 1_000 } as const
const kilogramsMax = 200_000

function readWeight(
  context: BoxContext,
  { weight_kg: field }: Facts,
  part: Part,
): readonly FactObservation[] {
  const said = field === undefined ? null : textAt(context, field.at, part)
  if (field === undefined || said === null) return []
  const weight = readAmount(said.text)
  // Many write zero for an unknown weight.
  if (weight === 0) return []
  const kg = weight === null ? null : Math.round(weight * kilograms[field.unit] * 1_000) / 1_000
  if (kg !== null && kg > 0 && kg <= kilogramsMax) return [factOf('weight_kg', kg, context)]
  context.issues.add('wrong_type', { path: said.path, lost: 'field' }, 'this is not a weight of a container')
  return []
}

/** `1,250.00`, `$99`, `-4`; null for anything else. */
export function readAmount(text: string): number | null {
  const plain = text.replace(/^\$\s?/, '').replace(/(?<=\d),(?=\d{3}(\D|$))/g, '')
  return /^-?\d{1,9}(\.\d{1,6})?$/.test(plain) ? Number(plain) : null
}

/** An issue never quotes a pick-up number. */
function readText(
  context: BoxContext,
  name: (typeof texts)[number],
  field: TextField,
  part: Part,
): FactValues[(typeof texts)[number]] | null {
  const said = 'at' in field ? textAt(context, field.at, part) : joined(context, field, part)
  if (said === null) return null
  const { text, path } = said
  const at = { path, lost: 'field' } as const
  const upper = text.toUpperCase()
  if (name === 'size_type' && !/^[0-9A-Z]{4}$/.test(upper)) {
    context.issues.addOnce('unknown_code', at, `${quoted(text)} is not an ISO 6346 size-type code`)
    return null
  }
  const isCarrier = name === 'pod_rail_carrier' || name === 'destination_rail_carrier'
  if (isCarrier && !/^[A-Z]{2,4}$/.test(upper)) {
    context.issues.addOnce('unknown_code', at, `${quoted(text)} is not the code (SCAC) of a railway`)
    return null
  }
  return isCarrier || name === 'size_type' ? upper : text
}

function joined(
  context: BoxContext,
  { parts, join }: Extract<TextField, { parts: unknown }>,
  part: Part,
): { readonly text: string; readonly path: string } | null {
  const said = parts.flatMap((pointer) => textAt(context, pointer, part) ?? [])
  const [first] = said
  return first === undefined ? null : { text: said.map(({ text }) => text).join(join), path: first.path }
}
