/** A customer of the program: calls its API with a key and expects success. */

import type { WireResource } from '../../test/support/api.ts'

export interface Customer {
  readonly apiUrl: string
  readonly key: string
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export interface Answered {
  readonly status: number
  readonly body: {
    readonly data?: unknown
    readonly links?: Readonly<Record<string, string | null>>
    readonly errors?: readonly { readonly code: string }[]
  }
}

export async function ask(
  { apiUrl, key }: Customer,
  method: Method,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const response = await fetch(new URL(path, apiUrl), {
    method,
    headers: {
      authorization: `Token ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/vnd.api+json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Answered['body']) }
}

/** The resource in a successful answer. Throws with the text of any other answer. */
export async function must(
  customer: Customer,
  method: Method,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
): Promise<WireResource> {
  const answered = await ask(customer, method, path, body, headers)
  if (answered.status >= 300)
    throw new Error(`${method} ${path} was answered ${answered.status}: ${JSON.stringify(answered.body)}`)
  return answered.body.data as WireResource
}

/** Makes or changes a resource. */
export function send(
  customer: Customer,
  method: 'POST' | 'PATCH',
  path: string,
  resource: { readonly type: string; readonly attributes: object; readonly relationships?: object },
  headers?: Readonly<Record<string, string>>,
): Promise<WireResource> {
  return must(customer, method, path, { data: resource }, headers)
}

export async function list(customer: Customer, path: string): Promise<readonly WireResource[]> {
  const join = path.includes('?') ? '&' : '?'
  return (await must(customer, 'GET', `${path}${join}page[size]=100`)) as unknown as readonly WireResource[]
}
