/** Requests everything from a running program: each operation of its description, and the pages of its portal. */

import { authorize, type Door } from './newcomer.ts'

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const pages = ['/', '/docs', '/portal', '/developers', '/developers/explorer', '/sign-in', '/metrics']
/** The id of no resource. */
const nowhere = '018f2d3e-5a10-7c3b-9f61-0000000000ff'
const methods = ['get', 'post', 'put', 'patch', 'delete']

/** Returns how many requests it sent. Bodies are empty and ids lead to nothing, so that nothing changes. */
export async function askEverything({ program, key }: Door): Promise<number> {
  const described = (await (await fetch(`${program.apiUrl}/v2/openapi.json`)).json()) as Description
  const operations = Object.entries(described.paths).flatMap(([path, of]) =>
    Object.keys(of)
      .filter((method) => methods.includes(method))
      .map((method) => ({ method, path: path.replaceAll(/\{\w+\}/g, nowhere) })),
  )
  const asked = [...operations, ...pages.map((path) => ({ method: 'get', path }))]
  for (const { method, path } of asked)
    for (const headers of [authorize(key), {}]) {
      const signal = AbortSignal.timeout(2_000)
      // A stream is opened and closed.
      await fetch(program.apiUrl + path, {
        method: method.toUpperCase(),
        headers,
        signal,
        redirect: 'manual',
      })
        .then((response) => response.arrayBuffer())
        .catch(() => {})
    }
  return asked.length * 2
}
