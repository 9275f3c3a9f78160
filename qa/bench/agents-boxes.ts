/** Tasks about one container. */

import { DAY, writeDay } from '../../sandbox/local-time.ts'
import type { Json } from './agents-client.ts'
import { at, choose, listAt, localTime, sorted, type Task } from './agents-grade.ts'
import type { TrueBox } from './agents-record.ts'

/** A member of the record, what follows from it, or null for what nobody has said. */
type Truth = keyof TrueBox | null | ((box: TrueBox, nowMs: number) => unknown)
const about =
  (fits: (box: TrueBox) => boolean, truth: Truth, nth = 0): Task['of'] =>
  (world, words) => {
    const box = choose(world.boxes, fits, nth)
    const found = typeof truth === 'function' ? truth(box, world.nowMs) : truth === null ? null : box[truth]
    return [{ box: words.box(box.number) }, found]
  }
const get =
  (read: (container: Json) => unknown): Task['play'] =>
  async (agent, { box }) =>
    read(await agent.ask('get_container', { id: box }))
const member = (path: string) => get((container) => at(container, path))
const time = (path: string) => get((container) => localTime(at(container, path)))

const isOnQuay = ({ status }: TrueBox): boolean => ['grounded', 'available', 'not_available'].includes(status)
/** So far from its port that no terminal is asked about it. */
const isFarOff = ({ status, ship }: TrueBox): boolean =>
  status === 'on_ship' && ship.eta !== null && ship.ata === null && ship.eta.at > Date.parse('2026-02-13T00:00:00Z')
const last = (what: string, where?: 'pod' | 'pol') => (box: TrueBox) =>
  box.told.findLast((each) => each.what === what && (where === undefined || each.call.place === box.ship[where])) ??
  null
const when = (what: string, where?: 'pod' | 'pol') => (box: TrueBox) => last(what, where)(box)?.says ?? null
const hasTime = (what: string, where?: 'pod' | 'pol') => (box: TrueBox) => {
  const found = last(what, where)(box)
  return (
    found !== null &&
    found.says.length === 16 &&
    found.says.slice(0, 10) !== new Date(found.at).toISOString().slice(0, 10)
  )
}

const holds = get((c) => {
  const all = at(c, 'demurrage.holds') as readonly Json[] | null
  return all?.flatMap(({ name, status }) => (status === 'hold' ? [String(name).toLowerCase()] : [])).toSorted() ?? null
})
const fees = get((c) => {
  const all = at(c, 'demurrage.fees') as readonly Json[] | null
  return (
    all
      ?.flatMap(({ amount, currency_code }) => (Number(amount) > 0 ? [`${amount} ${currency_code}`] : []))
      .toSorted() ?? null
  )
})
const asksHolds = ['What holds {box}?', 'Is {box} on hold?', '¿Qué retiene {box}?', '{box} 被扣了吗？']
const asksFees = [
  'What is to be paid at the terminal for {box}?',
  'Any fees on {box}?',
  'Y a-t-il des frais sur {box} ?',
]
const asksStatus = [
  'How does {box} stand?',
  'status {box}',
  'Wo steht {box}?',
  '¿Dónde está {box}?',
  '{box} 现在什么状态？',
]

const worked = ({ told }: TrueBox) => [
  ...new Set(told.flatMap(({ what, call }) => (/^(LOAD|DISC)/.test(what) ? [call.place] : []))),
]

/** Follows the number that a refusal names in place of a mistyped one. */
const getMistyped: Task['play'] = async (agent, { box = '' }) => {
  const words = await agent.refusal('get_container', { id: box })
  const meant = (words?.match(/[A-Z]{4}\d{7}/g) ?? []).filter((each) => each !== box).at(-1)
  return meant === undefined ? null : (await agent.ask('get_container', { id: meant }))['status']
}
const mistyped =
  (mistake: (number: string) => string): Task['of'] =>
  (world) => {
    const box = choose(world.boxes, ({ number }) => mistake(number) !== number, 3)
    return [{ box: mistake(box.number) }, box.status]
  }

export const boxTasks: readonly Task[] = [
  {
    name: 'status at sea',
    asks: asksStatus,
    of: about(({ status }) => status === 'on_ship', 'status'),
    play: member('status'),
  },
  {
    name: 'status on rail',
    asks: asksStatus,
    of: about(({ status }) => status === 'on_rail', 'status'),
    play: member('status'),
  },
  {
    name: 'last free day, and who gave it',
    asks: [
      'Until when is {box} free, and who says so?',
      'LFD of {box}?',
      'Bis wann steht {box} kostenlos?',
      '{box} 免费期到哪天？',
    ],
    of: about(
      (box) => isOnQuay(box) && box.freeUntil !== null,
      (box) => ({
        day: box.freeUntil,
        by: sorted(Object.entries(box.lastFreeDays).flatMap(([by, day]) => (day === box.freeUntil ? [by] : []))),
      }),
    ),
    play: get((c) => {
      const day = at(c, 'demurrage.earliest_lfd')
      const days = Object.entries((at(c, 'demurrage.last_free_days') ?? {}) as Json)
      return { day, by: sorted(days.flatMap(([by, on]) => (on !== null && on === day ? [by] : []))) }
    }),
  },
  {
    name: 'days until the last free day',
    asks: ['How many days are left to fetch {box}?', 'Wie viele Tage bleiben für {box}?'],
    of: about(
      (box) => isOnQuay(box) && box.freeUntil !== null,
      ({ freeUntil, ship }, nowMs) => (Date.parse(freeUntil ?? '') - Date.parse(writeDay(ship.zone, nowMs))) / DAY,
      2,
    ),
    play: member('demurrage.days_until_lfd'),
  },
  {
    name: 'last free day that nobody gave',
    asks: ['Until when is {box} free?', '¿Hasta qué día está libre {box}?'],
    of: about((box) => isFarOff(box) && box.freeUntil === null, null),
    play: member('demurrage.earliest_lfd'),
  },
  {
    name: 'holds',
    asks: asksHolds,
    of: about(({ holds: all }) => (all?.length ?? 0) > 0, 'holds'),
    play: holds,
  },
  { name: 'holds that nobody has told of', asks: asksHolds, of: about(isFarOff, null, 1), play: holds },
  {
    name: 'fees',
    asks: asksFees,
    of: about(({ fees: all }) => (all?.length ?? 0) > 0, 'fees'),
    play: fees,
  },
  { name: 'fees that nobody has told of', asks: asksFees, of: about(isFarOff, null, 2), play: fees },
  {
    name: 'holds on a silent quay',
    asks: asksHolds,
    of: about((b) => isOnQuay(b) && b.holds === null, null),
    play: holds,
  },
  {
    name: 'charges without terms',
    asks: ['What do we owe for {box} so far?', 'Was schulden wir für {box}?', '{box} 到目前为止要付多少？'],
    // The account has recorded no terms, so nobody can know.
    of: about((box) => isOnQuay(box) && box.fees !== null, null),
    play: async (agent, { box }) => listAt(await agent.ask('get_charges', { container_id: box }), 'items')[0]?.['owed'],
  },
  {
    name: 'ports on the way',
    asks: ['Where is {box} loaded, transshipped and discharged?', '¿En qué puertos se carga y descarga {box}?'],
    // Where it is worked: a port where it stays on board is not meant.
    of: about(
      (box) => box.ship.inland === null && last('DISC LADEN', 'pod')(box) !== null && worked(box).length > 2,
      (box) => worked(box).join(' > '),
    ),
    play: async (agent, { box }) =>
      listAt(await agent.ask('get_container_route', { id: box }), 'route_locations')
        .map((stop) => at(stop, 'port.code'))
        .join(' > '),
  },
  {
    name: 'loaded when',
    asks: ['When was {box} loaded on the ship? (local time)', 'Wann wurde {box} geladen?'],
    of: about(hasTime('LOAD LADEN', 'pol'), when('LOAD LADEN', 'pol')),
    play: async (agent, { box }) => {
      const { milestones } = await agent.ask('get_container_transport_events', { id: box })
      return localTime(at(milestones, 'vessel_loaded_at') ?? at(milestones, 'feeder_loaded_at'))
    },
  },
  {
    name: 'picked up when',
    asks: ['When did {box} leave the terminal?', 'Wann wurde {box} abgeholt?'],
    of: about(hasTime('GTOT LADEN'), when('GTOT LADEN')),
    play: time('location.full_out_at_local'),
  },
  {
    name: 'arrival that the line never tells',
    asks: ['When did the ship of {box} arrive?'],
    of: about(({ ship, told }) => ship.scac === 'COSU' && told.some(({ what }) => what === 'GTOT LADEN'), null),
    play: time('location.pod_arrived_at_local'),
  },
  {
    name: 'place in the yard, and appointment',
    asks: ['Where in the yard is {box}, and has it an appointment?', 'Stellplatz und Termin von {box}?'],
    of: about(
      ({ report }) => typeof report?.['location'] === 'string' && report['location'] !== '-',
      ({ report }) => ({ yard: report?.['location'], appointment: localTime(report?.['appointment']) }),
    ),
    play: get((c) => ({
      yard: localTime(at(c, 'location.yard_location'))?.replace(/[⟦⟧]/g, ''),
      appointment: localTime(at(c, 'demurrage.pickup_appointment_local')),
    })),
  },
  {
    name: 'railway, and arrival at the ramp',
    asks: [
      'Which railway brings {box}, and when is it at the ramp?',
      'Welche Bahn bringt {box}, und wann kommt sie an?',
    ],
    of: about(
      ({ report }) => report?.['eta'] !== undefined,
      ({ report }) => ({
        railway: report?.['destinationCarrier'],
        eta: localTime(report?.['eta']),
      }),
    ),
    play: get((c) => ({
      railway: at(c, 'rail.destination_rail_carrier'),
      eta: localTime(at(c, 'rail.destination_eta_local')),
    })),
  },
  {
    name: 'the bill of a container that is tracked by its number',
    asks: ['Which bill of lading is {box} on?', 'Auf welcher B/L steht {box}?'],
    of: about(
      ({ ship }) => ship.isByBox && ship.bill !== null,
      ({ ship }) => ship.bill,
    ),
    play: member('shipment.bill_of_lading'),
  },
  {
    name: 'a wrong check digit',
    asks: asksStatus,
    of: mistyped((n) => `${n.slice(0, 10)}${(Number(n.at(10)) + 3) % 10}`),
    play: getMistyped,
  },
  {
    name: 'two digits exchanged',
    asks: asksStatus,
    of: mistyped((n) => `${n.slice(0, 6)}${n.charAt(7)}${n.charAt(6)}${n.slice(8)}`),
    play: getMistyped,
  },
  {
    name: 'a container that is not tracked',
    asks: asksStatus,
    of: () => [{ box: 'MSCU6639870' }, { found: 0 }],
    play: async (agent, { box }) => ({ found: (await agent.ask('search_container', { query: box }))['total_results'] }),
  },
]
