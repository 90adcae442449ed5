import { defineConfig } from '@playwright/test'

/** The app itself, on the real Electron. The two projects differ in the software GL that draws (tests/e2e/launch.ts reads the name). */
export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'tests/.out/e2e',
  workers: 1,
  fullyParallel: false,
  timeout: 90_000,
  // A shared machine can stall a window for seconds. What passes only the second time is listed as flaky.
  retries: process.env.CI ? 1 : 0,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: 'tests/.out/playwright.json' }]],
  projects: [{ name: 'llvmpipe' }, { name: 'swiftshader', grep: /@smoke/ }],
})
