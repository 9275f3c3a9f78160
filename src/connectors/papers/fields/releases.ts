/**
 * The releases that a document states: freight, customs, the original bill. Only where it states them for this cargo.
 */

import type { TextRun } from './runs.ts'

export interface Release {
  readonly field: 'freight_released' | 'customs_released' | 'original_bill_received'
  readonly value: boolean
  readonly run: TextRun
}

const yes = '(?:yes|y|released|ok|received|surrendered|cleared|done|complete[d]?)'
const no =
  '(?:no|n|not (?:yet )?(?:released|received|surrendered|cleared)|pending|hold|on hold|outstanding|missing|awaited)'

const releaseLabels: readonly (readonly [Release['field'], string])[] = [
  ['freight_released', '(?:ocean )?freight (?:release[d]?|status)'],
  ['customs_released', 'customs (?:release[d]?|status|clearance|cleared)'],
  [
    'original_bill_received',
    '(?:original (?:b/?l|bill(?:s)?(?: of lading)?)|obl)(?: (?:received|surrendered|status))?',
  ],
]

/** Complete statements without a mark: `CUSTOMS RELEASED`. A sentence about conditions is longer. */
const plain: readonly (readonly [Release['field'], RegExp, boolean])[] = [
  ['freight_released', /^freight (?:is |has been )?released[.!]?$/i, true],
  ['customs_released', /^customs (?:is |has been |have )?(?:released|cleared)[.!]?$/i, true],
  [
    'original_bill_received',
    /^original (?:b\/?l|bill(?: of lading)?) (?:is |has been )?(?:received|surrendered)[.!]?$/i,
    true,
  ],
]

export function findReleases(lines: readonly (readonly TextRun[])[]): readonly Release[] {
  const found = new Map<Release['field'], Release>()
  const put = (release: Release): void => {
    if (!found.has(release.field)) found.set(release.field, release)
  }
  for (const line of lines)
    for (const [place, run] of line.entries()) {
      const text = run.text.trim()
      // `Freight released: YES`, or the answer in the next cell of the line.
      const beside = `${text.replace(/:?\s*$/, ':')} ${line[place + 1]?.text ?? ''}`
      for (const [field, label] of releaseLabels) {
        const isStated = (answer: string): boolean =>
          new RegExp(`^${label}\\s*[:?-]\\s*${answer}\\b`, 'i').test(text) ||
          new RegExp(`^${label}\\s*:\\s*${answer}\\b`, 'i').test(beside)
        if (isStated(no)) put({ field, value: false, run })
        else if (isStated(yes)) put({ field, value: true, run })
      }
      for (const [field, pattern, value] of plain) if (pattern.test(text)) put({ field, value, run })
    }
  return [...found.values()]
}
