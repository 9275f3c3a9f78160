/** `landfall events`: the events of the account, once or continuously. */

import type { FeedEvent } from '../../../sdk/typescript/src/feed.ts'
import { defineCommand, UsageError } from '../framework/command.ts'
import { aboutServer, clientOf, countOption, jsonOption, parseEventCount, urlOption } from './server-client.ts'

export const events = defineCommand({
  about: `Prints one line for each event: number, time, name, container. Without --follow it ends after the latest event.
${aboutServer}`,
  options: {
    follow: { type: 'boolean', about: 'wait for new events until the command is stopped' },
    after: {
      type: 'string',
      value: '<number>',
      about: 'only events after this one; if it is missing, --follow shows only new events',
    },
    event: { type: 'string', value: '<names>', about: 'only these, with commas between' },
    count: countOption,
    url: urlOption,
    json: jsonOption,
  },
  examples: ['events --after 0', 'events --follow --event container.transport.vessel_arrived --json'],
  run: async ({ options, shell }) => {
    const landfall = clientOf(shell, options.url)
    const after = options.after === null ? (options.follow ? 'now' : 0) : Number(options.after)
    if (after !== 'now' && !(Number.isSafeInteger(after) && after >= 0))
      throw new UsageError(`${options.after} is not the number of an event.`)
    const names = options.event?.split(',') ?? []
    const include = ['container', 'reference_object'] as const
    let remaining = parseEventCount(options.count)
    const show = (event: FeedEvent<'container' | 'reference_object'>): boolean => {
      shell.print(options.json ? JSON.stringify(event) : lineOf(event))
      remaining -= 1
      return remaining > 0
    }
    if (options.follow) {
      shell.log('Waiting for events. Ctrl-C ends it.')
      for await (const event of landfall.follow({ after, events: names, include })) if (!show(event)) break
      return 0
    }
    const filter = names.length === 0 ? {} : { filter: { event: names.join(',') } }
    const from = after === 'now' ? 0 : after
    // The feed has no last page: an empty one is the end.
    for await (const { items } of landfall.listEvents({ after: from, limit: 1000, include, ...filter }).pages())
      if (items.length === 0 || !items.every(show)) break
    return 0
  },
})

function lineOf(event: FeedEvent<'container' | 'reference_object'>): string {
  return [event.sequence, event.created_at, event.event, event.container?.number ?? ''].join('  ').trimEnd()
}
