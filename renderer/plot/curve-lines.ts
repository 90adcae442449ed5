// How each curve is drawn, in the picture and in its legends, in the order of the legends.
import type { DeviceSummary } from '../../preload/contract/capture.ts'
import { isCpu } from '../../preload/contract/format.ts'
import type { CurveName } from '../../preload/contract/queries.ts'

export interface CurveLine {
  readonly name: CurveName
  readonly ink: 'curve' | 'curve2'
  readonly dash: { readonly dashPx?: readonly [on: number, off: number] }
}

const curveLines: readonly CurveLine[] = [
  { name: 'reserved', ink: 'curve2', dash: {} },
  { name: 'active', ink: 'curve', dash: { dashPx: [5, 3] } },
  { name: 'allocated', ink: 'curve', dash: {} },
  { name: 'requested', ink: 'curve', dash: { dashPx: [1.5, 3] } },
]

/** Those that a device has: of the CPU nothing but what is allocated is known. */
export const curvesOf = ({ device, deviceType }: Pick<DeviceSummary, 'device' | 'deviceType'>): readonly CurveLine[] =>
  isCpu(device, deviceType) ? curveLines.filter(({ name }) => name === 'allocated') : curveLines
