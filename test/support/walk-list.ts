/** Walks a list by the positions in its links, from its beginning to its end and back again. */

import type { TestApi } from './api.ts'

/** Ids in the order in which they were found. `on` and `back` are both in the order of the list. */
export interface Walked {
  readonly on: readonly string[]
  readonly back: readonly string[]
}

/** `list`: path and query, without a page. Only the path and query of a link are used, whatever its host is. */
export async function walkList(api: TestApi, list: string, key?: string): Promise<Walked> {
  const ask = (url: string) => api.call({ url, ...(key === undefined ? {} : { key }) })
  const [on, back]: [string[], string[]] = [[], []]
  let page = await ask(`${list}${list.includes('?') ? '&' : '?'}page[size]=5&page[after]=`)
  if (page.body.links?.['prev'] !== undefined) throw new Error(`${list} goes on before its beginning`)
  for (let next: string | undefined; ; page = await ask(pathOf(next))) {
    on.push(...page.many().map(({ id }) => id))
    next = page.body.links?.['next']
    if (next === undefined) break
  }
  page = await ask(pathOf(page.body.links?.['last']))
  for (let previous: string | undefined; ; page = await ask(pathOf(previous))) {
    back.unshift(...page.many().map(({ id }) => id))
    previous = page.body.links?.['prev']
    if (previous === undefined) break
  }
  return { on, back }
}

export function pathOf(link: string | undefined): string {
  return (link ?? '').replace(/^http:\/\/[^/]+/, '')
}
