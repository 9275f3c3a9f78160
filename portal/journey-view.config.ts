/** How the view of MCP clients is bundled: one script that needs no other file, the outline of land within. */
import { defineConfig } from 'vite'

// biome-ignore lint/style/noDefaultExport: Vite reads the default export of this file.
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  build: {
    target: 'es2023',
    emptyOutDir: false,
    lib: {
      entry: 'src/journey-view/journey-view.ts',
      formats: ['iife'],
      name: 'journeyView',
      fileName: () => 'journey-view.js',
    },
  },
})
