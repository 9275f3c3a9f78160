/** What the API shows of a container at its terminal or ramp, and the truth of the sandbox, in one form to compare. */

/** As `/sandbox/journeys/<number>` shows it. */
export interface Stayed {
  readonly is_waiting: boolean
  readonly available: boolean | null
  readonly holds: readonly { readonly name: string; readonly status: string }[]
  readonly fees: readonly { readonly type: string; readonly amount: number }[]
  readonly last_free_day: string | null
  readonly yard_location: string | null
  readonly appointment_at: string | null
}

export function shownOfTruth(stay: Stayed): string {
  return write({
    holds: stay.holds,
    fees: stay.fees,
    lfd: stay.last_free_day,
    available: stay.available,
    yard: stay.yard_location,
    appointment: stay.appointment_at,
  })
}

/** `attributes` of a container; `deadline`: whose last free day it is. */
export function shownOfAnswer(
  attributes: Readonly<Record<string, unknown>>,
  deadline: 'pickup_lfd_terminal' | 'pickup_lfd_rail',
): string {
  const deadlines = attributes['import_deadlines'] as Readonly<Record<string, string | null>>
  const appointment = attributes['pickup_appointment_at'] as string | null
  return write({
    holds: attributes['holds_at_pod_terminal'] as Stayed['holds'],
    fees: attributes['fees_at_pod_terminal'] as Stayed['fees'],
    lfd: dayAt(deadlines[deadline] ?? null, attributes[zoneOf[deadline]]),
    available: attributes['available_for_pickup'] as boolean | null,
    yard: attributes['location_at_pod_terminal'] as string | null,
    appointment: appointment === null ? null : new Date(appointment).toISOString(),
  })
}

const zoneOf = { pickup_lfd_terminal: 'pod_timezone', pickup_lfd_rail: 'final_destination_timezone' } as const

/** A last free day is the midnight of that day in local time. */
function dayAt(instant: string | null, zone: unknown): string | null {
  if (instant === null) return null
  return new Intl.DateTimeFormat('en-CA', { timeZone: String(zone) }).format(new Date(instant))
}

interface Shown extends Pick<Stayed, 'holds' | 'fees' | 'available'> {
  readonly lfd: string | null
  readonly yard: string | null
  readonly appointment: string | null
}

/** A paid fee is no longer owed. */
function write({ holds, fees, lfd, available, yard, appointment }: Shown): string {
  const held = holds.map(({ name, status }) => `${name} ${status}`).toSorted()
  const owed = fees.flatMap(({ type, amount }) => (amount > 0 ? [`${type} ${amount}`] : [])).toSorted()
  return `holds ${held.join()} fees ${owed.join()} lfd ${lfd ?? '-'} available ${available} yard ${yard} appointment ${appointment}`
}
