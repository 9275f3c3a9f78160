// Writes the text of the page that shows which kinds of channels fill each attribute and cause each event, from
// measurements.

import { eventNames } from '../src/domain/changes/event-table.ts'
import { container } from '../src/modules/containers/container-resource.ts'
import { shipment } from '../src/modules/shipments/shipment-resource.ts'
import { type Measured, measureChannels } from './attributes-page/measure.ts'

/**
 * Attributes and events that no kind of channel fills or causes, each with its reason. Keys: `container.…` and
 * `shipment.…` for attributes, names for events.
 */
export const filledByNoChannel: ReadonlyMap<string, string> = new Map([
  ['container.ref_numbers', 'your own: you set them at the container'],
  ['container.free_until.terms_code', 'comes from your terms of free time'],
  ['container.act_by.on', 'comes from free time, holds and the wait for a train'],
  ['container.act_by.reason', 'comes from free time, holds and the wait for a train'],
  ['shipment.customer_name', 'your own: you name the party'],
  ['container.charges.started', 'comes from your terms of free time and from time'],
  ['container.charges.changed', 'comes from your terms of free time and from what is said'],
  ['container.charges.stopped', 'comes from your terms of free time and from what is said'],
  ['container.overdue.started', 'comes from what was stated before and from time'],
  ['container.overdue.ended', 'comes from what was stated before and from what is said'],
  ['ledger.root_made', 'comes once a day, of what was recorded'],
  ['document.extracted', 'comes with documents'],
  ['document.extraction_failed', 'comes with documents'],
])

export interface Row {
  readonly name: string
  /** The names of the kinds of channels that fill it. */
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
        by: measured.filter(({ filled }) => isFilled(filled, `${type}.${member}`)).map(({ channel }) => channel),
      })),
    )
  return {
    container: rowsOf('container', container.attributes),
    shipment: rowsOf('shipment', shipment.attributes),
  }
}

/** An object is filled when one of its members is. */
function isFilled(filled: ReadonlySet<string>, name: string): boolean {
  return filled.has(name) || [...filled].some((each) => each.startsWith(`${name}.`))
}

function membersOf(name: string, schema: object): readonly string[] {
  const { properties } = schema as { readonly properties?: object }
  return properties === undefined ? [name] : Object.keys(properties).map((member) => `${name}.${member}`)
}

export function eventRows(measured: readonly Measured[]): readonly Row[] {
  return eventNames.map((name) => ({
    name,
    by: measured.filter(({ fired }) => fired.has(name)).map(({ channel }) => channel),
  }))
}

export function writeAttributesPage(): string {
  const measured = measureChannels()
  const channels = measured.map(({ channel }) => channel)
  const { container: boxes, shipment: shipments } = attributeRows(measured)
  return [
    '# What fills what',
    '',
    'For integrators and operators: which source can fill an attribute or cause an event. How to read a row:',
    '',
    '```',
    '| `holds_at_pod_terminal` | … a dot under "315, terminal": X12 315 messages of a terminal can fill it',
    '```',
    '',
    'Written by `node tools/run.mjs tools/attributes-page.ts`, by measuring and not by hand. The program sends the same',
    'invented journeys (`tools/attributes-page/journeys.ts`) through each channel, in its own messages. The readers and the fold work as for a',
    'live shipment, and the program notes which attributes of the API have a value. So the page shows what a channel *can* carry by',
    'its standard; your partner may send less.',
    '',
    'A dot means: this channel alone fills it, if the shipment exists. **Line**, **terminal**, **railway**, **person**, **ship** name',
    'the source; `src/domain/statements/trust.ts` says which source is believed if two differ. **Landfall**: it comes with the',
    'request, or from the absence of data. The 315s are measured with a `currency` in the profile of the channel, because X12 names',
    'none and no amount is shown without one. **Asked**: by a description that names every fact; the shipped descriptions name only',
    'what is known of each facility ([sources](sources.md#terminals-and-railways)). [Sending](sending.md) says how each is sent.',
    '',
    '## Attributes of a container',
    '',
    ...writeTable('Attribute', channels, boxes, 'container.'),
    '',
    '## Attributes of a shipment',
    '',
    ...writeTable('Attribute', channels, shipments, 'shipment.'),
    '',
    '## Events',
    '',
    ...writeTable('Event', channels, eventRows(measured), ''),
    '',
    '## Filled by no channel',
    '',
    '| What | Why |',
    '|---|---|',
    ...[...filledByNoChannel].map(([name, why]) => `| \`${name}\` | ${why} |`),
    '',
  ].join('\n')
}

function writeTable(
  what: string,
  channels: readonly string[],
  rows: readonly Row[],
  prefix: string,
): readonly string[] {
  const cells = ({ name, by }: Row) =>
    filledByNoChannel.has(prefix + name)
      ? channels.map(() => '–')
      : channels.map((channel) => (by.includes(channel) ? '●' : ''))
  return [
    `| ${[what, ...channels].join(' | ')} |`,
    `|${'---|'.repeat(channels.length + 1)}`,
    ...rows.map((row) => `| ${[`\`${row.name}\``, ...cells(row)].join(' | ')} |`),
  ]
}
