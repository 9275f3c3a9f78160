/**
 * Views that a client shows beside the text of an answer: the extension MCP Apps, revision 2026-01-26. A tool names its
 * view, the client reads that as a resource and gives it the answer of the tool.
 */

import { membersOf } from '../../domain/values/json-value.ts'

export const viewsExtension = 'io.modelcontextprotocol/ui'
export const viewMimeType = 'text/html;profile=mcp-app'
export const journeyViewUri = 'ui://landfall/journey-map'
/** The member of an answer's `_meta` that the view draws. */
export const journeyMember = 'landfall/journey'

/** No host is named: the view loads nothing and sends no requests. */
export const viewNeeds = { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } as const

export const showingViews = { [viewsExtension]: { mimeTypes: [viewMimeType] } } as const

export function showsViews(capabilities: unknown): boolean {
  const { mimeTypes } = membersOf(membersOf(membersOf(capabilities)['extensions'])[viewsExtension])
  return Array.isArray(mimeTypes) && mimeTypes.includes(viewMimeType)
}
