import { describe, expect, test } from 'vitest'
import { parseLaunch } from './launch-arguments.ts'

const development = { appPath: '/home/me/app', workingFolder: '/home/me/app' }

describe('the command line of the app', () => {
  test('names files after the folder of the app, relative to the working folder', () => {
    expect(parseLaunch(['electron', '.', 'a.pickle', '/b.pickle'], development).files).toEqual(['/home/me/app/a.pickle', '/b.pickle'])
    const elsewhere = { ...development, workingFolder: '/home/user' }
    expect(parseLaunch(['electron', '--no-sandbox', '/home/me/app', 'a.pickle'], elsewhere).files).toEqual(['/home/user/a.pickle'])
  })

  test('may carry switches of Chromium and of a test driver anywhere', () => {
    const argv = ['electron', '--inspect=0', '-r', '/loader.js', '--user-data-dir=/tmp/x', '.', '--lang=en', 'a.pickle']
    expect(parseLaunch(argv, development).files).toEqual(['/home/me/app/a.pickle'])
  })

  test('has no folder of the app when it is packaged', () => {
    const packaged = { appPath: undefined, workingFolder: '/home/user' }
    expect(parseLaunch(['/opt/tidemark', 'a.pickle'], packaged).files).toEqual(['/home/user/a.pickle'])
  })

  test('may order a picture', () => {
    expect(parseLaunch(['electron', '.', '--export-job=/tmp/order.json'], development)).toEqual({ files: [], exportJob: '/tmp/order.json' })
    expect(parseLaunch(['electron', '.'], development)).toEqual({ files: [], exportJob: undefined })
  })
})
