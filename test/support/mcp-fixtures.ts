/**
 * What the official conformance suite requires of a server besides its own things: tools, resources and prompts with
 * fixed names. Registered only when a test passes them to the door; production cannot do so.
 */

import { setTimeout as pause } from 'node:timers/promises'
import {
  acceptedContent,
  completable,
  fromJsonSchema,
  inputRequired,
  type McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { ServerExtension } from '../../src/mcp/server/mcp-server.ts'
import { form, registerAsking, registerRounds, states } from './mcp-fixture-questions.ts'
import { answer, noInput, oneText, text } from './mcp-fixture-words.ts'

/** One red pixel; 44 bytes of silence. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='

export const fixtures: ServerExtension = {
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
  server.registerPrompt('test_input_required_result_prompt', { description: 'For the suite' }, async (ask) => {
    const given = acceptedContent(ask.mcpReq.inputResponses, 'user_context')?.['context']
    if (typeof given === 'string') return { messages: [user(text(`With ${given}`))] }
    return inputRequired({
      inputRequests: { user_context: form('What context should the prompt use?', 'context') },
    })
  })
}
