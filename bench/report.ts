import type { Figure } from './measure.ts'
export function printFigures(figures: readonly Figure[]): void { for (const f of figures) console.log(JSON.stringify(f, null, 1)) }
