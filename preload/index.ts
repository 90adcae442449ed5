// The bridge: the only thing that the window sees of the system. Its surface is preload/contract/shell.ts; main checks what arrives.
import { contextBridge, ipcRenderer, webUtils } from 'electron'
import type { TidemarkBridge } from './contract/shell.ts'

/** Current Electron gives a dropped file's path by webUtils, old ones by a property of the file. Empty: it exists in memory only. */
function pathOf(file: File): string {
  const utils: typeof webUtils | undefined = webUtils
  if (utils) return utils.getPathForFile(file)
  return 'path' in file && typeof file.path === 'string' ? file.path : ''
}

type Listener = (data: unknown) => void
const listeners = new Map<string, Set<Listener>>()

ipcRenderer.on('tidemark:event', (_event, name: string, data: unknown) => {
  for (const listener of listeners.get(name) ?? []) listener(data)
})

const bridge: TidemarkBridge = {
  invoke: (route, input) => ipcRenderer.invoke('tidemark:invoke', route, input),
  openDropped: (files) =>
    ipcRenderer.send(
      'tidemark:dropped',
      files.map((file) => ({ path: pathOf(file), name: file.name })),
    ),
  on: (event, listener) => {
    const ofEvent = listeners.get(event) ?? new Set<Listener>()
    // A function of its own: one listener may be given twice, and each removal takes one away.
    const hear: Listener = (data) => listener(data)
    listeners.set(event, ofEvent.add(hear))
    return () => {
      ofEvent.delete(hear)
    }
  },
  ready: () => ipcRenderer.send('tidemark:ready'),
}

// A MessagePort cannot cross the context bridge; it reaches the page as a message of the window to itself.
ipcRenderer.on('tidemark:engine-port', (event) => window.postMessage({ tidemark: 'engine-port' }, '*', event.ports))
contextBridge.exposeInMainWorld('tidemark', bridge)
