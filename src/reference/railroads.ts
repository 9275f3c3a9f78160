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

/** By its SCAC or any of its marks: `UP` and `UPRR` are one. */
export function findRailroadOf(mark: string): Railroad | null {
  const tidy = mark.trim().toUpperCase()
  return railroads.find(({ scac, alsoCalled }) => scac === tidy || alsoCalled.includes(tidy)) ?? null
}

/** As people write it, the full name first. */
export function railroadNames(scac: string): readonly string[] {
  const railroad = findRailroad(scac)
  return railroad === null ? [] : [railroad.name, ...railroad.alsoCalled]
}

/** A SCAC or mark as the SCAC by which we know that railroad; an unknown one as it is. */
export function railroadScac<Mark extends string | null>(mark: Mark): string | Mark {
  return mark === null ? mark : (findRailroadOf(mark)?.scac ?? mark)
}
