/** The clock of the account's journeys: simulated ones have a clock of their own, which each answer of the API shows. */

let journeyMs: number | null = null

/** The present on that clock, in milliseconds. */
export function journeyNow(): number {
  return journeyMs ?? Date.now()
}

/** Whether the account's carriers are simulated; known after the first answer. */
export function isSimulated(): boolean {
  return journeyMs !== null
}

/** `at`: ISO instant; null for an account whose journeys are real. */
export function noteJourneyTime(at: string | null): void {
  journeyMs = at === null ? null : Date.parse(at)
}
