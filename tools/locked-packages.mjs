// Which packages of package-lock.json something needs. Plain JavaScript that runs on Node 20.

/**
 * The paths of all packages that the workspaces (`''` is the program, `portal` the portal) need, with what their
 * packages need. `dev`: with their own development dependencies.
 */
export function findNeeded(packages, workspaces, { dev }) {
  const needed = new Set()
  const visit = (path, name) => {
    const found = resolve(packages, path, name)
    if (found === null || needed.has(found)) return
    needed.add(found)
    for (const each of dependenciesOf(packages[found])) visit(found, each)
  }
  for (const path of workspaces) {
    const names = [...dependenciesOf(packages[path]), ...(dev ? Object.keys(packages[path].devDependencies ?? {}) : [])]
    for (const name of names) visit(path, name)
  }
  return needed
}

/** Also the optional ones, and the peers, which npm installs as well. */
function dependenciesOf({ dependencies, optionalDependencies, peerDependencies }) {
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
}

/** As Node looks for it: beside, then in each folder above. */
function resolve(packages, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = `${at}${at === '' ? '' : '/'}node_modules/${name}`
    if (path in packages) return path
    if (at === '') return null
  }
}
