/** `landfall connect <carrier> --push`: the address and key for a carrier that sends by itself, and its first message. */

import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../modules/access/context.ts'
import { createChannel, findChannel } from '../../modules/channels/channels.ts'
import type { ConnectionTarget } from '../../modules/connections/connection-target.ts'
import { listChannelMessages } from '../../modules/inbound-messages/operator-messages.ts'
import type { Service } from '../../modules/service.ts'
import { type ExitCode, type Shell, UsageError } from '../framework/command.ts'

const askEveryMs = 1_000

/** The first call makes the channel; later calls only show what has come. At a terminal it waits for the first message. */
export async function connectPush(
  service: Service,
  target: ConnectionTarget,
  { owner, shell }: { readonly owner: Context | null; readonly shell: Shell },
): Promise<ExitCode> {
  if (target.kind !== 'line')
    throw new UsageError(
      `--push is for carriers. For ${target.name}: channels create <name> --language facility --profile ${target.id}.`,
    )
  const name = `${target.id.toLowerCase()}-push${owner === null ? '' : `-${owner.account.id.slice(-12)}`}`
  if ((await findChannel(service, name)) === null) {
    const { key } = await createChannel(service, {
      name,
      account: owner?.account ?? null,
      speaker: { kind: 'shipping_line', code: target.id },
      source: 'dcsa',
      profile: { scac: target.id },
      isFirstHand: true,
      keyKind: 'bearer',
    })
    for (const line of linesForPartner(service, { target, name, key })) shell.print(line)
  }
  for (;;) {
    const [newest] = await listChannelMessages(service, { channel: name, status: null, limit: 1 })
    if (newest !== undefined) {
      shell.print(`The newest message of ${target.name} came at ${newest.receivedAt}: ${newest.status}.`)
      shell.print(`npm run landfall -- channels messages ${name} lists them.`)
      return 0
    }
    if (!shell.isTerminal) {
      shell.print('Nothing has come yet.')
      return 0
    }
    shell.progress('Nothing has come yet. Ctrl-C ends the wait; the channel stays open. ')
    await pause(askEveryMs)
  }
}

function linesForPartner(
  { config: { server } }: Service,
  { target, name, key }: { readonly target: ConnectionTarget; readonly name: string; readonly key: string },
): readonly string[] {
  const address = `${server.publicUrl ?? `http://127.0.0.1:${server.port}`}/v2/inbound/${name}`
  return [
    `Give these to ${target.name}, which then sends DCSA events:`,
    `  Address  ${address}`,
    `  Key      ${key}`,
    '  It is sent as Authorization: Bearer, and is shown only now.',
    ...(server.publicUrl === null
      ? ['  Others cannot reach this address. Set LANDFALL_PUBLIC_URL to the address that they can reach.']
      : []),
    'A test message:',
    `  curl -X POST ${address} -H 'authorization: Bearer ${key}' -H 'content-type: application/json' -d '[]'`,
  ]
}
