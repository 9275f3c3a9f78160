/**
 * The widget: one script, two elements for any page.
 *
 *     <landfall-shipment share="<token>"></landfall-shipment>
 *     <landfall-map container="<id>" key="<publishable key>"></landfall-map>
 *
 * `landfall-shipment` shows what a share link shows; `landfall-map` draws the way of one container with a publishable
 * key. The site has to be among the origins of the link or key. `server` names the installation when it is not the one
 * that the script came from. Colours are CSS variables (`--lf-color`, `--lf-paper`, …).
 */

import { drawMap } from '../map/draw-map.ts'
import { landOf } from '../map/land-of.ts'
import type { MapDocument } from '../map/map-document.ts'
import { widgetWords as words } from '../words/widget.ts'
import { h } from './dom.ts'
import { drawShared } from './draw-shared.ts'
import type { SharedDocument } from './shared-document.ts'
import look from './widget.css?inline'

const scriptUrl = new URL(import.meta.url)
const refreshMs = 300_000
let land: Promise<GeoJSON.MultiPolygon | null> | null = null

/** Null when the outline cannot be read: then the map has only the way. */
function readLand(): Promise<GeoJSON.MultiPolygon | null> {
  land ??= fetch(new URL('land.json', scriptUrl))
    .then(async (answer) => landOf((await answer.json()) as number[][][]))
    .catch(() => null)
  return land
}

abstract class LandfallElement extends HTMLElement {
  static readonly observedAttributes = ['share', 'server', 'container', 'key', 'color', 'map']
  readonly #root = this.attachShadow({ mode: 'open' })
  #timer: ReturnType<typeof setInterval> | undefined

  connectedCallback(): void {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(look)
    this.#root.adoptedStyleSheets = [sheet]
    this.show(h('p', { class: 'quiet', role: 'status' }, words.reading))
    void this.refresh()
    this.#timer = setInterval(() => void this.refresh(), refreshMs)
  }

  disconnectedCallback(): void {
    clearInterval(this.#timer)
  }

  attributeChangedCallback(): void {
    if (this.isConnected) void this.refresh()
  }

  protected show(...nodes: readonly Node[]): void {
    this.#root.replaceChildren(...nodes)
  }

  /** The address of the installation. */
  protected get server(): string {
    return this.getAttribute('server') ?? scriptUrl.origin
  }

  /** Null when it could not be read; then the element says why. */
  protected async readJson(path: string, headers: Record<string, string> = {}): Promise<unknown> {
    try {
      const answer = await fetch(new URL(path, this.server), { headers, credentials: 'omit' })
      if (answer.ok) return await answer.json()
      this.#tell(answer.status === 404 ? words.gone : words.failed(answer.status))
    } catch {
      this.#tell(words.notAllowed)
    }
    return null
  }

  protected abstract draw(): Promise<void>

  async refresh(): Promise<void> {
    await this.draw()
  }

  #tell(sentence: string): void {
    this.show(h('p', { class: 'quiet', role: 'status' }, sentence))
  }
}

class LandfallShipment extends LandfallElement {
  protected async draw(): Promise<void> {
    const token = this.getAttribute('share') ?? ''
    const document = (await this.readJson(`/v2/shared/${encodeURIComponent(token)}`)) as SharedDocument | null
    if (document === null) return
    const color = this.getAttribute('color') ?? document.color
    if (color !== null) this.style.setProperty('--lf-color', color)
    const hasMap = this.getAttribute('map') !== 'none'
    const hasHead = this.getAttribute('head') !== 'none'
    this.show(...drawShared(document, { land: hasMap ? await readLand() : null, hasMap, hasHead }))
  }
}

class LandfallMap extends LandfallElement {
  protected async draw(): Promise<void> {
    const id = encodeURIComponent(this.getAttribute('container') ?? '')
    const headers = { authorization: `Token ${this.getAttribute('key') ?? ''}` }
    const document = (await this.readJson(`/v2/containers/${id}/map_geojson`, headers)) as MapDocument | null
    if (document !== null) this.show(drawMap(document, await readLand()))
  }
}

customElements.define('landfall-shipment', LandfallShipment)
customElements.define('landfall-map', LandfallMap)
