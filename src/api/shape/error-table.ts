/**
 * Every refusal of the API in one table: its code, HTTP status and title, and when it is given. `docs/errors.md` is
 * written from it.
 */

import { type ErrorCode, errorCodes } from '../../modules/errors.ts'

/** Refusals that only an API can give: they are about HTTP, not about shipments. */
const httpOnlyCodes = [
  'unauthenticated',
  'method_not_allowed',
  'not_acceptable',
  'too_slow',
  'unsupported_media_type',
  'headers_too_large',
  'internal',
] as const
export type ProblemCode = ErrorCode | (typeof httpOnlyCodes)[number]

export const problemCodes: readonly ProblemCode[] = [...errorCodes, ...httpOnlyCodes]

export interface ErrorRow {
  readonly status: number
  readonly title: string
  /** When it is given, as a sentence in docs/errors.md. */
  readonly when: string
}

export const errorTable: Readonly<Record<ProblemCode, ErrorRow>> = {
  malformed: {
    status: 400,
    title: 'Bad Request',
    when: 'The request cannot be read: broken JSON, an unknown query parameter, an unknown `include` path or `sort`, an invalid `Idempotency-Key`. `source` names the parameter, the header or the place in the body.',
  },
  unauthenticated: {
    status: 401,
    title: 'Unauthorized',
    when: 'The API key or access token is missing, malformed, incomplete, unknown, expired, revoked or meant for something else. The answer is the same for all of them; only the answer to an API key sent as `Bearer` says to use the scheme `Token`, valid or not.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    when: 'The key or access token may not do this (a read-only one that writes), or the feature is not enabled for the account.',
  },
  carrier_not_enabled: {
    status: 422,
    title: 'Unprocessable Entity',
    when: 'The shipping line is supported but not enabled for the account.',
  },
  not_found: {
    status: 404,
    title: 'Not Found',
    when: 'No resource has this id, the id is malformed, or the resource belongs to another account.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method Not Allowed',
    when: 'The path exists, the method does not. The `Allow` header lists those that do.',
  },
  not_acceptable: {
    status: 406,
    title: 'Not Acceptable',
    when: 'The `Accept` header admits neither `application/vnd.api+json` nor `application/json`.',
  },
  too_slow: { status: 408, title: 'Request Timeout', when: 'The request did not arrive in time.' },
  conflict: {
    status: 409,
    title: 'Conflict',
    when: '`data.id` or `data.type` in the body differs from the address, or the state of the resource does not allow the change: a webhook that is off, or has ten valid secrets; an option of a custom field that is in use. Or the first request with this `Idempotency-Key` still runs.',
  },
  duplicate_document: {
    status: 409,
    title: 'Conflict',
    when: 'The account has a document of the same bytes already: `meta.existing_document_id` and `meta.existing_document_name` tell which.',
  },
  precondition_failed: {
    status: 412,
    title: 'Precondition Failed',
    when: 'The resource has changed since the state that `If-Match` names: read it again, and decide again. Or the request has `If-None-Match: *` and the resource exists.',
  },
  too_large: {
    status: 413,
    title: 'Content Too Large',
    when: 'The body is larger than 1 MB; a table to import, than 8 MB; a document, than the operator allows (25 MB unless set otherwise).',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported Media Type',
    when: 'The body is neither `application/vnd.api+json` nor `application/json` (for an import: not a type of a table), or it is compressed.',
  },
  invalid: {
    status: 422,
    title: 'Unprocessable Entity',
    when: 'A field or parameter has a value that it cannot have, or the field is read-only. `source` names it.',
  },
  duplicate: {
    status: 422,
    title: 'Unprocessable Entity',
    when: 'The account tracks this number at this line already (`meta.tracking_request_id` is its request), or has a custom field, option or value of this name; or the party has this role already.',
  },
  unknown_scac: {
    status: 422,
    title: 'Unprocessable Entity',
    when: 'No supported shipping line has this SCAC.',
  },
  unsupported_number_type: {
    status: 422,
    title: 'Unprocessable Entity',
    when: 'The line cannot be tracked by this kind of number.',
  },
  carrier_not_configured: {
    status: 422,
    title: 'Unprocessable Entity',
    when: 'The line is supported, but this installation has no access to it: it cannot poll the line, and the line sends it no messages.',
  },
  rate_limited: {
    status: 429,
    title: 'Too Many Requests',
    when: 'The account has used up a limit for 60 seconds, or asks for too much at once ([limits](integrating.md)), or this address has sent too many wrong keys. `Retry-After` says after how many seconds to ask again.',
  },
  headers_too_large: {
    status: 431,
    title: 'Request Header Fields Too Large',
    when: 'The headers are larger than 16 KB.',
  },
  internal: {
    status: 500,
    title: 'Internal Server Error',
    when: 'A fault of Landfall. The answer does not show the cause; the log shows it under the request id.',
  },
  issuer_unavailable: {
    status: 503,
    title: 'Service Unavailable',
    when: 'The authorization server that issued the access token cannot be reached now. The token may be valid: send the request again after `Retry-After` seconds.',
  },
  took_too_long: {
    status: 503,
    title: 'Service Unavailable',
    when: 'An SQL statement of the request took longer than its limit ([limits](integrating.md)) and was stopped. `source` names the parameter to narrow. The same request will rarely be faster later.',
  },
  unavailable: {
    status: 503,
    title: 'Service Unavailable',
    when: 'The database or another program that is needed cannot be reached. `Retry-After` says after how many seconds to ask again.',
  },
}

/** The text of `docs/errors.md`, a page of all refusals. */
export function writeErrorsPage(): string {
  const rows = Object.entries(errorTable)
    .sort(([, a], [, b]) => a.status - b.status)
    .map(([code, { status, title, when }]) => `| ${status} | \`${code}\` | ${title} | ${when} |`)
  return `# Errors

For integrators: every refusal of the API, and when it is given. A wrong key, for example:

\`\`\`json
${JSON.stringify({ errors: [{ status: '401', title: errorTable.unauthenticated.title, detail: '…', code: 'unauthenticated' }] })}
\`\`\`

Written from \`src/api/shape/error-table.ts\` by \`tools/openapi.ts\`; a test fails when it is out of date.

Every refusal is a JSON:API document: \`{"errors": [{"status", "title", "detail", "code", "source"?, "meta"?}]}\`. \`status\`
is the HTTP status as text, \`code\` is stable, \`detail\` is for people and may change. \`source.pointer\` is a JSON
pointer into the body of the request, \`source.parameter\` the name of a query parameter, \`source.header\` the name
of a header. \`X-Request-Id\` of the answer names the request in the log. No error shows a stack, an SQL statement, a path or a key.

| Status | Code | Title | When |
|---|---|---|---|
${rows.join('\n')}
`
}
