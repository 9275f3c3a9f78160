/** A refusal at the HTTP level, in the shape that MCP clients read. */

const serverError = -32_000

export function jsonRpcError(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = { jsonrpc: '2.0', error: { code: serverError, message }, id: null }
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } })
}
