/** JSON:API documents as the views read them: an attribute that is missing or of another kind is null, never a guess. */

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
 * Who said it: the attribute has no word for a railway or the customer, `meta` has.
 * @param {Resource} event
 * @returns {string | null}
 */
export function sourceOf(event) {
  const beside = event.meta?.['data_source']
  return typeof beside === 'string' ? beside : textOf(event, 'data_source')
}

/**
 * Where it belongs in a journey. What tells of a deadline has that as its time; it came when it was heard.
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
 * What a relation leads to, as far as it is included.
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
 * How many a relation names, included or not.
 * @param {Resource} resource
 * @param {string} relation
 */
export function countOf(resource, relation) {
  const data = resource.relationships?.[relation]?.data
  return Array.isArray(data) ? data.length : 0
}
