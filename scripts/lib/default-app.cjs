// Stands in for the app that an Electron distribution starts with: `electron [-r MODULE]... [--flags] APP [args]`.
// Playwright hands its loader over with -r. Plain CommonJS: it runs inside the oldest Electron we support.
const { app } = require('electron')
const fs = require('node:fs')
const Module = require('node:module')
const path = require('node:path')

function readArguments(list) {
  const preload = []
  for (let i = 0; i < list.length; i += 1) {
    const word = list[i]
    if (word === '-v' || word === '--version') return { version: true, preload, target: null }
    if (word === '-r' || word === '--require') preload.push(list[++i])
    else if (word.startsWith('--app=')) return { version: false, preload, target: word.slice('--app='.length) }
    else if (!word.startsWith('-')) return { version: false, preload, target: word }
  }
  return { version: false, preload, target: null }
}

function describeApp(folder) {
  const file = path.join(folder, 'package.json')
  if (!fs.existsSync(file)) return false
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8'))
  if (manifest.version) app.setVersion(manifest.version)
  app.name = manifest.productName || manifest.name || 'Electron'
  return true
}

function start() {
  const wanted = readArguments(process.argv.slice(1))
  if (wanted.version) {
    console.log(`v${process.versions.electron}`)
    process.exit(0)
  }
  if (wanted.target === null) {
    console.error('usage: electron [-r MODULE] APP [args]')
    process.exit(1)
  }
  if (wanted.preload.length > 0) Module._preloadModules(wanted.preload)
  Object.defineProperty(process, 'defaultApp', { configurable: false, enumerable: true, value: true })
  const folder = path.resolve(wanted.target)
  const described = describeApp(folder)
  const entry = Module._resolveFilename(folder, null, true)
  app.setAppPath(described ? folder : path.dirname(entry))
  Module._load(entry, module, true)
}

start()
