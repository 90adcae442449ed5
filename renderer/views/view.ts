// What a view is to the rest of the window: one object. The shell lists views, shows their parts in its slots and exports their picture.
import type { ComponentType } from 'react'
import type { CaptureSummary, DeviceSummary } from '../../preload/contract/capture.ts'
import type { Result } from '../../preload/contract/errors.ts'
import type { ColorBy } from '../../preload/contract/queries.ts'
import type { PictureNote, ViewId } from '../../preload/contract/shell.ts'
import type { OwnLook } from '../state/own-look.ts'
import type { Range, ViewState } from '../state/view-state.ts'

export interface ViewProps {
  readonly capture: CaptureSummary
}

export interface PictureOptions {
  readonly format: 'png' | 'svg'
  readonly width: number // pixels of the finished picture (PNG) or CSS pixels (SVG)
  readonly height: number
  readonly scale: number // device pixels a CSS pixel: text and lines grow with it (PNG)
  readonly theme: 'light' | 'dark'
  readonly wholeRange: boolean // instead of what is visible now
  readonly range?: Range // of the timeline's axis: only this stretch of it
  readonly legendEvent?: number // the moment that the timeline's legend is of, where no cursor says so
  /** Is told what the picture does not show as one might expect. */
  readonly tell?: (note: PictureNote) => void
}

export interface ViewDefinition {
  readonly id: ViewId
  readonly digit: string // key that shows it
  /** False where it is not even offered; absent = it is for every capture. */
  readonly offers?: (capture: CaptureSummary) => boolean
  /** True when it is offered of a profile of another tool too, which has no devices. */
  readonly takesProfiles?: boolean
  /** True when it has something to show of a device; undefined: the capture has none. */
  readonly shows: (capture: CaptureSummary, device: DeviceSummary | undefined) => boolean
  readonly Main: ComponentType<ViewProps> // tool row, canvas, table
  readonly SideBar: ComponentType<ViewProps> // legend and read-outs below the capture's summary
  readonly Drawer: ComponentType<ViewProps> // details of the selection
  /** True while its drawer has something to tell beyond the selected allocation and the failure at the cursor. */
  readonly hasDetails?: (view: ViewState) => boolean
  /** True where the view itself tells of the failure at the cursor, so that its drawer need not open for it. */
  readonly tellsFailure?: boolean
  readonly Status: ComponentType<ViewProps> // its part of the status line
  /** The view as a finished picture with title, axes, legend and units; drawn from the same model as the screen. */
  readonly picture: (capture: CaptureSummary, options: PictureOptions) => Promise<Result<Uint8Array | string>>
  /** What of its own state comes back with the view history: its zoom, where that is not the shared range. */
  readonly ownLook?: OwnLook
  /** Colours by something else: the command line's choice, for a view whose ways to colour are its own. */
  readonly setColorBy?: (capture: CaptureSummary, colorBy: ColorBy) => void
  /** Its table as CSV where that is not the list of live allocations; `save` asks where to write and says how it went. */
  readonly csv?: { readonly label: () => string; readonly save: (capture: CaptureSummary) => Promise<void> }
}
