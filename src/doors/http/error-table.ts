/** Every refusal of the API in one table: its code, HTTP status, title, and when it is given. `docs/errors.md` is written from it. */

import { type ErrorCode, errorCodes } from '../../service/errors.ts'

/** Refusals that only a door can give: they are about HTTP, not about shipments. */
const doorCodes = [
  'unauthenticated',
  'method_not_allowed',
  'not_acceptable',
  'too_slow',
  'too_large',
  'unsupported_media_type',
  'headers_too_large',
  'internal',
] as const
export type ProblemCode = ErrorCode | (typeof doorCodes)[number]

export const problemCodes: readonly ProblemCode[] = [...errorCodes, ...doorCodes]

export interface ErrorRow {
  readonly status: number
  readonly title: string
  /** Said to the reader of docs/errors.md. */
  readonly when: string
}

export const errorTable: Readonly<Record<ProblemCode, ErrorRow>> = {
  malformed: {
    status: 400,
    title: 'Bad Request',
    when: 'The request cannot be read: broken JSON, an unknown query parameter, an unknown `include` path or `sort`, an `Idempotency-Key` that is none. `source` names the parameter, the header or the place in the body.',
  },
  unauthenticated: {
    status: 401,
    title: 'Unauthorized',
    when: 'The API key or access token is missing, malformed, cut, unknown, expired, revoked or meant for something else. The answer is the same for all of them.',
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
    when: 'There is no such thing, its id is none, or it belongs to another account.',
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
    when: '`data.id` or `data.type` in the body is not that of the address, or the thing is not in a state for it: a webhook that is off, or has ten live secrets; an option of a custom field that is in use. Or the first request with this `Idempotency-Key` still runs.',
  },
  precondition_failed: {
    status: 412,
    title: 'Precondition Failed',
    when: 'What `If-Match` names is no longer how things stand: read again, and decide anew. Or `If-None-Match: *` on what is there.',
  },
  too_large: {
    status: 413,
    title: 'Content Too Large',
    when: 'The body is larger than 1 MB; a table to import, than 8 MB.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported Media Type',
    when: 'The body is neither `application/vnd.api+json` nor `application/json` (of an import: no type that a table is sent in), or it is compressed.',
  },
  invalid: {
    status: 422,
    title: 'Unprocessable Entity',
    when: 'A value is not one that this field or parameter can have, or the field cannot be written. `source` names it.',
  },
  duplicate: {
    status: 422,
    title: 'Unprocessable Entity',
    when: 'The account tracks this number at this line already (`meta.tracking_request_id` is its request), or has a custom field, option or value of this name.',
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
    when: 'The line is supported, but this installation has no way in to it: it cannot ask, and nothing is sent to it.',
  },
  rate_limited: {
    status: 429,
    title: 'Too Many Requests',
    when: 'The account has asked as often as it may in 60 seconds, or for too much at once ([limits](limits.md)), or this address has sent too many keys that are none. `Retry-After` says in how many seconds to come again.',
  },
  headers_too_large: {
    status: 431,
    title: 'Request Header Fields Too Large',
    when: 'The headers are larger than 16 KB.',
  },
  internal: {
    status: 500,
    title: 'Internal Server Error',
    when: 'Our fault. Nothing of the cause is told; the request id finds it in the log.',
  },
  issuer_unavailable: {
    status: 503,
    title: 'Service Unavailable',
    when: 'The authorization server that gave the access token cannot be asked just now. The token may be good: send the request again when `Retry-After` says.',
  },
  took_too_long: {
    status: 503,
    title: 'Service Unavailable',
    when: 'A statement of the database that the request asked for took longer than it may ([limits](limits.md)) and was stopped. `source` names what to narrow. The same again will rarely be faster.',
  },
  unavailable: {
    status: 503,
    title: 'Service Unavailable',
    when: 'The database or something else that is needed is away. `Retry-After` says in how many seconds to come again.',
  },
}

/** The page of all refusals, as `docs/errors.md` has it. */
export function writeErrorsPage(): string {
  const rows = Object.entries(errorTable)
    .sort(([, a], [, b]) => a.status - b.status)
    .map(([code, { status, title, when }]) => `| ${status} | \`${code}\` | ${title} | ${when} |`)
  return `# Errors

Written from \`src/doors/http/error-table.ts\` by \`tools/openapi.ts\`; a test fails when it is out of date.

Every refusal is a JSON:API document: \`{"errors": [{"status", "title", "detail", "code", "source"?, "meta"?}]}\`. \`status\`
is the HTTP status as text, \`code\` is stable, \`detail\` is for people and may change. \`source.pointer\` is a JSON
pointer into the body that was sent, \`source.parameter\` the name of a query parameter, \`source.header\` that
of a header. \`X-Request-Id\` of the answer names the request in the log. No error shows a stack, a statement of the database, a path or a key.

| Status | Code | Title | When |
|---|---|---|---|
${rows.join('\n')}
`
}
