/** Reads the place of an event or fact that is elsewhere than the facility itself. */

import { nowhere, type ObservedPlace } from '../../domain/statements/observation.ts'
import { resolvePlace } from '../../reference/places.ts'
import { findRampStation, findRampWritten } from '../../reference/ramps.ts'
import { type ContainerContext, type JsonNode, meaningOf, textAt } from './container-context.ts'
import type { PlaceField } from './profile.ts'

/**
 * Resolves a place by the profile's own tables, else by its name in its country. An unknown place has only its name.
 */
export function readPlace(context: ContainerContext, field: PlaceField, node: JsonNode): ObservedPlace {
  const raw = textAt(context, field.name, node)
  if (raw === null) return nowhere
  const region = field.subdivision === undefined ? null : textAt(context, field.subdivision, node)
  const name = region === null ? raw.text : `${raw.text}, ${region.text}`
  const railway = railwayOf(context)
  const written = meaningOf(field.ramps ?? {}, raw.text) ?? null
  const mapped = written === null ? null : findRampWritten(written, railway)
  const { country = null } = field
  const town = resolvePlace({
    unlocode: meaningOf(field.unlocodes ?? {}, raw.text) ?? mapped?.unlocode ?? null,
    facilityNames: [raw.text, name],
    railway,
    ...(country !== null && { name: raw.text, subdivision: region?.text ?? null, country }),
  })
  const station =
    town === null && railway !== null && region !== null
      ? findRampStation({ name: raw.text, state: region.text, railway })
      : null
  const known = town ?? resolvePlace({ unlocode: station?.unlocode ?? null })
  if (known === null)
    context.issues.addOnce(
      'unknown_place',
      { path: raw.path, lost: 'nothing' },
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
export function railwayOf({ speaker, profile }: Pick<ContainerContext, 'speaker' | 'profile'>): string | null {
  return speaker === 'rail' ? (profile.scacs?.[0] ?? null) : null
}
