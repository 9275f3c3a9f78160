/** What a person knows of a container, by telephone or from paper: stated under the person's name, and taken back. */

import type { FactName } from '../../../core/statements/observation.ts'
import { uuidV7 } from '../../../platform/ids.ts'
import { readSaidFact } from '../../../sources/statements/statement.ts'
import type { Db } from '../../../store/database.ts'
import { shipmentOfContainer, tripsOfShipment } from '../../../store/journeys/shipments.ts'
import type { PersonsWord } from '../../../store/ledger/ledger-payload.ts'
import { readContainers } from '../../../store/read/containers.ts'
import { findStatement, type StatementReading, type WhichStatement } from '../../../store/read/statements.ts'
import { type Context, requireScope } from '../../context.ts'
import { notFound, refusedAt, type ServiceError } from '../../errors.ts'
import { keyOfWord, nameOfWord } from '../../ledger/persons-words.ts'
import type { BoxOfTrip } from '../../ledger/project.ts'
import { sealedFact } from '../../ledger/secrets.ts'
import { journeyNow, type Service } from '../../service.ts'
import { actOnShipment } from '../requests/act.ts'
import { requireBegun, requirePast } from './delivery-times.ts'

export interface StatedFact {
  readonly containerId: string
  /** A fact that a person may state (`personsFacts`). */
  readonly says: FactName
  /** In the same form as in statements that are sent (`sources/statements`). */
  readonly value: unknown
  /** How the person knows. */
  readonly reason: string | null
}

/**
 * Replaces what any person of the account said before about the same fact. Null withdraws that statement, and returns
 * it as it was.
 */
export async function stateFact(
  service: Service,
  context: Context,
  input: StatedFact,
): Promise<StatementReading> {
  const { containerId, says, reason } = input
  const why = reason === null ? {} : { reason }
  if (input.value === null) {
    if (says === 'hold' || says === 'fee') throw refusedAt(value.pointer, unnamed)
    return takeBack(service, context, { containerId, why, which: { says }, none: nothingSaid(says) })
  }
  requireScope(context, 'write')
  const key = await keyOf(service, context, containerId)
  const said = sealedFact(service.vault, readSaid(input))
  const id = uuidV7(service.clock.now())
  await actOnShipment(service, context, {
    shipmentId: key.shipmentId,
    action: async (db) => {
      const box = await getLastTrip(db, key)
      await checkDelivery(db, service, context, { containerId, said })
      // The cast is safe, because the name and the value of the fact were read together.
      const word = { id, key: keyOfWord(nameOfWord(said), box), ...said } as PersonsWord
      return { action: 'state', containerId, add: [word], ...why }
    },
  })
  const stated = await findStatement(service.pool, { ...key, id })
  if (stated === null) throw notFound('statement')
  return stated
}

/** Returns the statement as it was. */
export async function withdrawStatement(
  service: Service,
  context: Context,
  { containerId, id }: { readonly containerId: string; readonly id: string },
): Promise<StatementReading> {
  return takeBack(service, context, { containerId, why: {}, which: { id }, none: notFound('statement') })
}

async function takeBack(
  service: Service,
  context: Context,
  of: {
    readonly containerId: string
    readonly why: { readonly reason?: string }
    readonly which: WhichStatement
    readonly none: ServiceError
  },
): Promise<StatementReading> {
  requireScope(context, 'write')
  const { containerId } = of
  const key = await keyOf(service, context, containerId)
  const found: { statement: StatementReading | null } = { statement: null }
  await actOnShipment(service, context, {
    shipmentId: key.shipmentId,
    action: async (db) => {
      found.statement = await findStatement(db, { ...key, ...of.which })
      if (found.statement === null) throw of.none
      return { action: 'state', containerId, withdraw: [found.statement.key], ...of.why }
    },
  })
  if (found.statement === null) throw of.none
  return { ...found.statement, stands: false }
}

async function keyOf(
  service: Service,
  context: Context,
  containerId: string,
): Promise<{ readonly accountId: string; readonly shipmentId: string; readonly containerId: string }> {
  const accountId = context.account.id
  const shipmentId = await shipmentOfContainer(service.pool, { accountId, containerId })
  if (shipmentId === null) throw notFound('container')
  return { accountId, shipmentId, containerId }
}

const unnamed = 'Which one is not said: state that it is released or settled, or DELETE the statement.'

function nothingSaid(says: FactName): ServiceError {
  return refusedAt(
    value.pointer,
    `Nobody has stated ${says} of this container: there is nothing to take back.`,
  )
}

const value = { pointer: '/data/attributes/value', name: 'The value' }

function readSaid({ says, value: given }: StatedFact): Pick<PersonsWord, 'fact' | 'value'> {
  const read = readSaidFact(says, given)
  if (read.kind !== 'refusal') return read
  const { field, message } = read.problem
  throw refusedAt(`/data/attributes${field}`, `For ${says} this ${wordsOf(message)}.`)
}

function wordsOf(message: string): string {
  return message.startsWith('must ') ? message : `cannot be read: ${message}`
}

/** What is said now is about the last trip, whether it still runs or is over. */
async function getLastTrip(
  db: Db,
  of: { readonly accountId: string; readonly shipmentId: string; readonly containerId: string },
): Promise<BoxOfTrip> {
  const boxes = await tripsOfShipment(db, of)
  const box = boxes.find(({ id }) => id === of.containerId)
  if (box === undefined) throw notFound('container')
  const later = boxes.find(({ number, trip }) => number === box.number && trip > box.trip)
  if (later === undefined) return box
  throw refusedAt(
    '',
    `This trip of ${box.number} is over; what is stated now is of the container ${later.id}.`,
  )
}

async function checkDelivery(
  db: Db,
  service: Service,
  context: Context,
  of: { readonly containerId: string; readonly said: Pick<PersonsWord, 'fact' | 'value'> },
): Promise<void> {
  const said = of.said as PersonsWord
  if (said.fact !== 'delivered' || said.value === null) return
  requirePast(said.value, journeyNow(service, context.account.isFiction), value)
  const [container] = await readContainers(db, { accountId: context.account.id, ids: [of.containerId] })
  if (container !== undefined) requireBegun(said.value, container, value)
}
