/** The tools of the official conformance suite that ask their caller something: each by one of the two protocols. */

import {
  acceptedContent,
  createRequestStateCodec,
  fromJsonSchema,
  type InputRequests,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { answer, noInput, oneText, text } from './mcp-fixture-words.ts'

export const states = createRequestStateCodec<string>({ key: 'a key for conformance tests, long enough' })

/** By the 2025 protocol: questions are asked in the stream of the call. */
export function registerAsking(server: McpServer): void {
  server.registerTool(
    'test_sampling',
    { description: 'For the suite', inputSchema: oneText('prompt') },
    async ({ prompt = '' }, ask) => {
      const said = await ask.mcpReq.send({
        method: 'sampling/createMessage',
        params: { messages: [{ role: 'user', content: text(prompt) }], maxTokens: 100 },
      })
      const { content } = said
      return answer(`LLM response: ${!Array.isArray(content) && content.type === 'text' ? content.text : ''}`)
    },
  )
  const ask = (name: string, about: string, properties: Record<string, object>, required: readonly string[]) =>
    server.registerTool(
      name,
      { description: about, inputSchema: fromJsonSchema<{ message?: string }>({ type: 'object' }) },
      async ({ message = about }, { mcpReq }) => {
        const { action, content } = await mcpReq.send({
          method: 'elicitation/create',
          params: { message, requestedSchema: { type: 'object', properties, required } },
        })
        return answer(
          `${name.includes('sep') ? 'Elicitation completed' : 'User response'}: action=${action}, content=${JSON.stringify(content ?? {})}`,
        )
      },
    )
  ask('test_elicitation', 'Who are you?', { username: { type: 'string' }, email: { type: 'string' } }, [
    'username',
    'email',
  ])
  ask(
    'test_elicitation_sep1034_defaults',
    'Please review',
    {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    },
    [],
  )
  const one = ['option1', 'option2', 'option3']
  const titled = (word: string) =>
    ['First', 'Second', 'Third'].map((nth, index) => ({
      const: `value${index + 1}`,
      title: `${nth} ${word}`,
    }))
  ask(
    'test_elicitation_sep1330_enums',
    'Please choose',
    {
      untitledSingle: { type: 'string', enum: one },
      titledSingle: { type: 'string', oneOf: titled('Option') },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'string', enum: one } },
      titledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { anyOf: titled('Choice') } },
    },
    [],
  )
}

export const form = (message: string, name: string, type: 'string' | 'boolean' = 'string') =>
  inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { [name]: type === 'string' ? { type } : { type } },
      required: [name],
    },
  })
const sample = (said: string) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: text(said) }], maxTokens: 100 })

/** By the 2026 protocol: the call ends with questions, and is repeated with their answers. */
export function registerRounds(server: McpServer): void {
  const name = 'test_input_required_result'
  const rounds = (
    suffix: string,
    inputRequests: InputRequests,
    of: { readonly hasState?: boolean; readonly tell: (ask: ServerContext) => string },
  ) =>
    server.registerTool(
      `${name}_${suffix}`,
      { description: 'For the suite', inputSchema: noInput },
      async (_input, ask) => {
        const responses = ask.mcpReq.inputResponses ?? {}
        if (Object.keys(inputRequests).every((key) => Object.hasOwn(responses, key))) {
          const said = of.tell(ask)
          if (said !== '') return answer(said)
        }
        return inputRequired({
          inputRequests,
          ...(of.hasState ? { requestState: await states.mint(suffix) } : {}),
        })
      },
    )
  const chosen = (ask: ServerContext, key: string, field: string) =>
    acceptedContent(ask.mcpReq.inputResponses, key)?.[field]
  const helloTo = (given: unknown) => (typeof given === 'string' ? `Hello, ${given}!` : '')
  const userName = form('What is your name?', 'name')
  rounds('elicitation', { user_name: userName }, { tell: (ask) => helloTo(chosen(ask, 'user_name', 'name')) })
  rounds(
    'sampling',
    { capital_question: sample('What is the capital of France?') },
    {
      tell: (ask) => JSON.stringify(inputResponse(ask.mcpReq.inputResponses, 'capital_question')),
    },
  )
  rounds(
    'list_roots',
    { client_roots: inputRequired.listRoots() },
    {
      tell: (ask) => JSON.stringify(inputResponse(ask.mcpReq.inputResponses, 'client_roots')),
    },
  )
  const confirm = { confirm: form('Please confirm', 'ok', 'boolean') }
  rounds('request_state', confirm, {
    hasState: true,
    tell: (ask) => (ask.mcpReq.requestState<string>() === 'request_state' ? 'state-ok' : ''),
  })
  rounds('tampered_state', confirm, { hasState: true, tell: () => 'state-ok' })
  rounds(
    'multiple_inputs',
    { user_name: userName, greeting: sample('Generate a greeting'), client_roots: inputRequired.listRoots() },
    { hasState: true, tell: () => 'All of it.' },
  )
  server.registerTool(
    `${name}_multi_round`,
    { description: 'For the suite', inputSchema: noInput },
    async (_input, ask) => {
      const state = ask.mcpReq.requestState<string>()
      if (state === 'round 2') return answer('Done.')
      const inputRequests: InputRequests =
        state === 'round 1'
          ? { step2: form('Step 2: What is your favorite color?', 'color') }
          : { step1: form('Step 1: What is your name?', 'name') }
      return inputRequired({
        inputRequests,
        requestState: await states.mint(state === 'round 1' ? 'round 2' : 'round 1'),
      })
    },
  )
  server.registerTool(`${name}_capabilities`, { description: 'For the suite', inputSchema: noInput }, async () => {
    const { elicitation, sampling } = server.server.getClientCapabilities() ?? {}
    const inputRequests: InputRequests = {
      ...(elicitation === undefined ? {} : { user_name: userName }),
      ...(sampling === undefined ? {} : { greeting: sample('Generate a greeting') }),
    }
    return Object.keys(inputRequests).length === 0 ? answer('Nothing to ask.') : inputRequired({ inputRequests })
  })
  server.registerTool('test_streaming_elicitation', { description: 'For the suite', inputSchema: noInput }, async () =>
    inputRequired({ inputRequests: { user_name: userName } }),
  )
  server.registerTool('test_missing_capability', { description: 'For the suite', inputSchema: noInput }, async () =>
    inputRequired({ inputRequests: { greeting: sample('Generate a greeting') } }),
  )
}
