// Advice on the allocator's settings. Where the recorded requests could be run again, only what that proves is advised, and what it disproves is said.
import { advice } from './advice-maker.ts'
import { placeAt } from './places.ts'
import { bytesWord } from './score.ts'
import { type SettingOutcome, type TriedSetting, triedSettings } from './simulations.ts'
import type { Advice, Subject } from './types.ts'
import { type SentenceId, say, sayWith } from './words.ts'

/** Of what was reserved: less is no reason to change a setting. */
const leastSavedShare = 0.05

const isExpandable = ({ capture }: Subject): boolean => /"expandable_segments"\s*:\s*true/.test(capture?.settings ?? '')
const hasSplitLimit = ({ capture }: Subject): boolean => /"max_split_size"\s*:\s*[1-9]/.test(capture?.settings ?? '')

/** What to write: the settings that the file has, and this one. */
function codeOf(setting: TriedSetting, { capture }: Subject): string {
  const [, own = ''] = /"PYTORCH_(?:CUDA_)?ALLOC_CONF"\s*:\s*"([\w.,:[\]-]{0,500})"/.exec(capture?.settings ?? '') ?? []
  const [name] = triedSettings[setting].split(':')
  const kept = own.split(/,(?![^[]*\])/).filter((each) => each !== '' && each.split(':')[0] !== name)
  return `PYTORCH_CUDA_ALLOC_CONF=${[...kept, triedSettings[setting]].join(',')}`
}

/** Advice for a failure for which there was memory enough, the surest first. */
export function settingsAdvice(subject: Subject): Advice[] {
  const outcomes = subject.capture?.outcomes ?? null
  if (outcomes === null) return unproved(subject)
  const avoiding = outcomes.filter(({ fails, isCertain }) => !fails && isCertain)
  const likely = outcomes.filter(({ fails, isCertain }) => !fails && !isCertain)
  const least = leastSavedShare * (subject.capture?.reserved ?? 0)
  const lowering = outcomes.filter(({ fails, savedBytes }) => fails && savedBytes >= Math.max(1, least))
  const proved = [...avoiding, ...likely, ...lowering].map((outcome) => provedAdvice(outcome, subject))
  const expandable = outcomes.find(({ setting }) => setting === 'expandable_segments')
  const isDisproved = expandable?.fails === true && expandable.isCertain && !lowering.includes(expandable)
  return [
    ...proved,
    ...(isDisproved
      ? [{ ...advice('expandable_segments_disproved'), basis: 'simulated' as const, avoidsFailure: false, isEnough: false }]
      : []),
    ...(avoiding.length === 0 ? [advice('few_sizes', { place: placeAt(subject.capture, 'blocks') })] : []),
  ]
}

function unproved(subject: Subject): Advice[] {
  const make = (setting: TriedSetting, gainBytes: number | null): Advice =>
    advice(setting, { gainBytes, code: codeOf(setting, subject), place: placeAt(subject.capture, 'fragmentation') })
  return [
    ...(isExpandable(subject) ? [] : [make('expandable_segments', subject.situation.freeBytes)]),
    ...(isExpandable(subject) || hasSplitLimit(subject) ? [] : [make('max_split_size', null)]),
  ]
}

function foundBy({ fails, isCertain, decidingBytes }: SettingOutcome): SentenceId {
  if (fails) return 'run_again_lowers'
  if (isCertain) return 'run_again_avoids'
  return decidingBytes === null ? 'run_again_likely' : 'run_again_rounded'
}

function provedAdvice(outcome: SettingOutcome, subject: Subject): Advice {
  const { setting, fails, isCertain, savedBytes, capacityBytes, decidingBytes } = outcome
  const found = foundBy(outcome)
  const words = { capacity: bytesWord(capacityBytes), saved: bytesWord(savedBytes), asked: bytesWord(decidingBytes) }
  return {
    ...advice(setting, { code: codeOf(setting, subject), place: placeAt(subject.capture, 'fragmentation') }),
    text: sayWith(found, { advice: say(setting) }, words),
    gainBytes: savedBytes > 0 ? savedBytes : null,
    basis: 'simulated',
    avoidsFailure: isCertain ? !fails : null,
    isEnough: isCertain ? !fails : null,
  }
}
