/**
 * For each operation of the OpenAPI document a request about the things of an account of `world.ts` that should be answered
 * well. A new place in a path or query is added in `placeholders`; a test says so when one is missing.
 */

import assert from 'node:assert/strict'
import { exampleIds } from '../../src/api/openapi/examples.ts'
import { findPlaceByCode } from '../../src/reference/places.ts'
import { allTerminals } from '../../src/reference/terminals.ts'
import { vesselId } from '../../src/reference/vessels.ts'
import type { Call } from './api.ts'
import type { Operation } from './description.ts'
import { secondShip } from './route-seed.ts'
import type { Furnished } from './world.ts'

/**
 * Which id of the account goes into a place of a path, by the path before that place. Reference data belongs to no
 * account.
 */
const placeholders: readonly (readonly [path: RegExp, (of: Furnished) => string])[] = [
  [/^\/v2\/shipments\/.*\/notes\/$/, ({ ids }) => ids['note'] ?? ''],
  [/^\/v2\/shipments\/.*\/party_roles\/$/, ({ ids }) => ids['shipmentRole'] ?? ''],
  [/^\/v2\/containers\/.*\/party_roles\/$/, ({ ids }) => ids['containerRole'] ?? ''],
  [/^\/v2\/tracking_requests\/.*\/party_roles\/$/, ({ ids }) => ids['requestRole'] ?? ''],
  [/^\/v2\/shipments\/$/, ({ ids }) => ids['shipment'] ?? ''],
  [/^\/v2\/containers\/.*\/statements\/$/, ({ ids }) => ids['statement'] ?? ''],
  [/^\/v2\/code_mappings\/$/, ({ ids }) => ids['codeMapping'] ?? ''],
  [/^\/v2\/alert_rules\/$/, ({ ids }) => ids['alertRule'] ?? ''],
  [/^\/v2\/attention\/$/, ({ ids }) => ids['attention'] ?? ''],
  [/^\/v2\/attention_entries\/$/, ({ ids }) => ids['attention']?.split('.')[1] ?? ''],
  [/^\/v2\/containers\/$/, ({ ids }) => ids['container'] ?? ''],
  [/^\/v2\/tracking_requests\/$/, ({ ids }) => ids['request'] ?? ''],
  [/^\/v2\/tracking_requests\/batch\/$/, ({ ids }) => ids['batch'] ?? ''],
  [/^\/v2\/imports\/$/, ({ ids }) => ids['import'] ?? ''],
  [/^\/v2\/column_maps\/$/, ({ ids }) => ids['columnMap'] ?? ''],
  [/^\/v2\/charge_terms\/$/, ({ ids }) => ids['chargeTerms'] ?? ''],
  [/^\/v2\/invoices\/audits\/$/, ({ ids }) => ids['invoiceAudit'] ?? ''],
  [/^\/v2\/ledger_roots\/$/, ({ ids }) => ids['ledgerRoot'] ?? ''],
  [/^\/v2\/calendars\/$/, ({ ids }) => ids['calendar'] ?? ''],
  [/^\/v2\/saved_views\/$/, ({ ids }) => ids['savedView'] ?? ''],
  [/^\/v2\/share_links\/$/, ({ ids }) => ids['shareLink'] ?? ''],
  [/^\/v2\/shared\/$/, ({ ids }) => ids['shareToken'] ?? ''],
  [/^\/v2\/snapshots\/$/, ({ ids }) => ids['snapshot'] ?? ''],
  [/^\/v2\/api_keys\/$/, ({ ids }) => ids['apiKey'] ?? ''],
  [/^\/v2\/members\/$/, ({ ids }) => ids['member'] ?? ''],
  [/^\/v2\/invitations\/$/, ({ ids }) => ids['invitation'] ?? ''],
  [/^\/v2\/parties\/$/, ({ ids }) => ids['party'] ?? ''],
  [/^\/v2\/custom_field_definitions\/$/, ({ ids }) => ids['definition'] ?? ''],
  [/^\/v2\/custom_field_definitions\/.*\/options\/$/, ({ ids }) => ids['option'] ?? ''],
  [/^\/v2\/custom_fields\/$/, ({ ids }) => ids['customField'] ?? ''],
  [/^\/v2\/\w+\/.*\/custom_fields\/$/, () => 'buyer'],
  [/^\/v2\/webhooks\/$/, ({ ids }) => ids['webhook'] ?? ''],
  [/^\/v2\/inbound_messages\/$/, ({ ids }) => ids['inbound'] ?? ''],
  [/^\/v2\/inbound\/$/, ({ ids }) => ids['channel'] ?? ''],
  [/^\/v2\/webhook_notifications\/$/, ({ ids }) => ids['notification'] ?? ''],
  [/^\/v2\/email_submissions\/$/, ({ ids }) => ids['submission'] ?? ''],
  [/^\/v2\/mailboxes\/$/, ({ ids }) => ids['mailbox'] ?? ''],
  [/^\/v2\/mailbox_senders\/$/, ({ ids }) => ids['sender'] ?? ''],
  [/^\/v2\/documents\/$/, ({ ids }) => ids['document'] ?? ''],
  [/^\/v2\/document_schemas\/$/, () => 'arrival_notice@current'],
  [/^\/v2\/shipping_lines\/$/, () => 'ONEY'],
  [/^\/v2\/connection_targets\/$/, () => 'HLCU'],
  [/^\/v2\/sources\/$/, ({ ids }) => ids['source'] ?? ''],
  [/^\/v2\/ports\/$/, () => 'USLAX'],
  [/^\/v2\/metro_areas\/$/, () => 'USDAL'],
  [/^\/v2\/terminals\/$/, () => allTerminals()[0]?.id ?? ''],
  [/^\/v2\/vessels\/$/, () => vesselId(secondShip) ?? ''],
]

const inQuery: Readonly<Record<string, string>> = {
  query: 'CNSH',
  'filter[claim]': '018f2d3e-5a10-7c3b-9f61-0000000000ff',
  event: 'container.created',
  group_by: 'shipping_line',
  port_id: findPlaceByCode('USLAX')?.id ?? '',
  previous_port_id: findPlaceByCode('KRPUS')?.id ?? '',
  latitude: '36.5',
  longitude: '-135',
}

/** `asked`: values to put into places of the path, counted from 0, instead of the account's own. */
export function requestFor(
  operation: Operation,
  of: Furnished,
  asked: Readonly<Record<number, string>> = {},
): Call & { readonly method: NonNullable<Call['method']> } {
  const parts = operation.path.split(/\{\w+\}/)
  let path = parts[0] ?? ''
  for (const [index, part] of parts.slice(1).entries()) {
    const known = placeholders.find(([pattern]) => pattern.test(path))
    assert.ok(known, `test/support/world-requests.ts does not say what comes after ${path}`)
    path += encodeURIComponent(asked[index] ?? known[1](of)) + part
  }
  const required = operation.parameters.filter((each) => each.in === 'query' && each.required === true)
  const query = required.map(({ name }) => {
    const value = inQuery[name]
    assert.ok(value, `test/support/world-requests.ts has nothing for ?${name}= of ${operation.path}`)
    return `${name}=${encodeURIComponent(value)}`
  })
  const example = exampleBody(operation, of)
  return {
    method: operation.method as NonNullable<Call['method']>,
    url: query.length === 0 ? path : `${path}?${query.join('&')}`,
    key: of.key,
    ...(example === undefined ? {} : { body: example }),
    ...(operation.bodyType === null ? {} : { headers: { 'content-type': operation.bodyType } }),
    ...(operation.id === 'sendInbound' && {
      headers: { authorization: `Bearer ${of.ids['channelKey']}`, 'content-type': 'application/edi-x12' },
      body: 'ISA',
    }),
  }
}

/**
 * The document's example of the body, changed to be about the account's own things. Undefined when there is no body.
 */
export function exampleBody(operation: Operation, of: Furnished): unknown {
  if (operation.body === null) return undefined
  const { example } = operation.body
  assert.ok(example, `${operation.id} takes a body and has no example in src/api/openapi/examples.ts`)
  const own: Readonly<Record<string, string>> = {
    [exampleIds.shipment]: of.ids['shipment'] ?? '',
    [exampleIds.container]: of.ids['container'] ?? '',
    [exampleIds.party]: of.ids['party'] ?? '',
    [exampleIds.signedId]: of.ids['signedId'] ?? '',
    'https://example.com/landfall': of.receiverUrl,
    'pier-400': of.ids['channel'] ?? '',
  }
  return JSON.parse(JSON.stringify(example), (_key, value: unknown) =>
    typeof value === 'string' ? (own[value] ?? value) : value,
  )
}

/** How many places the path has to be filled. */
export function placesOf(operation: Operation): number {
  return operation.path.split('{').length - 1
}

/** Operations in an order in which each finds what it needs, although some make things and some remove them. */
export function inOrder(operations: readonly Operation[]): readonly Operation[] {
  const methods = ['GET', 'POST', 'PATCH', 'DELETE']
  const rank = ({ method, path }: Operation) => methods.indexOf(method) * 100 - (method === 'DELETE' ? path.length : 0)
  return operations.toSorted((a, b) => rank(a) - rank(b))
}
