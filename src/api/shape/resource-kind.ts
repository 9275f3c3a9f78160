/**
 * A kind of resource on the wire: its type, its attributes with their schemas, its relations, and how a reading becomes
 * one.
 */

import type { TSchema } from 'typebox'
import type { Attribute } from '../../domain/attributes/attribute.ts'
import type { ValueExplanation } from '../../modules/provenance/value-explanation.ts'
import { anyOf, attributes, constant, id, list, nothing, object, optional, text } from './schema.ts'

const resourceTypes = [
  'account',
  'api_key',
  'audit_event',
  'calendar',
  'alert_rule',
  'attention_entry',
  'attention_item',
  'change',
  'charge_terms',
  'code_mapping',
  'column_map',
  'container',
  'container_charges_event',
  'container_overdue_event',
  'container_created_event',
  'container_pod_terminal_changed_event',
  'container_updated_event',
  'custom_field',
  'custom_field_definition',
  'custom_field_option',
  'document',
  'document_representation',
  'document_schema',
  'email_submission',
  'estimated_event',
  'eta_outcome',
  'eta_score',
  'event',
  'inbound_message',
  'invitation',
  'expectation',
  'invoice_audit',
  'import',
  'import_row',
  'issue',
  'job',
  'ledger_root',
  'mailbox',
  'mailbox_sender',
  'member',
  'metro_area',
  'note',
  'party',
  'party_role',
  'port',
  'rail_terminal',
  'raw_event',
  'route',
  'route_location',
  'saved_view',
  'search_result',
  'share_link',
  'shipment',
  'shipment_eta',
  'shipping_line',
  'snapshot',
  'source',
  'source_scorecard',
  'statement',
  'terminal',
  'tracking_attempt',
  'tracking_request',
  'tracking_request_batch',
  'transport_event',
  'unmapped_code',
  'usage',
  'user',
  'vessel',
  'webhook',
  'webhook_event_category',
  'webhook_notification',
  'webhook_notification_log',
] as const
export type ResourceType = (typeof resourceTypes)[number]

export interface Identifier {
  readonly type: ResourceType
  readonly id: string
}

export type Linkage = Identifier | null | readonly Identifier[]

/** What every reading needs to become a resource. */
export interface IdentifiedReading {
  readonly type: ResourceType
  readonly id: string
}

export interface RelationKind {
  readonly to: readonly ResourceType[]
  readonly isMany: boolean
  /** The relation may have more members than its linkage shows. */
  readonly isCut?: true
}

/** Linkage by relation. */
export type Links = Readonly<Record<string, Linkage>>

export interface ResourceKind<Reading extends IdentifiedReading> {
  readonly type: ResourceType
  readonly attributes: Readonly<Record<string, TSchema>>
  readonly relations: Readonly<Record<string, RelationKind>>
  readonly write: (reading: Reading) => Readonly<Record<string, unknown>>
  /**
   * Linkage of the relations whose ids the reading itself contains. linkage.ts adds some others; the rest is shown only
   * when it is included.
   */
  readonly link: (reading: Reading) => Links
  /** Its id is a name that people read, and no UUID. */
  readonly isNamed?: true
  /** Path of the resource itself below /v2. Missing when it has no `self` link. */
  readonly self?: (reading: Reading) => string
  /** Paths below /v2 of what else belongs to the resource, by the names of the links. It needs `self`. */
  readonly moreLinks?: Readonly<Record<string, (reading: Reading) => string>>
  /** Path of a related list below /v2, by relation. */
  readonly related?: (reading: Reading) => Readonly<Record<string, string>>
  /** Data in `meta` that the contract does not have. */
  readonly meta?: {
    readonly properties: Readonly<Record<string, TSchema>>
    /** `explained`: the sources of the values, when they were requested. */
    readonly write: (reading: Reading, explained?: readonly ValueExplanation[]) => Readonly<Record<string, unknown>>
  }
}

export const toOne = (...to: ResourceType[]): RelationKind => ({ to, isMany: false })
export const toMany = (...to: ResourceType[]): RelationKind => ({ to, isMany: true })
export const toManyTruncated = (...to: ResourceType[]): RelationKind => ({ ...toMany(...to), isCut: true })

export function identifierOrNull(type: ResourceType, resourceId: string | null): Identifier | null {
  return resourceId === null ? null : { type, id: resourceId }
}

/** The schema of the complete resource. Its name in the components of the OpenAPI document is the type. */
export function resourceSchema(kind: ResourceKind<never>): TSchema {
  const relationships = Object.entries(kind.relations).map(([name, relation]) => [
    name,
    optional(
      object({
        data: optional(linkageSchema(relation)),
        links: optional(object({ related: text() })),
        ...(relation.isCut ? { meta: optional(cutSchema) } : {}),
      }),
    ),
  ])
  const properties = {
    id: kind.isNamed === true ? text() : id(),
    type: constant(kind.type),
    attributes: attributes(kind.attributes),
    ...(relationships.length === 0 ? {} : { relationships: optional(object(Object.fromEntries(relationships))) }),
    ...(kind.self === undefined ? {} : { links: optional(object(linkSchemas(kind))) }),
    ...(kind.meta === undefined ? {} : { meta: optional(object(kind.meta.properties)) }),
  }
  return object(properties, { $id: kind.type })
}

function linkSchemas(kind: ResourceKind<never>): Record<string, TSchema> {
  const url = text({ format: 'uri' })
  const more = Object.keys(kind.moreLinks ?? {}).map((name) => [name, optional(url)])
  return { self: url, ...Object.fromEntries(more) }
}

const cutSchema = object({
  has_more: {
    type: 'boolean',
    description: 'True: there are more than `data` contains; `links.related` lists all.',
  },
})

function linkageSchema(relation: RelationKind): TSchema {
  const identifiers = relation.to.map((type) => object({ id: id(), type: constant(type) }))
  if (relation.isMany) return list(anyOf(identifiers))
  return anyOf([...identifiers, nothing()])
}

/** The schemas of a resource whose attributes are a table of `domain/attributes`. */
export function schemasOf(table: Readonly<Record<string, Attribute<unknown>>>): Readonly<Record<string, TSchema>> {
  return Object.fromEntries(Object.entries(table).map(([name, { schema }]) => [name, schema]))
}

export function writeAttributes<View, Beside>(
  table: Readonly<Record<string, Attribute<(view: View, beside: Beside) => unknown>>>,
  view: View,
  beside: Beside,
): Readonly<Record<string, unknown>> {
  const written: Record<string, unknown> = {}
  for (const [name, { value }] of Object.entries(table)) written[name] = value(view, beside)
  return written
}

/** A key that identifies a resource within a document. */
export function resourceKeyOf(identified: IdentifiedReading): string {
  return `${identified.type}:${identified.id}`
}
