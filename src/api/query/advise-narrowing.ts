/** Names the parameters that probably made the query of a request too slow, so that the client knows what to narrow. */

import type { FastifyRequest } from 'fastify'
import type { Fault } from '../errors/problem.ts'

/** Patterns of parameters, the slowest kind first. */
const dear = [/^(q|query|search|number)$/, /^filter\[|^(port_id|entity_type)/, /^sort$/, /^include$/, /^page\[/]

export function adviseNarrowing(request: FastifyRequest, fault: Fault): Fault {
  const names = Object.keys(request.query ?? {})
  const found = dear.flatMap((pattern) => names.filter((name) => pattern.test(name))).slice(0, 5)
  const [parameter] = found
  if (parameter === undefined) {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const advice = isRead ? 'a filter, or a smaller `page[size]`' : 'fewer items at once'
    return { ...fault, detail: `${stopped} Ask for less: ${advice}.` }
  }
  const list = found.map((name) => `\`${name}\``).join(', ')
  return { ...fault, detail: `${stopped} Narrow ${list}, or leave it out.`, source: { parameter } }
}

const stopped = 'The database query took too long and was stopped.'
