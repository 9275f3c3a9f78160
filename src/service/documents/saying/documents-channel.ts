/**
 * The channel by which the documents of an account speak. It is made at first use, has no key, and no operator's channel
 * can have its name: nobody sends to it but this program.
 */

import { LANDFALL_NAMESPACE, uuidV5 } from '../../../platform/ids.ts'
import { documentsSource } from '../../../sources/documents/said/documents-said.ts'
import { insertToldChannel, type ToldChannel } from '../../../store/channels/channels.ts'
import { realNow, type Service } from '../../service.ts'

export async function documentsChannel(
  service: Service,
  account: { readonly id: string; readonly isFiction: boolean },
): Promise<ToldChannel> {
  const channel: ToldChannel = {
    id: uuidV5(LANDFALL_NAMESPACE, `documents channel:${account.id}`),
    accountId: account.id,
    // The names of operators' channels have no colon.
    name: `${documentsSource}:${account.id}`,
    speakerKind: 'document',
    // Each document speaks under its own id. This code stands in for a document that cannot be read any more.
    speakerCode: 'DOCUMENT',
    source: documentsSource,
    profile: {},
    // A paper passes on what its line or terminal said.
    isFirstHand: false,
    acknowledges: 'off',
    isFiction: account.isFiction,
    isEnabled: true,
    createsRequests: false,
    createsPerDay: 1,
    folder: null,
  }
  await insertToldChannel(service.pool, { ...channel, createdAt: realNow(service) })
  return channel
}
