/**
 * How a tool is answered: first JSON, then resource links, then a block for the assistant only, about how to present
 * the result. A refusal is a result that explains what to do; an internal error reveals no details.
 */

import {
  acceptedContent,
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  type McpRequestContext,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { membersOf } from '../../domain/values/json-value.ts'
import { refusalOf, ServiceError } from '../../modules/errors.ts'
import { readAtReplica } from '../../modules/read-at-replica.ts'
import { acquireQuotaSlot } from '../../modules/usage/acquire-quota-slot.ts'
import type { SpanHandle } from '../../platform/live-span.ts'
import { withSpan } from '../../platform/traces.ts'
import { readId } from '../lists/read-id.ts'
import { fenceRule, withoutMarks } from '../presenters/fence.ts'
import type { Guidance, Tool, ToolAnswer, ToolContext, UserChoice } from '../tool/tool.ts'
import type { McpCaller } from './mcp-caller.ts'
import { addSubject, whyNotOffered } from './offers.ts'
import { replicaTools } from './replica-tools.ts'
import { resourceUri } from './resource-uri.ts'
import { journeyMember } from './views.ts'

const questionKey = 'choice'

interface ToolCall {
  readonly caller: McpCaller
  readonly input: unknown
  readonly ask: ServerContext
  readonly era: McpRequestContext['era']
  readonly canAskUser: boolean
  readonly showsViews: boolean
}

export function runTool(tool: Tool, of: ToolCall): Promise<CallToolResult | InputRequiredResult> {
  const { requestId, account } = of.caller.context
  const attributes = {
    'mcp.tool.name': tool.name,
    'landfall.request_id': requestId,
    'landfall.account_id': account.id,
  }
  return withSpan(
    `tool ${tool.name}`,
    () => ({ attributes }),
    (liveSpan) => runToolInSpan(tool, of, liveSpan),
  )
}

async function runToolInSpan(
  tool: Tool,
  of: ToolCall,
  liveSpan: SpanHandle,
): Promise<CallToolResult | InputRequiredResult> {
  const { service, context } = of.caller
  const startedAt = performance.now()
  let outcome = 'answered'
  try {
    const refused = whyNotOffered(of.caller, tool)
    if (refused !== null) throw new ServiceError('forbidden', refused)
    const toolContext = toolContextOf(of)
    const input = addSubject(of.caller.part.limit, tool.name, membersOf(removeMarks(of.input)))
    const run = async (): Promise<ToolAnswer> => tool.run(toolContext, await resolveIds(toolContext, input, tool.ids))
    const answer = await (replicaTools.has(tool.name) ? readAtReplica(service, context, run) : run())
    if (answer.kind === 'result') return writeResult(answer)
    const { message, schema } = answer.question
    return inputRequired({
      inputRequests: {
        [questionKey]: inputRequired.elicit({ mode: 'form', message, requestedSchema: schema }),
      },
    })
  } catch (error) {
    const refusal = refusalOf(error)
    outcome = refusal?.code ?? 'crashed'
    if (refusal === null)
      service.metrics.requestCrashed({ route: `mcp ${tool.name}`, requestId: context.requestId, error })
    return writeRefusal(refusal)
  } finally {
    liveSpan.set({ 'landfall.outcome': outcome })
    if (outcome === 'crashed') liveSpan.fail(outcome)
    service.log.debug('mcp.tool_called', {
      tool: tool.name,
      outcome,
      requestId: context.requestId,
      accountId: context.account.id,
      durationMs: Math.round(performance.now() - startedAt),
    })
  }
}

/** Agents quote text together with the marks in which we showed it, so the marks are removed. */
function removeMarks(input: unknown): unknown {
  if (typeof input === 'string') return withoutMarks(input)
  if (Array.isArray(input)) return input.map(removeMarks)
  if (typeof input !== 'object' || input === null) return input
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, removeMarks(value)]))
}

async function resolveIds(
  toolContext: ToolContext,
  input: Readonly<Record<string, unknown>>,
  ids: Tool['ids'],
): Promise<unknown> {
  const given: Record<string, unknown> = { ...input }
  for (const [name, kind] of Object.entries(ids)) {
    const text = given[name]
    if (typeof text === 'string') given[name] = await readId(toolContext, kind, text, name)
  }
  return given
}

function toolContextOf(of: ToolCall): ToolContext {
  const { service, context, acceptsStream } = of.caller
  const { mcpReq } = of.ask
  const progressToken = mcpReq._meta?.progressToken
  return {
    service,
    context,
    canAskUser: of.canAskUser,
    showsViews: of.showsViews,
    choice: readChoice(of.ask),
    uriOf: (kind, id) => resourceUri(service.config, kind, id),
    acquireQuotaSlot: (bucket) => acquireQuotaSlot(service, context, { bucket }),
    // By the 2025 protocol, a client that disconnects has cancelled nothing.
    isCancelled: () => of.era !== 'legacy' && mcpReq.signal.aborted,
    reportProgress: async (progress, total) => {
      if (progressToken === undefined || !acceptsStream) return
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total } })
    },
  }
}

function readChoice({ mcpReq }: ServerContext): UserChoice {
  const responses = mcpReq.inputResponses
  if (responses === undefined || !Object.hasOwn(responses, questionKey)) return { kind: 'unasked' }
  const value = acceptedContent(responses, questionKey)?.[questionKey]
  return typeof value === 'string' ? { kind: 'chosen', value } : { kind: 'refused' }
}

function writeResult({
  data,
  guidance,
  links = [],
  viewData = null,
}: Extract<ToolAnswer, { kind: 'result' }>): CallToolResult {
  const text = JSON.stringify(data)
  return {
    structuredContent: { ...data },
    ...(viewData === null ? {} : { _meta: { [journeyMember]: viewData } }),
    content: [
      { type: 'text', text },
      ...links.map(({ uri, name }) => ({
        type: 'resource_link' as const,
        uri,
        name,
        mimeType: 'text/markdown',
      })),
      ...(guidance === null ? [] : [writeGuidanceBlock(guidance, text)]),
    ],
  }
}

/** The rule about marks is sent only where there are marks; a client has it from the instructions besides. */
function writeGuidanceBlock(guidance: Guidance, resultText: string) {
  const steering = {
    _agent_steering: true,
    purpose: 'How to present this result. For the assistant; do not show it.',
    presentation_guidance: resultText.includes('⟦') ? `${guidance.presentation} ${fenceRule}` : guidance.presentation,
    ...omitEmpty('suggested_follow_ups', guidance.followUps),
    ...omitEmpty('suggested_tools', guidance.tools),
  }
  return {
    type: 'text' as const,
    text: JSON.stringify(steering),
    annotations: { audience: ['assistant' as const] },
  }
}

/** An empty list is omitted. */
function omitEmpty(name: string, entries: readonly string[] = []) {
  return entries.length === 0 ? {} : { [name]: entries }
}

function writeRefusal(refusal: ServiceError | null): CallToolResult {
  const text =
    refusal !== null
      ? `${refusal.detail}${refusal.retryAfterSeconds === null ? '' : ` Try again in ${refusal.retryAfterSeconds} seconds.`}`
      : 'Something went wrong on our side. Try again; if it happens again, tell the operator of this server.'
  return { isError: true, content: [{ type: 'text', text }] }
}
