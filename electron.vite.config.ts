import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

// main and preload come out as CommonJS (Electron's sandboxed preload needs it); `dependencies` of package.json stay outside the bundle.
export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      lib: {
        formats: ['cjs'],
        entry: { index: resolve('main/index.ts'), cli: resolve('main/cli.ts'), engine: resolve('main/engine/entry.ts') },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      lib: { formats: ['cjs'], entry: { index: resolve('preload/index.ts') } },
    },
  },
  renderer: {
    root: 'renderer',
    base: './',
    plugins: [react()],
    build: { outDir: 'out/renderer', rollupOptions: { input: { index: resolve('renderer/index.html') } } },
  },
})
