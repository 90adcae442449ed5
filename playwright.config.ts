import { defineConfig } from '@playwright/test'

const pictures = '**/90-pictures.spec.ts'

/**
 * The app itself, on the real Electron. The first two projects differ in the software GL that draws (tests/e2e/launch.ts reads the name); the
 * third takes pictures to look at, which take minutes and are no test: `npm run pictures`.
 */
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
  projects: [
    { name: 'llvmpipe', testIgnore: pictures },
    { name: 'swiftshader', testIgnore: pictures, grep: /@smoke/ },
    { name: 'pictures', testMatch: pictures },
  ],
})
