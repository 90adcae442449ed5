// What `tidemark export --view flame` takes besides: what functions weigh, and how stacks become a graph. Pure.
import {
  type FlameMeasure,
  type FlameOptions,
  type FlameOrder,
  type FlameUnit,
  flameOrderSchema,
  flameUnitSchema,
} from '../../preload/contract/queries.ts'
import { UsageError } from './usage.ts'

/** What functions weigh: of one moment, or of a range. */
const weights = ['alive', 'allocated', 'growth', 'diff', 'area'] as const satisfies readonly FlameMeasure[]
export type Weight = (typeof weights)[number]

const roots = { 'top-down': 'callees', 'bottom-up': 'callers' } as const satisfies Readonly<Record<string, FlameOptions['direction']>>
const directions = ['icicle', 'flame'] as const

export interface FlameChoice {
  readonly weight: Weight
  readonly unit: FlameUnit
  readonly order: FlameOrder
  readonly root: FlameOptions['direction']
  readonly direction: (typeof directions)[number] // of pictures
  readonly isPlain: boolean // none of these was chosen
}

export const flameWords = ['weight', 'unit', 'order', 'direction', 'root'] as const
export type FlameWord = (typeof flameWords)[number]

/** The words of the command line; `at`, `range`, `color-by`: whether these were given. Throws UsageError. */
export function parseFlame(
  values: Partial<Readonly<Record<FlameWord | 'at' | 'range' | 'color-by', string>>>,
  oneOf: <T extends string>(known: readonly T[], text: string, option: string) => T,
): FlameChoice {
  const weight = oneOf(weights, values.weight ?? 'alive', '--weight')
  if (weight === 'alive' && values.range !== undefined)
    throw new UsageError(`--range goes with --weight ${weights.slice(1).join(', ')}; what is alive is told --at one moment`)
  if (weight !== 'alive' && values.at !== undefined) throw new UsageError(`--weight ${weight} is of a --range and takes no --at`)
  if ((weight === 'growth' || weight === 'diff') && values['color-by'] !== undefined)
    throw new UsageError(`--weight ${weight} is colored by what has come and gone and takes no --color-by`)
  return {
    weight,
    unit: oneOf(flameUnitSchema.options, values.unit ?? 'bytes', '--unit'),
    order: oneOf(flameOrderSchema.options, values.order ?? 'size', '--order'),
    root: roots[oneOf(Object.keys(roots) as (keyof typeof roots)[], values.root ?? 'top-down', '--root')],
    direction: oneOf(directions, values.direction ?? 'icicle', '--direction'),
    isPlain: flameWords.every((word) => values[word] === undefined),
  }
}

/** As the view's own state has it. */
export const lookOf = ({ weight, unit, order, root, direction }: FlameChoice): Readonly<Record<string, string>> => ({
  weight: weight === 'alive' ? 'cursor' : weight,
  unit,
  order,
  direction: root,
  shape: direction,
})
