/** `landfall migrate check`: what another installation tracks, and whether it can be tracked here. */

import type { Landfall } from '../../../sdk/typescript/src/landfall.ts'
import { callIt } from '../../platform/call-it.ts'
import { aboutServer, clientOf, jsonOption, urlOption } from '../client/server-client.ts'
import { tableLines } from '../client/text-table.ts'
import { defineCommand } from '../framework/command.ts'
import {
  aboutOther,
  connectToOther,
  fromOption,
  keyOfRequest,
  type OtherRequest,
  readRequests,
} from './other-installation.ts'

export const migrateCheck = defineCommand({
  about: `${aboutOther}
${aboutServer}
Exits with 1 when there is something that cannot be tracked here yet: a line that cannot be polled, or an event of a
webhook that Landfall does not have.`,
  options: { from: fromOption, url: urlOption, json: jsonOption },
  examples: ['migrate check --from https://api.example.com'],
  run: async ({ options, shell }) => {
    const here = clientOf(shell, options.url)
    const there = await connectToOther(shell, options.from)
    const theirs = await readRequests(there, (count) => shell.progress(`${count} numbers read there`))
    const ours = await readRequests(here, (count) => shell.progress(`${count} numbers read here`))
    shell.progress('')
    const lines = await checkShippingLines(here, theirs, new Set(ours.map(keyOfRequest)))
    const webhooks = await checkWebhooks(there, here)
    const [fieldsThere, fieldsHere] = [await listCustomFieldSlugs(there), await listCustomFieldSlugs(here)]
    const fields = fieldsThere.filter((slug) => !fieldsHere.includes(slug))
    if (options.json) shell.print(JSON.stringify({ lines, webhooks, custom_fields_missing: fields }))
    else {
      const heads = ['LINE', 'NUMBERS THERE', 'FAILED THERE', 'TRACKED HERE', 'TO BE MOVED', 'LINE HERE']
      for (const line of tableLines(heads, lines.map(rowOf))) shell.print(line)
      for (const { url, unknown_events: unknown } of webhooks)
        shell.print(
          `Webhook ${url}: ${unknown.length === 0 ? 'every event is known here' : `not known here: ${unknown.join(', ')}`}`,
        )
      if (fields.length > 0) shell.print(`Custom fields that are not defined here: ${fields.join(', ')}`)
      const remaining = lines.reduce((sum, { to_be_moved: count }) => sum + count, 0)
      const next = remaining === 0 ? '.' : `: ${callIt} migrate shadow --from ${options.from}`
      shell.print(`${remaining} numbers must still be moved${next}`)
    }
    const isGood =
      lines.every((line) => line.to_be_moved === 0 || line.line_here === 'can be asked') &&
      webhooks.every((webhook) => webhook.unknown_events.length === 0)
    return isGood ? 0 : 1
  },
})

interface ShippingLineCheck {
  readonly scac: string | null
  readonly numbers: number
  readonly failed: number
  readonly tracked_here: number
  readonly to_be_moved: number
  readonly line_here: 'can be asked' | 'no access is set up' | 'not known' | 'found by asking'
}

async function checkShippingLines(
  here: Landfall,
  theirs: readonly OtherRequest[],
  ours: ReadonlySet<string>,
): Promise<readonly ShippingLineCheck[]> {
  const lines = await here.listShippingLines().all()
  const scacs = [...new Set(theirs.map(({ scac }) => scac))].toSorted((a, b) => (a ?? '').localeCompare(b ?? ''))
  return scacs.map((scac) => {
    const all = theirs.filter((each) => each.scac === scac)
    const good = all.filter(({ status }) => status !== 'failed')
    const tracked = good.filter((each) => ours.has(keyOfRequest(each))).length
    const line = lines.find((each) => each.scac === scac || (scac !== null && each.alternative_scacs.includes(scac)))
    return {
      scac,
      numbers: all.length,
      failed: all.length - good.length,
      tracked_here: tracked,
      to_be_moved: good.length - tracked,
      line_here:
        scac === null
          ? 'found by asking'
          : line === undefined
            ? 'not known'
            : line.meta?.configured === true || line.meta?.heard === true
              ? 'can be asked'
              : 'no access is set up',
    }
  })
}

function rowOf(line: ShippingLineCheck): readonly (string | number | null)[] {
  const { scac, numbers, failed, tracked_here: tracked, to_be_moved: remaining, line_here: state } = line
  return [scac, numbers, failed, tracked, remaining, state]
}

async function checkWebhooks(
  there: Landfall,
  here: Landfall,
): Promise<readonly { readonly url: string; readonly unknown_events: readonly string[] }[]> {
  const webhooks = await there.listWebhooks({ page: { size: 100 } }).all()
  if (webhooks.length === 0) return []
  const categories = await here.listWebhookEvents().all()
  const known = new Set(categories.flatMap(({ events }) => events.map(({ name }) => name)))
  return webhooks.map(({ url, events }) => ({
    url,
    unknown_events: events.filter((name: string) => !name.endsWith('*') && !known.has(name)),
  }))
}

async function listCustomFieldSlugs(installation: Landfall): Promise<readonly string[]> {
  const found = await installation.listCustomFieldDefinitions({ page: { size: 100 } }).all()
  return found.map(({ entity_type: entity, api_slug: slug }) => `${entity.toLowerCase()}.${slug}`)
}
