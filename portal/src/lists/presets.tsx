/** The presets above a list, with how many rows each has. */

import { listWords } from '../words/lists.ts'
import type { ListState } from './list-state.ts'
import { type Phase, phaseNames } from './phases.ts'

interface PresetsProps {
  readonly phases: readonly Phase[]
  readonly current: Phase | null
  readonly counts: Readonly<Record<string, number>>
  readonly state: ListState
}

export function Presets({ phases, current, counts, state }: PresetsProps) {
  // The columns that somebody chose belong to the phase in which they were chosen.
  const cleared = Object.fromEntries([...phaseNames, 'columns'].map((name) => [name, '']))
  return (
    <fieldset className="presets" aria-label={listWords.presets}>
      {phases.map((phase) => (
        <button
          key={phase.id}
          type="button"
          aria-pressed={phase === current}
          onClick={() => state.change({ ...cleared, ...phase.filters })}
        >
          {phase.label}
          <span>{counts[phase.id]?.toLocaleString('en')}</span>
        </button>
      ))}
    </fieldset>
  )
}
