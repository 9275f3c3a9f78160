/** The pages of the app and their addresses. All but the overview are loaded when they are first opened. */

import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type SearchSchemaInput,
} from '@tanstack/react-router'
import type { Connection } from './api/connection.ts'
import { Overview } from './overview/overview.tsx'
import { ProblemNote } from './parts/problem.tsx'
import { Frame } from './shell/frame.tsx'
import { NotFound } from './shell/not-found.tsx'

export interface AppContext {
  readonly connection: Connection
  readonly queries: QueryClient
}
/** Parameters of the address, all of them text, as a list's filters are. */
export type SearchTexts = Readonly<Record<string, string>>

const root = createRootRouteWithContext<AppContext>()({
  component: Frame,
  notFoundComponent: NotFound,
  validateSearch: readSearch,
})

/** Numbers in an address stay text, so that `?q=0123` keeps its zero. */
function readSearch(search: Record<string, unknown> & SearchSchemaInput): SearchTexts {
  return Object.fromEntries(Object.entries(search).map(([name, value]) => [name, String(value)]))
}

const page = <Path extends string>(path: Path) => ({ getParentRoute: () => root, path }) as const

const overview = createRoute({ ...page('/'), component: Overview })
const track = createRoute({
  ...page('/track'),
  component: lazyRouteComponent(() => import('./track/track-page.tsx'), 'TrackPage'),
})
const shipments = createRoute({
  ...page('/shipments'),
  component: lazyRouteComponent(() => import('./lists/shipments-page.tsx'), 'ShipmentsPage'),
})
const containers = createRoute({
  ...page('/containers'),
  component: lazyRouteComponent(() => import('./lists/containers-page.tsx'), 'ContainersPage'),
})
const find = createRoute({
  ...page('/shipments/find'),
  component: lazyRouteComponent(() => import('./lists/find-page.tsx'), 'FindPage'),
})
const shipment = createRoute({
  ...page('/shipments/$shipmentId'),
  component: lazyRouteComponent(() => import('./shipment/shipment-page.tsx'), 'ShipmentPage'),
})
const attention = createRoute({
  ...page('/attention'),
  component: lazyRouteComponent(() => import('./attention/attention-page.tsx'), 'AttentionPage'),
})
const fleet = createRoute({
  ...page('/fleet'),
  component: lazyRouteComponent(() => import('./fleet/fleet-page.tsx'), 'FleetPage'),
})
const documents = createRoute({
  ...page('/documents'),
  component: lazyRouteComponent(() => import('./documents/documents-page.tsx'), 'DocumentsPage'),
})
const developers = createRoute({
  ...page('/developers/$part'),
  component: lazyRouteComponent(() => import('./developers/developers-page.tsx'), 'DevelopersPage'),
})
const operate = createRoute({
  ...page('/operate/$part'),
  component: lazyRouteComponent(() => import('./operate/operate-page.tsx'), 'OperatePage'),
})

const charges = createRoute({
  ...page('/charges'),
  component: lazyRouteComponent(() => import('./charges/charges-page.tsx'), 'ChargesPage'),
})
const chargesPart = createRoute({
  ...page('/charges/$part'),
  component: lazyRouteComponent(() => import('./charges/charges-page.tsx'), 'ChargesPage'),
})
const administration = createRoute({
  ...page('/administration/$part'),
  component: lazyRouteComponent(() => import('./administration/administration-page.tsx'), 'AdministrationPage'),
})

const routeTree = root.addChildren([
  overview,
  track,
  shipments,
  containers,
  find,
  shipment,
  attention,
  fleet,
  documents,
  developers,
  operate,
  charges,
  chargesPart,
  administration,
])

export function makeRouter(context: AppContext) {
  return createRouter({
    routeTree,
    context,
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const kept = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
      return kept.length === 0 ? '' : `?${new URLSearchParams(kept.map(([k, v]) => [k, String(v)]))}`
    },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: ({ error, reset }) => <ProblemNote error={error} again={reset} />,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
