// The block map on screen, outside React: drawn again when view state, answers or layout change.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { BlockColor } from '../../../preload/contract/queries.ts'
import { LiveScene } from '../../scene/live-scene.ts'
import { viewOf, viewStates } from '../../state/view-state.ts'
import type { Tokens } from '../../theme/tokens.ts'
import { inputOf } from './actions.ts'
import { hasOrigin, keepsRequest } from './assemble.ts'
import { blockPalette } from './block-colors.ts'
import { blocksData } from './blocks-data.ts'
import { blocksState } from './blocks-state.ts'
import { layoutBlocks } from './layout.ts'
import { buildBlocks } from './model.ts'

const palettes = new Map<string, Uint8Array>()

/** The palette of a theme and way to colour, always the same object, so that the GPU keeps its copy. */
function paletteOf(tokens: Tokens, colorBy: BlockColor): Uint8Array {
  const key = `${tokens.name} ${colorBy}`
  const palette = palettes.get(key) ?? blockPalette(tokens, colorBy)
  palettes.set(key, palette)
  return palette
}

/** Puts the picture into the host and keeps it up to date; returns the removal. */
export function startScene(capture: CaptureSummary, host: HTMLElement): () => void {
  const { captureId } = capture
  const store = blocksData(captureId)
  const keepsNow = () => keepsRequest(capture, viewOf(captureId)?.device, blocksState(captureId).getState())
  let hasRequest = keepsNow()
  const layOut = (widthPx: number, heightPx: number) => {
    hasRequest = keepsNow()
    store.setState({ layout: layoutBlocks(widthPx, heightPx, { hasRequest, hasOrigin: hasOrigin(capture) }) })
  }
  const scene = new LiveScene(host, {
    frame: () => {
      const input = inputOf(capture)
      return input && { list: buildBlocks(input), palette: paletteOf(input.tokens, input.picture.colorBy) }
    },
    resized: layOut,
    subscribe: (queue) => [
      viewStates.subscribe((state, old) => {
        if (state.byCapture[captureId] === old.byCapture[captureId]) return
        relayWhenRequestChanges()
        queue()
      }),
      blocksState(captureId).subscribe(() => {
        relayWhenRequestChanges()
        queue()
      }),
      store.subscribe((data, old) => data.hover === old.hover && data.hovered === old.hovered && queue()),
    ],
  })
  /** The bar of the request takes room only where one is typed or some failure may come by. */
  function relayWhenRequestChanges(): void {
    const { layout } = store.getState()
    if (layout && hasRequest !== keepsNow()) layOut(layout.widthPx, layout.heightPx)
  }
  return () => scene.destroy()
}
