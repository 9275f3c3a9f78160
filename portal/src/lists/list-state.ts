/** Filters, order and columns of a list. The address has them, so that a link shows the same rows. */

import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Query } from '../api/connection.ts'

/** Short names in the address, and the parameter of the API that each stands for. */
const parameters: Readonly<Record<string, string>> = {
  q: 'q',
  number: 'filter[number]',
  status: 'filter[status]',
  scac: 'filter[scac]',
  pol: 'filter[port_of_lading]',
  pod: 'filter[port_of_discharge]',
  stopped: 'filter[tracking_stopped]',
  from: 'filter[pod_eta_at][start]',
  to: 'filter[pod_eta_at][end]',
  lfd_from: 'filter[pickup_lfd][start]',
  lfd: 'filter[pickup_lfd][end]',
  held: 'filter[has_holds]',
  tags: 'filter[tags]',
  reference: 'filter[ref_number]',
  sort: 'sort',
}

export interface ListState {
  readonly values: Readonly<Record<string, string>>
  /** The same as parameters of the API. */
  readonly query: Query
  readonly columns: readonly string[] | null
  readonly isFiltered: boolean
  readonly change: (changes: Readonly<Record<string, string>>) => void
  readonly replace: (values: Readonly<Record<string, string>>) => void
}

export function useListState(): ListState {
  const values: Readonly<Record<string, string>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const go = (search: Readonly<Record<string, string>>): void => void navigate({ to: '.', search, replace: true })
  const { columns, sort: _, ...filters } = values
  return {
    values,
    query: queryOf(values),
    columns: columns === undefined ? null : columns.split(','),
    isFiltered: Object.keys(filters).some((name) => name in parameters),
    change: (changes) => go(withoutEmpty({ ...values, ...changes })),
    replace: go,
  }
}

export function queryOf(values: Readonly<Record<string, string>>): Query {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const parameter = parameters[name]
      return parameter === undefined || value === '' ? [] : [[parameter, value]]
    }),
  )
}

/** The address of a saved view, from its parameters of the API. */
export function valuesOf(query: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, parameter]) => {
      const value = query[parameter]
      return value === undefined || value === null ? [] : [[name, String(value)]]
    }),
  )
}

function withoutEmpty(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
}
