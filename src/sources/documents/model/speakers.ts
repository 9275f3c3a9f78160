/** How the servers of language models are asked, and how they answer: chat completions, and the Messages API. */

import type { Question } from './question.ts'

export interface Asked extends Question {
  readonly model: string
  readonly tokensMax: number
  /** For a server that refuses what not all of them know: no schema of the answer, no temperature. */
  readonly isPlain: boolean
}

export interface Reply {
  readonly text: string
  readonly tokensIn: number
  readonly tokensOut: number
}

export interface Speaker {
  readonly urlOf: (base: string) => string
  readonly headersOf: (key: string | null) => Readonly<Record<string, string>>
  readonly bodyOf: (asked: Asked) => object
  /** Null when it is no such answer. */
  readonly readReply: (body: unknown) => Reply | null
}

/** https://platform.openai.com/docs/api-reference/chat; vLLM and Ollama answer the same under /v1. */
const openai: Speaker = {
  urlOf: (base) => `${base}/chat/completions`,
  headersOf: (key) => (key === null ? {} : { authorization: `Bearer ${key}` }),
  bodyOf: ({ model, instructions, document, answer, tokensMax, isPlain }) => ({
    model,
    messages: [
      { role: 'system', content: instructions },
      { role: 'user', content: document },
    ],
    ...(isPlain
      ? { max_completion_tokens: tokensMax }
      : {
          max_tokens: tokensMax,
          temperature: 0,
          response_format: {
            type: 'json_schema',
            json_schema: { name: 'document', strict: true, schema: answer },
          },
        }),
  }),
  readReply: (body) =>
    replyOf(at(body, 'choices', 0, 'message', 'content'), {
      in: at(body, 'usage', 'prompt_tokens'),
      out: at(body, 'usage', 'completion_tokens'),
    }),
}

/** https://platform.claude.com/docs/en/api/messages, with the structured output of `output_config`. No tool is given. */
const anthropic: Speaker = {
  urlOf: (base) => `${base.replace(/\/v1$/, '')}/v1/messages`,
  headersOf: (key) => ({
    'anthropic-version': '2023-06-01',
    ...(key === null ? {} : { 'x-api-key': key }),
  }),
  bodyOf: ({ model, instructions, document, answer, tokensMax, isPlain }) => ({
    model,
    max_tokens: tokensMax,
    system: instructions,
    messages: [{ role: 'user', content: document }],
    ...(isPlain ? {} : { output_config: { format: { type: 'json_schema', schema: answer } } }),
  }),
  readReply: (body) => {
    const parts = at(body, 'content')
    const texts = Array.isArray(parts) ? parts.map((part: unknown) => at(part, 'text')) : []
    return replyOf(texts.filter((text) => typeof text === 'string').join(''), {
      in: at(body, 'usage', 'input_tokens'),
      out: at(body, 'usage', 'output_tokens'),
    })
  },
}

export const speakers = { openai, anthropic } as const

function replyOf(text: unknown, tokens: { readonly in: unknown; readonly out: unknown }): Reply | null {
  return typeof text !== 'string' || text === ''
    ? null
    : { text, tokensIn: countOf(tokens.in), tokensOut: countOf(tokens.out) }
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0
}

function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step)
        ? (inner as Readonly<Record<string | number, unknown>>)[step]
        : undefined,
    value,
  )
}
