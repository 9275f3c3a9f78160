// Writes the text of the page about which of the busiest ports have terminals, from the tables that are shipped.
import { findCountryName } from '../src/reference/countries.ts'
import { getCell, readTable } from '../src/reference/data-files.ts'
import { findPlaceByCode } from '../src/reference/places.ts'
import { canonicalUnlocode } from '../src/reference/port-overrides.ts'

interface ListedTerminal {
  readonly unlocode: string
  readonly isCoded: boolean
  /** Null for rows of our first list, which was made before rows had grades. */
  readonly grade: string | null
}

/** Codes that carriers send for a group of ports. Boxes and our terminals have the codes of the single ports. */
const groups: Readonly<Record<string, readonly string[]>> = {
  CNCAN: ['CNNSA', 'CNHUA'],
  CNSZX: ['CNYTN', 'CNSHK', 'CNCWN', 'CNDCB'],
}

export function writeTerminalsPage(): string {
  const terminals = readTable(
    'terminals.tsv',
    (cells): ListedTerminal => ({
      unlocode: canonicalUnlocode(getCell(cells, 1)),
      isCoded: cells(4) !== null || cells(2) !== null,
      grade: cells(13),
    }),
  )
  const at = Map.groupBy(terminals, ({ unlocode }) => unlocode)
  const ranked = readTable('port-ranks.tsv', (cells) => getCell(cells, 0))
  const [busiest, next] = [byName(ranked.slice(0, 100)), byName(ranked.slice(100, 300))]
  const has = (unlocode: string): boolean => at.has(unlocode) || groups[unlocode] !== undefined
  const there = busiest.filter(has)
  const lacking = (ports: readonly string[]): string =>
    ports
      .filter((unlocode) => !has(unlocode))
      .map(nameOf)
      .join(', ') || 'none'
  return [
    '# Terminals of the busiest ports',
    '',
    'For operators and integrators: the ports whose terminals Landfall knows. To see the terminals of a port:',
    '',
    '```sh',
    "curl -s 'http://127.0.0.1:3000/v2/terminals?filter[port]=USLAX' -H 'Authorization: Token <API key>'",
    '```',
    '',
    'Written by `node tools/run.mjs tools/terminals-page.ts` from `terminals.tsv` and `port-ranks.tsv`; change them there.',
    '',
    `${terminals.length} ocean terminals in ${at.size} ports come with Landfall. Of the hundred busiest ports in our list,`,
    `${there.length} have terminals; of the next two hundred, ${next.filter(has).length}. The order by traffic is a rough one, so this page sorts by name.`,
    'To add missing terminals, [import SMDG’s list](reference-data.md).',
    '',
    'Source of name and place of a terminal: S port authority; D document of the operator, a carrier or a vendor;',
    'C public code, a recorded message or the press; M general knowledge, not looked up. Our first list has no grades.',
    'Coded: terminals whose SMDG or FIRMS code we know. The others are found by name only.',
    '',
    '| Port | Terminals | Coded | S | D | C | M | First list |',
    '|---|---|---|---|---|---|---|---|',
    ...there.map((unlocode) => row(unlocode, at.get(unlocode) ?? [])),
    '',
    '## None yet',
    `Of the hundred busiest: ${lacking(busiest)}.`,
    '',
    `Of the next two hundred: ${lacking(next)}.`,
    '',
  ].join('\n')
}

function row(unlocode: string, terminals: readonly ListedTerminal[]): string {
  const graded = (grade: string | null): number => terminals.filter((each) => each.grade === grade).length
  const counts = [
    terminals.length,
    terminals.filter(({ isCoded }) => isCoded).length,
    ...['S', 'D', 'C', 'M', null].map(graded),
  ]
  const others = groups[unlocode] === undefined ? '' : `, and at ${groups[unlocode].map(nameOf).join(', ')}`
  return `| ${nameOf(unlocode)}${others} | ${counts.map((count) => count || '').join(' | ')} |`
}

function byName(unlocodes: readonly string[]): readonly string[] {
  return unlocodes.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

function nameOf(unlocode: string): string {
  const place = findPlaceByCode(unlocode)
  const country = findCountryName(unlocode.slice(0, 2)) ?? unlocode.slice(0, 2)
  return `${place?.name ?? unlocode}, ${country} (${unlocode})`
}
