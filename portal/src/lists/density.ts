/** Dense or comfortable rows, as the reader has chosen in this browser. */

import type { Density } from './data-table.tsx'

const key = 'landfall.density'

export function densityOf(): Density {
  return localStorage.getItem(key) === 'comfortable' ? 'comfortable' : 'dense'
}

export function storeDensity(density: Density): void {
  localStorage.setItem(key, density)
}
