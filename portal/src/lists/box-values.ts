/** Values of a container that several columns and cards show. */

import type { BoxRow } from './list-row.ts'

/** When it arrived at its port of discharge, or shall arrive: its own report, else the estimate of its shipment. */
export function arrivalOf({ box, shipment }: BoxRow): { readonly at: string | null; readonly isActual: boolean } {
  if (box.pod_arrived_at) return { at: box.pod_arrived_at, isActual: true }
  return { at: shipment?.pod_eta_at ?? shipment?.pod_ata_at ?? null, isActual: false }
}

export const pickedUpAt = ({ box }: BoxRow): string | null =>
  box.final_destination_full_out_at ?? box.pod_full_out_at ?? null
export const inlandAt = ({ box }: BoxRow): string | null => box.ind_ata_at ?? box.ind_eta_at ?? null
export const departureAt = ({ box, shipment }: BoxRow): string | null =>
  box.pol_vessel_departed_at ?? shipment?.pol_atd_at ?? shipment?.pol_etd_at ?? null
export const outZone = ({ box }: BoxRow): string | null => box.final_destination_timezone ?? box.pod_timezone ?? null
export const referencesOf = ({ box, shipment }: BoxRow): readonly string[] => [
  ...new Set([...(shipment?.ref_numbers ?? []), ...(box.ref_numbers ?? [])]),
]
export const joined = (texts: readonly string[]): string | null => (texts.length === 0 ? null : texts.join(', '))
