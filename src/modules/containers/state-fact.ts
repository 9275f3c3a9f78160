/** What a person knows of a container, by telephone or from paper: stated under the person's name, and withdrawn. */

import { readStatedFact } from '../../connectors/statements/statement.ts'
import type { Db } from '../../db/database.ts'
import type { FactName } from '../../domain/statements/observation.ts'
import type { PersonStatement } from '../../pipeline/ledger/ledger-payload-sql.ts'
import { buildStatementKey, nameStatement } from '../../pipeline/ledger/person-statements.ts'
import { encryptFact } from '../../pipeline/ledger/protect-secrets.ts'
import type { ContainerTrip } from '../../pipeline/ledger/update-projection.ts'
import { shipmentOfContainer, tripsOfShipment } from '../../pipeline/projection/shipments-sql.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Context, requireScope } from '../access/context.ts'
import { notFound, refusedAt, type ServiceError } from '../errors.ts'
import { findStatement, type StatementReading, type StatementSelector } from '../provenance/list-statements-sql.ts'
import { journeyNow, type Service } from '../service.ts'
import { actOnShipment } from '../shipments/act-on-shipment.ts'
import { requireDeliveryAfterStart, requirePastDelivery } from './delivery-times.ts'
import { readContainers } from './list-containers-sql.ts'

export interface FactInput {
  readonly containerId: string
  /** A fact that a person may state (`personsFacts`). */
  readonly factName: FactName
  /** In the same form as in statements that are sent (`connectors/statements`). */
  readonly value: unknown
  /** How the person knows. */
  readonly reason: string | null
}

/**
 * Replaces the earlier statement of any person of the account about the same fact. Null withdraws that statement, and
 * returns it as it was.
 */
export async function stateFact(service: Service, context: Context, input: FactInput): Promise<StatementReading> {
  const { containerId, factName, reason } = input
  const why = reason === null ? {} : { reason }
  if (input.value === null) {
    if (factName === 'hold' || factName === 'fee') throw refusedAt(value.pointer, unnamed)
    return withdrawMatching(service, context, {
      containerId,
      why,
      which: { says: factName },
      none: noStatementError(factName),
    })
  }
  requireScope(context, 'write')
  const key = await findContainerKey(service, context, containerId)
  const factValue = encryptFact(service.encryption, parseFactInput(input))
  const id = uuidV7(service.clock.now())
  await actOnShipment(service, context, {
    shipmentId: key.shipmentId,
    action: async (db) => {
      const containerTrip = await getLastTrip(db, key)
      await checkDelivery(db, service, context, { containerId, factValue })
      // The cast is safe, because the name and the value of the fact were read together.
      const newStatement = {
        id,
        key: buildStatementKey(nameStatement(factValue), containerTrip),
        ...factValue,
      } as PersonStatement
      return { action: 'state', containerId, add: [newStatement], ...why }
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
  return withdrawMatching(service, context, {
    containerId,
    why: {},
    which: { id },
    none: notFound('statement'),
  })
}

async function withdrawMatching(
  service: Service,
  context: Context,
  of: {
    readonly containerId: string
    readonly why: { readonly reason?: string }
    readonly which: StatementSelector
    readonly none: ServiceError
  },
): Promise<StatementReading> {
  requireScope(context, 'write')
  const { containerId } = of
  const key = await findContainerKey(service, context, containerId)
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

async function findContainerKey(
  service: Service,
  context: Context,
  containerId: string,
): Promise<{ readonly accountId: string; readonly shipmentId: string; readonly containerId: string }> {
  const accountId = context.account.id
  const shipmentId = await shipmentOfContainer(service.pool, { accountId, containerId })
  if (shipmentId === null) throw notFound('container')
  return { accountId, shipmentId, containerId }
}

const unnamed = 'Null does not say which hold or fee: state that it is released or settled, or DELETE the statement.'

function noStatementError(factName: FactName): ServiceError {
  return refusedAt(value.pointer, `Nobody has stated ${factName} of this container: there is nothing to take back.`)
}

const value = { pointer: '/data/attributes/value', name: 'The value' }

function parseFactInput({ factName, value: given }: FactInput): Pick<PersonStatement, 'fact' | 'value'> {
  const read = readStatedFact(factName, given)
  if (read.kind !== 'refusal') return read
  const { field, message } = read.problem
  throw refusedAt(`/data/attributes${field}`, `For ${factName} this ${describeProblem(message)}.`)
}

function describeProblem(message: string): string {
  return message.startsWith('must ') ? message : `cannot be read: ${message}`
}

/** A statement made now is about the last trip, whether it still runs or is over. */
async function getLastTrip(
  db: Db,
  of: { readonly accountId: string; readonly shipmentId: string; readonly containerId: string },
): Promise<ContainerTrip> {
  const containerTrips = await tripsOfShipment(db, of)
  const containerTrip = containerTrips.find(({ id }) => id === of.containerId)
  if (containerTrip === undefined) throw notFound('container')
  const later = containerTrips.find(({ number, trip }) => number === containerTrip.number && trip > containerTrip.trip)
  if (later === undefined) return containerTrip
  throw refusedAt(
    '',
    `This trip of ${containerTrip.number} is over. State the fact for its later trip, the container ${later.id}.`,
  )
}

async function checkDelivery(
  db: Db,
  service: Service,
  context: Context,
  of: { readonly containerId: string; readonly factValue: Pick<PersonStatement, 'fact' | 'value'> },
): Promise<void> {
  const factValue = of.factValue as PersonStatement
  if ((factValue.fact !== 'delivered' && factValue.fact !== 'picked_up') || factValue.value === null) return
  requirePastDelivery(factValue.value, journeyNow(service, context.account.isSandbox), value)
  const [container] = await readContainers(db, { accountId: context.account.id, ids: [of.containerId] })
  if (container !== undefined) requireDeliveryAfterStart(factValue.value, container, value)
}
