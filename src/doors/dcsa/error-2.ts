/** A refusal in the shape of DCSA's error, with the field that is at fault in `reason`'s place. */

import { errorTable } from '../http/error-table.ts'
import type { Problem } from '../http/problem.ts'

/** Whether the address belongs to the standard, whose clients expect its errors. */
export function isStandardPath(url: string): boolean {
  return /^\/dcsa(\/|\?|$)/.test(url)
}

export function writeStandardError(
  { code, faults }: Problem,
  of: { readonly method: string; readonly uri: string; readonly at: string },
): object {
  const { status, title } = errorTable[code]
  return {
    httpMethod: of.method,
    requestUri: of.uri,
    statusCode: status,
    statusCodeText: title,
    errorDateTime: of.at,
    errors: faults.map(({ detail, source }) => ({
      reason: code,
      message: fieldOf(source) === null ? detail : `${fieldOf(source)}: ${detail}`,
    })),
  }
}

function fieldOf(
  source:
    | {
        readonly pointer?: string
        readonly parameter?: string
        readonly header?: string
      }
    | undefined,
): string | null {
  return source?.parameter ?? source?.pointer ?? source?.header ?? null
}
