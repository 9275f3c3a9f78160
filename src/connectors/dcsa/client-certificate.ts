/** The operator's own certificate for sources that demand one (mutual TLS). */

import { X509Certificate } from 'node:crypto'
import type { Secrets } from './token.ts'

export type ClientCertificate =
  | { readonly kind: 'usable'; readonly certificate: string; readonly privateKey: string }
  | { readonly kind: 'unusable'; readonly detail: string }

/** The texts of certificate and key must never get into a message. */
export function readClientCertificate(
  { certificate = '', privateKey = '' }: Secrets,
  nowMs: number,
): ClientCertificate {
  try {
    const { validToDate, validFromDate } = new X509Certificate(certificate)
    if (validToDate.getTime() < nowMs)
      return {
        kind: 'unusable',
        detail: `the client certificate expired on ${validToDate.toISOString().slice(0, 10)}`,
      }
    if (validFromDate.getTime() > nowMs)
      return {
        kind: 'unusable',
        detail: `the client certificate is not valid before ${validFromDate.toISOString().slice(0, 10)}`,
      }
    return { kind: 'usable', certificate, privateKey }
  } catch {
    // Not a PEM certificate: reported without its text.
    return { kind: 'unusable', detail: 'the client certificate cannot be read' }
  }
}
