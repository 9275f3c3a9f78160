/** The filters that are set, each with a way to take it away. */

import { useQueryClient } from '@tanstack/react-query'
import { listWords } from '../words/lists.ts'
import { type FilterSpec, filterWords, useChoices } from './filter-specs.ts'
import type { ListState } from './list-state.ts'

export function FilterChips({ specs, state }: { specs: readonly FilterSpec[]; state: ListState }) {
  if (specs.length === 0) return null
  return (
    <ul className="filter-chips" aria-label={listWords.filtersSet}>
      {specs.map((spec) => (
        <FilterChip key={spec.name} spec={spec} state={state} />
      ))}
      <li>
        <button
          type="button"
          className="link"
          onClick={() => state.change(Object.fromEntries(specs.map(({ name }) => [name, ''])))}
        >
          {listWords.clear}
        </button>
      </li>
    </ul>
  )
}

function FilterChip({ spec, state }: { spec: FilterSpec; state: ListState }) {
  const queries = useQueryClient()
  useChoices(spec)
  const text = filterWords(queries, spec, state.values[spec.name] ?? '')
  return (
    <li className="filter-chip">
      <span>
        {spec.label}: <strong>{text}</strong>
      </span>
      <button
        type="button"
        aria-label={listWords.takeAway(spec.label)}
        onClick={() => state.change({ [spec.name]: '' })}
      >
        ×
      </button>
    </li>
  )
}
