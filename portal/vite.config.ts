/** How the portal's app is bundled. `npm start` does it when the bundle is missing or older than its sources. */
import { defineConfig } from 'vite'

// biome-ignore lint/style/noDefaultExport: Vite reads the default export of this file.
export default defineConfig({
  root: import.meta.dirname,
  base: '/portal/',
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: { polyfill: false },
  },
})
