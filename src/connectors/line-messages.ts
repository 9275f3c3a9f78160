/**
 * The EDI messages that each carrier sends to partners under an agreement, as far as known. `seen` is known from a
 * guide of the carrier or from a real message. `unverified` comes from one survey that nobody checked, so nobody should
 * rely on it.
 */

export interface LineMessages {
  /** In a guide of the line, or in a real message. */
  readonly seen: readonly string[]
  /** From one survey. `unnamed`: the survey states that the carrier sends EDI, but not which messages. */
  readonly unverified: readonly string[] | 'unnamed'
}

export function findLineMessages(scac: string): LineMessages {
  return byScac.get(scac) ?? { seen: [], unverified: [] }
}

const byScac: ReadonlyMap<string, LineMessages> = new Map([
  ['ACLU', { seen: [], unverified: ['315', '322', 'IFTSTA', 'CODECO'] }],
  ['CLAM', { seen: [], unverified: 'unnamed' }],
  ['CMDU', { seen: ['315'], unverified: ['IFTSTA'] }],
  ['COSU', { seen: ['315'], unverified: ['IFTSTA'] }],
  ['EGLV', { seen: [], unverified: 'unnamed' }],
  ['HDMU', { seen: [], unverified: 'unnamed' }],
  ['HLCU', { seen: [], unverified: ['IFTSTA'] }],
  ['IILU', { seen: [], unverified: 'unnamed' }],
  ['MAEU', { seen: ['315', '322'], unverified: ['IFTSTA'] }],
  ['MATS', { seen: [], unverified: ['315', '322'] }],
  ['MSCU', { seen: [], unverified: ['315', 'IFTSTA'] }],
  ['ONEY', { seen: [], unverified: ['315', 'IFTSTA'] }],
  ['OOLU', { seen: ['315'], unverified: [] }],
  ['SMLM', { seen: [], unverified: 'unnamed' }],
  ['SMLU', { seen: [], unverified: ['315', '322', 'CODECO', 'COARRI'] }],
  ['SSBF', { seen: ['315'], unverified: [] }],
  ['TRKU', { seen: [], unverified: 'unnamed' }],
  ['WHLC', { seen: [], unverified: 'unnamed' }],
  ['YMLU', { seen: [], unverified: 'unnamed' }],
  ['ZIMU', { seen: [], unverified: 'unnamed' }],
])
