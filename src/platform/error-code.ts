/**
 * Whether an error has this code. The code of an error of the system or of PostgreSQL stays the same while its message
 * may differ.
 */
export function isErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** Null when it has none. */
export function findErrorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}
