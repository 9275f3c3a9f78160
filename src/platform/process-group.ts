// Several processes of one program that share their ports: the parent starts them, watches them and replaces them one
// after the other. `node:cluster` gives each new connection to one of them, so a port is never closed while one lives.
import type { ChildProcess } from 'node:child_process'
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import { AggregatorRegistry } from 'prom-client'
import type { Log } from './log.ts'
import type { MessageToChild, MessageToParent, MetricFamily } from './siblings.ts'

export interface Slot {
  /** In log lines and metrics. The process that replaces another has its name. */
  readonly name: string
  readonly env: Readonly<Record<string, string>>
}

export interface ProcessGroup {
  /** Replaces each process. Those that run stay when a new one does not start. Never rejects. */
  readonly replace: () => Promise<void>
  /** Resolves when all have ended. */
  readonly stop: () => Promise<void>
}

export interface GroupOptions {
  readonly slots: readonly Slot[]
  readonly log: Log
  /** Gets each complete line that a process logs. */
  readonly logLine: (line: string) => void
  /** Gets the output of a process for the person at the terminal, when all have started or when it runs already. */
  readonly print: (text: string) => void
  /** Whether this process received the order to stop. */
  readonly isStopping: () => boolean
}

interface ProcessSlot extends Slot {
  process: RunningProcess | null
}

interface RunningProcess {
  readonly worker: Worker
  readonly exited: Promise<string>
  readonly readOutput: () => string
  readonly startedMs: number
  isWanted: boolean
}

const againAfterMs = { min: 200, max: 60_000 }
/** After a process that lived this long, the next one starts after the shortest pause again. */
const soundMs = 60_000
/** A process that received the order to stop and still works after this time is killed. */
const stopWithinMs = 60_000
const metricsWithinMs = 3_000

/**
 * Rejects with the reason when one of them refuses to start; then none runs. One that dies while it starts is started
 * again.
 */
export async function startGroup(options: GroupOptions): Promise<ProcessGroup> {
  const { log } = options
  const seats: ProcessSlot[] = options.slots.map((slot) => ({ ...slot, process: null }))
  let isStopping = false
  let replacing: Promise<void> | null = null

  let isComplete = false
  const broadcastCounts = (): void => {
    // While they start for the first time, nothing is missing.
    if (!isComplete) return
    const serving = seats.filter(({ process }) => process !== null).length
    for (const { process } of seats) sendMessage(process, { kind: 'siblings', wanted: seats.length, serving })
  }

  const seat = (at: ProcessSlot, running: RunningProcess): void => {
    at.process = running
    broadcastCounts()
    void running.exited.then((how) => {
      if (at.process !== running) return
      at.process = null
      broadcastCounts()
      if (running.isWanted && !isStopping) void startAgain(at, how, performance.now() - running.startedMs)
    })
  }

  const startAgain = async (at: ProcessSlot, how: string, livedMs: number): Promise<void> => {
    let waitMs = livedMs > soundMs ? againAfterMs.min : (waits.get(at) ?? againAfterMs.min)
    for (let why = how; !isStopping; ) {
      waits.set(at, Math.min(waitMs * 2, againAfterMs.max))
      log.error('process.ended', { of: at.name, how: why, againAfterMs: waitMs })
      await pause(waitMs)
      if (isStopping || at.process !== null) return
      try {
        const running = await launchProcess(at, options, answerMetrics)
        if (isStopping || at.process !== null) return void endProcess(running, 'SIGTERM')
        return seat(at, running)
      } catch (error) {
        why = error instanceof Error ? error.message : String(error)
        waitMs = waits.get(at) ?? againAfterMs.max
      }
    }
  }
  const waits = new Map<ProcessSlot, number>()

  const launchFirst = async (at: ProcessSlot): Promise<RunningProcess> => {
    for (let waitMs = againAfterMs.min; ; waitMs = Math.min(waitMs * 2, againAfterMs.max)) {
      try {
        return await launchProcess(at, options, answerMetrics)
      } catch (error) {
        if (!(error instanceof NotStarted) || error.isRefusal || options.isStopping()) throw error
        log.error('process.ended', { of: at.name, how: error.how, againAfterMs: waitMs })
        await pause(waitMs)
        if (options.isStopping()) throw error
      }
    }
  }

  const replaceAll = async (): Promise<void> => {
    log.info('processes.replacing', { count: seats.length })
    for (const at of seats) {
      if (isStopping) return
      const old = at.process
      let next: RunningProcess
      try {
        next = await launchProcess(at, options, answerMetrics)
      } catch (error) {
        log.error('process.not_replaced', { of: at.name, error })
        return
      }
      if (old !== null) old.isWanted = false
      // One that was started again meanwhile is replaced too.
      const before = at.process
      if (before !== null) before.isWanted = false
      seat(at, next)
      log.info('process.replaced', { of: at.name, pid: next.worker.process.pid })
      if (before !== null) await drainProcess(before)
    }
    log.info('processes.replaced')
  }

  const answerMetrics = async (): Promise<string> => {
    const running = seats.flatMap(({ process }) => (process === null ? [] : [process]))
    const pages = await Promise.all(running.map(({ worker }) => requestMetrics(worker)))
    // The processes differ in a label, so nothing is added up and each figure is that of one process.
    const each = pages.map((page) => page.map((metric) => ({ ...metric, aggregator: 'sum' })))
    return AggregatorRegistry.aggregate(each).metrics()
  }

  const group: ProcessGroup = {
    replace: () => {
      replacing ??= replaceAll().finally(() => {
        replacing = null
      })
      return replacing
    },
    stop: async () => {
      isStopping = true
      await Promise.all(seats.map(({ process }) => (process === null ? null : endProcess(process, 'SIGTERM'))))
      // One that was just being started.
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM')
    },
  }
  try {
    for (const at of seats) seat(at, await launchFirst(at))
  } catch (error) {
    await group.stop()
    throw error
  }
  isComplete = true
  broadcastCounts()
  options.print(seats.at(-1)?.process?.readOutput() ?? '')
  return group
}

/** A process that ended before it served. */
class NotStarted extends Error {
  readonly how: string
  /** It ended by itself, for the reason in its output. Otherwise it was killed. */
  readonly isRefusal: boolean

  constructor(name: string, how: string, output: string) {
    super(`${name} did not start (${how}). ${output.trim()}`)
    this.name = 'NotStarted'
    this.how = how
    this.isRefusal = how.startsWith('code ') && how !== 'code 0'
  }
}

/** Resolves when the process serves. Rejects with its output when it ends before (`NotStarted`). */
function launchProcess(
  slot: Slot,
  options: GroupOptions,
  writeMetrics: () => Promise<string>,
): Promise<RunningProcess> {
  cluster.setupPrimary({ silent: true })
  const worker = cluster.fork(slot.env)
  const startedMs = performance.now()
  const { promise, resolve, reject } = Promise.withResolvers<RunningProcess>()
  let output = ''
  let isUp = false
  const child: ChildProcess = worker.process
  passLines(child, options.logLine)
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (isUp) options.print(text)
    else output += text
  })
  const exited = new Promise<string>((resolveExit) => {
    worker.once('exit', (code, signal) => resolveExit(signal === null ? `code ${code}` : `signal ${signal}`))
  })
  const running: RunningProcess = { worker, exited, readOutput: () => output, startedMs, isWanted: true }
  worker.on('message', (message: MessageToParent) => {
    if (message.kind === 'up') {
      isUp = true
      resolve(running)
    } else if (message.kind === 'passed') {
      for (const other of Object.values(cluster.workers ?? {}))
        if (other !== undefined && other !== worker && other.isConnected()) other.send(message, () => {})
    } else if (message.kind === 'write_metrics') {
      const { id } = message
      void writeMetrics().then((page) => sendMessage(running, { kind: 'metrics_page', id, page }))
    }
  })
  void exited.then((how) => reject(new NotStarted(slot.name, how, output)))
  return promise
}

function passLines(child: ChildProcess, handleLine: (line: string) => void): void {
  let rest = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) handleLine(`${line}\n`)
  })
}

function sendMessage(to: RunningProcess | null, message: MessageToChild): void {
  // One that ends at this moment needs no message.
  if (to?.worker.isConnected() === true) to.worker.send(message, () => {})
}

/** The process answers what it has begun and ends. */
async function drainProcess(running: RunningProcess): Promise<void> {
  sendMessage(running, { kind: 'drain' })
  await endWithin(running)
}

async function endProcess(running: RunningProcess, signal: 'SIGTERM'): Promise<void> {
  running.isWanted = false
  running.worker.process.kill(signal)
  await endWithin(running)
}

async function endWithin({ worker, exited }: RunningProcess): Promise<void> {
  const timer = setTimeout(() => worker.process.kill('SIGKILL'), stopWithinMs)
  await exited
  clearTimeout(timer)
}

let lastRequestId = 0

/** Empty when it does not answer in time. */
function requestMetrics(worker: Worker): Promise<readonly MetricFamily[]> {
  lastRequestId += 1
  const id = lastRequestId
  return new Promise((resolve) => {
    const finish = (metrics: readonly MetricFamily[]): void => {
      clearTimeout(timer)
      worker.off('message', onMessage)
      resolve(metrics)
    }
    const onMessage = (message: MessageToParent): void => {
      if (message.kind === 'metrics' && message.id === id) finish(message.metrics)
    }
    const timer = setTimeout(() => finish([]), metricsWithinMs)
    worker.on('message', onMessage)
    if (!worker.isConnected()) return finish([])
    worker.send({ kind: 'read_metrics', id } satisfies MessageToChild, () => {})
  })
}
