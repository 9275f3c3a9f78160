/** Which tools a caller is offered: by what the credentials allow, and by the part of the server. */

import { grantOf } from '../../modules/access/roles.ts'
import { ServiceError } from '../../modules/errors.ts'
import type { RowLimit } from '../lists/row-limit.ts'
import type { Tool } from '../tool/tool.ts'
import type { McpCaller } from './mcp-caller.ts'
import { onlyReads } from './server-part.ts'

/** What most questions need. */
const core: ReadonlySet<string> = new Set([
  'brief',
  'search_container',
  'track_container',
  'get_container',
  'get_shipment_details',
  'get_container_transport_events',
  'list_shipments',
  'list_containers',
  'list_tracking_requests',
  'track_numbers',
  'attention',
  'what_changed',
  'get_charges',
  'explain_value',
  'find_tools',
])

/**
 * The tools that answer for the rows of one customer or shipment only, and the arguments of which one must say about
 * what, because without them the tool answers about everything. A tool that is not here is not offered there.
 */
const limited: Readonly<Record<string, readonly string[]>> = {
  search_container: [],
  get_container: [],
  get_shipment_details: [],
  get_container_transport_events: [],
  get_container_route: [],
  get_container_raw_events: [],
  get_supported_shipping_lines: [],
  list_shipments: [],
  list_containers: [],
  summarize_containers: [],
  explain_value: [],
  attention: ['shipment_id'],
  what_changed: ['id'],
  get_charges: ['shipment_id', 'container_id'],
  search: [],
  fetch: [],
  search_docs: [],
  verify_answer: [],
}

/** Why a call of the tool would be refused, in words; null when it would not. */
export function whyNotOffered({ context, part }: McpCaller, { name, effect }: Pick<Tool, 'name' | 'effect'>) {
  const isChange = effect === 'change'
  if (isChange && onlyReads(part)) return `This address only reads, and \`${name}\` changes something.`
  if (part.limit !== null && !isLimited(part.limit, name))
    return `\`${name}\` is not offered at this address, which shows only one ${part.limit.kind}.`
  if (!isChange || context.scopes.includes('write')) return null
  return context.actor.kind === 'api_key'
    ? `This API key may only read, and \`${name}\` changes something. Use a key with the scope \`write\`.`
    : `\`${name}\` changes something, and what was granted, or your role in this account, only lets you read.`
}

/** No list of shipments is of one shipment. */
function isLimited({ kind }: RowLimit, name: string): boolean {
  return Object.hasOwn(limited, name) && !(kind === 'shipment' && name === 'list_shipments')
}

/** An app whose person may let it write: a tool that changes something is offered, and called it is a scope challenge. */
export function canAskForScope({ context: { actor, role, scopes }, part }: McpCaller): boolean {
  const mayGrant = role === undefined || grantOf(role).scopes.includes('write')
  return actor.kind !== 'api_key' && !scopes.includes('write') && mayGrant && !onlyReads(part)
}

export function isListed(caller: McpCaller, tool: Tool): boolean {
  if (caller.part.kind === 'core' ? !core.has(tool.name) : tool.name === 'find_tools') return false
  return whyNotOffered(caller, tool) === null || canAskForScope(caller)
}

/** Adds about what the question is, where the part of the server says it. */
export function addSubject(
  limit: RowLimit | null,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const names = limit === null ? [] : (limited[name] ?? [])
  const [first] = names
  if (limit === null || first === undefined || names.some((each) => input[each] !== undefined)) return input
  if (limit.kind === 'shipment') return { ...input, [first]: limit.id }
  throw new ServiceError(
    'invalid',
    `This address shows one customer, so say about what: ${names.map((each) => `\`${each}\``).join(' or ')}.`,
  )
}
