/** A refusal in the shape of DCSA's error. Each message begins with the field that is at fault. */

import type { Problem } from '../api/errors/problem.ts'
import { errorTable } from '../api/shape/error-table.ts'

/** Whether the address belongs to the standard, whose clients expect its errors. */
export function isStandardPath(url: string): boolean {
  return /^\/dcsa(\/|\?|$)/.test(url)
}

/** Version 3 has a list of feedback, the versions before it a list of errors. */
export function writeStandardError(
  { code, faults }: Problem,
  of: { readonly method: string; readonly uri: string; readonly at: string },
): object {
  const messages = faults.map(({ detail, source }) => {
    // A source has one member: a pointer, a parameter or a header.
    const [field] = Object.values(source ?? {}) as readonly (string | undefined)[]
    return field === undefined ? detail : `${field}: ${detail}`
  })
  if (/^\/dcsa\/v3(\/|\?|$)/.test(of.uri))
    return { feedbackElements: messages.map((message) => ({ severity: 'ERROR', message })) }
  const { status, title } = errorTable[code]
  return {
    httpMethod: of.method,
    requestUri: of.uri,
    statusCode: status,
    statusCodeText: title,
    errorDateTime: of.at,
    errors: messages.map((message) => ({ reason: code, message })),
  }
}
