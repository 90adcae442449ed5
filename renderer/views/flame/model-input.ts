// All that the picture of the flame graph depends on.
import type { CaptureKind } from '../../../preload/contract/capture.ts'
import type { FlameOptions } from '../../../preload/contract/queries.ts'
import type { Measure } from '../../scene/display-list.ts'
import type { Tokens } from '../../theme/tokens.ts'
import type { FlameBox } from './boxes.ts'
import type { Weighed } from './flame-data.ts'
import type { FlameColor } from './flame-state.ts'
import type { FlameLayout } from './layout.ts'
import type { FlameNodes } from './nodes.ts'
import type { Translate } from './texts.ts'
import type { Measured } from './words.ts'

export interface FlameInput {
  readonly nodes: FlameNodes
  readonly root: number // place of the node that is as wide as the canvas
  readonly boxes: readonly FlameBox[] // below `root`, `layout.rows` wide
  readonly rowCount: number
  readonly isRising: boolean // the root's row is the last one
  readonly weighed: Weighed
  readonly direction: FlameOptions['direction']
  readonly measured: Measured
  readonly colorBy: FlameColor
  readonly isCurrent: boolean // false: the answer is of other options, so that its nodes have other numbers
  readonly layout: FlameLayout
  readonly rowPx: number
  readonly scrollPx: number
  readonly selected: number | undefined // place
  readonly marked: ReadonlySet<number> // places of the selected allocation's stack
  readonly hits: ReadonlySet<number> | undefined // places of the frames that are searched for
  readonly spots: ReadonlyMap<number, readonly number[]> | undefined // numbers of the hot spots, by place
  readonly kind: CaptureKind
  readonly tokens: Tokens
  readonly measure: Measure
  readonly t: Translate
}
