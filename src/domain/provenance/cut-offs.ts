/**
 * The cut-offs of a booking. The API has no attribute for them, so an explanation of everything shows only those that
 * somebody has given.
 */

import type { FactClaim } from '../journey/trip.ts'
import { factVerdict, type Verdict } from './verdict.ts'

export const cutOffs = ['vgm_cut_off', 'documentation_cut_off', 'cargo_cut_off'] as const

type Explain = (derivation: { readonly facts: readonly FactClaim[] }) => Verdict

export const cutOffVerdicts: Readonly<Record<(typeof cutOffs)[number], Explain>> = {
  vgm_cut_off: ({ facts }) => factVerdict('vgm_cut_off', facts),
  documentation_cut_off: ({ facts }) => factVerdict('documentation_cut_off', facts),
  cargo_cut_off: ({ facts }) => factVerdict('cargo_cut_off', facts),
}
