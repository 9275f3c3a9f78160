/** `get_supported_shipping_lines`: the lines that can be tracked, and by which numbers. */

import { findTrackableNumbers, listShippingLines } from '../../modules/carriers/list-shipping-lines.ts'
import { writeProvidedData } from '../../modules/carriers/provided-data-resource.ts'
import { Type } from '../../platform/json-schema.ts'
import { closed } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { flag, list, number, object, optional, text, texts } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

export const getSupportedShippingLines = defineTool({
  name: 'get_supported_shipping_lines',
  title: 'List shipping lines',
  about: 'Lines by name or SCAC; with `search` the kinds of number each is tracked by, and what its data lacks.',
  effect: 'read',
  input: Type.Object({ search: Type.Optional(Type.String({ description: 'Part of a name, or a SCAC' })) }, closed),
  output: object({
    total_lines: number,
    shipping_lines: list(
      object({
        scac: text,
        name: text,
        short_name: optional(text),
        bol_prefix: optional(text),
        tracked_by: optional(texts),
        enabled: flag,
        notes: optional(text),
      }),
    ),
    _metadata: object({ presentation_guidance: text }),
    _response_contract: responseContract,
  }),
  run: async ({ service, context }, input) => {
    const lines = await listShippingLines(service, context, { search: input.search ?? null })
    const isWhole = Boolean(input.search?.trim())
    const presentation_guidance = isWhole
      ? 'Give name and SCAC; mention kinds of number that are not tracked.'
      : 'Give name and SCAC. By what each is tracked, and what its data lacks, is told with `search`.'
    return makeResult(
      {
        total_lines: lines.length,
        shipping_lines: lines.map((accountLine) => {
          const { line, isEnabled, ability } = accountLine
          if (!isWhole) return { scac: line.scac, name: line.name, enabled: isEnabled }
          const tracked = findTrackableNumbers(accountLine)
          const prefix = line.prefixesOfBill[0]
          const gaps = Object.entries(writeProvidedData(accountLine)).flatMap(([name, value]) =>
            typeof value === 'string' ? [value] : value ? [] : [`No ${name.replaceAll('_', ' ')}.`],
          )
          const notes = ability === null ? ['This installation has no access to the line.'] : gaps
          return {
            scac: line.scac,
            name: line.name,
            short_name: line.shortName,
            ...(prefix === undefined ? {} : { bol_prefix: prefix }),
            tracked_by: [
              ...(tracked.billOfLading ? ['bill_of_lading'] : []),
              ...(tracked.booking ? ['booking_number'] : []),
              ...(tracked.container ? ['container'] : []),
            ],
            enabled: isEnabled,
            ...(notes.length === 0 ? {} : { notes: notes.join(' ') }),
          }
        }),
        _metadata: { presentation_guidance },
        _response_contract: writeContract({ total_is_reliable: true }),
      },
      { presentation: presentation_guidance, tools: ['track_container'] },
    )
  },
})
