/** Tasks about many shipments: which, how many, in which order, and of how many it is not known. */

import { getPlace, placeCodes } from '../../sandbox/places.ts'
import type { Agent, Json } from './agents-client.ts'
import { choose, counted, dayIn, sorted, type Task } from './agents-grade.ts'
import { hoursFrom, type TrueShipment } from './agents-record.ts'
import { all, counts, type Filters, most, unknownIn } from './agents-rows.ts'
import { type AgentsWorld, dayFrom } from './agents-world.ts'

const isDone = ({ status }: TrueShipment): boolean => status === 'completed'
const bills = async (agent: Agent, filters: Filters, more: Json = {}) => {
  const { rows, answer } = await agent.rows('list_shipments', 'billOfLading, podEta', { filters, ...more })
  return { rows, unknown: unknownIn(answer) }
}
const billsOf = (of: readonly TrueShipment[]) => sorted(of.map(({ asked }) => asked))
const billsIn = (rows: readonly Json[]) => sorted(rows.map(({ billOfLading }) => billOfLading))
/** Shipments that arrive on these days at their ports, and those whose arrival nobody has told. */
const arriving = (world: AgentsWorld, from: string, to: string) => {
  const days = world.shipments
    .filter((each) => !isDone(each))
    .map((each) => ({ each, day: each.eta?.says.slice(0, 10) }))
  const found = days.filter(({ day = '' }) => day >= from && day <= to)
  return {
    rows: sorted(found.map(({ each, day }) => `${each.asked} ${day}`)),
    unknown: days.filter(({ each }) => each.eta === null && each.ata === null).length,
  }
}
/** A day on which something arrives; where there is one, whose day at the port is another than in UTC. */
const arrivalDay = (world: AgentsWorld, nth: number): string => {
  const days = world.shipments.flatMap(({ eta, ata }) => {
    const day = eta?.says.slice(0, 10) ?? ''
    const isOther = eta !== null && day !== new Date(eta.at).toISOString().slice(0, 10)
    return ata === null && day > dayFrom(world, 1) ? [{ day, isOther }] : []
  })
  const found = days.toSorted((a, b) => Number(b.isOther) - Number(a.isOther) || (a.day < b.day ? -1 : 1))
  return choose(found, () => true, nth).day
}
const arrivals =
  (filtersOf: (said: Readonly<Record<string, string>>) => Filters): Task['play'] =>
  async (agent, said) => {
    const { rows, unknown } = await bills(agent, filtersOf(said))
    return { rows: sorted(rows.map(({ billOfLading, podEta }) => `${billOfLading} ${dayIn(podEta)}`)), unknown }
  }

/** Shipments by a place that is named as people do. */
const byPlace = (
  name: 'pod' | 'pol' | 'destination',
  write: 'port' | 'misspelt' | 'code',
): Pick<Task, 'of' | 'play'> => ({
  of: (world, words) => {
    const of = (each: TrueShipment) => (name === 'destination' ? each.inland : each[name])
    const place = most(world.shipments, of)
    const typed =
      write === 'code'
        ? place.toLowerCase()
        : write === 'port'
          ? words.port(place)
          : words.misspelt(getPlace(place).name)
    return [{ place: typed }, billsOf(world.shipments.filter((each) => of(each) === place))]
  },
  play: async (agent, { place }) => billsIn((await bills(agent, { [name]: place }, all)).rows),
})
const shipOf = (world: AgentsWorld) => most(world.shipments, ({ vessel }) => vessel)
const onShip = (world: AgentsWorld, ship: string) => billsOf(world.shipments.filter(({ vessel }) => vessel === ship))
const playShip: Task['play'] = async (agent, { ship }) => billsIn((await bills(agent, { vessel: ship }, all)).rows)
const asksDays = [
  'What arrives {when}, and on which day?',
  'Was kommt {when} an?',
  '¿Qué llega {when}?',
  '{when}有哪些货到？',
]

/** Hours against the first arrival that was told: the member of rows, and the sort. */
const slip = { member: 'slipSinceFirstEstimateHours', latestFirst: '-slip_since_first_estimate' }

export const listTasks: readonly Task[] = [
  {
    name: 'shipments by port of discharge',
    asks: ['How many shipments go to each port?', '¿Cuántos envíos van a cada puerto?'],
    of: (world) => [{}, counted(world.shipments.map(({ pod }) => pod))],
    play: (agent) => counts(agent, 'list_shipments', 'pod'),
  },
  {
    name: 'arrivals of one day',
    asks: asksDays.map((each) => each.replace('{when}', '{day}')),
    of: (world, words) => {
      const day = arrivalDay(world, 1)
      return [{ day: words.day(day) }, arriving(world, day, day)]
    },
    play: arrivals(({ day }) => ({ eta_after: day, eta_before: day })),
  },
  {
    name: 'arrivals until a day, that day too',
    asks: asksDays.map((each) => each.replace('{when}', '{from} – {to}')),
    of: (world, words) => {
      const [from, to] = [dayFrom(world, 2), arrivalDay(world, 0)]
      return [{ from: words.day(from), to: words.day(to) }, arriving(world, from, to)]
    },
    play: arrivals(({ from, to }) => ({ eta_after: from, eta_before: to })),
  },
  {
    name: 'arrivals from a day on, that day too',
    asks: asksDays.map((each) => each.replace('{when}', 'from {day} on')),
    of: (world, words) => {
      const day = arrivalDay(world, 2)
      return [{ day: words.day(day) }, arriving(world, day, '2027')]
    },
    play: arrivals(({ day }) => ({ eta_after: day })),
  },
  {
    name: 'arrivals on a day on which there are none',
    asks: asksDays.map((each) => each.replace('{when}', '{day}')),
    of: (world) => [{ day: '2026-08-01' }, arriving(world, '2026-08-01', '2026-08-01')],
    play: arrivals(({ day }) => ({ eta_after: day, eta_before: day })),
  },
  {
    name: 'the next five arrivals in order',
    asks: ['On which days are the next five arrivals from {day} on, in order?', 'Die nächsten fünf Ankünfte ab {day}?'],
    of: (world) => {
      const day = dayFrom(world, 2)
      const coming = world.shipments.flatMap(({ eta, ata }) => (ata === null && eta !== null ? [eta] : []))
      const next = coming.filter(({ says }) => says.slice(0, 10) >= day).toSorted((a, b) => a.at - b.at)
      const days = next.slice(0, 5).map(({ says }) => says.slice(0, 10))
      return [{ day }, days.join(' > ')]
    },
    play: async (agent, { day }) => {
      const args = { filters: { eta_after: day }, sort: 'pod_eta_at' }
      const { rows } = await agent.rows('list_shipments', 'podEta', args, 5)
      return rows.map(({ podEta }) => dayIn(podEta)).join(' > ')
    },
  },
  {
    name: 'to a port, as people name it',
    asks: ['Which shipments go to {place}?', '¿Qué envíos van a {place}?'],
    ...byPlace('pod', 'port'),
  },
  {
    name: 'to a port, misspelt',
    asks: ['Which shipments go to {place}?', 'Welche Sendungen gehen nach {place}?'],
    ...byPlace('pod', 'misspelt'),
  },
  {
    name: 'from a port, as people name it',
    asks: ['What comes from {place}?', '从{place}来的有哪些？'],
    ...byPlace('pol', 'port'),
  },
  {
    name: 'to a place inland',
    asks: ['What is bound for {place}?', 'Qu’est-ce qui va à {place} ?'],
    ...byPlace('destination', 'port'),
  },
  {
    name: 'to a port to which nothing goes',
    asks: ['Which shipments go to {place}?'],
    of: (world, words) => {
      const place = choose(
        placeCodes(),
        (code) => !world.shipments.some(({ pod, pol, inland }) => [pod, pol, inland].includes(code)),
        9,
      )
      return [
        { place: words.port(place) },
        { rows: [], unknown: world.shipments.filter(({ pod }) => pod === null).length },
      ]
    },
    play: async (agent, { place }) => {
      const { rows, unknown } = await bills(agent, { pod: place }, all)
      return { rows: billsIn(rows), unknown }
    },
  },
  {
    name: 'by the name of the line',
    asks: ['Which shipments go with {line}?', 'Welche Sendungen fahren mit {line}?'],
    of: (world, words) => {
      const scac = most(world.shipments, (each) => each.scac)
      return [{ line: words.line(scac) }, billsOf(world.shipments.filter((each) => each.scac === scac))]
    },
    play: async (agent, { line }) => billsIn((await bills(agent, { line }, all)).rows),
  },
  {
    name: 'on a ship, by its name',
    asks: ['What comes with {ship}?', '¿Qué viene en {ship}?'],
    of: (world, words) => [{ ship: words.ship(shipOf(world)) }, onShip(world, shipOf(world))],
    play: playShip,
  },
  {
    name: 'on a ship, misspelt',
    asks: ['What comes with {ship}?', 'Was kommt mit der {ship}?'],
    of: (world, words) => [{ ship: words.misspelt(shipOf(world)) }, onShip(world, shipOf(world))],
    play: playShip,
  },
  {
    name: 'rolled shipments, by how much',
    asks: [
      'By how many hours are these later than first told: {list}',
      'Um wie viel sind {list} später als zuerst gesagt?',
    ],
    of: (world) => {
      const rolled = world.shipments.filter(({ isRolled, isByBox }) => isRolled && !isByBox)
      const late = rolled.map(({ asked, first, ata, eta }) => `${asked} ${hoursFrom(first, ata ?? eta)}`)
      return [{ list: rolled.map(({ asked }) => asked).join(', ') }, sorted(late)]
    },
    play: async (agent, { list = '' }) => {
      const args = { number: list.split(', '), ...all }
      const { rows } = await agent.rows('list_shipments', `billOfLading, ${slip.member}`, args)
      return sorted(rows.map((row) => `${row['billOfLading']} ${row[slip.member]}`))
    },
  },
  {
    name: 'the three that are latest',
    asks: ['By how many hours are the three latest shipments later than first told?', 'Die drei größten Verspätungen?'],
    of: (world) => {
      const slips = world.shipments.flatMap(({ first, eta, ata }) => hoursFrom(first, ata ?? eta) ?? [])
      return [
        {},
        slips
          .toSorted((a, b) => b - a)
          .slice(0, 3)
          .join(' > '),
      ]
    },
    play: async (agent) => {
      const { rows } = await agent.rows('list_shipments', slip.member, { ...all, sort: slip.latestFirst }, 3)
      return rows.map((row) => row[slip.member]).join(' > ')
    },
  },
]
