/** Tasks about what an agent is about to answer, and about papers, of which the account has none. */

import { choose, listAt, type Task } from './agents-grade.ts'
import type { TrueShipment } from './agents-record.ts'

const hasArrived = ({ ata, isByBox, boxes }: TrueShipment): boolean => ata !== null && !isByBox && boxes.length > 0
const dayAfter = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)

/** The verdict on the one fact of this kind. */
const verify =
  (kind: string): Task['play'] =>
  async (agent, { draft }) => {
    const facts = listAt(await agent.ask('verify_answer', { draft }), 'facts')
    return facts.filter((each) => each['kind'] === kind).map(({ verdict }) => verdict)
  }
const asks = ['Check this before I send it: {draft}', 'Stimmt das: „{draft}“?', '¿Es correcto esto? {draft}']

export const draftTasks: readonly Task[] = [
  {
    name: 'a draft with the right day',
    asks,
    of: ({ shipments }) => {
      const { asked, ata } = choose(shipments, hasArrived)
      return [{ draft: `${asked} arrived on ${ata?.says.slice(0, 10)}.` }, ['said']]
    },
    play: verify('date'),
  },
  {
    name: 'a draft with a wrong day',
    asks,
    of: ({ shipments }) => {
      const { asked, ata } = choose(shipments, hasArrived, 1)
      return [{ draft: `${asked} arrived on ${dayAfter(ata?.says.slice(0, 10) ?? '')}.` }, ['differs']]
    },
    play: verify('date'),
  },
  {
    name: 'a draft with a wrong status',
    asks,
    of: ({ boxes }) => {
      const { number } = choose(boxes, ({ status }) => status === 'on_ship')
      return [{ draft: `${number} was picked up.` }, ['differs']]
    },
    play: verify('status'),
  },
  {
    name: 'a draft about what nobody tracks',
    asks,
    of: ({ untracked }) => [{ draft: `${untracked[0]?.request_number} arrived on 2026-02-01.` }, ['nobody']],
    play: verify('date'),
  },
  {
    name: 'papers of a shipment',
    asks: ['Which papers do we have for {bill}?', 'Welche Dokumente gibt es zu {bill}?'],
    of: ({ shipments }, words) => [{ bill: words.bill(choose(shipments, hasArrived).asked) }, []],
    play: async (agent, { bill }) => listAt(await agent.ask('list_documents', { shipment_id: bill }), 'items'),
  },
]
