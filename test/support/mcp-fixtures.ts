/**
 * What the official conformance suite asks a server to have besides its own: tools, resources and prompts under fixed
 * names. Registered only where a test passes them to the door; production has no way to.
 */

import { setTimeout as pause } from 'node:timers/promises'
import {
  acceptedContent,
  completable,
  createRequestStateCodec,
  fromJsonSchema,
  type InputRequests,
  inputRequired,
  inputResponse,
  type McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Extension } from '../../src/doors/mcp/mcp-server.ts'

/** One red pixel; 44 bytes of silence. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='

const states = createRequestStateCodec<string>({ key: 'a key for conformance tests, long enough' })

export const fixtures: Extension = {
  options: { requestState: { verify: states.verify } },
  register: (server) => {
    server.server.registerCapabilities({ logging: {}, resources: { subscribe: true } })
    registerContents(server)
    registerTalkative(server)
    registerAsking(server)
    registerRounds(server)
    registerReadable(server)
    registerPrompts(server)
    server.server.setRequestHandler('resources/subscribe', async () => ({}))
    server.server.setRequestHandler('resources/unsubscribe', async () => ({}))
    server.server.setRequestHandler('logging/setLevel', async () => ({}))
  },
}

const text = (said: string) => ({ type: 'text' as const, text: said })
const answer = (said: string) => ({ content: [text(said)] })
const noInput = fromJsonSchema<Record<string, never>>({ type: 'object' })
const oneText = (name: string) =>
  fromJsonSchema<Record<string, string>>({
    type: 'object',
    properties: { [name]: { type: 'string' } },
    required: [name],
  })

function registerContents(server: McpServer): void {
  const image = { type: 'image' as const, data: png, mimeType: 'image/png' }
  const embedded = (uri: string, mimeType: string, said: string) => ({
    type: 'resource' as const,
    resource: { uri, mimeType, text: said },
  })
  const contents = {
    test_simple_text: [text('This is a simple text response for testing.')],
    test_image_content: [image],
    test_audio_content: [{ type: 'audio' as const, data: wav, mimeType: 'audio/wav' }],
    test_embedded_resource: [
      embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ],
    test_multiple_content_types: [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }
  for (const [name, content] of Object.entries(contents))
    server.registerTool(name, { description: 'A kind of content', inputSchema: noInput }, async () => ({
      content,
    }))
  server.registerTool('test_error_handling', { description: 'Fails', inputSchema: noInput }, async () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
}

function registerTalkative(server: McpServer): void {
  const log = (ask: ServerContext, data: string) =>
    ask.mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } })
  server.registerTool(
    'test_tool_with_logging',
    { description: 'For the suite', inputSchema: noInput },
    async (_input, ask) => {
      for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await log(ask, data)
        await pause(50)
      }
      return answer('Logged.')
    },
  )
  server.registerTool(
    'test_logging_tool',
    { description: 'For the suite', inputSchema: noInput },
    async (_input, ask) => {
      await ask.mcpReq.log('info', 'Only for those who set a level')
      return answer('Done.')
    },
  )
  server.registerTool(
    'test_tool_with_progress',
    { description: 'For the suite', inputSchema: noInput },
    async (_input, ask) => {
      const progressToken = ask.mcpReq._meta?.progressToken
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined)
          await ask.mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress, total: 100, message: `${progress} of 100` },
          })
        await pause(50)
      }
      return answer(String(progressToken ?? 'no token'))
    },
  )
}

/** By the 2025 protocol: asked in the stream of the call. */
function registerAsking(server: McpServer): void {
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
  const ask = (
    name: string,
    about: string,
    properties: Record<string, object>,
    required: readonly string[],
  ) =>
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

const form = (message: string, name: string, type: 'string' | 'boolean' = 'string') =>
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

/** By the 2026 protocol: the call ends with questions, and comes again with their answers. */
function registerRounds(server: McpServer): void {
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
  server.registerTool(
    `${name}_capabilities`,
    { description: 'For the suite', inputSchema: noInput },
    async () => {
      const { elicitation, sampling } = server.server.getClientCapabilities() ?? {}
      const inputRequests: InputRequests = {
        ...(elicitation === undefined ? {} : { user_name: userName }),
        ...(sampling === undefined ? {} : { greeting: sample('Generate a greeting') }),
      }
      return Object.keys(inputRequests).length === 0
        ? answer('Nothing to ask.')
        : inputRequired({ inputRequests })
    },
  )
  server.registerTool(
    'test_streaming_elicitation',
    { description: 'For the suite', inputSchema: noInput },
    async () => inputRequired({ inputRequests: { user_name: userName } }),
  )
  server.registerTool(
    'test_missing_capability',
    { description: 'For the suite', inputSchema: noInput },
    async () => inputRequired({ inputRequests: { greeting: sample('Generate a greeting') } }),
  )
}

function registerReadable(server: McpServer): void {
  const one = (uri: string, mimeType: string, content: { text: string } | { blob: string }) =>
    server.registerResource(uri, uri, { mimeType }, async () => ({
      contents: [{ uri, mimeType, ...content }],
    }))
  one('test://static-text', 'text/plain', { text: 'This is the content of the static text resource.' })
  one('test://static-binary', 'image/png', { blob: png })
  one('test://watched-resource', 'text/plain', { text: 'Watched' })
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined })
  const mimeType = 'application/json'
  server.registerResource('test template', template, { mimeType }, async (uri, { id }) => ({
    contents: [
      {
        uri: uri.href,
        mimeType,
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
      },
    ],
  }))
}

function registerPrompts(server: McpServer): void {
  const user = (content: object) => ({ role: 'user' as const, content: content as ReturnType<typeof text> })
  server.registerPrompt('test_simple_prompt', { description: 'For the suite' }, async () => ({
    messages: [user(text('This is a simple prompt for testing.'))],
  }))
  const args = fromJsonSchema<{ arg1: string; arg2: string }>({
    type: 'object',
    properties: { arg1: { type: 'string' }, arg2: { type: 'string' } },
    required: ['arg1', 'arg2'],
  })
  const arg1 = completable(fromJsonSchema<string>({ type: 'string' }), (typed) =>
    ['paris', 'park', 'party'].filter((each) => each.startsWith(typed)),
  )
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'For the suite', argsSchema: { ...args, shape: { arg1 } } as typeof args },
    async (given) => ({
      messages: [user(text(`Prompt with arguments: arg1='${given.arg1}', arg2='${given.arg2}'`))],
    }),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'For the suite', argsSchema: oneText('resourceUri') },
    async ({ resourceUri: uri = '' }) => ({
      messages: [
        user({
          type: 'resource',
          resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        }),
        user(text('Please process the embedded resource above.')),
      ],
    }),
  )
  server.registerPrompt('test_prompt_with_image', { description: 'For the suite' }, async () => ({
    messages: [
      user({ type: 'image', data: png, mimeType: 'image/png' }),
      user(text('Please analyze the image above.')),
    ],
  }))
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'For the suite' },
    async (ask) => {
      const given = acceptedContent(ask.mcpReq.inputResponses, 'user_context')?.['context']
      if (typeof given === 'string') return { messages: [user(text(`With ${given}`))] }
      return inputRequired({
        inputRequests: { user_context: form('What context should the prompt use?', 'context') },
      })
    },
  )
}
