/** What `landfall connect` shows: what is needed, what came back, and what was stored. */

import { styleText } from 'node:util'
import type { AccessGuide } from '../../connectors/access-guides.ts'
import type { ConnectionTarget } from '../../modules/connections/connection-target.ts'
import { describeTrial } from '../../modules/connections/describe-finding.ts'
import { isWorking } from '../../modules/connections/diagnose-access.ts'
import type { SavedAccess } from '../../modules/connections/save-access.ts'
import type { AccessTrial } from '../../modules/connections/try-access.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'

export function guideLines(target: ConnectionTarget, hasColours: boolean): readonly string[] {
  const { guide, id, name, secretNames, unset, remarks } = target
  return [
    heading(`${name} (${id})`, hasColours),
    ...(target.isKnown
      ? []
      : ['No interface of it is publicly known. Describe yours with --profile (docs/writing-a-profile.md).']),
    ...(guide === null ? [] : guideRows(guide).map(([label, value]) => `  ${label.padEnd(17)}${value}`)),
    ...(remarks === '' ? [] : [`  ${'To know'.padEnd(17)}${remarks}`]),
    `  ${'You bring'.padEnd(17)}${[...secretNames, ...unset].join(', ') || 'nothing'}`,
    ...(guide === null ? [] : sourceLines(guide)),
    '',
  ]
}

/** Unknown values are shown as unknown, so that nobody takes a gap for a promise. */
function guideRows(guide: AccessGuide): readonly (readonly [string, string])[] {
  return [
    ['Ways', guide.ways.join(', ') || 'none known'],
    ['Where', guide.portal ?? 'unknown'],
    ['Product', guide.product ?? 'unknown'],
    ['Who has access', guide.holder ?? 'unknown'],
    ['Cost', guide.cost ?? 'unknown'],
    ['Takes', guide.duration ?? 'unknown'],
    ['Interface', guide.version ?? 'unknown'],
    ['Authentication', guide.authentication ?? 'unknown'],
    ['Limits', guide.limits ?? 'unknown'],
    ...(guide.delays === null ? [] : [['Data', guide.delays] as const]),
  ]
}

function sourceLines({ sources }: AccessGuide): readonly string[] {
  return sources.map(
    ({ url, title, day, grade }) => `  looked up ${day}: ${title} (${grade})${url === null ? '' : ` ${url}`}`,
  )
}

export function trialLines(target: ConnectionTarget, trial: AccessTrial, hasColours: boolean): readonly string[] {
  const { answer, reading, limits, finding } = trial
  const { summary, remedy } = describeTrial(target, trial)
  const seconds = (answer.durationMs / 1_000).toFixed(1)
  const came =
    answer.kind === 'answered'
      ? `${answer.snapshot.status}, ${answer.snapshot.contentType ?? 'no content type'}, ${answer.snapshot.body.length} bytes after ${seconds} s`
      : `no answer after ${seconds} s`
  return [
    paint(summary, isWorking(finding.cause) ? 'green' : 'red', hasColours),
    ...(remedy === '' ? [] : [remedy]),
    `  ${'Answer'.padEnd(17)}${came}`,
    ...limits.headers.map(([name, value]) => `  ${'Limit stated'.padEnd(17)}${withoutControls(`${name}: ${value}`)}`),
    ...(reading === null || !isWorking(finding.cause) ? [] : readingLines(reading, hasColours)),
    '',
  ]
}

function readingLines(
  { counts, containers, data, issues, statements }: NonNullable<AccessTrial['reading']>,
  hasColours: boolean,
): readonly string[] {
  const readable = counts.told - counts.aside
  const share = readable <= 0 ? '' : ` (${Math.round((counts.understood / readable) * 100)} %)`
  const unread = [
    ...new Set(
      issues
        .filter(({ lost }) => lost !== 'nothing')
        .map(({ kind, path, detail }) => `${kind} ${path || '/'} ${detail}`),
    ),
  ]
  return [
    `  ${'Read'.padEnd(17)}${counts.understood} of ${readable} events understood${share}`,
    `  ${'Has'.padEnd(17)}${data.present.join(', ') || 'none of what is looked for'}`,
    `  ${'Lacks'.padEnd(17)}${data.absent.join(', ') || 'nothing'}`,
    ...unread.slice(0, 10).map((issue) => `  ${'Not understood'.padEnd(17)}${withoutControls(issue)}`),
    ...(containers.length > 0
      ? containers.flatMap(({ number, status, milestones }) => [
          heading(`  ${number}  ${status}`, hasColours),
          ...milestones.map((milestone) => `    ${withoutControls(milestone)}`),
        ])
      : statements.map((statement) => `    ${withoutControls(statement)}`)),
  ]
}

export function savedLines({ id, name }: ConnectionTarget, saved: SavedAccess | null): readonly string[] {
  if (saved === null) return ['Nothing was stored.']
  const rate = Object.entries(saved.rate).map(
    ([window, count]) => `${count} a ${window.slice('per'.length).toLowerCase()}`,
  )
  const from = saved.isRateStated ? 'as its answer states' : 'as its profile states'
  const isForSome = findShippingLine(id)?.access === 'account'
  return [
    rate.length === 0
      ? `${name} is connected, without a limit.`
      : `${name} is connected. At most ${rate.join(', ')}, ${from}.`,
    ...(isForSome ? [`Allow an account to track it: npm run landfall -- lines enable ${id}`] : []),
  ]
}

function heading(text: string, hasColours: boolean): string {
  return paint(text, 'bold', hasColours)
}

function paint(text: string, style: 'bold' | 'green' | 'red', hasColours: boolean): string {
  return hasColours ? styleText(style, text, { validateStream: false }) : text
}

/** A terminal would act on control characters. */
function withoutControls(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}
