/** Reads the place of an event or fact that is elsewhere than the facility itself. */

import { nowhere, type ObservedPlace } from '../../core/statements/observation.ts'
import { resolvePlace } from '../../reference/places.ts'
import { findRampStation, findRampWritten } from '../../reference/ramps.ts'
import { type BoxContext, meaningOf, type Part, textAt } from './box-context.ts'
import type { PlaceField } from './profile.ts'

/**
 * Resolves a place by the profile's own tables, else by its name in its country. An unknown place keeps only its name.
 */
export function readPlace(context: BoxContext, field: PlaceField, part: Part): ObservedPlace {
  const said = textAt(context, field.name, part)
  if (said === null) return nowhere
  const region = field.subdivision === undefined ? null : textAt(context, field.subdivision, part)
  const name = region === null ? said.text : `${said.text}, ${region.text}`
  const railway = railwayOf(context)
  const written = meaningOf(field.ramps ?? {}, said.text) ?? null
  const mapped = written === null ? null : findRampWritten(written, railway)
  const { country = null } = field
  const town = resolvePlace({
    unlocode: meaningOf(field.unlocodes ?? {}, said.text) ?? mapped?.unlocode ?? null,
    facilityNames: [said.text, name],
    railway,
    ...(country !== null && { name: said.text, subdivision: region?.text ?? null, country }),
  })
  const station =
    town === null && railway !== null && region !== null
      ? findRampStation({ name: said.text, state: region.text, railway })
      : null
  const known = town ?? resolvePlace({ unlocode: station?.unlocode ?? null })
  if (known === null)
    context.issues.addOnce(
      'unknown_place',
      { path: said.path, lost: 'nothing' },
      'the place is not known: only its name is kept',
    )
  const facilityType = context.speaker === 'rail' ? ('RAMP' as const) : null
  return {
    ...nowhere,
    unlocode: known?.place.unlocode ?? null,
    terminalId: (mapped ?? station ?? known?.terminal)?.id ?? null,
    facilityType,
    name,
    timeZone: known?.timeZone ?? null,
  }
}

/** The SCAC of the railway that sends: the first one in its profile. */
export function railwayOf({ speaker, profile }: Pick<BoxContext, 'speaker' | 'profile'>): string | null {
  return speaker === 'rail' ? (profile.scacs?.[0] ?? null) : null
}
