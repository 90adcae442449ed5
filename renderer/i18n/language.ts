// Which language is shown, and the texts. All texts are bundled: switching is instant and needs no restart.
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { type Language, languages } from '../../preload/contract/language.ts'
import enAllocations from './en/allocations.json'
import enBlocks from './en/blocks.json'
import enCategories from './en/categories.json'
import enDiagnosis from './en/diagnosis.json'
import enErrors from './en/errors.json'
import enFailures from './en/failures.json'
import enFilter from './en/filter.json'
import enFindings from './en/findings.json'
import enFlame from './en/flame.json'
import enFragmentation from './en/fragmentation.json'
import enJoin from './en/join.json'
import enLifetimes from './en/lifetimes.json'
import enNotes from './en/notes.json'
import enPanels from './en/panels.json'
import enPlot from './en/plot.json'
import enReport from './en/report.json'
import enShell from './en/shell.json'
import enSql from './en/sql.json'
import enTimeline from './en/timeline.json'
import enTrace from './en/trace.json'
import zhAllocations from './zh-CN/allocations.json'
import zhBlocks from './zh-CN/blocks.json'
import zhCategories from './zh-CN/categories.json'
import zhDiagnosis from './zh-CN/diagnosis.json'
import zhErrors from './zh-CN/errors.json'
import zhFailures from './zh-CN/failures.json'
import zhFilter from './zh-CN/filter.json'
import zhFindings from './zh-CN/findings.json'
import zhFlame from './zh-CN/flame.json'
import zhFragmentation from './zh-CN/fragmentation.json'
import zhJoin from './zh-CN/join.json'
import zhLifetimes from './zh-CN/lifetimes.json'
import zhNotes from './zh-CN/notes.json'
import zhPanels from './zh-CN/panels.json'
import zhPlot from './zh-CN/plot.json'
import zhReport from './zh-CN/report.json'
import zhShell from './zh-CN/shell.json'
import zhSql from './zh-CN/sql.json'
import zhTimeline from './zh-CN/timeline.json'
import zhTrace from './zh-CN/trace.json'

/** One part of the texts a file: the shell, what views share (words in pictures, panels), each view. */
export const english = {
  shell: enShell,
  errors: enErrors,
  findings: enFindings,
  plot: enPlot,
  panels: enPanels,
  filter: enFilter,
  failures: enFailures,
  allocations: enAllocations,
  timeline: enTimeline,
  lifetimes: enLifetimes,
  blocks: enBlocks,
  flame: enFlame,
  fragmentation: enFragmentation,
  trace: enTrace,
  sql: enSql,
  diagnosis: enDiagnosis,
  join: enJoin,
  report: enReport,
  notes: enNotes,
  categories: enCategories,
} as const
export const chinese = {
  shell: zhShell,
  errors: zhErrors,
  findings: zhFindings,
  plot: zhPlot,
  panels: zhPanels,
  filter: zhFilter,
  failures: zhFailures,
  allocations: zhAllocations,
  timeline: zhTimeline,
  lifetimes: zhLifetimes,
  blocks: zhBlocks,
  flame: zhFlame,
  fragmentation: zhFragmentation,
  trace: zhTrace,
  sql: zhSql,
  diagnosis: zhDiagnosis,
  join: zhJoin,
  report: zhReport,
  notes: zhNotes,
  categories: zhCategories,
} as const

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell'
    returnNull: false
    resources: typeof english
  }
}

void i18next.use(initReactI18next).init({
  lng: 'en',
  fallbackLng: 'en',
  supportedLngs: [...languages],
  defaultNS: 'shell',
  ns: Object.keys(english),
  resources: { en: english, 'zh-CN': chinese },
  initAsync: false,
  interpolation: { escapeValue: false }, // React escapes
})

/** Shows another language at once, in the texts and to assistive technology. */
export function showLanguage(language: Language): void {
  document.documentElement.lang = language
  if (i18next.language !== language) void i18next.changeLanguage(language)
}

/** The language shown now. */
export function currentLanguage(): Language {
  return i18next.language === 'zh-CN' ? 'zh-CN' : 'en'
}

export const translate = i18next.t.bind(i18next)
