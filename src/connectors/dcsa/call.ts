/** What an event states about its transport call: mode, voyage, the call's id and its sequence number. */

import { type EventCode, isOneOf, type TransportMode, transportModes } from '../../domain/values/codes.ts'
import { isObject } from '../../domain/values/json-value.ts'
import { type IssueList, quoteValue } from '../source-issue.ts'
import { codeFor } from './codes.ts'
import type { ReadContext } from './context.ts'
import { type JsonNode, nameOfType, readFirstText, readText } from './json-node.ts'

export interface StatedCall {
  readonly mode: TransportMode | null
  readonly voyage: string | null
  readonly callId: string | null
  readonly callSequence: number | null
}

/** The call may have two voyages; the event's code decides which one applies. */
export function readCall(call: JsonNode | null, code: EventCode | null, context: ReadContext): StatedCall {
  if (call === null) return { mode: null, voyage: null, callId: null, callSequence: null }
  return {
    mode: readMode(call, context),
    voyage: readVoyage(call, code, context.issues),
    callId: readFirstText(call, ['transportCallID', 'transportCallReference'], context.issues),
    callSequence: readSequence(call, context.issues),
  }
}

function readMode(call: JsonNode, { issues, profile }: ReadContext): TransportMode | null {
  const rawText = readFirstText(call, ['modeOfTransport', 'modeOfTransportCode'], issues)
  if (rawText === null) return null
  const mode = codeFor('mode', rawText, profile.enumAliases)
  if (isOneOf(transportModes, mode)) return mode
  const at = { path: `${call.path}/modeOfTransport`, lost: 'field' } as const
  issues.addOnce('unknown_code', at, `${quoteValue(rawText)} is not a known mode of transport`)
  return null
}

/**
 * A ship arrives and discharges on the import voyage, then loads and leaves on the export voyage. If only one voyage is
 * given, it is used for every event.
 */
function readVoyage(call: JsonNode, code: EventCode | null, issues: IssueList): string | null {
  const read = (direction: 'import' | 'export'): string | null => {
    const nested = call.value[`${direction}VoyageNumberOrReference`]
    if (isObject(nested)) {
      const node = { value: nested, path: `${call.path}/${direction}VoyageNumberOrReference` }
      return readFirstText(node, ['carrierVoyageNumber', 'universalVoyageReference'], issues)
    }
    const beta = direction === 'import' ? 'carrierImportVoyageNumber' : 'carrierExportVoyageNumber'
    return readFirstText(call, [`${direction}VoyageNumber`, beta], issues)
  }
  const inbound = read('import')
  const outbound = read('export')
  const only = inbound ?? outbound ?? readText(call, 'carrierVoyageNumber', issues)
  if (code === 'ARRI' || code === 'DISC') return inbound ?? only
  if (code === 'DEPA' || code === 'LOAD') return outbound ?? only
  return inbound === null || outbound === null || inbound === outbound ? only : null
}

function readSequence(call: JsonNode, issues: IssueList): number | null {
  const value = call.value['transportCallSequenceNumber']
  if (value === undefined || value === null || value === '') return null
  const sequence = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  if (typeof sequence === 'number' && Number.isSafeInteger(sequence)) return sequence
  const at = { path: `${call.path}/transportCallSequenceNumber`, lost: 'field' } as const
  issues.add('wrong_type', at, `a whole number was expected, not ${nameOfType(value)}`)
  return null
}
