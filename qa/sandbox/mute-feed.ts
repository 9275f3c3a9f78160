/** A running program listens to a receiver that takes the connection and says nothing: its operator is told. */

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { freePorts, makeDataFolder, startProgram, withoutSandbox } from '../../test/e2e/program.ts'
import type { Report } from '../kill/checks.ts'

const sentence = '!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5C\r\n'
/** A minute of silence, and what the program takes to see it and to say it. */
const patienceMs = 120_000

export async function checkMuteFeed(): Promise<Report> {
  const sockets: Socket[] = []
  const receiver = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  const folder = makeDataFolder()
  const { api } = await freePorts()
  const program = startProgram({
    dataFolder: folder.path,
    ports: { api, sandbox: null },
    env: {
      ...withoutSandbox,
      LANDFALL_AIS_NMEA: `127.0.0.1:${port}`,
      LANDFALL_AIS_SILENT_MINUTES: '1',
      LANDFALL_ALLOWED_NETWORKS: '127.0.0.1/32',
    },
  })
  const problems: string[] = []
  try {
    await program.up
    const troubles = async () =>
      ((await (await fetch(`${program.apiUrl}/readyz`)).json()) as { troubles: readonly string[] }).troubles
    const until = async (isSilent: boolean, what: string): Promise<void> => {
      for (const endMs = Date.now() + patienceMs; Date.now() < endMs; await pause(1_000)) {
        if ((await troubles()).includes('feed_silent') === isSilent) return
      }
      problems.push(what)
    }
    if ((await troubles()).length > 0) problems.push('a fault before the feed was silent')
    await until(true, `/readyz never named the mute feed: ${sockets.length} connections`)
    const page = await (await fetch(`${program.apiUrl}/metrics`)).text()
    if (!page.includes('landfall_feed_silent{feed="nmea"} 1')) problems.push('the counters do not show the mute feed')
    const speaking = setInterval(() => {
      for (const socket of sockets) if (!socket.destroyed) socket.write(sentence)
    }, 1_000)
    await until(false, '/readyz still names the feed, which sends again')
    clearInterval(speaking)
  } finally {
    await program.kill('SIGTERM')
    for (const socket of sockets) socket.destroy()
    receiver.close()
    await folder.remove()
  }
  return { says: 'A feed that is connected and mute is a fault until it sends.', problems }
}
