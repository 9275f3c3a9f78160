/**
 * The host of the view: the program of the agent. The two exchange JSON-RPC messages by `postMessage` (MCP Apps,
 * 2026-01-26). Only the window around this one is listened to.
 */

type Json = Readonly<Record<string, unknown>>

export interface HostEvents {
  readonly result: (result: unknown) => void
  readonly cancelled: () => void
  readonly theme: (theme: 'light' | 'dark') => void
}

const about = {
  appInfo: { name: 'landfall-journey-map', version: '1' },
  appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
  protocolVersion: '2026-01-26',
} as const
const initializeId = 1

export function connectHost(events: HostEvents): void {
  const send = (message: Json): void => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
  const context = (given: unknown): void => {
    const theme = membersOf(given)['theme']
    if (theme === 'light' || theme === 'dark') events.theme(theme)
  }
  window.addEventListener('message', ({ source, data }) => {
    const { jsonrpc, id, method, params, result } = membersOf(data)
    if (source !== window.parent || jsonrpc !== '2.0') return
    if (method === undefined) {
      if (id !== initializeId || result === undefined) return
      context(membersOf(result)['hostContext'])
      send({ method: 'ui/notifications/initialized', params: {} })
      sendSize(send)
    } else if (method === 'ui/notifications/tool-result') events.result(params)
    else if (method === 'ui/notifications/tool-cancelled') events.cancelled()
    else if (method === 'ui/notifications/host-context-changed') context(params)
    else if (id !== undefined) {
      const isKnown = method === 'ping' || method === 'ui/resource-teardown'
      send(isKnown ? { id, result: {} } : { id, error: { code: -32601, message: 'Method not found' } })
    }
  })
  send({ id: initializeId, method: 'ui/initialize', params: about })
}

/** Tells the host how high the view is, so that nothing is cut off. */
function sendSize(send: (message: Json) => void): void {
  let told = 0
  new ResizeObserver(() => {
    const height = Math.ceil(document.body.getBoundingClientRect().height)
    if (height === told) return
    told = height
    send({ method: 'ui/notifications/size-changed', params: { height } })
  }).observe(document.body)
}

function membersOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}
