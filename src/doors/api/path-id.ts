/** Ids in paths: what is no UUID cannot be the id of anything, so it is not found. */

import { notFound } from '../../service/errors.ts'

/** `what` in words, for the answer. */
export function readId(params: unknown, what: string): string {
  const { id } = params as { readonly id?: unknown }
  if (typeof id !== 'string' || !isUuid(id)) throw notFound(what)
  return id.toLowerCase()
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}
