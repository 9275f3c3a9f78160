/** A Merkle tree as RFC 6962 (2.1) has it: one hash stands for a list, and a short path proves that a leaf is in it. */

import { createHash } from 'node:crypto'

/** The hash of the canonical JSON of the leaf's content. */
export function leafHash(content: string): Buffer {
  return createHash('sha256').update(Buffer.of(0)).update(content, 'utf8').digest()
}

export interface MerkleTree {
  readonly root: Buffer
  /** The hashes beside the way from a leaf to the root, the nearest to the leaf first. */
  readonly pathOf: (index: number) => readonly Buffer[]
}

/** For at least one leaf. Each subtree is hashed once, however many paths are requested. */
export function openTree(leaves: readonly Buffer[]): MerkleTree {
  if (leaves.length === 0) throw new Error('a tree without leaves')
  const known = new Map<number, Buffer>()
  const hashOf = (from: number, size: number): Buffer => {
    if (size === 1) return leaves[from] as Buffer // safe: within the list
    // The key of a subtree consists of its start and its length; both are below 2^26.
    const name = from * 2 ** 26 + size
    const cached = known.get(name)
    if (cached !== undefined) return cached
    const at = splitOf(size)
    const made = nodeHash(hashOf(from, at), hashOf(from + at, size - at))
    known.set(name, made)
    return made
  }
  const pathOf = (index: number, from: number, size: number): readonly Buffer[] => {
    if (size === 1) return []
    const at = splitOf(size)
    return index < from + at
      ? [...pathOf(index, from, at), hashOf(from + at, size - at)]
      : [...pathOf(index, from + at, size - at), hashOf(from, at)]
  }
  return { root: hashOf(0, leaves.length), pathOf: (index) => pathOf(index, 0, leaves.length) }
}

/** The root that a leaf and its path lead to; null when a list of this size has no such path. */
export function rootOfPath(
  leaf: Buffer,
  { index, size, path }: { readonly index: number; readonly size: number; readonly path: readonly Buffer[] },
): Buffer | null {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) return null
  if (size === 1) return path.length === 0 ? leaf : null
  const [beside] = path.slice(-1)
  if (beside === undefined) return null
  const at = splitOf(size)
  const rest = path.slice(0, -1)
  const isLeft = index < at
  const inner = rootOfPath(leaf, {
    index: isLeft ? index : index - at,
    size: isLeft ? at : size - at,
    path: rest,
  })
  if (inner === null) return null
  return isLeft ? nodeHash(inner, beside) : nodeHash(beside, inner)
}

function nodeHash(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest()
}

/** The largest power of two below the size. */
function splitOf(size: number): number {
  return 2 ** (Math.ceil(Math.log2(size)) - 1)
}
