/**
 * What we call a terminal: an ocean terminal, a rail ramp, or a facility inland of the port; and the codes that name
 * it.
 */

export const terminalTypes = ['ocean_terminal', 'rail_terminal', 'off_dock'] as const
export type TerminalType = (typeof terminalTypes)[number]

export const facilityCodeProviders = ['SMDG', 'BIC', 'FIRMS'] as const
export interface FacilityCode {
  readonly provider: (typeof facilityCodeProviders)[number]
  readonly code: string
  /** Needed for SMDG codes, which are unique only within one place. FIRMS codes do not need it. */
  readonly unlocode?: string | null
}

export interface Terminal {
  readonly id: string
  readonly name: string
  readonly nickname: string | null
  readonly facilityType: TerminalType
  readonly firmsCode: string | null
  readonly smdgCode: string | null
  readonly bicFacilityCode: string | null
  readonly street: string | null
  readonly city: string | null
  readonly state: string | null
  readonly stateAbbr: string | null
  readonly zip: string | null
  readonly countryCode: string
  readonly country: string
  /** The canonical code of its port or, for a ramp, of its city. */
  readonly unlocode: string | null
  /** The metropolitan area that a ramp serves. */
  readonly metroUnlocode: string | null
  /** The railroad that runs a ramp. */
  readonly railCarrierScac: string | null
  /** The terminal's own point, never that of its harbour. For a ramp it may be the point of its city. */
  readonly latitude: number | null
  readonly longitude: number | null
}
