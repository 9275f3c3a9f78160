/** What every answer says about itself, so that nobody takes it for more than it is. */

import { flag, maybe, object, text } from './schema.ts'

export const responseContract = object({
  times: text,
  nulls: text,
  total_is_reliable: maybe(flag),
  now: maybe(text),
})

export function writeContract(
  lists: { readonly total_is_reliable?: boolean; readonly now?: string } = {},
): Readonly<Record<string, unknown>> {
  return { times: 'local, RFC 9557; a bare day is all the source gave', nulls: 'unknown', ...lists }
}
