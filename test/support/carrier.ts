/** A carrier on loopback that gives the answers that a test sets, over real HTTP, and remembers what it was asked. */

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { standardProfile } from '../../src/connectors/dcsa/profile.ts'

export type Answer =
  | { readonly status?: number; readonly json: unknown; readonly headers?: Readonly<Record<string, string>> }
  | {
      readonly status?: number
      readonly text: string
      readonly contentType?: string
      readonly headers?: Readonly<Record<string, string>>
    }

export interface Carrier {
  readonly url: string
  readonly asked: readonly string[]
  /** From now on, answers every question about `number` with this; without a number, every question. */
  readonly answers: (answer: Answer, number?: string) => void
  /** From now on, answers by the parameters of the question. */
  readonly answersTo: (answer: (query: URLSearchParams) => Answer) => void
  /** A DCSA profile with which the service asks this carrier. */
  readonly profile: (scac: string, changes?: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
  readonly close: () => Promise<void>
}

export async function openCarrier(): Promise<Carrier> {
  const asked: string[] = []
  const byNumber = new Map<string, Answer>()
  let byQuery: ((query: URLSearchParams) => Answer) | null = null
  let other: Answer = { status: 404, json: { statusCode: 404, errors: [{ message: 'No events found.' }] } }
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const query = new URL(request.url ?? '/', 'http://carrier').searchParams
    const number = ['transportDocumentReference', 'carrierBookingReference', 'equipmentReference']
      .map((name) => query.get(name))
      .find((value) => value !== null)
    send(response, byQuery?.(query) ?? byNumber.get(number ?? '') ?? other)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    asked,
    answers: (answer, number) => {
      if (number === undefined) other = answer
      else byNumber.set(number, answer)
    },
    answersTo: (answer) => {
      byQuery = answer
    },
    profile: (scac, changes = {}) => ({ ...standardProfile, scac, base: url, rate: {}, ...changes }),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function send(response: ServerResponse, answer: Answer): void {
  const isJson = 'json' in answer
  const type = isJson ? 'application/json' : (answer.contentType ?? 'text/html')
  response.writeHead(answer.status ?? 200, { 'content-type': type, ...answer.headers })
  response.end(isJson ? JSON.stringify(answer.json) : answer.text)
}
