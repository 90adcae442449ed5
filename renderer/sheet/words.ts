// Words of every page that is saved: of a report, and of a diagnosis.
import { textsOf } from '../i18n/part-texts.ts'

export const reportText = textsOf('report')

/** "…/trainer/loop.py": the last two parts of a path, which tell enough without telling whose folder it is. */
export function shortPath(path: string): string {
  const parts = path.split(/[\\/]+/).filter((part) => part !== '')
  return parts.length > 2 ? `…/${parts.slice(-2).join('/')}` : path
}

/** Date and minute in UTC, the same everywhere. */
export function utcMinute(unixMs: number): string {
  const date = new Date(unixMs)
  if (Number.isNaN(date.getTime())) return '—'
  return reportText('method.utc', { date: date.toISOString().slice(0, 16).replace('T', ' ') })
}
