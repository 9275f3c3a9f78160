/** Rules for clients beyond those of the library: a code must never be sent over a connection that others can read. */

import { type ClientMetadata, errors } from 'oidc-provider'
import { readRedirectTarget } from '../redirect-target.ts'

const redirectsMax = 20
const nameMax = 200

/** Checks a client that registers, or whose document was fetched. Throws the library's own errors. */
export function checkClient(metadata: ClientMetadata): void {
  const { redirect_uris: uris = [], client_name: name } = metadata
  if (uris.length > redirectsMax)
    throw new errors.InvalidClientMetadata(`redirect_uris must not be more than ${redirectsMax}`)
  for (const uri of uris) {
    if (!URL.canParse(uri))
      throw new errors.InvalidClientMetadata('redirect_uris must only contain valid uris')
    const { protocol } = new URL(uri)
    if (protocol === 'http:' && readRedirectTarget(uri).kind !== 'loopback')
      throw new errors.InvalidClientMetadata('redirect_uris with http must be on a loopback address')
  }
  if (name !== undefined && name.length > nameMax)
    throw new errors.InvalidClientMetadata(`client_name must not be longer than ${nameMax} characters`)
  // A client that did not ask for a secret gets none.
  if (metadata.token_endpoint_auth_method === 'none') {
    delete metadata.client_secret
    delete metadata.client_secret_expires_at
  }
}
