/** Filters, order and columns of a list. The address has them, so that a link shows the same rows. */

import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Query } from '../api/connection.ts'

/** Short names in the address, and the parameter of the API that each stands for. */
const parameters: Readonly<Record<string, string>> = {
  q: 'q',
  find: 'filter[search_by_ids]',
  number: 'filter[number]',
  status: 'filter[status]',
  scac: 'filter[scac]',
  pol: 'filter[port_of_lading]',
  pod: 'filter[port_of_discharge]',
  destination: 'filter[destination_code]',
  vessel: 'filter[vessel]',
  voyage: 'filter[voyage_number]',
  customer: 'filter[customer_id]',
  terminal: 'filter[pod_terminal]',
  stopped: 'filter[tracking_stopped]',
  arrival: 'filter[arrival]',
  pod_arrival: 'filter[pod_arrival]',
  from: 'filter[pod_eta_at][start]',
  to: 'filter[pod_eta_at][end]',
  moved: 'filter[eta_changed_in_past_3_days]',
  free_from: 'filter[free_until][start]',
  free: 'filter[free_until][end]',
  lfd_from: 'filter[pickup_lfd][start]',
  lfd: 'filter[pickup_lfd][end]',
  held: 'filter[has_holds]',
  hold: 'filter[hold]',
  fees: 'filter[has_fees]',
  appointment: 'filter[pickup_appointment_at]',
  tags: 'filter[tags]',
  reference: 'filter[ref_number]',
  sort: 'sort',
}

/** A cargo that is tracked by its bill and its booking is listed once. */
export const onceEach = { 'filter[each_cargo_once]': 'true' } as const

export interface ListState {
  readonly values: Readonly<Record<string, string>>
  /** The same as parameters of the API. */
  readonly query: Query
  readonly columns: readonly string[] | null
  readonly change: (changes: Readonly<Record<string, string>>) => void
  readonly replace: (values: Readonly<Record<string, string>>) => void
}

export function useListState(): ListState {
  const values: Readonly<Record<string, string>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const go = (search: Readonly<Record<string, string>>): void => void navigate({ to: '.', search, replace: true })
  const { columns } = values
  return {
    values,
    query: queryOf(values),
    columns: columns === undefined ? null : columns.split(','),
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
