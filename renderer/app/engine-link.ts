// The engine's port: taken when it arrives, given up when the engine stops. Captures come back by themselves once; where no engine follows
// by itself, every tab says so and its Retry asks for one.
import { engine } from '../data/engine-client.ts'
import { translate } from '../i18n/language.ts'
import { useCaptures } from '../state/captures.ts'
import { showMessage } from '../state/shell.ts'
import { onShell } from './bridge.ts'
import { countCrash, failOpen, reopenAfterCrash } from './open-captures.ts'

/** Listens for ports and for the end of the engine. */
export function startEngineLink(): void {
  let stoppedBecause: string | undefined
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    const port = event.ports[0]
    if (!port || event.source !== window || !isPortMessage(event.data)) return
    if (useCaptures.getState().engine === 'up') {
      port.close() // a second port to the engine that runs: taking it would give up the answers under way on the first
      return
    }
    engine.connect(port)
    useCaptures.setState({ engine: 'up' })
    if (stoppedBecause !== undefined && reopenAfterCrash(stoppedBecause)) showMessage(translate('engine.recovered'))
    stoppedBecause = undefined
  })
  onShell('engine.stopped', ({ reason, restarts }) => {
    useCaptures.setState({ engine: restarts ? 'starting' : 'stopped' })
    if (restarts) {
      stoppedBecause = reason
      countCrash()
      engine.disconnect(reason)
    } else {
      stoppedBecause = undefined
      engine.giveUp(reason)
      failOpen(reason)
    }
  })
}

function isPortMessage(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'tidemark' in data && data.tidemark === 'engine-port'
}
