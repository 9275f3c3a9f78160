/** `landfall infer`: what a number is, and whose. */

import { defineCommand } from '../framework/command.ts'
import { aboutServer, clientOf, jsonOption, urlOption } from './server-client.ts'
import { tableLines } from './text-table.ts'

export const infer = defineCommand({
  about: aboutServer,
  operands: [{ name: 'number', about: 'bill of lading, booking or container number' }],
  options: { url: urlOption, json: jsonOption },
  examples: ['infer MSKU1234565'],
  run: async ({ operands: [number = ''], options, shell }) => {
    const inferred = await clientOf(shell, options.url).inferNumber({ number })
    if (options.json) {
      const { id, type, ...attributes } = inferred
      shell.print(JSON.stringify({ id, type, attributes }))
      return 0
    }
    const { number_type: type, validation, shipping_line: line } = inferred
    const candidates = line.candidates.length > 0 ? line.candidates : [line.selected].flatMap((each) => each ?? [])
    shell.print(
      `${validation.parsed_number ?? number}: ${type.replaceAll('_', ' ')}${validation.reason === null ? '' : `, ${validation.reason}`}`,
    )
    for (const row of tableLines(
      ['LINE', 'NAME', 'HOW SURE'],
      candidates.map(({ scac, name, confidence }) => [scac, name, `${Math.round(confidence * 100)} %`]),
    ))
      shell.print(row)
    // The API description guarantees this.
    const { explanation } = inferred.$answer.meta as { readonly explanation: readonly string[] }
    for (const sentence of explanation) shell.print(`- ${sentence}`)
    return 0
  },
})
