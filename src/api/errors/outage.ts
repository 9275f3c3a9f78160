/** Whether a thrown error means that the database is unreachable or overloaded, so that a later attempt makes sense. */

import { ShareExhausted } from '../../db/account-shares.ts'

/**
 * SQLSTATE classes: 08 connection, 53 out of resources, 57 operator intervention (shutdown, start-up, cancelled by
 * timeout), 58 system error (a full or broken disk). Besides, the errors of Node's sockets, and messages of pg itself.
 */
export function isOutage(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  if (thrown instanceof ShareExhausted) return true
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : ''
  if (/^(08|53|57|58)[0-9A-Z]{3}$/.test(code)) return true
  const isOfSocket = 'syscall' in thrown && socketCalls.has(String(thrown.syscall))
  return (
    isOfSocket ||
    /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout)/.test(thrown.message)
  )
}

const socketCalls = new Set(['connect', 'read', 'write', 'getaddrinfo'])
