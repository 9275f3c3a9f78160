/**
 * How programs are given the MCP server: by a link that opens them with the address filled in, where they have one, else
 * by a command or a setting.
 */

export interface AgentClient {
  readonly name: string
  /** Opens the program, which then asks whether to add the server. */
  readonly link: string | null
  /** To be copied; null where the link does all. */
  readonly command: string | null
}

export function agentClients(url: string): readonly AgentClient[] {
  const config = encodeURIComponent(btoa(JSON.stringify({ url })))
  const vscode = encodeURIComponent(JSON.stringify({ name: 'landfall', type: 'http', url }))
  return [
    byLink('Cursor', `cursor://anysphere.cursor-deeplink/mcp/install?name=landfall&config=${config}`),
    byLink('VS Code', `vscode:mcp/install?${vscode}`),
    byLink('LM Studio', `lmstudio://add_mcp?name=landfall&config=${config}`),
    byCommand('Claude Code', `claude mcp add --transport http landfall ${url}`),
    byCommand('Codex', `codex mcp add landfall --url ${url}`),
    byCommand('Gemini CLI', `gemini mcp add --transport http landfall ${url}`),
  ]
}

function byLink(name: string, link: string): AgentClient {
  return { name, link, command: null }
}

function byCommand(name: string, command: string): AgentClient {
  return { name, link: null, command }
}

/** For a file of settings. A key is sent only by clients that do not sign in. */
export function agentSettings(url: string, { hasKey }: { readonly hasKey: boolean }): string {
  const headers = hasKey ? { headers: { Authorization: 'Token lf_live_…' } } : {}
  return JSON.stringify({ mcpServers: { landfall: { type: 'http', url, ...headers } } }, null, 2)
}
