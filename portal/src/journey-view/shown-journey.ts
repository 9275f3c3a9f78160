/** What the server puts beside the text of an answer (`_meta["landfall/journey"]`), as the view draws it. */

import type { MapFeature } from '../map/map-document.ts'

export interface ShownJourney {
  readonly number: string | null
  readonly status: string
  readonly line: string
  readonly containers_total: number
  readonly containers: readonly ShownContainer[]
  readonly features: readonly MapFeature[]
  /** Sentences. */
  readonly unknown: readonly string[]
}

export interface ShownContainer {
  readonly number: string
  readonly status: string
  readonly milestones: readonly ShownMilestone[]
}

export interface ShownMilestone {
  readonly event: string
  readonly place: string | null
  readonly locode: string | null
  readonly timezone: string | null
  readonly vessel: string | null
  readonly voyage: string | null
  /** Instants in UTC, or days. */
  readonly planned_at: string | null
  readonly estimated_at: string | null
  readonly actual_at: string | null
}

/** Null for an answer without a journey. */
export function findJourney(result: unknown): ShownJourney | null {
  const meta = (result as { readonly _meta?: Readonly<Record<string, unknown>> } | null)?._meta
  // safe: our own server wrote it
  return (meta?.['landfall/journey'] as ShownJourney | undefined) ?? null
}
