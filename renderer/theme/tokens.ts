// The colour tokens of both themes under the same names. CSS custom properties and canvas drawing read the same object, so
// screen and export agree. Text ≥ 4.5 : 1, marks ≥ 3 : 1 on canvas and panel (tested).
export interface Tokens {
  readonly name: 'dark' | 'light'
  readonly canvas: string
  readonly panel: string
  readonly chrome: string
  readonly raised: string
  readonly line: string
  readonly line2: string
  readonly mark: string
  readonly grid: string
  readonly t1: string
  readonly t2: string
  readonly t3: string
  readonly curve: string
  readonly curve2: string
  readonly good: string
  readonly bad: string
  readonly selection: string
  readonly selectionEdge: string
  readonly hatch: string
  readonly bandOpacity: number
  readonly categories: readonly string[] // of allocations, in the order of categoryNames
}

// Okabe–Ito as far as it goes, near the colours of PyTorch's profiler: parameters green, optimizer gold, gradients blue.
const categoriesWith = (input: string): readonly string[] => [
  '#009E73',
  '#0072B2',
  '#E69F00',
  '#D55E00',
  '#CC79A7',
  input,
  '#8F6FD1',
  '#56B4E9',
  '#999933',
  '#6F6F6F', // darker than the profiler's grey, which a deuteranope takes for the pink of temporaries
]

export const dark: Tokens = {
  name: 'dark',
  canvas: '#16181C',
  panel: '#1B1E23',
  chrome: '#1B1E23',
  raised: '#262A30',
  line: '#2D3138',
  line2: '#3A3F47',
  mark: '#6B727D',
  grid: '#23262C',
  t1: '#E8EAED',
  t2: '#AEB4BD',
  t3: '#8A929D',
  curve: '#F4F5F7',
  curve2: '#9AA2AD',
  good: '#4CC38A',
  bad: '#FF7B72',
  selection: '#F0E442',
  selectionEdge: '#16181C',
  hatch: '#3A3F47',
  bandOpacity: 0.86,
  categories: categoriesWith('#E8E8E8'),
}

export const light: Tokens = {
  name: 'light',
  canvas: '#FAFAFA',
  panel: '#F5F6F7',
  chrome: '#F0F1F3',
  raised: '#FFFFFF',
  line: '#DADDE2',
  line2: '#C3C8CF',
  mark: '#868E98',
  grid: '#ECEDEF',
  t1: '#1A1D21',
  t2: '#4D5560',
  t3: '#666E79',
  curve: '#1A1D21',
  curve2: '#5E6671',
  good: '#177A46',
  bad: '#C4291C',
  selection: '#F0E442',
  selectionEdge: '#16181C',
  hatch: '#C3C8CF',
  bandOpacity: 0.9,
  categories: categoriesWith('#000000'),
}
