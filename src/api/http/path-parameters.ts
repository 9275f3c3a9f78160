/** Reads the parts of a path. An id that is no UUID cannot belong to anything, so it is answered as not found. */

import { notFound } from '../../modules/errors.ts'

/** `what` is the kind of thing as text, for the answer. */
export function readId(params: unknown, what: string, name = 'id'): string {
  const id = readPathParameter(params, name)
  if (!isUuid(id)) throw notFound(what)
  return id.toLowerCase()
}

/** A part of the path as it was sent. The router always provides the parts that the route names. */
export function readPathParameter(params: unknown, name: string): string {
  return (params as Readonly<Record<string, string | undefined>>)[name] ?? ''
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}
