/** Where something is to be or was, when that is not where the facility stands. */

import { nowhere, type ObservedPlace } from '../../core/observation.ts'
import { resolvePlace } from '../../reference/places.ts'
import { type BoxContext, meaningOf, type Part, textAt } from './box-context.ts'
import type { PlaceField } from './profile.ts'

/** By the profile's own list, else by name in its country; what neither knows stays its name. */
export function readPlace(context: BoxContext, field: PlaceField, part: Part): ObservedPlace {
  const said = textAt(context, field.name, part)
  if (said === null) return nowhere
  const region = field.subdivision === undefined ? null : textAt(context, field.subdivision, part)
  const name = region === null ? said.text : `${said.text}, ${region.text}`
  const unlocode = meaningOf(field.unlocodes ?? {}, said.text) ?? null
  const { country = null } = field
  const known = resolvePlace({
    unlocode,
    ...(country !== null && { name: said.text, subdivision: region?.text ?? null, country }),
  })
  if (known === null)
    context.issues.addOnce(
      'unknown_place',
      { path: said.path, lost: 'nothing' },
      'no place that we know: its name is kept',
    )
  const facilityType = context.speaker === 'rail' ? ('RAMP' as const) : null
  return {
    ...nowhere,
    unlocode: known?.place.unlocode ?? null,
    facilityType,
    name,
    timeZone: known?.timeZone ?? null,
  }
}
