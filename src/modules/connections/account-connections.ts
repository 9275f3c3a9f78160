/**
 * An account connects a carrier, terminal or railroad for itself. The access is tried at once, and stored only if it
 * works.
 */

import type { NumberKind } from '../../connectors/source.ts'
import type { JsonObject } from '../../domain/values/json-value.ts'
import { memoizePerOwner } from '../../platform/memoize-per-owner.ts'
import { type Context, requirePermission, requireScope } from '../access/context.ts'
import { findChannel } from '../channels/channels.ts'
import { readPollConfig } from '../channels/poll-config.ts'
import { notFound, refusedAt, ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import { findOwnAccess } from '../sources/check-access.ts'
import {
  type ConnectionTarget,
  findConnectionTarget,
  type ListedTarget,
  listConnectionTargets,
} from './connection-target.ts'
import { isWorking } from './diagnose-access.ts'
import { facilityChannelName, type SavedAccess, saveAccess } from './save-access.ts'
import { type AccessTrial, tryAccess } from './try-access.ts'

export function listTargets(context: Context): readonly ListedTarget[] {
  requireScope(context, 'read')
  return listConnectionTargets()
}

export interface DescribedTarget {
  readonly listed: ListedTarget
  readonly target: ConnectionTarget
}

/** By its SCAC, or the name of its description. */
export function getTarget(context: Context, input: { readonly id: string }): DescribedTarget {
  const listed = listTargets(context).find(({ id }) => id.toLowerCase() === input.id.toLowerCase())
  if (listed === undefined) throw notFound('connection target')
  return { listed, target: findConnectionTarget(listed.id) }
}

export interface ConnectionInput {
  readonly target: string
  readonly number: string
  /** Null: a number in the form of a container number is one, anything else is a bill of lading. */
  readonly kind: NumberKind | null
  /** Null: the secrets and the profile that this account has stored. */
  readonly secrets: Readonly<Record<string, string>> | null
  /** What differs from what ships; see `findConnectionTarget`. */
  readonly profile: JsonObject
  readonly isPaid: boolean
  /** Null: an access that works is stored, but not that to a test system. */
  readonly isSaved: boolean | null
}

export interface Connection {
  readonly target: ConnectionTarget
  readonly trial: AccessTrial
  readonly saved: SavedAccess | null
}

/** The accounts whose trial runs in this process. */
const runningTrials = memoizePerOwner<Service['pool'], Set<string>>(() => new Set())

export async function connectForAccount(
  service: Service,
  context: Context,
  input: ConnectionInput,
): Promise<Connection> {
  requirePermission(context, 'connections')
  const { account } = context
  if (account.isSandbox)
    throw refusedAt(
      '/target',
      'The carriers of a sandbox account are simulated. `npm run landfall -- connect <name>` makes an account with real carriers.',
    )
  const running = runningTrials(service.pool)
  if (running.has(account.id))
    throw new ServiceError('conflict', 'Another trial of this account still runs. Try again after it.', {
      retryAfterSeconds: 5,
    })
  running.add(account.id)
  try {
    const { target, secrets } = await readAccess(service, context, input)
    const trial = await tryAccess(service, target, { ...input, secrets })
    const { cause } = trial.finding
    const isSaved = isWorking(cause) && (input.isSaved ?? cause !== 'test_address')
    return {
      target,
      trial,
      saved: isSaved ? await saveAccess(service, target, { trial, secrets, owner: context }) : null,
    }
  } finally {
    running.delete(account.id)
  }
}

/** What a tenant's profile may ask of this process. */
const bytesMax = 16_000_000
const timeoutMaxMs = 30_000

async function readAccess(
  service: Service,
  context: Context,
  { target: named, secrets, profile }: ConnectionInput,
): Promise<{ readonly target: ConnectionTarget; readonly secrets: Readonly<Record<string, string>> }> {
  const stored = secrets === null ? await findStoredAccess(service, context, named) : null
  if (stored !== null && Object.keys(profile).length > 0)
    throw refusedAt(
      '/secrets',
      'Give the secrets together with a profile: stored secrets are used only as they are stored.',
    )
  const target = findConnectionTarget(named, stored?.changes ?? profile)
  const { maxBytes, timeoutMs } = target.profile
  const limits = { maxBytes: atMost(bytesMax, maxBytes), timeoutMs: atMost(timeoutMaxMs, timeoutMs) }
  return {
    target: { ...target, profile: { ...target.profile, ...limits } },
    secrets: stored?.secrets ?? secrets ?? {},
  }
}

function atMost(limit: number, wanted: unknown): number {
  return typeof wanted === 'number' ? Math.min(limit, wanted) : limit
}

/** Only what this account has stored itself; null where it has nothing. */
async function findStoredAccess(
  service: Service,
  context: Context,
  named: string,
): Promise<{ readonly changes: JsonObject; readonly secrets: Readonly<Record<string, string>> } | null> {
  const { id, kind } = findConnectionTarget(named)
  if (kind === 'line') {
    const own = await findOwnAccess(service, context, id)
    return own === null ? null : { changes: own.profile, secrets: own.secrets }
  }
  const channel = await findChannel(service, facilityChannelName(id, context.account.id))
  if (channel?.accountId !== context.account.id) return null
  const stored = await readPollConfig(service, channel)
  return stored && { changes: { asking: stored.profile, answer: channel.profile }, secrets: stored.secrets }
}
