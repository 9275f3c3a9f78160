/**
 * The end of a switch over a closed set: the compiler proves that it is never reached; if a bug reaches it, it throws.
 */
export function unreachable(value: never): never {
  throw new Error(`No case for ${JSON.stringify(value)}`)
}
