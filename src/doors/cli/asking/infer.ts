/** `landfall infer`: what a number is, and whose. */

import { command } from '../frame/command.ts'
import { aboutServer, clientOf, jsonOption, urlOption } from './server-client.ts'
import { tableLines } from './text-table.ts'

export const infer = command({
  about: aboutServer,
  operands: [{ name: 'number', about: 'bill of lading, booking or container number' }],
  options: { url: urlOption, json: jsonOption },
  examples: ['infer MSKU1234565'],
  run: async ({ operands: [number = ''], options, shell }) => {
    const { data, meta } = await clientOf(shell, options.url).inferNumber({ number })
    if (options.json) {
      shell.print(JSON.stringify(data))
      return 0
    }
    const { number_type: type, validation, shipping_line: line } = data.attributes
    const candidates =
      line.candidates.length > 0 ? line.candidates : [line.selected].flatMap((each) => each ?? [])
    shell.print(
      `${validation.parsed_number ?? number}: ${type.replaceAll('_', ' ')}${validation.reason === null ? '' : `, ${validation.reason}`}`,
    )
    for (const row of tableLines(
      ['LINE', 'NAME', 'HOW SURE'],
      candidates.map(({ scac, name, confidence }) => [scac, name, `${Math.round(confidence * 100)} %`]),
    ))
      shell.print(row)
    for (const sentence of meta.explanation) shell.print(`- ${sentence}`)
    return 0
  },
})
