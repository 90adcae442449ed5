// The live picture of a view with a horizontal axis: it follows view state and focus, and is laid out anew when the annotations change.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { type AnnotationSpan, placedSpans, rowsOf } from '../plot/annotations.ts'
import { LiveScene, type SceneOwner } from '../scene/live-scene.ts'
import { viewOf, viewStates } from '../state/view-state.ts'
import { focusData } from './focus-data.ts'

export interface AxisSceneOwner extends Pick<SceneOwner, 'frame'> {
  /** Lays out a host of this size in CSS pixels, with so many rows of annotations. */
  readonly layOut: (widthPx: number, heightPx: number, annotationRows: number) => void
  /** Annotations of the view's own; without it those of the device in view. `follow` lays out anew when they change. */
  readonly annotations?: () => readonly AnnotationSpan[]
  /** Follows the view's own answers: `queue` draws another frame, `resize` lays out anew. Answers the removal. */
  readonly follow: (queue: () => void, resize: () => void) => () => void
}

/** Starts the picture of a capture in `host`; destroy() ends it. */
export function axisScene(
  { captureId }: CaptureSummary,
  host: HTMLElement,
  { frame, layOut, annotations, follow }: AxisSceneOwner,
): LiveScene {
  const resized = (widthPx: number, heightPx: number) => {
    const view = viewOf(captureId)
    if (!view) return
    const spans = annotations?.() ?? focusData(captureId).getState().annotations
    layOut(widthPx, heightPx, rowsOf(placedSpans(spans, view.axis, view.full.x1)))
  }
  const subscribe = (queue: () => void) => [
    viewStates.subscribe((state, old) => state.byCapture[captureId] !== old.byCapture[captureId] && queue()),
    follow(queue, () => scene.resize()),
    focusData(captureId).subscribe((data, old) => {
      if (!annotations && data.annotations !== old.annotations) scene.resize()
      queue()
    }),
  ]
  const scene = new LiveScene(host, { frame, resized, subscribe })
  return scene
}
