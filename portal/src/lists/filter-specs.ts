/** The filters of both lists: a field in the panel, and a chip where one is set. */

import type { QueryClient } from '@tanstack/react-query'
import { nameDay } from '../../../src/domain/view/day-count.ts'
import { useRead } from '../api/queries.ts'
import { todayIn } from '../parts/time.ts'
import { listWords } from '../words/lists.ts'
import { containerStatuses, shipmentStatuses } from '../words/names.ts'
import { phaseNames, type phaseOf } from './phases.ts'

type Choice = readonly [value: string, text: string]
/** `group`: the values that the account's containers have. */
export type FilterSpec = { readonly name: string; readonly label: string } & (
  | { readonly kind: 'text' | 'day' | 'party' }
  | { readonly kind: 'choice'; readonly choices: readonly Choice[] }
  | { readonly kind: 'group'; readonly group: string }
)

const { filters: label, filterChoices: choice } = listWords
const yesOrNo: readonly Choice[] = [
  ['true', listWords.yes],
  ['false', listWords.no],
]
const statusesOf = (all: Readonly<Record<string, readonly [string, unknown]>>): readonly Choice[] =>
  Object.entries(all).map(([each, [text]]) => [each, text])
const choices = (name: string, text: string, of: readonly Choice[]): FilterSpec => ({
  name,
  label: text,
  kind: 'choice',
  choices: of,
})
const group = (name: string, text: string, of: string): FilterSpec => ({ name, label: text, kind: 'group', group: of })
const plainOf = (kind: 'text' | 'day' | 'party', name: string, text: string): FilterSpec => ({
  name,
  label: text,
  kind,
})

const ofBoth = {
  line: group('scac', label.line, 'shipping_line'),
  customer: plainOf('party', 'customer', label.customer),
  reference: plainOf('text', 'reference', label.reference),
  pol: group('pol', label.pol, 'port_of_lading'),
  pod: group('pod', label.pod, 'port_of_discharge'),
  vessel: group('vessel', label.vessel, 'vessel'),
  from: plainOf('day', 'from', label.from),
  to: plainOf('day', 'to', label.to),
  terminal: group('terminal', label.terminal, 'pod_terminal'),
  tags: plainOf('text', 'tags', label.tags),
} as const

export const boxFilters: readonly FilterSpec[] = [
  choices('status', label.status, statusesOf(containerStatuses)),
  ofBoth.line,
  ofBoth.customer,
  ofBoth.reference,
  ofBoth.pol,
  ofBoth.pod,
  plainOf('text', 'destination', label.destination),
  ofBoth.vessel,
  plainOf('text', 'voyage', label.voyage),
  ofBoth.terminal,
  ofBoth.from,
  ofBoth.to,
  choices('moved', label.moved, [['true', choice.moved]]),
  plainOf('day', 'free_from', label.freeFrom),
  plainOf('day', 'free', label.free),
  choices('held', label.held, yesOrNo),
  choices('hold', label.hold, choice.holds),
  choices('fees', label.fees, yesOrNo),
  choices('appointment', label.appointment, choice.appointments),
  ofBoth.tags,
]

export const cargoFilters: readonly FilterSpec[] = [
  choices('status', label.status, statusesOf(shipmentStatuses)),
  ofBoth.line,
  ofBoth.customer,
  ofBoth.reference,
  ofBoth.pol,
  ofBoth.pod,
  ofBoth.vessel,
  ofBoth.terminal,
  ofBoth.from,
  ofBoth.to,
  choices('stopped', label.stopped, yesOrNo),
  ofBoth.tags,
]

const summary = '/v2/containers/summary'
const parties = '/v2/parties'
const partiesQuery = { 'page[size]': 100 } as const

/** The values from which a reader can choose; read when they are needed. */
export function useChoices(spec: FilterSpec, isOn = true): readonly Choice[] {
  const groups = useRead(summary, {
    // safe: the group is one of the API's
    query: { group_by: spec.kind === 'group' ? spec.group : '' } as never,
    isOn: isOn && spec.kind === 'group',
  })
  const known = useRead(parties, { query: partiesQuery, isOn: isOn && spec.kind === 'party' })
  if (spec.kind === 'choice') return spec.choices
  if (spec.kind === 'group') return choicesOfGroups(groups.data?.data ?? [])
  if (spec.kind === 'party')
    return (known.data?.data ?? []).map(({ id, attributes }) => [id, attributes.company_name ?? id])
  return []
}

function choicesOfGroups(
  groups: readonly { readonly key: string | null; readonly label: string | null; readonly count: number }[],
): readonly Choice[] {
  return groups
    .flatMap(({ key, label: name }): readonly Choice[] => (key === null ? [] : [[key, name ?? key]]))
    .toSorted(([, a], [, b]) => a.localeCompare(b))
}

/** The value of a filter in words, as far as its names are read. */
export function filterWords(queries: QueryClient, spec: FilterSpec, value: string): string {
  if (spec.kind === 'day') return nameDay(value, todayIn(null))
  const key =
    spec.kind === 'group'
      ? [summary, [], { group_by: spec.group }]
      : spec.kind === 'party'
        ? [parties, [], partiesQuery]
        : null
  const named = new Map(spec.kind === 'choice' ? spec.choices : [])
  const answer = key === null ? undefined : queries.getQueryData<{ readonly data: readonly object[] }>(key)
  for (const each of answer?.data ?? []) {
    const { key: code, label: name, id, attributes } = each as Readonly<Record<string, unknown>>
    const text = name ?? (attributes as { readonly company_name?: string } | undefined)?.company_name
    if (typeof text === 'string') named.set(String(code ?? id), text)
  }
  return value
    .split(',')
    .map((each) => named.get(each) ?? each)
    .join(', ')
}

/** Filters that are set, besides those of the phase and of the search. */
export function setFilters(
  specs: readonly FilterSpec[],
  values: Readonly<Record<string, string>>,
  phase: ReturnType<typeof phaseOf>,
): readonly FilterSpec[] {
  const isOfPhase = (name: string): boolean =>
    (phaseNames as readonly string[]).includes(name) && values[name] === phase?.filters[name]
  return specs.filter(({ name }) => (values[name] ?? '') !== '' && !isOfPhase(name))
}
