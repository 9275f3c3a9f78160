/** The railroads of North America that run the ramps of our list: by SCAC, as they are called and as people write them. */

export interface Railroad {
  readonly scac: string
  readonly name: string
  /** For searching: marks and names, former ones as well. */
  readonly alsoCalled: readonly string[]
}

const railroads: readonly Railroad[] = [
  { scac: 'BNSF', name: 'BNSF Railway', alsoCalled: ['BNSF'] },
  { scac: 'UPRR', name: 'Union Pacific Railroad', alsoCalled: ['UP', 'UPRR', 'Union Pacific'] },
  { scac: 'CSXT', name: 'CSX Transportation', alsoCalled: ['CSX', 'CSXT'] },
  { scac: 'NSRR', name: 'Norfolk Southern Railway', alsoCalled: ['NS', 'NSRR', 'Norfolk Southern'] },
  { scac: 'CNRU', name: 'Canadian National Railway', alsoCalled: ['CN', 'CNRU', 'Canadian National'] },
  {
    scac: 'CPRS',
    name: 'Canadian Pacific Kansas City',
    alsoCalled: ['CPKC', 'CP', 'CPRS', 'Canadian Pacific'],
  },
  { scac: 'FXE', name: 'Ferromex', alsoCalled: ['FXE'] },
  { scac: 'FEC', name: 'Florida East Coast Railway', alsoCalled: ['FEC', 'Florida East Coast'] },
]

/** By the SCAC that the ramps bear; null for another one. */
export function findRailroad(scac: string): Railroad | null {
  return railroads.find((each) => each.scac === scac) ?? null
}
