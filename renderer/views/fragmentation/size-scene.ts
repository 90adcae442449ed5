// The histogram on screen, with its read-out under the pointer; outside React.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { formatBytes, formatCount } from '../../i18n/format.ts'
import { crosshair, placeElement, ReadOut } from '../../panels/read-out.ts'
import { LiveScene, measureOnScreen } from '../../scene/live-scene.ts'
import { viewStates } from '../../state/view-state.ts'
import { currentTokens } from '../../theme/theme.ts'
import { assembleSizes } from './assemble.ts'
import { fragmentationData } from './fragmentation-data.ts'
import type { SizeBar } from './size-bars.ts'
import { buildSizes, columnOf, hitSizes, type SizeInput } from './size-model.ts'
import { fragmentationText as t } from './texts.ts'

const noPalette = new Uint8Array(256 * 4) // there is no raster

/** Puts the histogram into its host; answers the removal. */
export function startSizes(capture: CaptureSummary, host: HTMLElement): () => void {
  const { captureId } = capture
  const store = fragmentationData(captureId)
  const frame = () => ({ xPx: 0, yPx: 0, widthPx: host.clientWidth, heightPx: host.clientHeight })
  const input = () => assembleSizes(capture, store.getState(), frame(), currentTokens(), measureOnScreen())
  const scene = new LiveScene(host, {
    flat: true,
    frame: () => {
      const now = input()
      return now && { list: buildSizes(now), palette: noPalette }
    },
    resized: () => undefined,
    subscribe: (queue) => [
      viewStates.subscribe((state, old) => state.byCapture[captureId]?.device !== old.byCapture[captureId]?.device && queue()),
      store.subscribe((data, old) => (data.report !== old.report || data.unit !== old.unit) && queue()),
    ],
  })
  const stopHover = startHover(host, input)
  return () => {
    stopHover()
    scene.destroy()
  }
}

function startHover(host: HTMLElement, input: () => SizeInput | undefined): () => void {
  const column = crosshair(host)
  const box = new ReadOut(host)
  const abort = new AbortController()
  const hide = () => {
    column.hidden = true
    box.element.hidden = true
  }
  const show = (event: PointerEvent) => {
    const bounds = host.getBoundingClientRect()
    const [xPx, yPx] = [event.clientX - bounds.left, event.clientY - bounds.top]
    const now = input()
    const bar = now && hitSizes(now, xPx, yPx)
    if (!bar) return hide()
    const { xPx: left, yPx: top, widthPx, heightPx } = columnOf(now, bar)
    placeElement(column, left, top, widthPx, heightPx)
    fillBox(box, bar)
    column.hidden = false
    box.element.hidden = false
    box.placeBeside(now.frame, xPx, yPx)
  }
  host.addEventListener('pointermove', show, { signal: abort.signal })
  host.addEventListener('pointerleave', hide, { signal: abort.signal })
  return () => {
    abort.abort()
    column.remove()
    box.element.remove()
  }
}

function fillBox(box: ReadOut, { fromBytes, toBytes, requests, free }: SizeBar): void {
  const value = (each: SizeBar['free']): string => `${formatCount(each.count)} · ${formatBytes(each.bytes)}`
  box.fill(t('sizes.range', { from: formatBytes(fromBytes), to: formatBytes(toBytes) }), '', [
    { label: t('sizes.requests'), value: value(requests) },
    { label: t('sizes.free'), value: value(free), strong: true },
  ])
}
