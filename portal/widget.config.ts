/** How the widget is bundled: one file under a name that stays, since other sites name it. */
import { defineConfig } from 'vite'

// biome-ignore lint/style/noDefaultExport: Vite reads the default export of this file.
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  build: {
    target: 'es2023',
    emptyOutDir: false,
    lib: { entry: 'src/widget/widget.ts', formats: ['es'], fileName: () => 'widget.js' },
  },
})
