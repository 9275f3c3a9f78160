/** How the views read JSON:API documents: an attribute that is missing or has another type is null, never a guess. */

/**
 * @typedef {{readonly id: string, readonly type: string, readonly attributes: Readonly<Record<string, unknown>>,
 *   readonly relationships?: Readonly<Record<string, {readonly data?: unknown}>>,
 *   readonly meta?: Readonly<Record<string, unknown>>}} Resource
 * @typedef {{readonly data?: unknown, readonly included?: readonly Resource[], readonly meta?: unknown}} Document
 * @typedef {{readonly status: string, readonly detail?: string, readonly title?: string,
 *   readonly source?: {readonly pointer?: string, readonly parameter?: string}}} Fault
 */

/**
 * @param {Resource} resource
 * @param {string} name
 * @returns {string | null}
 */
export function textOf(resource, name) {
  const value = resource.attributes[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/**
 * @param {Resource} resource
 * @param {string} name
 * @returns {readonly Readonly<Record<string, unknown>>[]}
 */
export function listOf(resource, name) {
  const value = resource.attributes[name]
  return Array.isArray(value) ? value : []
}

/**
 * The source of an event. The attribute has no value for a railway, the customer or a document; then `meta` has it.
 * @param {Resource} event
 * @returns {string | null}
 */
export function sourceOf(event) {
  const beside = event.meta?.['data_source']
  return typeof beside === 'string' ? beside : textOf(event, 'data_source')
}

/**
 * When an event belongs into a journey. The time of an event about a deadline is the deadline itself, so the time at
 * which it was received counts.
 * @param {Resource} event
 * @returns {string | null}
 */
export function momentOf(event) {
  const isDeadline = textOf(event, 'event')?.startsWith('container.pickup_') === true
  return textOf(event, isDeadline ? 'created_at' : 'timestamp')
}

/**
 * The primary data as a list.
 * @param {Document | null} document
 * @returns {readonly Resource[]}
 */
export function resources(document) {
  if (document === null || document.data === null || document.data === undefined) return []
  return /** @type {readonly Resource[]} */ (Array.isArray(document.data) ? document.data : [document.data])
}

/**
 * The resources that a relation names, if they are included.
 * @param {Document} document
 * @param {Resource | null} resource
 * @param {string} relation
 * @returns {readonly Resource[]}
 */
export function related(document, resource, relation) {
  const data = resource?.relationships?.[relation]?.data
  const identifiers = /** @type {readonly {readonly type: string, readonly id: string}[]} */ (
    Array.isArray(data) ? data : data ? [data] : []
  )
  const all = [...(document.included ?? []), ...resources(document)]
  return identifiers.flatMap(({ type, id }) => all.find((each) => each.type === type && each.id === id) ?? [])
}

/**
 * @param {Document} document
 * @param {Resource | null} resource
 * @param {string} relation
 * @returns {Resource | null}
 */
export function relatedOne(document, resource, relation) {
  return related(document, resource, relation)[0] ?? null
}

/**
 * How many resources a relation names, included or not.
 * @param {Resource} resource
 * @param {string} relation
 */
export function countOf(resource, relation) {
  const data = resource.relationships?.[relation]?.data
  return Array.isArray(data) ? data.length : 0
}
