/** Three prompts that users choose from a menu. What users fill in is quoted as data. */

import { completable, fromJsonSchema, type GetPromptResult, type McpServer } from '@modelcontextprotocol/server'
import type { Static, TSchema } from 'typebox'
import { listShippingLines } from '../../modules/carriers/list-shipping-lines.ts'
import { Type } from '../../platform/json-schema.ts'
import { fenceRule, markUnlessCode } from '../presenters/fence.ts'
import { closed } from '../tool/inputs.ts'
import { completeNumber } from './complete-numbers.ts'
import type { McpCaller } from './mcp-caller.ts'

const completionsMax = 100

const trackArgs = Type.Object(
  {
    container_number: Type.String({ maxLength: 40, description: 'Container, bill or booking number' }),
    carrier: Type.Optional(Type.String({ maxLength: 10, description: 'SCAC of the shipping line' })),
  },
  closed,
)
const containerArgs = Type.Object(
  { container_id: Type.String({ minLength: 1, maxLength: 100, description: 'Number of the container' }) },
  closed,
)

export function registerPrompts(server: McpServer, caller: McpCaller): void {
  const carriers = async (typed: string | undefined): Promise<string[]> => {
    const lines = await listShippingLines(caller.service, caller.context, { search: typed ?? null })
    const scacs = lines.map(({ line }) => line.scac)
    const begins = (scac: string): boolean => scac.startsWith((typed ?? '').trim().toUpperCase())
    // The text may be a SCAC or part of a name. Matching SCACs come first.
    return [...scacs.filter(begins), ...scacs.filter((scac) => !begins(scac))].slice(0, completionsMax)
  }
  const numbers = (typed: string | undefined): Promise<string[]> => completeNumber(caller, 'container', typed)
  const container = completable(schemaOf(containerArgs.properties.container_id), numbers)
  const containerArgsSchema = { ...schemaOf(containerArgs), shape: { container_id: container } }
  const number = completable(schemaOf(trackArgs.properties.container_number), numbers)
  // The SDK searches for completable arguments in `shape`, which schema libraries have.
  const carrier = completable(schemaOf(trackArgs.properties.carrier), carriers)
  server.registerPrompt(
    'track-shipment',
    {
      title: 'Track a shipment',
      description: 'Find or begin to track a number and tell where it is.',
      argsSchema: { ...schemaOf(trackArgs), shape: { container_number: number, carrier } },
    },
    ({ container_number: number, carrier: scac }) =>
      writePrompt(
        `Track ${markUnlessCode(number)}${scac === undefined ? '' : ` with the shipping line ${markUnlessCode(scac)}`}. Call track_container first. If the line is not certain, ask me. Then tell me status, where it is, when it arrives (say whose estimate it is) and the last free day; say what is not known.`,
      ),
  )
  server.registerPrompt(
    'check-demurrage',
    {
      title: 'Check free time',
      description: 'Last free days, holds, fees and charges of a container, without inventing rates.',
      argsSchema: containerArgsSchema,
    },
    ({ container_id }) =>
      writePrompt(
        `Look at container ${markUnlessCode(container_id)} with get_container. Tell me the last free days (terminal, rail, line) with days left, holds, fees and whether it may be picked up. If urgency is suppressed, say why and offer refresh_container. Then call get_charges for it: say what is owed, what it will cost by when, what of it is avoidable, and by which terms. Where it says unknown, say that the cost is not known and why. State no rate and compute no cost beyond what it gives.`,
      ),
  )
  server.registerPrompt(
    'analyze-delays',
    {
      title: 'Analyze delays',
      description: 'What moved against the plan of a container, where, and who says so.',
      argsSchema: containerArgsSchema,
    },
    ({ container_id }) =>
      writePrompt(
        `Look at container ${markUnlessCode(container_id)} with get_container_transport_events and get_container_route, at the \`delay\` of its shipment with get_shipment_details, and at get_container_raw_events for what was withdrawn. Tell me where time was lost against earlier estimates, by how much, and who said so. Give no cause that no source has given.`,
      ),
  )
}

function schemaOf<Schema extends TSchema>(schema: Schema) {
  return fromJsonSchema<Static<Schema>>({ ...schema })
}

function writePrompt(text: string): GetPromptResult {
  return { messages: [{ role: 'user', content: { type: 'text', text: `${text} ${fenceRule}` } }] }
}
