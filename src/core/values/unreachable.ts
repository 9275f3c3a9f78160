/** The end of a switch over a closed set: the compiler proves that it is never reached, a bug says so loudly. */
export function unreachable(value: never): never {
  throw new Error(`No case for ${JSON.stringify(value)}`)
}
