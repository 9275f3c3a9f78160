/** Prints which checks passed and which failed, with the first problems of each. */

import type { Report } from './checks.ts'

/** Returns whether all checks passed. */
export function tellReports(
  reports: readonly Report[],
  { problemsMax, say }: { readonly problemsMax: number; readonly say: (sentence: string) => void },
): boolean {
  for (const { says, problems } of reports) {
    say(`${problems.length === 0 ? 'ok   ' : 'WRONG'} ${says}`)
    for (const problem of problems.slice(0, problemsMax)) say(`        ${problem}`)
    if (problems.length > problemsMax) say(`        … and ${problems.length - problemsMax} more`)
  }
  return reports.every(({ problems }) => problems.length === 0)
}
