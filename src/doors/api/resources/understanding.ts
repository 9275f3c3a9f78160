/** The words for how much of a line's answers is understood, wherever it is told. */

export const understandings = ['understood', 'partly understood'] as const

export function writeUnderstanding(isPartly: boolean): (typeof understandings)[number] {
  return isPartly ? 'partly understood' : 'understood'
}
