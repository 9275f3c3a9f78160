/**
 * How many outcomes a level of the trie needs to count as much as the level above it: the concentrations of the
 * Dirichlet priors.
 */

export interface Smoothing {
  /**
   * From coarse to fine: all containers of the kind; the owner code; its first digit; then, for each of the second to
   * fourth digit, the node with its neighbours and the node alone. For owned containers the list ends with the second
   * digit.
   */
  readonly leased: readonly number[]
  readonly owned: readonly number[]
  /**
   * For owned containers whose owner's services went to another line: few outcomes are enough to learn which line uses
   * them.
   */
  readonly handedOn: readonly number[]
  readonly shape: number
  readonly character: number
  readonly prefix: number
}

export const defaultSmoothing: Smoothing = {
  leased: [50, 8, 8, 8, 8, 4, 4, 2, 2],
  owned: [Number.POSITIVE_INFINITY, 60, 60, 60, 60],
  handedOn: [Number.POSITIVE_INFINITY, 8, 60, 60, 60],
  shape: 20,
  character: 2,
  prefix: 60,
}
