// Names of verdicts, of the reasons of a request's failure, and of the parts of the printed diagnosis: [English, Chinese]. They are those of the window; the
// JSON has the codes.
import type { FailureReason, VerdictLabel } from '../../../../preload/contract/diagnosis.ts'
import type { Texts } from '../types.ts'

type Words = readonly [string, string]

const labelWords: Readonly<Record<VerdictLabel, Words>> = {
  fragmentation: ['Fragmentation', '碎片化'],
  activation_residency: ['Activation memory', '激活值内存'],
  gradient_blowup: ['Gradients pile up', '梯度堆积'],
  metadata_bloat: ['Many small tensors', '小张量过多'],
  context_leak: ['Memory outside the allocator', '分配器之外的占用'],
  optimizer_state: ['Optimizer state', '优化器状态'],
  kv_cache_growth: ['Growing KV cache', 'KV 缓存增长'],
  weights_duplicated: ['Weights held twice', '权重重复'],
  single_huge_allocation: ['One huge allocation', '单次超大分配'],
  steady_leak: ['Steady leak', '持续泄漏'],
  healthy: ['No failure on record', '没有失败记录'],
  not_enough_evidence: ['Cause not certain', '原因不确定'],
}

const reasonWords: Readonly<Record<FailureReason, Words>> = {
  exhausted: ['memory was used up', '内存已用尽'],
  no_contiguous_block: ['enough was free, but in pieces', '空闲足够，但不连续'],
  segment_refused: ['a new segment did not fit', '新段放不下'],
  outside_pytorch: ['others held the memory', '被其他占用'],
  unknown: ['not known', '未知'],
}

const headingWords = {
  file: ['file', '文件'],
  verdict: ['verdict', '结论'],
  confidence: ['confidence', '置信度'],
  reason: ['why the request failed', '请求失败的原因'],
  evidence: ['evidence', '依据'],
  uncertain: ['uncertain', '不确定'],
  fact: ['fact', '事实'],
  try: ['try', '可以尝试'],
  note: ['note', '说明'],
  inAll: ['{count} in all', '共 {count} 个'],
  noFailure: ['without a failure', '没有失败'],
  gain: ['gains {bytes}', '可省 {bytes}'],
  gainMost: ['gains at most {bytes}', '最多可省 {bytes}'],
  morePatterns: ['… and {count} more patterns', '……还有 {count} 种模式'],
} as const satisfies Record<string, Words>

export type Heading = keyof typeof headingWords

const textsOf = ([en, zh]: Words): Texts => ({ en, 'zh-CN': zh })

/** What the window calls a verdict, without its code. */
export const labelText = (label: VerdictLabel): Texts => textsOf(labelWords[label])
export const reasonText = (reason: FailureReason): Texts => textsOf(reasonWords[reason])
export const headingText = (heading: Heading): Texts => textsOf(headingWords[heading])
