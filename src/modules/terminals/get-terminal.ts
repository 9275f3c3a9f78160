/** One ocean terminal, rail ramp or customs facility by its id. */

import type { Terminal } from '../../reference/terminal.ts'
import { findTerminalById } from '../../reference/terminals.ts'
import { type Context, requireScope } from '../access/context.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'

export async function getTerminal(
  _service: Service,
  context: Context,
  input: { readonly id: string },
): Promise<Terminal> {
  requireScope(context, 'read')
  const terminal = findTerminalById(input.id)
  if (terminal === null) throw notFound('terminal')
  return terminal
}
