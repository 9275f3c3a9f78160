/** Weight: sources give kilograms, the wire shows pounds. */

/** International avoirdupois pound, exactly 0.45359237 kg; rounded to a whole pound, as no source is finer. */
export function poundsOf(kg: number | null): number | null {
  return kg === null ? null : Math.round(kg / 0.45359237)
}
