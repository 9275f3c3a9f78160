/** What an event says about its transport call: mode, voyage, the call's id and its sequence number. */

import { type EventCode, isOneOf, type TransportMode, transportModes } from '../../core/values/codes.ts'
import { isObject } from '../../core/values/json-value.ts'
import { type IssueList, quoted } from '../source-issue.ts'
import type { ReadContext } from './context.ts'
import { nameOfType, type Part, readFirstText, readText } from './part.ts'
import { codeFor } from './words.ts'

export interface StatedCall {
  readonly mode: TransportMode | null
  readonly voyage: string | null
  readonly callId: string | null
  readonly callSequence: number | null
}

/** The call may have two voyages; the event's code decides which one is meant. */
export function readCall(call: Part | null, code: EventCode | null, context: ReadContext): StatedCall {
  if (call === null) return { mode: null, voyage: null, callId: null, callSequence: null }
  return {
    mode: readMode(call, context),
    voyage: readVoyage(call, code, context.issues),
    callId: readFirstText(call, ['transportCallID', 'transportCallReference'], context.issues),
    callSequence: readSequence(call, context.issues),
  }
}

function readMode(call: Part, { issues, profile }: ReadContext): TransportMode | null {
  const said = readFirstText(call, ['modeOfTransport', 'modeOfTransportCode'], issues)
  if (said === null) return null
  const mode = codeFor('mode', said, profile.enumAliases)
  if (isOneOf(transportModes, mode)) return mode
  const at = { path: `${call.path}/modeOfTransport`, lost: 'field' } as const
  issues.addOnce('unknown_code', at, `${quoted(said)} is not a known mode of transport`)
  return null
}

/**
 * A ship arrives and discharges on the import voyage, then loads and leaves on the export voyage. If only one voyage is
 * given, it is used for every event.
 */
function readVoyage(call: Part, code: EventCode | null, issues: IssueList): string | null {
  const read = (direction: 'import' | 'export'): string | null => {
    const nested = call.value[`${direction}VoyageNumberOrReference`]
    if (isObject(nested)) {
      const part = { value: nested, path: `${call.path}/${direction}VoyageNumberOrReference` }
      return readFirstText(part, ['carrierVoyageNumber', 'universalVoyageReference'], issues)
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

function readSequence(call: Part, issues: IssueList): number | null {
  const value = call.value['transportCallSequenceNumber']
  if (value === undefined || value === null || value === '') return null
  const sequence = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  if (typeof sequence === 'number' && Number.isSafeInteger(sequence)) return sequence
  const at = { path: `${call.path}/transportCallSequenceNumber`, lost: 'field' } as const
  issues.add('wrong_type', at, `a whole number was expected, not ${nameOfType(value)}`)
  return null
}
