/** What a facility states about a container besides holds, fees and events. */

import { type FactName, type FactObservation, type FactValues, nowhere } from '../../domain/statements/observation.ts'
import { quoteValue } from '../source-issue.ts'
import { type ContainerContext, factOf, isAnyOf, type JsonNode, recordCode, textAt } from './container-context.ts'
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

export function readFacts(context: ContainerContext, node: JsonNode): readonly FactObservation[] {
  const { facts = {} } = context.profile
  return [
    ...readAvailable(context, facts, node),
    ...readWeight(context, facts, node),
    ...readDelivery(context, facts, node),
    ...times.flatMap((name) => {
      const field = facts[name]
      const isDay = field?.isDay ?? days.has(name)
      const value = field === undefined ? null : readTime(context, { ...field, isDay }, node)
      return value === null ? [] : [factOf(name, value.time, context)]
    }),
    ...texts.flatMap((name) => {
      const field = facts[name]
      const value = field === undefined ? null : readText(context, name, field, node)
      return value === null ? [] : [factOf<FactName>(name, value, context)]
    }),
  ]
}

type Facts = NonNullable<FacilityProfile['facts']>

function readAvailable(
  context: ContainerContext,
  { available: field }: Facts,
  node: JsonNode,
): readonly FactObservation[] {
  const raw = field === undefined ? null : textAt(context, field.at, node)
  if (field === undefined || raw === null) return []
  const { text, path } = raw
  const isMapped = [field.yes, field.no, field.neither ?? []].some((options) => isAnyOf(options, text))
  recordCode(context, raw, { field: '/facts/available', isMapped })
  if (isAnyOf(field.yes, text)) return [factOf('available', true, context)]
  if (isAnyOf(field.no, text)) return [factOf('available', false, context)]
  if (isAnyOf(field.neither ?? [], text)) return []
  context.issues.add('unmapped_code', { path, lost: 'field' }, `${quoteValue(text)} is neither yes nor no`)
  return []
}

/** Only a known place: a name alone would prevent that a known place of another source is shown. */
function readDelivery(
  context: ContainerContext,
  { place_of_delivery: field }: Facts,
  node: JsonNode,
): readonly FactObservation[] {
  const place = field === undefined ? nowhere : readPlace(context, field, node)
  return place.unlocode === null ? [] : [factOf('place_of_delivery', place, context)]
}

const kilograms = { kg: 1, lb: 0.45359237, t: 1_000 } as const
const kilogramsMax = 200_000

function readWeight(
  context: ContainerContext,
  { weight_kg: field }: Facts,
  node: JsonNode,
): readonly FactObservation[] {
  const raw = field === undefined ? null : textAt(context, field.at, node)
  if (field === undefined || raw === null) return []
  const weight = readAmount(raw.text)
  // Many write zero for an unknown weight.
  if (weight === 0) return []
  const kg = weight === null ? null : Math.round(weight * kilograms[field.unit] * 1_000) / 1_000
  if (kg !== null && kg > 0 && kg <= kilogramsMax) return [factOf('weight_kg', kg, context)]
  context.issues.add('wrong_type', { path: raw.path, lost: 'field' }, 'this is not a weight of a container')
  return []
}

/** `1,250.00`, `$99`, `-4`; null for anything else. */
export function readAmount(text: string): number | null {
  const plain = text.replace(/^\$\s?/, '').replace(/(?<=\d),(?=\d{3}(\D|$))/g, '')
  return /^-?\d{1,9}(\.\d{1,6})?$/.test(plain) ? Number(plain) : null
}

/** An issue never quotes a pick-up number. */
function readText(
  context: ContainerContext,
  name: (typeof texts)[number],
  field: TextField,
  node: JsonNode,
): FactValues[(typeof texts)[number]] | null {
  const raw = 'at' in field ? textAt(context, field.at, node) : joinTexts(context, field, node)
  if (raw === null) return null
  const { text, path } = raw
  const at = { path, lost: 'field' } as const
  const upper = text.toUpperCase()
  if (name === 'size_type' && !/^[0-9A-Z]{4}$/.test(upper)) {
    context.issues.addOnce('unknown_code', at, `${quoteValue(text)} is not an ISO 6346 size-type code`)
    return null
  }
  const isCarrier = name === 'pod_rail_carrier' || name === 'destination_rail_carrier'
  if (isCarrier && !/^[A-Z]{2,4}$/.test(upper)) {
    context.issues.addOnce('unknown_code', at, `${quoteValue(text)} is not the code (SCAC) of a railway`)
    return null
  }
  return isCarrier || name === 'size_type' ? upper : text
}

function joinTexts(
  context: ContainerContext,
  { parts, join }: Extract<TextField, { parts: unknown }>,
  node: JsonNode,
): { readonly text: string; readonly path: string } | null {
  const found = parts.flatMap((pointer) => textAt(context, pointer, node) ?? [])
  const [first] = found
  return first === undefined ? null : { text: found.map(({ text }) => text).join(join), path: first.path }
}
