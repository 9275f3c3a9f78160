/**
 * The EDI messages that each carrier sends to partners under an agreement, as far as known. `seen` is known from the
 * carrier itself or from a real message. `unverified` comes from a report that nobody checked, so nobody should rely on
 * it.
 */

export interface LineMessages {
  /** In a guide of the line or its group, in its own list of messages, or in a real message. */
  readonly seen: readonly string[]
  /** From a report. `unnamed`: the report states that the carrier sends EDI, but not which messages. */
  readonly unverified: readonly string[] | 'unnamed'
}

export function findLineMessages(scac: string): LineMessages {
  return byScac.get(scac) ?? { seen: [], unverified: [] }
}

const byScac: ReadonlyMap<string, LineMessages> = new Map([
  ['ACLU', { seen: [], unverified: ['315', '322', 'IFTSTA', 'CODECO'] }],
  ['CHVW', { seen: [], unverified: 'unnamed' }],
  ['CLAM', { seen: [], unverified: 'unnamed' }],
  ['CMDU', { seen: ['315'], unverified: ['IFTSTA'] }],
  ['COSU', { seen: ['315'], unverified: ['IFTSTA'] }],
  ['EGLV', { seen: [], unverified: 'unnamed' }],
  ['HDMU', { seen: [], unverified: 'unnamed' }],
  ['HLCU', { seen: [], unverified: ['IFTSTA'] }],
  ['IILU', { seen: [], unverified: 'unnamed' }],
  // IFTSTA: in a guide of Hamburg Süd, a line of the group, 2017.
  ['MAEU', { seen: ['315', '322', 'IFTSTA'], unverified: [] }],
  ['MATS', { seen: [], unverified: ['315', '322'] }],
  ['MSCU', { seen: [], unverified: ['315', 'IFTSTA'] }],
  ['ONEY', { seen: [], unverified: ['315', '322', 'IFTSTA'] }],
  ['OOLU', { seen: ['315'], unverified: ['IFTSTA'] }],
  ['SMLM', { seen: [], unverified: 'unnamed' }],
  // 315 and 322: in the list on its own page about EDI.
  ['SMLU', { seen: ['315', '322'], unverified: ['CODECO', 'COARRI'] }],
  ['SSBF', { seen: ['315'], unverified: [] }],
  ['TRKU', { seen: [], unverified: 'unnamed' }],
  ['WHLC', { seen: [], unverified: 'unnamed' }],
  ['YMLU', { seen: [], unverified: 'unnamed' }],
  ['ZIMU', { seen: [], unverified: 'unnamed' }],
])
