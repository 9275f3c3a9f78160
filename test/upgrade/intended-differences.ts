/**
 * What may differ between an installation as it was kept and the same after an upgrade, and why: the one place. Whoever
 * changes an answer on purpose adds a line here; a line that no kept installation meets any more fails the test.
 */

export interface IntendedDifference {
  /**
   * What differs, without ids: `wire shipment.attributes.pod_eta_at`, `wire shipment.relationships.ports`,
   * `row webhooks.headers`, `fold containers.projection`. A `*` at the end stands for whatever comes.
   */
  readonly what: string
  /** What users of an installation that goes on would ask. */
  readonly because: string
}

export const intendedDifferences: readonly IntendedDifference[] = []
