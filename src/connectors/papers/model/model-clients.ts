/** Requests to the servers of language models, and their answers: chat completions, and the Messages API. */

import type { ModelQuestion } from './question.ts'

export interface ModelRequest extends ModelQuestion {
  readonly model: string
  readonly tokensMax: number
  /** For a server that refuses optional parameters: no schema of the answer, no temperature. */
  readonly isPlain: boolean
}

export interface Reply {
  readonly text: string
  readonly tokensIn: number
  readonly tokensOut: number
}

export interface ModelClient {
  readonly urlOf: (base: string) => string
  readonly headersOf: (key: string | null) => Readonly<Record<string, string>>
  readonly bodyOf: (request: ModelRequest) => object
  /** Null when it is no such answer. */
  readonly readReply: (body: unknown) => Reply | null
}

/** https://platform.openai.com/docs/api-reference/chat; vLLM and Ollama answer the same under /v1. */
const openai: ModelClient = {
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
    replyOf(getValueAt(body, 'choices', 0, 'message', 'content'), {
      in: getValueAt(body, 'usage', 'prompt_tokens'),
      out: getValueAt(body, 'usage', 'completion_tokens'),
    }),
}

/** https://platform.claude.com/docs/en/api/messages, with the structured output of `output_config`. No tool is given. */
const anthropic: ModelClient = {
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
    const contentBlocks = getValueAt(body, 'content')
    const texts = Array.isArray(contentBlocks) ? contentBlocks.map((block: unknown) => getValueAt(block, 'text')) : []
    return replyOf(texts.filter((text) => typeof text === 'string').join(''), {
      in: getValueAt(body, 'usage', 'input_tokens'),
      out: getValueAt(body, 'usage', 'output_tokens'),
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

function getValueAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step)
        ? (inner as Readonly<Record<string | number, unknown>>)[step]
        : undefined,
    value,
  )
}
