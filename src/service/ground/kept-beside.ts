/**
 * Makes a value that this process keeps for each service or pool, at its first use. One value for each, so that two
 * installations in one process (tests) never mix.
 */
export function keptBeside<Owner extends object, Kept>(make: (owner: Owner) => Kept): (owner: Owner) => Kept {
  const all = new WeakMap<Owner, Kept>()
  return (owner) => {
    const known = all.get(owner)
    if (known !== undefined) return known
    const kept = make(owner)
    all.set(owner, kept)
    return kept
  }
}
