/**
 * Invoices for one container whose free time is known, each with faults planted in it, and what an audit must find of
 * them. The clock of the container: discharged on 24 January at Los Angeles, free from the 25th to the 28th, at 150.00 for
 * two days and 225.50 from the third, closed on 2 February, out on the 5th.
 */

export interface PlantedInvoice {
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
  /** Sorted, as `faultsOf` writes them. */
  readonly faults: readonly string[]
}

type Line = Readonly<Record<string, unknown>>
interface Draft {
  whole: Record<string, unknown>
  lines: Line[]
  faults: string[]
}
interface Fault {
  readonly name: string
  readonly plant: (draft: Draft) => void
}

const lineOf = (container: string, from: string, to: string, days: number, rate: number): Line => ({
  container,
  from,
  to,
  free_days: 4,
  free_from: '2026-01-25',
  free_to: '2026-01-28',
  available_on: '2026-01-25',
  rate_minor: rate,
  amount_minor: rate * days,
})

export interface InvoicedBox {
  readonly container: string
  readonly bill: string
  /** A container that the account tracks under another bill. */
  readonly other: string
}

function faultless({ container, bill }: InvoicedBox): Draft {
  return {
    whole: {
      kind: 'demurrage',
      charged_by: 'line',
      charger_code: 'ONEY',
      issuer: 'vocc',
      direction: 'import',
      bills: [bill],
      port_of_discharge: 'USLAX',
      basis: 'Consignee of the bill.',
      invoiced_on: '2026-02-10',
      due_on: '2026-03-12',
      currency: 'USD',
      rule: 'Rule 12 of the contract.',
      dispute_contact: 'disputes@example.com',
      dispute_url: 'https://example.com/disputes',
      dispute_timeframes: 'Answer within 30 days.',
      dispute_until: '2026-03-20',
      consistency_certified: true,
      performance_certified: true,
    },
    lines: [
      lineOf(container, '2026-01-29', '2026-01-30', 2, 15_000),
      lineOf(container, '2026-01-31', '2026-02-01', 2, 22_550),
      lineOf(container, '2026-02-03', '2026-02-05', 3, 22_550),
    ],
    faults: [],
  }
}

const omitted: readonly (readonly [clause: string, field: string])[] = [
  ['541.6(a)(1)', 'bills'],
  ['541.6(a)(3)', 'port_of_discharge'],
  ['541.6(a)(4)', 'basis'],
  ['541.6(b)(2)', 'due_on'],
  ['541.6(c)(2)', 'rule'],
  ['541.6(d)(1)', 'dispute_contact'],
  ['541.6(d)(2)', 'dispute_url'],
  ['541.6(e)(1)', 'consistency_certified'],
  ['541.6(e)(2)', 'performance_certified'],
]
const omittedOfLine: readonly (readonly [clause: string, field: string])[] = [
  ['541.6(b)(3)', 'free_days'],
  ['541.6(b)(4)', 'free_from'],
  ['541.6(b)(5)', 'free_to'],
  ['541.6(b)(6)', 'available_on'],
  ['541.6(c)(3)', 'rate_minor'],
]
const without = (line: Line, field: string): Line =>
  Object.fromEntries(Object.entries(line).filter(([name]) => name !== field))

const missing: readonly Fault[] = [
  ...omitted.map(([clause, field]) => ({
    name: `no ${field}`,
    plant: (draft: Draft) => {
      delete draft.whole[field]
      draft.faults.push(`missing ${clause}`)
    },
  })),
  ...omittedOfLine.map(([clause, field]) => ({
    name: `no ${field} in the second line`,
    plant: (draft: Draft) => {
      draft.lines[1] = without(draft.lines[1] ?? {}, field)
      draft.faults.push(`missing ${clause} in 2`)
    },
  })),
]

function add(draft: Draft, line: Line, fault: string): void {
  draft.lines.push(line)
  draft.faults.push(fault)
}

function wrongDays(box: InvoicedBox): readonly Fault[] {
  const { container } = box
  return [
    {
      name: 'a free day',
      plant: (draft) => add(draft, lineOf(container, '2026-01-28', '2026-01-28', 1, 15_000), '1 free'),
    },
    {
      name: 'the day of the closure',
      plant: (draft) => add(draft, lineOf(container, '2026-02-02', '2026-02-02', 1, 22_550), '1 not_counted'),
    },
    {
      name: 'two days after the gate-out',
      plant: (draft) => add(draft, lineOf(container, '2026-02-06', '2026-02-07', 2, 22_550), '2 after_stop'),
    },
    {
      name: 'days before the discharge',
      plant: (draft) => add(draft, lineOf(container, '2026-01-22', '2026-01-23', 2, 15_000), '2 before_start'),
    },
    {
      name: 'a day twice',
      plant: (draft) => add(draft, lineOf(container, '2026-01-30', '2026-01-30', 1, 15_000), '1 charged_twice'),
    },
    {
      name: 'one cent too much',
      plant: (draft) => {
        draft.lines[0] = lineOf(container, '2026-01-29', '2026-01-30', 2, 15_001)
        draft.faults.push('2 lower_rate')
      },
    },
    {
      name: 'the second rate too early',
      plant: (draft) => {
        draft.lines[0] = lineOf(container, '2026-01-29', '2026-01-30', 2, 22_550)
        draft.faults.push('2 lower_rate')
      },
    },
    {
      name: 'a container that nobody tracks',
      plant: (draft) => add(draft, lineOf('TCNU1234565', '2026-02-01', '2026-02-02', 2, 15_000), '2 container_unknown'),
    },
    {
      name: 'a container of another bill',
      plant: (draft) =>
        add(draft, lineOf(box.other, '2026-02-01', '2026-02-01', 1, 15_000), '1 container_of_other_bill'),
    },
  ]
}

const wrongDates: readonly Fault[] = [
  {
    name: 'issued on the thirty-first day',
    plant: ({ whole, faults }) => {
      Object.assign(whole, { invoiced_on: '2026-03-08', dispute_until: '2026-04-07' })
      faults.push('date issued_in_time')
    },
  },
  {
    name: 'a window of 29 days',
    plant: ({ whole, faults }) => {
      whole['dispute_until'] = '2026-03-11'
      faults.push('date dispute_window')
    },
  },
  {
    name: 'an NVOCC that waited for 31 days',
    plant: ({ whole, faults }) => {
      Object.assign(whole, { issuer: 'nvocc', received_invoice_on: '2026-01-10' })
      faults.push('date issued_in_time')
    },
  },
]

const wrongSums: readonly Fault[] = [
  {
    name: 'a line that does not multiply',
    plant: (draft) => {
      draft.lines[1] = { ...draft.lines[1], amount_minor: 45_000 }
      draft.faults.push('sum of 2')
    },
  },
  {
    name: 'a total that does not add up',
    plant: ({ whole, faults }) => {
      whole['extra'] = 100
      faults.push('sum of all')
    },
  },
]

/** Differences that are no faults. */
const harmless: readonly Fault[] = [
  { name: 'no fault', plant: () => {} },
  {
    name: 'a lower rate',
    plant: (draft) => {
      draft.lines[2] = lineOf(String(draft.lines[2]?.['container']), '2026-02-03', '2026-02-05', 3, 20_000)
    },
  },
  {
    name: 'fewer days',
    plant: (draft) => {
      draft.lines.pop()
    },
  },
  {
    name: 'an NVOCC on the thirtieth day',
    plant: ({ whole }) => Object.assign(whole, { issuer: 'nvocc', received_invoice_on: '2026-01-11' }),
  },
]

/** Forty: each fault by itself, some in pairs, and some without any. */
export function plantInvoices(box: InvoicedBox): readonly PlantedInvoice[] {
  const single = [...missing, ...wrongDays(box), ...wrongDates, ...wrongSums, ...harmless].map((each) => [each])
  const [days, dates, sums] = [wrongDays(box), wrongDates, wrongSums]
  const pairs = Array.from({ length: 40 - single.length }, (_, at) =>
    [missing[at], days[at], dates[at % dates.length], sums[at % sums.length]].flatMap((each) => each ?? []),
  )
  return [...single, ...pairs].map((faults, at) => planted(box, faults, at))
}

function planted(box: InvoicedBox, faults: readonly Fault[], at: number): PlantedInvoice {
  const draft = faultless(box)
  // Each invoice is alone with its days: they all have one number, as the same invoice handed in again.
  for (const each of faults) each.plant(draft)
  const { extra = 0, ...whole } = draft.whole
  const total = draft.lines.reduce((sum, { amount_minor: amount }) => sum + Number(amount), Number(extra))
  return {
    name: `${at + 1}: ${faults.map(({ name }) => name).join(', ')}`,
    attributes: { number: 'D-1', ...whole, total_minor: total, lines: draft.lines },
    faults: draft.faults.toSorted(),
  }
}

interface Found {
  readonly missing_items: readonly { readonly clause: string; readonly lines: readonly number[] }[]
  readonly dates: readonly { readonly check: string; readonly outcome: string }[]
  readonly wrong_sums: readonly { readonly line: number | null }[]
  readonly days: readonly { readonly finding: string; readonly reason: string }[]
}

/** What an audit found, in the words of the planted faults. */
export function faultsOf(found: Found): readonly string[] {
  const days = Map.groupBy(
    found.days.filter(({ finding }) => finding !== 'agrees'),
    ({ reason }) => reason,
  )
  return [
    ...found.missing_items.map(
      ({ clause, lines }) => `missing ${clause}${lines.length === 0 ? '' : ` in ${lines.join()}`}`,
    ),
    ...found.dates.filter(({ outcome }) => outcome === 'not_met').map(({ check }) => `date ${check}`),
    ...found.wrong_sums.map(({ line }) => `sum of ${line ?? 'all'}`),
    ...[...days].map(([reason, each]) => `${each.length} ${reason}`),
  ].toSorted()
}
