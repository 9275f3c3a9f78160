// The parts of docs/coverage.md about getting access, from `src/connectors/guides`, and about what limits allow.

import { type AccessGuide, facilityGuides, findAccessGuide } from '../src/connectors/access-guides.ts'
import { findLineAccess } from '../src/connectors/line-access.ts'
import { findSource } from '../src/connectors/source-registry.ts'
import { findBuiltInDescription } from '../src/connectors/terminal-api/description.ts'
import { noUsage, type RequestLimits, requestPermit } from '../src/domain/polling/request-budget.ts'
import { defaultPollRules } from '../src/domain/polling/schedule.ts'

const wayNames = { request: 'request', push: 'push', edi: 'EDI', paper: 'paper only' } as const

/** How data can come from a line, for its row. */
export function reachedBy(scac: string): string {
  return writeWays(findAccessGuide(scac)?.ways ?? [])
}

function writeWays(ways: AccessGuide['ways']): string {
  return ways.map((way) => wayNames[way]).join(', ') || 'no way known'
}

const titles = {
  ways: 'Reached by',
  portal: 'Access is requested at',
  product: 'Product',
  holder: 'Who has it',
  cost: 'Cost',
  duration: 'Time until access',
  version: 'Version',
  authentication: 'Authentication',
  limits: 'Limits',
  codes: 'Codes',
  delays: 'Delays and gaps',
  differences: 'Differences',
} as const
type Member = keyof typeof titles

/** Where these are not known, the page states it: an operator has to ask for them. */
const askedFor: ReadonlySet<string> = new Set(['portal', 'cost', 'duration'])

/** The items of a section about a line or facility. */
export function guideItems(name: string): readonly string[] {
  const guide = findAccessGuide(name)
  if (guide === null) return []
  const texts = { ...guide, ways: writeWays(guide.ways), differences: guide.differences.join(' ') || null }
  const days = Map.groupBy(guide.sources, ({ day }) => day)
  return [
    ...(Object.keys(titles) as readonly Member[]).flatMap((member) => {
      const text = texts[member] ?? (askedFor.has(member) ? 'unknown' : null)
      return text === null ? [] : [`**${titles[member]}**: ${text}`]
    }),
    ...[...days].map(([day, sources]) =>
      [`**Looked up** on ${day}:`, ...sources.map((source) => `  - ${writeSource(source)}`)].join('\n'),
    ),
  ]
}

function writeSource({ url, title, for: members, grade }: AccessGuide['sources'][number]): string {
  const facts = members.map((member) => (member in titles ? titles[member as Member] : member).toLowerCase())
  return `${grade}: ${url === null ? title : `[${title}](${url})`} (${facts.join(', ')})`
}

export const gradeText = [
  '**Looked up** names the day, the grade of the source, the source, and the facts that it supports. S: of the carrier or a standard;',
  'C: public client code; D: documentation of another provider; R: one report. We have tried none of it with the carrier.',
]

/** Sections of the terminals and railroads about which something is known, shipped descriptions first. */
export function facilitySections(): readonly string[] {
  return [
    '## Terminals and railroads',
    '',
    'Descriptions that ship are marked with their name for `--profile`: [what each reads](sources.md#terminals-and-railways). For the',
    'others, [write one](writing-a-terminal.md) when you have access.',
    '',
    ...facilityGuides().flatMap(({ names: [name = ''], title }) => {
      const shipped = findBuiltInDescription(name)
      const heading = shipped === null ? (title ?? name) : `${shipped.name}: \`${name}\``
      return [`### ${heading}`, '', ...guideItems(name).map((item) => `- ${item}`), '']
    }),
  ]
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** How many shipments the limits of the shipped profile allow, at the usual gaps; null for a line that is not polled. */
export function capacityItem(scac: string): string | null {
  const known = findLineAccess(scac)
  const limits = known === null ? null : (findSource(known.source)?.limitsOf(known.profile) ?? null)
  if (limits === null) return null
  const requests = countRequestsADay(limits)
  const { underWayGapMs, atTerminalGapMs } = defaultPollRules
  const shipments = (gapMs: number) => Math.floor(requests / (dayMs / gapMs)).toLocaleString('en-US')
  return `**Enough for** ${shipments(underWayGapMs)} shipments at sea, polled every ${underWayGapMs / hourMs} hours, or ${shipments(atTerminalGapMs)} with a container at the terminal, polled every ${atTerminalGapMs / hourMs} hours (one page each).`
}

/** Requests that are granted in a day after the first day, when nothing saved up is left. */
function countRequestsADay(limits: RequestLimits): number {
  let usage = noUsage
  let count = 0
  for (let nowMs = 0; nowMs < 2 * dayMs; ) {
    const permit = requestPermit(usage, limits, { nowMs, requests: 1, urgency: 'calm' })
    if (permit.kind === 'wait') {
      nowMs = permit.untilMs
      continue
    }
    usage = permit.usage
    if (nowMs >= dayMs) count += 1
  }
  return count
}
