/** The code of an error of the system or of PostgreSQL, by which it is known whatever its message says. */
export function isErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
