// A diagnosis for tests: a fragmented cache, with every part filled.
import type { DiagnosisPage, EvidencePlace } from '../../preload/contract/diagnosis.ts'

export const mib = 2 ** 20

const place: EvidencePlace = { view: 'blocks', device: 0, event: 664, filter: '' }
const said = (en: string, zh = en) => ({ en, 'zh-CN': zh })

export const page: DiagnosisPage = {
  name: 'run.pickle',
  device: 0,
  event: 664,
  timeNs: 187e6,
  verdict: { label: 'fragmentation', confidence: 0.95, isUncertain: false },
  candidates: [
    {
      label: 'fragmentation',
      confidence: 0.95,
      evidence: [
        {
          measure: 'largest_free',
          value: 54 * mib,
          unit: 'bytes',
          text: said('the largest free block was 54.0 MiB', '最大空闲块 54.0 MiB'),
          place,
        },
      ],
    },
    {
      label: 'steady_leak',
      confidence: 0.12,
      evidence: [{ measure: 'leak_stack', value: 'step (a|b.py:1)', unit: 'text', text: said('made by step'), place: null }],
    },
  ],
  situation: {
    isFailure: true,
    reason: 'no_contiguous_block',
    facts: [
      { code: 'exhausted', holds: false, text: said('not exhausted') },
      { code: 'no_contiguous_block', holds: true, text: said('no contiguous block') },
      { code: 'outside_pytorch', holds: null, text: said('not known') },
      { code: 'cap_below_device', holds: true, text: said('a cap applied') },
    ],
    requestedBytes: 400 * mib,
    segmentBytes: 400 * mib,
    limitBytes: 2048 * mib,
    isLimitKnown: true,
    limitAtLeastBytes: null,
    limitBelowBytes: null,
    allowedBytes: 2048 * mib,
    deviceTotalBytes: null,
    deviceFreeBytes: 4096 * mib,
    reservedBytes: 1680 * mib,
    allocatedBytes: 238.5 * mib,
    freeBytes: 1441.5 * mib,
    largestFreeBytes: 54 * mib,
    privateBytes: 0,
    outsideBytes: null,
    ownOutsideBytes: null,
    otherProcessBytes: null,
    precisionBytes: 0,
    retryCount: 0,
    notedRetryCount: null,
    firstRetryEvent: null,
    firstRetryStep: null,
  },
  request: {
    stackId: 3,
    title: 'step (train.py:9)',
    frames: ['step (/home/someone/project/train.py:9)', 'main (run.py:1)'],
    stream: '0',
    pool: '(0,0)',
    segmentType: 'large',
  },
  held: {
    categories: [{ category: 'activation', bytes: 238.5 * mib, count: 159, place }],
    stacks: [{ stackId: 1, title: 'keep (train.py:4)', category: 'activation', bytes: 238.5 * mib, count: 159, place }],
    lossBytes: 0,
    ages: [{ age: 'older_half', bytes: 238.5 * mib }],
  },
  lastGrowth: { fromEvent: 28, toEvent: 61, bytes: 179 * mib, title: 'keep (train.py:4)', titleBytes: 150 * mib, place },
  isGrowthSought: true,
  work: { step: null, stepNumber: null, phase: 'backward' },
  growing: [{ stackId: 1, title: 'keep (train.py:4)', kind: 'kept', bytesPerStep: 5 * mib, grownBytes: 50 * mib, stepsLeft: 5, place }],
  steps: 10,
  neededBytes: 346 * mib,
  settings: [{ name: 'expandable_segments', value: 'false' }],
  errorText: { text: 'Tried to allocate 400.00 MiB\n``` <b>', name: 'train.log', line: 12, rank: 1, time: null },
  metrics: {
    name: 'metrics.jsonl',
    steps: 3,
    curves: [
      {
        field: 'allocated',
        unit: 'bytes',
        points: [
          [0, mib],
          [2, 3 * mib],
        ],
        perStep: mib,
        isGrowing: true,
      },
    ],
    others: [{ field: 'time_s', value: '12.9' }],
    lastStep: { step: 2, batchSize: 4, sequenceLength: 512 },
  },
  sources: [
    { kind: 'snapshot', name: 'oom.pickle', use: 'read', why: null, given: null },
    { kind: 'log', name: 'train.log', use: 'read', why: null, given: 0 },
  ],
  advice: [
    {
      id: 'no',
      text: said('expandable_segments:True would not have helped'),
      code: null,
      gainBytes: null,
      basis: 'simulated',
      avoidsFailure: false,
      isEnough: false,
      neededAfterBytes: null,
      place: null,
    },
    {
      id: 'cap',
      text: said('raising the cap may help because the device had room'),
      code: 'set_fraction(1.0)',
      gainBytes: 20 * mib,
      basis: 'sum',
      avoidsFailure: true,
      isEnough: true,
      neededAfterBytes: null,
      place,
    },
  ],
  needs: [said('the text of the error')],
}
