// Readers of the event feed over real HTTP, for its tests: a stream read event by event, pages, long polls.

import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestApi, WireResource } from '../../support/api.ts'

/** One block of a stream: an event, or something that only the parser of a client sees. */
export interface Block {
  readonly id: string | null
  readonly event: string | null
  readonly data: string | null
  readonly comment: string | null
  readonly retry: string | null
}

export interface Stream {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly blocks: AsyncGenerator<Block>
  /** The next event, past heartbeats. */
  readonly next: () => Promise<Told>
  readonly response: IncomingMessage
  readonly leave: () => void
}

export interface Told {
  readonly id: number
  readonly event: string
  readonly document: { readonly data: WireResource; readonly included?: readonly WireResource[] }
}

/** Has the API listen on loopback; where. */
export async function listen(api: TestApi): Promise<string> {
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`
}

export async function openStream(
  base: string,
  asked: {
    /** Null for no key: the headers then have another credential. */
    readonly key: string | null
    readonly query?: string
    readonly headers?: Readonly<Record<string, string>>
  },
): Promise<Stream> {
  const sent = request(`${base}/v2/events${asked.query ?? ''}`, {
    agent: false,
    headers: {
      ...(asked.key === null ? {} : { authorization: `Token ${asked.key}` }),
      accept: 'text/event-stream',
      ...asked.headers,
    },
  })
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const blocks = readBlocks(response)
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    blocks,
    next: async () => {
      for (;;) {
        const { value, done } = await blocks.next()
        if (done === true) throw new Error('the stream has ended')
        if (value.data === null) continue
        return { id: Number(value.id), event: value.event ?? '', document: JSON.parse(value.data) }
      }
    },
    response,
    leave: () => response.destroy(),
  }
}

async function* readBlocks(response: IncomingMessage): AsyncGenerator<Block> {
  let rest = ''
  response.setEncoding('utf8')
  for await (const chunk of response) {
    const parts = (rest + chunk).split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) yield readBlock(part)
  }
}

function readBlock(text: string): Block {
  const fields = new Map(
    text.split('\n').map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at), line.slice(at + 1).trimStart()] as const
    }),
  )
  const get = (name: string) => fields.get(name) ?? null
  return { id: get('id'), event: get('event'), data: get('data'), comment: get(''), retry: get('retry') }
}

/** Reads pages, or waits for them, by `links.next`, until `last` has come. */
export async function readPages(
  base: string,
  asked: { readonly key: string; readonly query: string; readonly last: () => number | null },
): Promise<readonly WireResource[]> {
  const read: WireResource[] = []
  for (let url = `${base}/v2/events${asked.query}`; ; ) {
    const response = await fetch(url, { headers: { authorization: `Token ${asked.key}` } })
    const body = (await response.json()) as { data: WireResource[]; links: { next: string } }
    read.push(...body.data)
    const last = asked.last()
    if (last !== null && read.length >= last) return read
    url = body.links.next
  }
}
