/**
 * A refusal at the HTTP level, in the form that MCP clients read. It is given before the message is read, so it has no
 * id at all: clients reject an `id` of null.
 */

const serverError = -32_000

export function jsonRpcError(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = { jsonrpc: '2.0', error: { code: serverError, message } }
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } })
}

const refusals: ReadonlySet<number> = new Set([401, 403, 429])

/** Removes the null id from refusals that the SDK writes. */
export async function withoutNullId(response: Response): Promise<Response> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  if (!refusals.has(response.status) || !isJson) return response
  const { id, ...body } = (await response.json()) as { readonly id?: unknown }
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  return Response.json(id === null ? body : { ...body, id }, { status: response.status, headers })
}
