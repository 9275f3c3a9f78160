// Writes docs/coverage.md: the facts about every line, from the profiles and tables that are shipped. A test compares
// the two.

import type { DcsaProfile } from '../src/connectors/dcsa/profile.ts'
import { findLineAccess, type LineAccess } from '../src/connectors/line-access.ts'
import { findLineMessages } from '../src/connectors/line-messages.ts'
import type { NumberKind } from '../src/connectors/source.ts'
import { findSource } from '../src/connectors/source-registry.ts'
import { countInstallations, listShippedAttestations } from '../src/modules/attestations/attestations.ts'
import { allShippingLines, type ShippingLine } from '../src/reference/shipping-lines.ts'
import { capacityItem, facilitySections, gradeText, guideItems, reachedBy } from './coverage-page-guide.ts'

export function writeCoveragePage(): string {
  const lines = allShippingLines().toSorted((a, b) => (a.scac < b.scac ? -1 : 1))
  return [...head, ...lines.map(rowOf), '', ...below, ...lines.flatMap(sectionOf), ...facilitySections()].join('\n')
}

const attestedLines = new Map(
  countInstallations(listShippedAttestations().filter(({ simulated }) => !simulated)).map((each) => [each.scac, each]),
)

const head = [
  '# Coverage: what is known of each line and terminal',
  '',
  'For operators: how each line, terminal and railroad can be reached, and where access is requested. To try a line with your credentials:',
  '',
  '```sh',
  'npm run landfall -- sources check HLCU HLCUSHA2601AB123 --verify',
  '```',
  '',
  'Written by `node tools/run.mjs tools/coverage-page.ts` from the profiles and tables that ship; change them there.',
  '',
  '**We have not verified any line.** This page comes from published specifications and public client code, and nobody has',
  'confirmed it with a real answer. The command above asks the line with your credentials, and shows the answer and what was',
  'understood of it; with `--verify` it marks the line as verified in your installation.',
  '`GET /v2/sources` and `meta` of `GET /v2/shipping_lines` show the state of your installation.',
  '',
  `**Seen by** other installations: ${attestedLines.size} lines. Operators hand in signed reports without any number or name; please add`,
  'yours ([how](../attestations/README.md)).',
  '',
  'A line, its agent or your forwarder can also **send** data, whether the line can be asked or not. Everybody who has a channel',
  'can send DCSA events, X12 315 and 322, IFTSTA, CODECO, COARRI, Arrival Notices, statements and tables ([sending](sending.md)).',
  '',
  '| Line | | Reached by | Tracked by | Asked by | EDI seen | Leaves out | Seen by |',
  '|---|---|---|---|---|---|---|---|',
]

const below = [
  'Reached by: an interface that answers requests, events that the line pushes, or EDI messages by agreement. We know no other way.',
  'Tracked by, asked by: **B** bill of lading, **K** booking, **C** container number. A request is accepted if the line is tracked by',
  'its kind of number, and if your installation can ask the line by that kind or gets messages of the line. EDI seen: in a guide of',
  'the line or its group, in its own list of messages, or in a real message.',
  '',
  ...gradeText,
  '',
]

const inOrder = ['bill_of_lading', 'booking', 'container'] as const
const letters: Readonly<Record<NumberKind, string>> = { bill_of_lading: 'B', booking: 'K', container: 'C' }

function rowOf(line: ShippingLine): string {
  const { seen } = findLineMessages(line.scac)
  const cells = [
    `[\`${line.scac}\`](#${anchorOf(line)})`,
    line.shortName,
    reachedBy(line.scac),
    trackedBy(line)
      .map((kind) => letters[kind])
      .join(' '),
    askedBy(line.scac)
      .map((kind) => letters[kind])
      .join(' ') || '–',
    seen.join(', ') || '–',
    gapsOf(line).join('; ') || '–',
    seenBy(line.scac),
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function seenBy(scac: string): string {
  const { installations = 0, lastOn = '' } = attestedLines.get(scac) ?? {}
  return installations === 0 ? '0' : `${installations}, last on ${lastOn}`
}

function sectionOf(line: ShippingLine): readonly string[] {
  const { scac, name, alternativeScacs, website, access } = line
  const known = findLineAccess(scac)
  const capacity = capacityItem(scac)
  const items = [
    ...(known === null ? [noInterface] : askedOf(line, known)),
    ...(capacity === null ? [] : [capacity]),
    ...ediOf(scac),
    ...(gapsOf(line).length === 0 ? [] : [`**Leaves out**: ${gapsOf(line).join('; ')}.`]),
    ...(access === 'public' ? [] : ['**To be enabled** for an account first: `landfall lines enable`.']),
    ...(website === null ? [] : [`**Website**: ${website}`]),
    ...guideItems(scac),
  ]
  const also = alternativeScacs.length === 0 ? '' : `, also ${alternativeScacs.join(', ')}`
  return [`## ${scac} · ${name}${also}`, '', ...items.map((item) => `- ${item}`), '']
}

const noInterface =
  '**Asked**: no profile of this line ships. If you have access to an interface, write its `profile`, with a `base` and an `auth` ([how](writing-a-profile.md)). Without that, Landfall only reads what the line sends.'

function askedOf({ scac }: ShippingLine, { source, profile, operatorSets, remarks }: LineAccess): readonly string[] {
  const { auth, rate, isBilled } = profile as Partial<DcsaProfile>
  const ways = Object.entries(auth?.keyHeaders ?? {}).map(
    ([header, secret]) => `\`${secret}\` in the header \`${header}\``,
  )
  const token = auth?.oauth ? [tokenBy[auth.oauth.client]] : source === 'cosco' ? [signed] : []
  const secrets = findSource(source)?.secretNames(profile) ?? []
  const kinds = askedBy(scac).map((kind) => kind.replaceAll('_', ' '))
  const pace = [
    ['second', rate?.perSecond],
    ['minute', rate?.perMinute],
    ['hour', rate?.perHour],
    ['day', rate?.perDay],
  ].flatMap(([unit, count]) =>
    count === undefined ? [] : [`${count?.toLocaleString('en-US')} ${unit === 'hour' ? 'an' : 'a'} ${unit}`],
  )
  return [
    `**Asked**: ${languages[source] ?? source}, by ${kinds.join(', ')}; ${pace.join(', ') || 'no limit known'}${isBilled ? '; **every question costs**, refused ones too' : ''}. Not verified.`,
    `**You bring**: ${secrets.map((name) => `\`${name}\``).join(', ')} (${[...ways, ...token].join('; ')})${operatorSets.length === 0 ? '' : `; in \`profile\` ${operatorSets.map((name) => `\`${name}\``).join(', ')}`}.`,
    ...(remarks === '' ? [] : [`**To know**: ${remarks}`]),
  ]
}

const languages: Readonly<Record<string, string>> = {
  dcsa: 'DCSA Track & Trace 2.2',
  cosco: 'its own interface',
}
const signed = 'each question is signed with `secretKey`'
const tokenBy = {
  form: 'a token for `clientId` and `clientSecret` in a form',
  basic: 'a token for `clientId` and `clientSecret` as Basic',
  json: 'a token for `clientId` and `clientSecret` in JSON',
  certificate: 'a token for `clientId`, signed with `privateKey` of `certificate`, both PEM',
} as const

function ediOf(scac: string): readonly string[] {
  const { seen, unverified: said } = findLineMessages(scac)
  const unchecked = said === 'unnamed' ? 'messages not named' : said.join(', ')
  return [
    ...(seen.length === 0 ? [] : [`**EDI seen**: ${seen.join(', ')}.`]),
    ...(unchecked === '' ? [] : [`**EDI reported**, not checked: ${unchecked}.`]),
  ]
}

function askedBy(scac: string): readonly NumberKind[] {
  const known = findLineAccess(scac)
  const asksBy = known === null ? [] : (findSource(known.source)?.abilityOf(known.profile)?.supportedKinds ?? [])
  return inOrder.filter((kind) => asksBy.includes(kind))
}

function trackedBy({ tracksBy }: ShippingLine): readonly NumberKind[] {
  const by: Readonly<Record<NumberKind, boolean>> = {
    bill_of_lading: tracksBy.billOfLading,
    booking: tracksBy.booking,
    container: tracksBy.container,
  }
  return inOrder.filter((kind) => by[kind])
}

function gapsOf({ dataGaps: gaps }: ShippingLine): readonly string[] {
  const types = gaps.equipmentTypesMapped
  return [
    ...(gaps.noWeight ? ['weight'] : []),
    ...(gaps.averageWeight ? ['weights of single boxes: the bill’s, divided'] : []),
    ...(gaps.noSeal ? ['seal'] : []),
    ...(gaps.noEquipmentType ? ['type of the box'] : []),
    ...(types === null ? [] : [`all types of box but ${types.join(', ')}`]),
    ...(gaps.datesOnly ? ['time of day'] : []),
    ...(gaps.noDeparturesArrivals ? ['departures and arrivals of ships'] : []),
    ...(gaps.departuresArrivalsNotAlways ? ['departures and arrivals before the bill is entered'] : []),
  ]
}

/** The anchor that sites with Markdown make from a heading. */
function anchorOf({ scac, name, alternativeScacs }: ShippingLine): string {
  const also = alternativeScacs.length === 0 ? '' : `, also ${alternativeScacs.join(', ')}`
  return `${scac} · ${name}${also}`
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')
}
