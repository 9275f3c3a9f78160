/**
 * Writes figures as text for a terminal, as JSON, and as docs/performance.md, so that no number in that page is typed
 * by hand.
 */

import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { type ChartStyle, countByInterval, writeSpark } from '../../src/cli/framework/spark.ts'
import { type Figure, rate } from './measure.ts'

/** The circumstances of a run, and its figures. */
export interface Run {
  /** ISO 8601. */
  readonly at: string
  readonly command: string
  readonly machine: {
    readonly cores: number
    readonly processor: string
    readonly memoryGb: number
    readonly loadBefore: number
  }
  readonly node: string
  readonly postgres: string
  readonly seconds: number
}

export interface BenchRun extends Run {
  readonly figures: readonly Figure[]
}

export function describeMachine(): Run['machine'] {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() || 'unknown processor',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    loadBefore: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  }
}

export function writeText({ figures }: BenchRun, drawing: ChartStyle): string {
  return figures
    .map((figure) =>
      [
        `${figure.bench}: ${figure.what}`,
        `  figure  ${rate(figure.figure)} ${figure.unit}`,
        `  limit   ${figure.limit === null ? 'none' : `${rate(figure.limit.value)} ${figure.unit} (${figure.limit.what})`}`,
        `  ratio   ${ratioOf(figure)}`,
        `  aim     ${figure.aim}: ${figure.isMet ? 'met' : 'NOT met'}`,
        `  how     ${figure.note}`,
        ...(drawing === 'bars' ? drawDelays(figure.delaysMs ?? []) : []),
      ].join('\n'),
    )
    .join('\n\n')
}

/** Each bar is a stretch of delays so many times longer than those of the bar before it: most are short, a few are long. */
function drawDelays(delaysMs: readonly number[]): readonly string[] {
  const counted = countByInterval(delaysMs, { columns: 40, by: 'ratio' })
  if (counted === null) return []
  return [`  delays  ${rate(counted.from)} ms ${writeSpark(counted.counts)} ${rate(counted.to)} ms`]
}

export function writePage(run: BenchRun): string {
  const rows = run.figures.map((figure) =>
    row([
      figure.bench,
      figure.what,
      `${rate(figure.figure)} ${figure.unit}`,
      figure.limit === null ? '–' : `${rate(figure.limit.value)} ${figure.unit}`,
      ratioOf(figure),
      figure.aim,
      figure.isMet ? 'met' : '**not met**',
    ]),
  )
  const details = run.figures.map(
    (figure) => `- **${figure.bench}**: ${figure.note}.${figure.limit === null ? '' : ` Limit: ${figure.limit.what}.`}`,
  )
  return `# Performance

For operators who plan a machine, and for contributors who change something. To measure one benchmark yourself:

\`\`\`sh
npm run qa -- bench delivery
\`\`\`

Written by \`npm run qa -- bench --write\`; that command printed every number below, and none is typed by hand.
Each figure is shown with its limit: the speed of the same machine if it does only the unavoidable part of the work,
measured in turn in the same run. So compare the ratios. If more programs want to run than there are cores, the ratios
suffer too, and the delays mean nothing. The data is made from a seed; load generator, service and PostgreSQL share
the machine.

${writeCircumstances(run)}

| Benchmark | What | Figure | Limit | Ratio | Aim | |
|---|---|---:|---:|---:|---|---|
${rows.join('\n')}

${details.join('\n')}

## Where the processor time of a change goes
Each box is a function of Node.js, the boxes below it are what it called, and its width is its share of the time: one change with five webhooks, from the stored answer to the last delivery. \`BENCH_FLAME=<file.svg> npm run qa -- bench delivery\` draws it.

![Now: most of the time is writing to sockets of PostgreSQL and of receivers](pictures/delivery-flame.svg)

Before the webhooks of an event shared one body and statements travelled together (commit 7f0ed190, drawn by the same bench):

![Before: each delivery wrote its own document and waited for its own statements](pictures/delivery-flame-before.svg)
`
}

/** A table for a page. */
export function writeCircumstances({ at, command, machine, node, postgres, seconds }: Run): string {
  return `| | |
|---|---|
| Date | ${at.slice(0, 10)} |
| Command | \`${command}\` (${seconds} s) |
| Machine | ${machine.cores} cores (${machine.processor}), ${machine.memoryGb} GB |
| Load before the run | ${machine.loadBefore} (a quiet machine is near 0) |
| Node.js | ${node} |
| PostgreSQL | ${postgres}, a private cluster, fsync on |`
}

export function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function ratioOf({ ratio }: Figure): string {
  return ratio === null ? '–' : ratio.toFixed(2)
}
