// The page of a host that shows views of MCP tools, by the host's side of the official SDK. Bundled by the test, and
// run in its browser.
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge'

globalThis.showView = async (result, theme) => {
  const frame = document.createElement('iframe')
  frame.sandbox = 'allow-scripts'
  frame.title = 'View'
  frame.style = 'width: 100%; border: 0'
  document.querySelector('main').replaceChildren(frame)
  const bridge = new AppBridge(null, { name: 'host', version: '1' }, {}, { hostContext: { theme } })
  const ready = new Promise((resolve) => {
    bridge.addEventListener('initialized', resolve)
  })
  bridge.addEventListener('sizechange', ({ height }) => {
    frame.style.height = `${height}px`
  })
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow))
  frame.src = '/view'
  await ready
  await bridge.sendToolInput({ arguments: {} })
  await bridge.sendToolResult(result)
  globalThis.bridge = bridge
}
