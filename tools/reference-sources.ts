/** The source of each reference table: the content of the note beside it, and the raw lists that it is made from. */

interface Source {
  readonly from: readonly string[]
  readonly publisher: string
  readonly edition: string
  readonly licence: string
  readonly attribution: string
  readonly changes: string
}

const own = 'Apache-2.0; the entries are facts'
export const sources = {
  'locations.tsv.gz': {
    from: ['reference/locations.csv.gz'],
    publisher: 'UNECE; National Geospatial-Intelligence Agency; GeoNames',
    edition: 'UN/LOCODE 2024-2',
    licence: 'PDDL-1.0 (UN/LOCODE); public domain (World Port Index); CC-BY-4.0 (GeoNames coordinates)',
    attribution: 'UN/LOCODE, UNECE. World Port Index, NGA. Contains data of GeoNames (https://www.geonames.org).',
    changes:
      'Merged, repaired and slimmed. Coordinates of UN/LOCODE that are flagged as outside the country are left out, ' +
      'and zones that no unflagged place of the country has; four damaged letters in two Danish names are restored. Seventeen ' +
      'places have coordinates by hand or of another port of the World Port Index (tools/place-mends.csv).',
  },
  'port-overrides.tsv': {
    from: ['reference/port_overrides.csv'],
    publisher: 'Landfall',
    edition: 'for UN/LOCODE 2024-2',
    licence: own,
    attribution: '',
    changes: 'Codes and names only: the coordinates are in locations.tsv.gz.',
  },
  'subdivisions.tsv': {
    from: ['reference/subdivisions.csv'],
    publisher: 'UNECE',
    edition: 'UN/LOCODE 2024-2',
    licence: 'PDDL-1.0',
    attribution: 'UN/LOCODE subdivisions, UNECE.',
    changes: 'Without the type.',
  },
  'terminals.tsv': {
    from: ['reference/terminals.csv', 'reference/terminals_world.csv', 'reference/cbp_firms.csv.gz'],
    publisher: 'Landfall',
    edition: 'terminals outside the United States 2026-11-22; FIRMS codes checked against CBP FIRMS 2025-05-07',
    licence: own,
    attribution: '',
    changes:
      'FIRMS codes that CBP does not list are left out; deactivated ones stand in a column of their own. Grade and ' +
      'source say where name and place of a terminal are known from: S port authority; D document of the operator, ' +
      'a carrier or a vendor; C public code, a recorded message or the press; M general knowledge, not looked up; ' +
      'none for our first list. Operators are left out, and points that are of a harbour or a port and not of the ' +
      'terminal. Rows that are one terminal stand once, under the name that was there first (tools/terminal-mends.csv).',
  },
  'rail-terminals.tsv': {
    from: ['reference/rail_terminals.csv'],
    publisher: 'Landfall; U.S. Customs and Border Protection; GeoNames',
    edition: 'CBP FIRMS 2025-05-07',
    licence: 'Apache-2.0 (the entries are facts); public domain (FIRMS); CC-BY-4.0 (points)',
    attribution: 'Contains data of GeoNames (https://www.geonames.org).',
    changes:
      'Slimmed. Points are those of the city. Areas mended where the list counts a suburb as one of its own (tools/ramp-mends.csv).',
  },
  'firms.tsv.gz': {
    from: ['reference/cbp_firms.csv.gz', 'reference/rail_terminals.csv', 'reference/terminals.csv'],
    publisher: 'U.S. Customs and Border Protection',
    edition: '2025-05-07',
    licence: 'public domain (work of the U.S. government)',
    attribution: 'FIRMS codes, U.S. Customs and Border Protection.',
    changes:
      'Not deactivated, of types 01, 03 and 05; the codes of our own ocean and rail terminals are in their tables. ' +
      'Passenger clearance abroad, which the list places in the United States, is left out. The UN/LOCODE is that of ' +
      'the only place of the same name in the state.',
  },
  'vessels.tsv.gz': {
    from: ['reference/vessels.csv'],
    publisher: 'European Maritime Safety Agency (THETIS-MRV)',
    edition: 'EU MRV 2018-2023',
    licence: 'reuse with acknowledgement of the source',
    attribution: 'Source: EMSA/THETIS-MRV.',
    changes: 'IMO number and names only; reporting numbers in front of names are taken off.',
  },
  'shipping-lines.tsv': {
    from: ['reference/shipping_lines.csv'],
    publisher: 'Landfall',
    edition: 'undated; owner codes of about 2020',
    licence: own,
    attribution: '',
    changes: 'Websites that are no valid address are left out.',
  },
  'place-names.tsv': {
    from: ['reference/place_names.csv'],
    publisher: 'Landfall',
    edition: '2026-11-22',
    licence: own,
    attribution: '',
    changes: 'Codes and names only, each name once for a place; everyday names of inland cities added by hand.',
  },
  'port-ranks.tsv': {
    from: ['reference/port_rank.csv', 'reference/place_names.csv'],
    publisher: 'Landfall',
    edition: '2026-11-22',
    licence: own,
    attribution: '',
    changes:
      'The order only, a rough one, to sort by and never to show; after the 300 busiest those that belong to one of them.',
  },
  'metro-areas.tsv': {
    from: ['reference/place_names.csv', 'reference/rail_terminals.csv'],
    publisher: 'Landfall',
    edition: '2026-11-22',
    licence: own,
    attribution: '',
    changes:
      'Metropolitan areas of the United States and Canada, and every place that a rail ramp serves, those with the ' +
      'most ramps first; then cities that boxes are delivered to, inland or among several ports, from general ' +
      'knowledge (tools/metro-areas.csv).',
  },
  'terminal-names.tsv': {
    from: ['reference/terminals.csv', 'reference/terminals_world.csv', 'reference/place_names.csv'],
    publisher: 'Landfall',
    edition: '2026-11-22',
    licence: own,
    attribution: '',
    changes:
      'Everyday names and spellings of the terminals in our table; those of the United States by hand ' +
      '(tools/terminal-names.csv). Marked `source` are names of two words or more of rows that are not from memory, ' +
      'and the own names of terminals, unless a place of the country is called so.',
  },
} satisfies Readonly<Record<string, Source>>
