/**
 * What every answer states about itself (how to read its times, nulls and totals), so that agents do not read more into
 * it.
 */

import { flag, object, optional, text } from './schema.ts'

export const responseContract = object({
  times: text,
  nulls: text,
  total_is_reliable: optional(flag),
  now: optional(text),
})

export function writeContract(
  lists: { readonly total_is_reliable?: boolean; readonly now?: string } = {},
): Readonly<Record<string, unknown>> {
  return { times: 'local, RFC 9557; a bare day is all the source gave', nulls: 'unknown', ...lists }
}
