/**
 * The tasks of agents: what a user asks, how the scripted agent finds it, and what is true. An agent takes the short way
 * where the server offers it, and else the long one.
 */

import type { Agent } from './agents-client.ts'
import type { Facts } from './agents-facts.ts'

export interface Task {
  readonly asks: string
  readonly play: (agent: Agent, facts: Facts) => Promise<unknown>
  /** Read after the agent has answered. What an agent changes is checked where it must show. */
  readonly truth: (facts: Facts) => unknown
}
