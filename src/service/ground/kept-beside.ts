/**
 * What this process keeps beside a service or its pool: made at its first use, one for each, so that two installations
 * in one process (tests) never mix.
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
