/** Tasks about many containers: where they wait, until when, what holds them, and of how many nobody knows. */

import type { Agent, Json } from './agents-client.ts'
import { counted, listAt, sorted, type Task } from './agents-grade.ts'
import type { TrueBox } from './agents-record.ts'
import { all, allBoxes, counts, type Filters, inOrder, isOnQuay, most, unknownIn } from './agents-rows.ts'
import { type AgentsWorld, dayFrom } from './agents-world.ts'

const waiting = 'grounded, available, not available'
const boxes = async (agent: Agent, filters: Filters, more: Json = {}) => {
  const { rows, answer } = await agent.rows('list_containers', 'number', { filters, ...more })
  return { rows: sorted(rows.map(({ number }) => number)), unknown: unknownIn(answer) }
}
const numbersOf = (of: readonly TrueBox[]) => sorted(of.map(({ number }) => number))
const busiestQuay = (world: AgentsWorld) => most(allBoxes(world).filter(isOnQuay), ({ ship }) => ship.pod)
const freeUntil = (world: AgentsWorld, fits: (box: TrueBox) => boolean, to: string) => {
  const found = allBoxes(world).filter((box) => isOnQuay(box) && fits(box))
  return {
    rows: numbersOf(found.filter((box) => box.freeUntil !== null && box.freeUntil <= to)),
    unknown: found.filter((box) => box.freeUntil === null).length,
  }
}
const dues = (world: AgentsWorld, read: (box: TrueBox) => readonly string[] | null) => {
  const quay = allBoxes(world).filter(isOnQuay)
  return {
    rows: numbersOf(quay.filter((box) => (read(box)?.length ?? 0) > 0)),
    unknown: quay.filter((box) => read(box) === null).length,
  }
}

export const quayTasks: readonly Task[] = [
  {
    name: 'containers by status',
    asks: ['How many containers are there of each status?', '各状态有多少箱？'],
    of: (world) => [{}, counted(allBoxes(world).map(({ status }) => status))],
    play: (agent) => counts(agent, 'list_containers', 'status'),
  },
  {
    name: 'containers on the quay by port',
    asks: ['How many containers wait at which port?', 'Combien de conteneurs attendent, et dans quel port ?'],
    of: (world) => [
      {},
      counted(
        allBoxes(world)
          .filter(isOnQuay)
          .map(({ ship }) => ship.pod),
      ),
    ],
    play: async (agent) => {
      const args = { group_by: 'port_of_discharge', filters: { status: waiting } }
      const groups = listAt(await agent.ask('summarize_containers', args), 'groups')
      return Object.fromEntries(groups.map(({ key, count }) => [String(key), count]))
    },
  },
  {
    name: 'to be fetched at a port until a day',
    asks: ['Which containers at {place} must be fetched until {day}, and of how many is the day not known?'],
    of: (world, words) => {
      const [place, day] = [busiestQuay(world), dayFrom(world, 3)]
      return [
        { place: words.port(place), day: words.day(day) },
        freeUntil(world, ({ ship }) => ship.pod === place, day),
      ]
    },
    play: (agent, { place, day }) => boxes(agent, { pod: place, status: 'at the terminal', lfd_before: day }),
  },
  {
    name: 'over their last free day',
    asks: ['Which containers wait although free time was over on {day}, and of how many is it not known?'],
    of: (world) => [{ day: dayFrom(world, -1) }, freeUntil(world, () => true, dayFrom(world, -1))],
    play: (agent, { day }) => boxes(agent, { status: waiting, lfd_before: day }),
  },
  {
    name: 'the five that must be fetched first',
    asks: ['The five last free days that come first, of those that wait?', 'Die fünf dringendsten Tage?'],
    of: (world) => [
      {},
      inOrder(
        allBoxes(world)
          .filter(isOnQuay)
          .flatMap((box) => box.freeUntil ?? []),
      ),
    ],
    play: async (agent) => {
      const args = { filters: { status: waiting }, sort: 'lfd' }
      return (await agent.rows('list_containers', 'number, earliestLfd', args, 5)).rows
        .flatMap((row) => row['earliestLfd'] ?? [])
        .join(' > ')
    },
  },
  {
    name: 'held, and of how many nobody knows',
    asks: [
      'Which containers at the terminals are held, and of how many is it not known?',
      'Welche Container sind gesperrt?',
    ],
    of: (world) => [{}, dues(world, ({ holds }) => holds)],
    play: (agent) => boxes(agent, { held: true, status: waiting }),
  },
  {
    name: 'with fees to be paid, and of how many nobody knows',
    asks: ['For which containers on the quay are fees to be paid, and of how many is it not known?'],
    of: (world) => [{}, dues(world, ({ fees }) => fees)],
    play: (agent) => boxes(agent, { status: waiting }, { has_fees: true }),
  },
  {
    name: 'a table of all',
    asks: ['A table of all containers: number, status, last free day', 'Una tabla de todos los contenedores'],
    of: (world) => [{}, sorted(allBoxes(world).map((box) => `${box.number} ${box.status} ${box.freeUntil}`))],
    play: async (agent) =>
      sorted(
        (await agent.rows('list_containers', 'number, status, earliestLfd', all)).rows.map(
          (row) => `${row['number']} ${row['status']} ${row['earliestLfd']}`,
        ),
      ),
  },
  {
    name: 'twelve numbers at once',
    asks: ['How do these stand: {list}', 'Wie stehen {list}?'],
    of: (world, words) => {
      const some = world.boxes.slice(5, 17)
      return [
        { list: some.map(({ number }) => words.box(number)).join(', ') },
        sorted(some.map(({ number, status }) => `${number} ${status}`)),
      ]
    },
    play: async (agent, { list }) =>
      sorted(
        (await agent.rows('list_containers', 'number, status', { filters: { number: list } })).rows.map(
          (row) => `${row['number']} ${row['status']}`,
        ),
      ),
  },
]
