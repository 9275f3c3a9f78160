/** The sandbox as a program: a simulated shipping world that answers for 38 ocean carriers until it is stopped. */
import { fstatSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { sandboxTime } from './clock.ts'
import { DAY } from './local-time.ts'
import { startSandbox } from './server.ts'

const HELP = `Usage: node sandbox/main.ts [options]

Plays 38 ocean carriers in DCSA Track & Trace v2.2 at http://<host>:<port>/<scac>/v2/events

  --port N            port to listen on (3002; 0 takes a free one)
  --host NAME         address to listen on (127.0.0.1)
  --seed N            which world (1)
  --anchor-real ISO   a moment of real time (now) …
  --anchor-sim ISO    … and what the sandbox's clock showed then (90 days earlier)
  --epoch ISO         sandbox time at which this world first started (--anchor-sim)
  --ais-port N        TCP port at which ships are heard as NMEA AIVDM (none); over WebSocket they always are,
                      in AISStream's words, at ws://<host>:<port>/sandbox/ais/v0/stream
  --speed N           sandbox seconds in a real second until it has caught up (86400: a day a second)
  --help

Numbers to try: /sandbox/numbers   The clock: /sandbox/clock   The truth: /sandbox/journeys/<number>`

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '3002' },
    host: { type: 'string', default: '127.0.0.1' },
    seed: { type: 'string', default: '1' },
    'anchor-real': { type: 'string' },
    'anchor-sim': { type: 'string' },
    epoch: { type: 'string' },
    'ais-port': { type: 'string' },
    speed: { type: 'string', default: '86400' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(HELP)
  process.exit(0)
}

const anchorReal = readTime('--anchor-real', values['anchor-real'], Date.now())
const anchorSim = readTime('--anchor-sim', values['anchor-sim'], anchorReal - 90 * DAY)
const epoch = readTime('--epoch', values.epoch, anchorSim)
const speed = readNumber('--speed', values.speed)
const seed = readNumber('--seed', values.seed)

const sandbox = await startSandbox({
  port: readNumber('--port', values.port),
  host: values.host,
  seed,
  epoch,
  nmeaPort: values['ais-port'] === undefined ? null : readNumber('--ais-port', values['ais-port']),
  now: () => sandboxTime({ anchorReal, anchorSim, speed }, Date.now()),
}).catch((error: unknown) =>
  stop(`The sandbox cannot listen: ${error instanceof Error ? error.message : String(error)}`),
)
console.log(`sandbox listening at ${sandbox.url} (seed ${seed}, numbers to try at ${sandbox.url}/sandbox/numbers)`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void sandbox.close().then(() => process.exit(0)))
}

// When another program started the sandbox through a pipe, the sandbox ends with it, however that program ends.
if (fstatSync(0).isSocket()) process.stdin.resume().once('end', () => void sandbox.close().then(() => process.exit(0)))

function readTime(option: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  const at = Date.parse(text)
  return Number.isNaN(at) ? stop(`${option}: "${text}" is not an ISO 8601 time`) : at
}

function readNumber(option: string, text: string): number {
  const number = Number(text)
  return Number.isFinite(number) && number >= 0 ? number : stop(`${option}: "${text}" is no number`)
}

function stop(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}
