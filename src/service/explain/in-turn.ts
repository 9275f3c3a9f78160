/** Folds of the past wait for one another: each takes a connection and a core, and the present goes first. */

import { keptBeside } from '../kept-beside.ts'
import type { Service } from '../service.ts'

const atOnceMax = 2

interface Turns {
  running: number
  readonly waiting: (() => void)[]
}

/** By pool: services that are made over one share its turns. */
const turnsOf = keptBeside<Service['pool'], Turns>(() => ({ running: 0, waiting: [] }))

export async function inTurn<T>(service: Service, work: () => Promise<T>): Promise<T> {
  const own = turnsOf(service.pool)
  if (own.running >= atOnceMax) await new Promise<void>((resolve) => own.waiting.push(resolve))
  else own.running += 1
  try {
    return await work()
  } finally {
    // The place goes to the next in line, if there is one.
    const next = own.waiting.shift()
    if (next === undefined) own.running -= 1
    else next()
  }
}
