/** Tasks about what changed, what needs a person, and the account's own requests and webhooks; last those that change. */

import { LINES } from '../../sandbox/lines.ts'
import { DAY, HOUR, writeDay } from '../../sandbox/local-time.ts'
import { getPlace } from '../../sandbox/places.ts'
import type { Agent, Json } from './agents-client.ts'
import { at, choose, counted, listAt, localTime, sorted, type Task } from './agents-grade.ts'
import { hoursFrom, type Told, type TrueBox } from './agents-record.ts'
import { allBoxes, most } from './agents-rows.ts'
import { type AgentsWorld, dayFrom } from './agents-world.ts'

const distinct = (values: readonly unknown[]) => sorted([...new Set(values.map(String))])

/** Everything that the server says changed since then. */
async function changes(agent: Agent, args: Json): Promise<readonly Json[]> {
  const found: Json[] = []
  for (let since: unknown = args['since']; ; ) {
    const answer = await agent.ask('what_changed', { ...args, since })
    found.push(...listAt(answer, 'changes'))
    if (answer['has_more'] !== true) return found
    since = answer['cursor']
  }
}

/** The name of the change; null where it depends on more than the happening. */
function eventOf({ what, call }: Told, { ship }: TrueBox): string | null {
  const names: Readonly<Record<string, string>> = {
    'GTOT EMPTY': 'empty_out',
    'GTIN LADEN': 'full_in',
    'GTOT LADEN': 'full_out',
    'GTIN EMPTY': 'empty_in',
    ...(call.mode !== 'VESSEL'
      ? {}
      : call.place === ship.pod
        ? { ARRI: 'vessel_arrived', 'DISC LADEN': 'vessel_discharged' }
        : {}),
    ...(call.mode === 'VESSEL' && call.place === ship.pol
      ? { DEPA: 'vessel_departed', 'LOAD LADEN': 'vessel_loaded' }
      : {}),
  }
  return names[what] === undefined ? null : `container.transport.${names[what]}`
}

/** Containers to which this happened in the last days, as far as it was told. */
const happened = (what: string, event: string, days: number): Pick<Task, 'of' | 'play'> => ({
  of: (world, words) => {
    const since = world.nowMs - days * DAY
    const found = allBoxes(world).filter(({ told }) => told.some((each) => each.what === what && each.at >= since))
    return [{ since: words.instant(since) }, distinct(found.map(({ number }) => number))]
  },
  play: async (agent, { since = '' }) => {
    const found = await changes(agent, { since, events: event })
    const isLater = ({ after }: Json): boolean => Date.parse(String(after).replace(/\[.*\]$/, '')) >= Date.parse(since)
    return distinct(found.filter(isLater).map(({ number }) => number))
  },
})

/** The numbers in the inbox for a reason. */
const inbox = (reason: string, fits: (box: TrueBox, world: AgentsWorld) => boolean): Pick<Task, 'of' | 'play'> => ({
  of: (world) => [
    {},
    distinct(
      allBoxes(world)
        .filter((box) => fits(box, world))
        .map(({ number }) => number),
    ),
  ],
  play: async (agent) =>
    distinct((await agent.rows('attention', 'number', { reason })).rows.map(({ number }) => number)),
})
const hasLanded = ({ status }: TrueBox): boolean =>
  ['grounded', 'available', 'not_available', 'awaiting_inland_transfer', 'on_rail'].includes(status)
const todayAt = ({ ship }: TrueBox, { nowMs }: AgentsWorld): string =>
  writeDay(ship.inland === null ? ship.zone : getPlace(ship.inland).zone, nowMs)

export const accountTasks: readonly Task[] = [
  {
    name: 'what happened to a container',
    asks: ['What happened to {box} since {since}?', 'Was ist seit {since} mit {box} passiert?'],
    of: (world, words) => {
      const since = world.nowMs - 60 * HOUR
      // Nothing was told near the beginning: when it was heard does not matter.
      const box = choose(world.boxes, (each) => {
        const late = each.told.filter(({ toldAt }) => toldAt > since)
        const isNear = each.told.some(({ toldAt }) => Math.abs(toldAt - since) < 30 * HOUR)
        return late.length > 0 && !isNear && late.every((one) => eventOf(one, each) !== null)
      })
      const late = box.told.filter(({ toldAt }) => toldAt > since)
      return [
        { box: words.box(box.number), since: words.instant(since) },
        distinct(late.map((each) => eventOf(each, box))),
      ]
    },
    play: async (agent, { box, since }) => {
      const events = (await changes(agent, { since, id: box })).map(({ event }) => String(event))
      return distinct(
        events.filter((each) => /^container\.transport\.(?!estimated|available|not_available)/.test(each)),
      )
    },
  },
  {
    name: 'an arrival announced anew',
    asks: ['For when is {bill} announced now, if that changed since {since}?', '{bill} 的到港时间改成了什么？'],
    of: (world, words) => {
      const since = world.nowMs - 6 * DAY
      // Announced when it moved by hours, not by minutes.
      const found = choose(world.shipments, ({ etaToldAt, ata, eta, etaBefore, isByBox }) => {
        const moved = Math.abs(hoursFrom(etaBefore, eta) ?? 0)
        return !isByBox && ata === null && eta?.says.length === 16 && moved > 1 && (etaToldAt ?? 0) > since
      })
      return [{ bill: words.bill(found.asked), since: words.instant(since) }, found.eta?.says]
    },
    play: async (agent, { bill, since }) =>
      localTime((await changes(agent, { since, id: bill, events: 'shipment.estimated.arrival' })).at(-1)?.['after']),
  },
  {
    name: 'discharged at a port on a day',
    asks: ['What was discharged at {place} on {day}?', 'Was wurde am {day} in {place} gelöscht?'],
    of: (world, words) => {
      const from = dayFrom(world, -6)
      const landed = allBoxes(world).flatMap(({ number, told, ship }) => {
        const found = told.find(({ what, call }) => what === 'DISC LADEN' && call.place === ship.pod)
        return found === undefined || found.says < from
          ? []
          : [{ number, key: `${ship.pod} ${found.says.slice(0, 10)}` }]
      })
      const key = most(landed, (each) => each.key)
      const [place = '', day = ''] = key.split(' ')
      return [
        { place: words.port(place), day },
        distinct(landed.flatMap((each) => (each.key === key ? [each.number] : []))),
      ]
    },
    play: async (agent, { place, day }) => {
      const answer = await agent.ask('what_changed', { events: 'discharged', place, day })
      return distinct(listAt(answer, 'changes').map(({ number }) => number))
    },
  },
  {
    name: 'picked up in the last days',
    asks: ['Which containers were picked up since {since}?', '¿Qué contenedores se retiraron desde {since}?'],
    ...happened('GTOT LADEN', 'container.transport.full_out', 4),
  },
  {
    name: 'free time that is over',
    asks: ['Which containers wait although their free time is over?', 'Où le temps gratuit est-il écoulé ?'],
    ...inbox(
      'free_time_ended',
      (box, world) => hasLanded(box) && box.freeUntil !== null && box.freeUntil < todayAt(box, world),
    ),
  },
  {
    name: 'requests that failed, by reason',
    asks: ['How many requests failed, by reason?', 'Wie viele Anfragen sind gescheitert, und warum?'],
    of: ({ failing }) => [{}, counted(failing.map(({ reason }) => reason))],
    play: async (agent) =>
      Object.fromEntries(
        listAt(
          await agent.ask('list_tracking_requests', { status: 'failed', count_by: 'failed_reason' }),
          'counts',
        ).map(({ value, count }) => [String(value), count]),
      ),
  },
  {
    name: 'why a number is not tracked',
    asks: ['Why is {number} not tracked, and is there something to do?', '为什么{number}没有跟踪？'],
    of: ({ failing }) => {
      const { number, reason } = choose(failing, (each) => each.reason === 'retries_exhausted')
      return [{ number }, { reason, hasRemedy: true }]
    },
    play: async (agent, { number }) => {
      const [row] = listAt(await agent.ask('list_tracking_requests', { request_number: number, why: true }), 'items')
      return { reason: row?.['failedReason'], hasRemedy: at(row, 'why.what_to_do') !== '' }
    },
  },
  {
    name: 'health of the webhook',
    asks: ['How many notifications did our receiver not take, and what does it answer?', 'Geht unser Webhook?'],
    of: ({ refused }) => [{}, { undelivered: refused.size, code: 500 }],
    play: async (agent) => {
      const [hook] = listAt(await agent.ask('webhook_health', { page_size: 1 }), 'webhooks')
      return { undelivered: Number(hook?.['failed']) + Number(hook?.['pending']), code: hook?.['lastStatusCode'] }
    },
  },
  {
    name: 'by which numbers a line is tracked',
    asks: ['By which kinds of number can {line} be tracked?'],
    of: (_, words) => {
      const line = choose(LINES, ({ scac }) => scac === 'COSU')
      const names = { bill_of_lading: 'bill_of_lading', booking: 'booking_number', container: 'container' }
      return [{ line: words.line(line.scac) }, sorted(line.kinds.map((kind) => names[kind]))]
    },
    play: async (agent, { line }) =>
      sorted(
        listAt(await agent.ask('get_supported_shipping_lines', { search: line }), 'shipping_lines').flatMap(
          (each) => each['tracked_by'] ?? [],
        ),
      ),
  },
]

/** A number of the world and the line that it is not of. */
const wrongly = ({ untracked }: AgentsWorld) =>
  choose(untracked, ({ scac, request_type }) => scac !== 'MAEU' && request_type === 'bill_of_lading')
const numbersToTrack = (world: AgentsWorld) =>
  world.untracked.flatMap((each) => (each === wrongly(world) ? [] : [each.request_number])).slice(0, 18)

/** They come last, in this order: each finds the world as the one before has left it. */
export const actTasks: readonly Task[] = [
  {
    name: 'send again what the receiver refused',
    asks: ['Send again what our receiver refused'],
    of: ({ refused }) => [{}, refused.size],
    play: async (agent) => {
      const [hook] = listAt(await agent.ask('webhook_health', { page_size: 1 }), 'webhooks')
      let queued = 0
      for (let isComplete: unknown = false; isComplete !== true; ) {
        const answer = await agent.ask('redeliver', { webhook_id: hook?.['id'] })
        queued += Number(answer['queued'])
        isComplete = answer['is_complete']
      }
      return queued
    },
    after: (_, before) => before,
  },
  {
    name: 'eighteen numbers of unknown lines',
    asks: ['Track these; I do not know the lines: {numbers}', 'Bitte verfolgen: {numbers}'],
    of: (world) => [{ numbers: numbersToTrack(world).join(' ') }, null],
    play: async (agent, { numbers = '' }) => {
      const items = listAt(await agent.ask('track_numbers', { numbers: numbers.split(' ') }), 'items')
      return items.filter(({ outcome }) => outcome === 'requested' || outcome === 'tracked').length
    },
    after: (world) => numbersToTrack(world).length,
  },
  {
    name: 'a bill with the wrong line, corrected',
    asks: ['Track {number} with Maersk … no, it is of {scac}'],
    of: (world) => [{ number: wrongly(world).request_number, scac: wrongly(world).scac }, null],
    play: async (agent, { number, scac }) => {
      const wanted = { number, numberType: 'bill_of_lading', scac: 'MAEU', refNumbers: ['PO 9 Z'] }
      const { tracking_request } = await agent.ask('track_container', wanted)
      const made = await agent.ask('correct_tracking_request', { id: at(tracking_request, 'id'), scac })
      return [at(made, 'tracking_request.scac'), ...(at(made, 'tracking_request.refNumbers') as readonly string[])]
    },
    after: (world) => [wrongly(world).scac, 'PO 9 Z'],
  },
  {
    name: 'stop the tracking of a shipment',
    asks: ['Stop tracking the shipment of {box}', 'Deja de seguir {box}'],
    of: (world, words) => [
      { box: words.box(choose(world.boxes, ({ status }) => status === 'picked_up').number) },
      null,
    ],
    play: async (agent, { box }) => (await agent.ask('stop_tracking', { id: box }))['is_tracked'],
    after: () => false,
  },
  {
    name: 'a reference that is added is found',
    asks: ['Add the reference “{ref}” to {bill}, and show what it has then', 'Füge „{ref}“ zu {bill} hinzu'],
    of: (world, words) => {
      const found = choose(world.shipments, ({ refs }) => refs.length === 0, 2)
      return [{ bill: words.bill(found.asked), ref: 'Kunde Müller 7/A' }, null]
    },
    play: async (agent, { bill, ref }) =>
      (await agent.ask('update_shipment', { id: bill, add_ref_numbers: [ref] }))['ref_numbers'],
    after: () => ['Kunde Müller 7/A'],
  },
]
