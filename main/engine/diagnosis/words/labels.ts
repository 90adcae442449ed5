// Names of verdicts, of the reasons of a request's failure, and of the parts of the printed diagnosis: [English, Chinese]. English keeps the codes, which
// the JSON has in every language.
import type { FailureReason, VerdictLabel } from '../../../../preload/contract/diagnosis.ts'
import type { Texts } from '../types.ts'

type Words = readonly [string, string]

const labelWords: Readonly<Record<VerdictLabel, Words>> = {
  fragmentation: ['fragmentation', '碎片化'],
  activation_residency: ['activation_residency', '激活值内存'],
  gradient_blowup: ['gradient_blowup', '梯度堆积'],
  metadata_bloat: ['metadata_bloat', '小张量过多'],
  context_leak: ['context_leak', '分配器之外的占用'],
  optimizer_state: ['optimizer_state', '优化器状态'],
  kv_cache_growth: ['kv_cache_growth', 'KV 缓存增长'],
  weights_duplicated: ['weights_duplicated', '权重重复'],
  single_huge_allocation: ['single_huge_allocation', '单次超大分配'],
  steady_leak: ['steady_leak', '持续泄漏'],
  healthy: ['healthy', '没有失败记录'],
  not_enough_evidence: ['not_enough_evidence', '原因不确定'],
}

const reasonWords: Readonly<Record<FailureReason, Words>> = {
  exhausted: ['exhausted', '耗尽'],
  no_contiguous_block: ['no_contiguous_block', '没有连续块'],
  outside_pytorch: ['outside_pytorch', 'PyTorch 之外'],
  unknown: ['unknown', '未知'],
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
} as const satisfies Record<string, Words>

export type Heading = keyof typeof headingWords

const textsOf = ([en, zh]: Words): Texts => ({ en, 'zh-CN': zh })

export const labelText = (label: VerdictLabel): Texts => textsOf(labelWords[label])
export const reasonText = (reason: FailureReason): Texts => textsOf(reasonWords[reason])
export const headingText = (heading: Heading): Texts => textsOf(headingWords[heading])
