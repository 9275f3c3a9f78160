/** Whose request it is that carries an OAuth access token: the token must have been given for the very thing that is asked. */

import type { Context } from '../context.ts'
import type { Service } from '../service.ts'
import type { ProtectedResource } from './protected-resources.ts'

export interface BearerToken {
  /** As sent, without its scheme. */
  readonly token: string
  /** What it was sent to. */
  readonly resource: ProtectedResource
}

export type BearerAnswer =
  | { readonly kind: 'identity'; readonly identity: Omit<Context, 'requestId'> }
  /** Unknown, malformed, expired, revoked or given for something else: the caller cannot tell which. */
  | { readonly kind: 'invalid' }
  /** Good, but without even `tracking:read`. */
  | { readonly kind: 'insufficient' }
  /** Who knows the token cannot be asked now; no fault of the caller, who must not be sent to sign in again. */
  | { readonly kind: 'unavailable' }

export type VerifyBearer = (service: Service, bearer: BearerToken) => Promise<BearerAnswer>

export const authenticateBearer: VerifyBearer = async () => ({ kind: 'invalid' })
