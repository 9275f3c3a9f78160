/**
 * Creates a value for each service or pool at its first use, and caches it in this process. One value for each, so that
 * two installations in one process (tests) never mix.
 */
export function memoizePerOwner<Owner extends object, Value>(make: (owner: Owner) => Value): (owner: Owner) => Value {
  const all = new WeakMap<Owner, Value>()
  return (owner) => {
    const known = all.get(owner)
    if (known !== undefined) return known
    const value = make(owner)
    all.set(owner, value)
    return value
  }
}
