/**
 * The figures that judge the model: each source left out in turn, without any learning and after learning a part of it,
 * each number alone and together with its group. They are shown beside the figures of an earlier commit
 * (`before.json`).
 */

import { readFileSync } from 'node:fs'
import { calibrationError, type RightShare, type Scores, shareRight } from '../../src/inference/evaluate.ts'
import { sumBins } from './pooled.ts'

export interface Figures {
  readonly all: number | null
  readonly owned: number | null
  readonly leased: number | null
  readonly autoPart: number | null
  readonly autoRight: number | null
  readonly calibrationError: number
}

export const settings = ['cold', 'learnt'] as const
export type Setting = (typeof settings)[number]

export interface Judged {
  readonly source: string
  readonly setting: Setting
  readonly alone: readonly Scores[]
  readonly byGroup: readonly Scores[]
}

interface Before {
  readonly commit: string
  readonly figures: readonly (Figures & { readonly source: string; readonly setting: Setting })[]
}

export function writeJudged(judged: readonly Judged[]): readonly string[] {
  const before = readBefore()
  const rows = judged.flatMap(({ source, setting, alone, byGroup }) => {
    const name = `${source}, ${setting === 'cold' ? 'cold' : 'after 60 %'}`
    const was = before.figures.find((one) => one.source === source && one.setting === setting)
    return [
      ...(was === undefined ? [] : [cellsOf(name, `${before.commit}`, was)]),
      cellsOf(name, 'now, alone', figuresOf(alone)),
      cellsOf(name, 'now, by group', figuresOf(byGroup)),
    ]
  })
  return [
    '| Source | | All | owned | leased | auto_select: part | right | ECE |',
    `|---|---|${'---:|'.repeat(6)}`,
    ...rows,
  ]
}

/** Combines several runs. Each number has the same weight. */
export function figuresOf(runs: readonly Scores[]): Figures {
  const rows = runs.reduce((sum, scores) => sum + scores.rows, 0)
  const auto = add(runs.map(({ decisions }) => decisions.auto_select))
  return {
    all: shareRight(add(runs.flatMap(({ kinds }) => Object.values(kinds)))),
    owned: shareRight(add(runs.map(({ kinds }) => kinds.owned))),
    leased: shareRight(add(runs.map(({ kinds }) => kinds.leased))),
    autoPart: rows === 0 ? null : auto.rows / rows,
    autoRight: shareRight(auto),
    calibrationError: calibrationError(sumBins(runs)),
  }
}

function add(shares: readonly RightShare[]): RightShare {
  return {
    rows: shares.reduce((sum, { rows }) => sum + rows, 0),
    right: shares.reduce((sum, { right }) => sum + right, 0),
  }
}

function cellsOf(name: string, when: string, figures: Figures): string {
  const { all, owned, leased, autoPart, autoRight } = figures
  const cells = [all, owned, leased, autoPart, autoRight, figures.calibrationError]
  return `| ${[name, when, ...cells.map((value) => (value === null ? '–' : value.toFixed(3)))].join(' | ')} |`
}

function readBefore(): Before {
  return JSON.parse(readFileSync(new URL('./before.json', import.meta.url), 'utf8')) as Before
}
