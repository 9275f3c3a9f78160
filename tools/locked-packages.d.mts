export type Packages = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export function findNeeded(
  packages: Packages,
  workspaces: readonly string[],
  options: { readonly dev: boolean },
): ReadonlySet<string>
