// Writes the text of the page that shows which ways in fill each attribute and cause each event, from what was
// measured.
import { container } from '../src/doors/documents/resources/journeys/container.ts'
import { shipment } from '../src/doors/documents/resources/journeys/shipment.ts'
import { eventNames } from '../src/service/telling/webhooks/event-catalogue.ts'
import { type Measured, measureWays } from './ways/measure.ts'

/**
 * Attributes and events that no way in fills or causes, each with its reason. Keys: `container.…` and `shipment.…` for
 * attributes, names for events.
 */
export const filledByNoWay: ReadonlyMap<string, string> = new Map([
  ['container.ref_numbers', 'your own: you set them at the container'],
  ['shipment.customer_name', 'your own: you name the party'],
  ['document.extracted', 'comes with documents'],
  ['document.extraction_failed', 'comes with documents'],
])

export interface Row {
  readonly name: string
  /** The names of the ways in that fill it. */
  readonly by: readonly string[]
}

/** `import_deadlines` is shown by its members, because they are filled separately. */
export function attributeRows(
  measured: readonly Measured[],
): Readonly<Record<'container' | 'shipment', readonly Row[]>> {
  const rowsOf = (type: 'container' | 'shipment', attributes: Readonly<Record<string, object>>) =>
    Object.entries(attributes).flatMap(([name, schema]) =>
      membersOf(name, schema).map((member) => ({
        name: member,
        by: measured.filter(({ filled }) => filled.has(`${type}.${member}`)).map(({ way }) => way),
      })),
    )
  return {
    container: rowsOf('container', container.attributes),
    shipment: rowsOf('shipment', shipment.attributes),
  }
}

function membersOf(name: string, schema: object): readonly string[] {
  const { properties } = schema as { readonly properties?: object }
  return properties === undefined ? [name] : Object.keys(properties).map((member) => `${name}.${member}`)
}

export function eventRows(measured: readonly Measured[]): readonly Row[] {
  return eventNames.map((name) => ({
    name,
    by: measured.filter(({ fired }) => fired.has(name)).map(({ way }) => way),
  }))
}

export function writeAttributesPage(): string {
  const measured = measureWays()
  const ways = measured.map(({ way }) => way)
  const { container: boxes, shipment: shipments } = attributeRows(measured)
  return [
    '# What fills what',
    '',
    'Written by `node tools/run.mjs tools/attributes-page.ts`. Nothing here is written by hand: every way in is told the same',
    'made-up journeys (`tools/ways/journeys.ts`) in its own messages, the readers and the fold do what they do for a live',
    'shipment, and what has become of the answers of the API is noted. So it says what a way *can* carry as the standard',
    'has it; what your partner really sends may be less.',
    '',
    'A dot: by this way alone, once the shipment is there. **Line**, **terminal**, **railway**, **person**, **ship** say',
    'whose words they are; who is believed when two differ stands in `src/core/statements/trust.ts`. **Landfall**: it is there with the',
    'request, or comes of silence. The 315s are measured with a `currency` in the profile of the channel: X12 names none,',
    'and no amount is shown without one. **Asked**: by a description that names every fact; those that are shipped name',
    'what is known of each facility ([sources](sources.md#terminals-and-railways)). How each is sent: [sending](sending.md).',
    '',
    '## Attributes of a container',
    '',
    ...writeTable('Attribute', ways, boxes, 'container.'),
    '',
    '## Attributes of a shipment',
    '',
    ...writeTable('Attribute', ways, shipments, 'shipment.'),
    '',
    '## Events',
    '',
    ...writeTable('Event', ways, eventRows(measured), ''),
    '',
    '## Filled by no way',
    '',
    '| What | Why |',
    '|---|---|',
    ...[...filledByNoWay].map(([name, why]) => `| \`${name}\` | ${why} |`),
    '',
  ].join('\n')
}

function writeTable(
  what: string,
  ways: readonly string[],
  rows: readonly Row[],
  prefix: string,
): readonly string[] {
  const cells = ({ name, by }: Row) =>
    filledByNoWay.has(prefix + name) ? ways.map(() => '–') : ways.map((way) => (by.includes(way) ? '●' : ''))
  return [
    `| ${[what, ...ways].join(' | ')} |`,
    `|${'---|'.repeat(ways.length + 1)}`,
    ...rows.map((row) => `| ${[`\`${row.name}\``, ...cells(row)].join(' | ')} |`),
  ]
}
