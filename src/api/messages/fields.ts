/** What every form of message does with its fields. */

export type Members = Readonly<Record<string, unknown>>

/** The members that have a value. */
export function dropNulls(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
}

/** Null for a text that is too long for its field: a part of a number or name would be another one. */
export function fitText(text: string | null, charactersMax: number): string | null {
  return text === null || text.length > charactersMax ? null : text
}
