/** All filters of a list, in a panel that is open when it comes. */

import { listWords } from '../words/lists.ts'
import { type FilterSpec, useChoices } from './filter-specs.ts'
import { ChoiceFilter, DayFilter, TextFilter } from './filters.tsx'
import type { ListState } from './list-state.ts'

export function FilterPanel({ specs, state }: { specs: readonly FilterSpec[]; state: ListState }) {
  return (
    <form className="filters" onSubmit={(event) => event.preventDefault()} aria-label={listWords.filter}>
      {specs.map((spec) => (
        <FilterField key={spec.name} spec={spec} state={state} />
      ))}
    </form>
  )
}

function FilterField({ spec, state }: { spec: FilterSpec; state: ListState }) {
  const choices = useChoices(spec)
  const { name, label, kind } = spec
  if (kind === 'text') return <TextFilter state={state} name={name} label={label} />
  if (kind === 'day') return <DayFilter state={state} name={name} label={label} />
  return <ChoiceFilter state={state} name={name} label={label} choices={choices} />
}
