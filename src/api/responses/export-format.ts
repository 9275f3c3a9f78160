/** The format in which a list is exported, and the schema of each format for the OpenAPI document. */

import type { FastifyRequest } from 'fastify'
import { Type } from '../../platform/json-schema.ts'
import { csv, ndjson, prefersExport } from '../http/media-type.ts'
import { choiceFilter } from '../query/filters.ts'

const exportFormats = ['ndjson', 'csv'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const formatFilter = choiceFilter('format', exportFormats)

/** The format that `?format=` names, otherwise the one that `Accept` names. Null when a page is requested. */
export function exportFormatOf(request: FastifyRequest, format: ExportFormat | null): ExportFormat | null {
  if (format !== null) return format
  const type = prefersExport(request.headers.accept)
  return type === null ? null : type === csv ? 'csv' : 'ndjson'
}

/** Whether an export is requested. Used before the query is read, which checks the value of `format`. */
export function isExportRequest(request: FastifyRequest): boolean {
  const { format } = request.query as { readonly format?: unknown }
  return format !== undefined || prefersExport(request.headers.accept) !== null
}

export const exportContent = {
  [ndjson]: {
    schema: Type.String({ description: 'Every row that matches; one plain JSON object per line.' }),
  },
  [csv]: {
    schema: Type.String({
      description: 'Every row that matches, RFC 4180, the first line with the names of the columns.',
    }),
  },
}
