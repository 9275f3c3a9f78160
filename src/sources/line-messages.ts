/**
 * Which EDI messages each line sends to partners that agree on it, as far as we know. `seen` is known from a guide of
 * the line or from a real message. `said` comes from one survey that nobody checked, so nobody should rely on it.
 */

export interface LineMessages {
  /** In a guide of the line, or in a real message. */
  readonly seen: readonly string[]
  /** From one survey. `unnamed`: the survey says that the line sends EDI, but not which messages. */
  readonly said: readonly string[] | 'unnamed'
}

export function findLineMessages(scac: string): LineMessages {
  return byScac.get(scac) ?? { seen: [], said: [] }
}

const byScac: ReadonlyMap<string, LineMessages> = new Map([
  ['ACLU', { seen: [], said: ['315', '322', 'IFTSTA', 'CODECO'] }],
  ['CLAM', { seen: [], said: 'unnamed' }],
  ['CMDU', { seen: ['315'], said: ['IFTSTA'] }],
  ['COSU', { seen: ['315'], said: ['IFTSTA'] }],
  ['EGLV', { seen: [], said: 'unnamed' }],
  ['HDMU', { seen: [], said: 'unnamed' }],
  ['HLCU', { seen: [], said: ['IFTSTA'] }],
  ['IILU', { seen: [], said: 'unnamed' }],
  ['MAEU', { seen: ['315', '322'], said: ['IFTSTA'] }],
  ['MATS', { seen: [], said: ['315', '322'] }],
  ['MSCU', { seen: [], said: ['315', 'IFTSTA'] }],
  ['ONEY', { seen: [], said: ['315', 'IFTSTA'] }],
  ['OOLU', { seen: ['315'], said: [] }],
  ['SMLM', { seen: [], said: 'unnamed' }],
  ['SMLU', { seen: [], said: ['315', '322', 'CODECO', 'COARRI'] }],
  ['SSBF', { seen: ['315'], said: [] }],
  ['TRKU', { seen: [], said: 'unnamed' }],
  ['WHLC', { seen: [], said: 'unnamed' }],
  ['YMLU', { seen: [], said: 'unnamed' }],
  ['ZIMU', { seen: [], said: 'unnamed' }],
])
