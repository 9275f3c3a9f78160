/**
 * The railroads of North America that run the ramps of our list: the SCAC, the name, and the ways in which people write
 * it.
 */

export interface Railroad {
  readonly scac: string
  readonly name: string
  /** Marks and names for searching, including former ones. */
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

/** By the SCAC that our ramps have; null for any other SCAC. */
export function findRailroad(scac: string): Railroad | null {
  return railroads.find((each) => each.scac === scac) ?? null
}

/** By its SCAC or any of its marks: `UP` and `UPRR` mean the same railroad. */
export function findRailroadOf(mark: string): Railroad | null {
  const normalized = mark.trim().toUpperCase()
  return railroads.find(({ scac, alsoCalled }) => scac === normalized || alsoCalled.includes(normalized)) ?? null
}

/** The names that people write, the full name first. */
export function railroadNames(scac: string): readonly string[] {
  const railroad = findRailroad(scac)
  return railroad === null ? [] : [railroad.name, ...railroad.alsoCalled]
}

/** Gives our SCAC for a SCAC or mark of a known railroad. An unknown one is returned as it is. */
export function railroadScac<Mark extends string | null>(mark: Mark): string | Mark {
  return mark === null ? mark : (findRailroadOf(mark)?.scac ?? mark)
}
