/** The texts that the tools of the official conformance suite return, and the arguments that they take. */

import { fromJsonSchema } from '@modelcontextprotocol/server'

export const text = (said: string) => ({ type: 'text' as const, text: said })
export const answer = (said: string) => ({ content: [text(said)] })
export const noInput = fromJsonSchema<Record<string, never>>({ type: 'object' })
export const oneText = (name: string) =>
  fromJsonSchema<Record<string, string>>({
    type: 'object',
    properties: { [name]: { type: 'string' } },
    required: [name],
  })
