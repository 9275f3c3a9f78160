/** Connects the storage of the library to that of the service. Sessions are Landfall's own: the library stores none. */

import Provider, { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import {
  consumeEntry,
  endGrant,
  findClient,
  findEntry,
  forgetClient,
  forgetEntriesOfGrant,
  forgetEntry,
  storeClient,
  storeEntry,
} from '../../modules/oauth-apps/oauth-entries.ts'
import type { Service } from '../../modules/service.ts'

export function adapterOf(service: Service, kind: string): Adapter {
  if (kind === 'Session') return storelessAdapter
  return kind === 'Client' ? clientAdapter(service) : entryAdapter(service, kind)
}

function entryAdapter(service: Service, kind: string): Adapter {
  return {
    upsert: (id, payload) => storeEntry(service, { kind, id }, payload),
    find: async (id) => ((await findEntry(service, { kind, id })) as AdapterPayload | null) ?? undefined,
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    consume: async (id) => {
      if (await consumeEntry(service, { kind, id })) return
      throw new errors.InvalidGrant('it was used already')
    },
    destroy: (id) =>
      kind === 'Grant'
        ? endGrant(service, { id, because: isRevocation() ? 'revoked' : 'reuse', requestId: requestId() })
        : forgetEntry(service, { kind, id }),
    revokeByGrantId: (grantId) => forgetEntriesOfGrant(service, { grantId, kind }),
  }
}

function clientAdapter(service: Service): Adapter {
  return {
    ...storelessAdapter,
    upsert: (id, metadata) => storeClient(service, id, metadata),
    find: async (id) => ((await findClient(service, id)) as AdapterPayload | null) ?? undefined,
    destroy: (id) => forgetClient(service, id),
  }
}

/**
 * For the library's sessions. Nothing is stored, so each authorization begins with nobody signed in, and only
 * Landfall's session shows who the person is.
 */
const storelessAdapter: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
}

/** A grant ends for one of two reasons: the app revoked its token (true), or a code or token was used a second time. */
function isRevocation(): boolean {
  return Provider.ctx?.oidc.route === 'revocation'
}

function requestId(): string {
  const given = Provider.ctx?.req.headers['x-request-id']
  return typeof given === 'string' ? given : 'none'
}
