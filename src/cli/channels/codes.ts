/** `landfall codes`: the codes of senders without a known meaning, and the meanings that the operator sets. */

import { codeKinds } from '../../connectors/codes/code-fields.ts'
import { isOneOf } from '../../domain/values/codes.ts'
import type { Context } from '../../modules/access/context.ts'
import { getChannel } from '../../modules/channels/channels.ts'
import { listCodeMappings, listUnmappedCodes } from '../../modules/code-mappings/list-codes.ts'
import { type MappingResult, mapCode, unmapCode } from '../../modules/code-mappings/map-code.ts'
import type { Service } from '../../modules/service.ts'
import { findAccountContext } from '../access/account-named.ts'
import { defineCommand, UsageError } from '../framework/command.ts'

const jsonOption = { type: 'boolean', about: 'print JSON' } as const
const channelOperand = { name: 'channel', about: 'its name' } as const
const tryOption = { type: 'boolean', about: 'change nothing, and show what would be read again' } as const
const kindOption = {
  type: 'string',
  value: `<${codeKinds.join('|')}>`,
  about: 'what the code is about',
} as const

export const codesList = defineCommand({
  operands: [channelOperand],
  options: { json: jsonOption },
  examples: ['codes list pier-400'],
  run: async ({ operands, options, shell }) => {
    const service = await shell.openService()
    const channel = operands[0] ?? ''
    const context = await contextOf(service, channel)
    const { codes } = await listUnmappedCodes(service, context, { channel })
    const mappings = await listCodeMappings(service, context, { channel })
    if (options.json) {
      shell.print(JSON.stringify({ unmapped: codes, mappings }, null, 2))
      return 0
    }
    for (const { kind, code, reason, text, parts, lastSeenAt, messageId, words: rawText } of codes) {
      const codeText = [code, reason, text].filter((each) => each !== '').join(' / ')
      shell.print(
        `unmapped  ${kind}  ${codeText}  ${parts} times, last ${lastSeenAt} in ${messageId}  ${rawText ?? ''}`,
      )
    }
    for (const { id, kind, code, reason, text, means } of mappings) {
      const codeText = [code, reason, text].filter((each) => each !== '').join(' / ')
      shell.print(`${id}  ${kind}  ${codeText}  ${means}`)
    }
    return 0
  },
})

export const codesMap = defineCommand({
  about: 'Writes the meaning into the profile of the channel. Messages that have the code are read again.',
  operands: [
    channelOperand,
    { name: 'code', about: 'as it was sent' },
    { name: 'meaning', about: 'such as "hold customs", "GTOT LADEN", USCHI' },
  ],
  options: {
    kind: kindOption,
    field: { type: 'string', value: '<pointer>', about: 'place in the profile, where there are several' },
    reason: { type: 'string', value: '<code>', about: 'EDIFACT: only with this reason' },
    text: { type: 'string', value: '<text>', about: 'EDIFACT: only with this text' },
    'dry-run': tryOption,
    json: jsonOption,
  },
  examples: ['codes map pier-400 PX "hold USDA"', 'codes map pier-400 380000 USCHI --kind place --dry-run'],
  run: async ({ operands, options, shell }) => {
    const [channel = '', code = '', means = ''] = operands
    const kind = options.kind ?? 'status'
    if (!isOneOf(codeKinds, kind)) throw new UsageError(`${kind} is none of ${codeKinds.join(', ')}.`)
    const service = await shell.openService()
    const { field, reason, text } = options
    const of = { channel, kind, field, code, reason: reason ?? '', text: text ?? '', means }
    const context = await contextOf(service, channel)
    const mapped = await mapCode(service, context, { ...of, isDryRun: options['dry-run'] })
    shell.print(formatMapped(mapped, { isDryRun: options['dry-run'], isJson: options.json }))
    return 0
  },
})

export const codesUnmap = defineCommand({
  operands: [channelOperand, { name: 'id', about: 'of the mapping, as codes list shows it' }],
  options: { 'dry-run': tryOption, json: jsonOption },
  examples: ['codes unmap pier-400 63745771-d7b1-5fab-aaae-26ada33c6932'],
  run: async ({ operands, options, shell }) => {
    const [channel = '', id = ''] = operands
    const service = await shell.openService()
    const context = await contextOf(service, channel)
    const mapped = await unmapCode(service, context, { id, isDryRun: options['dry-run'] })
    shell.print(formatMapped(mapped, { isDryRun: options['dry-run'], isJson: options.json }))
    return 0
  },
})

/** Null for a channel of the whole installation. */
async function contextOf(service: Service, name: string): Promise<Context | null> {
  const { accountId } = await getChannel(service, name)
  return accountId === null ? null : findAccountContext(service, accountId)
}

function formatMapped(
  { mapping, reach }: MappingResult,
  { isDryRun, isJson }: { readonly isDryRun: boolean; readonly isJson: boolean },
): string {
  if (isJson) return JSON.stringify({ ...mapping, ...reach, isDryRun }, null, 2)
  const would = isDryRun ? 'would be' : 'are'
  return `${mapping.id}  ${mapping.code}: ${reach.messages} messages ${would} read again for ${reach.shipments} shipments.`
}
