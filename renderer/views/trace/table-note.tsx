// What a table is about, and how many rows it has.
import { counted, formatCount } from '../../i18n/format.ts'
import { mostListed } from './rows-table.tsx'
import type { TableQuestions } from './table-questions.ts'
import { useTexts } from './use-trace.ts'

interface TableNoteProps {
  readonly questions: Pick<TableQuestions, 'isSelected' | 'search' | 'isExact'>
  readonly isWhole?: boolean // of the whole trace instead of what is in sight
  readonly rows: number | undefined // undefined = not known yet
  readonly left?: number // further rows that the engine did not tell
  readonly among?: number // the search is of so many names alone, those with most time
}

/** One line above the rows. */
export function TableNote({ questions: { isSelected, search, isExact }, isWhole = false, rows, left = 0, among }: TableNoteProps) {
  const t = useTexts()
  const rowsText = (count: number) => (count === 0 ? t('table.empty') : t('table.rows', counted(count)))
  const words = [
    t(isSelected ? 'table.selected' : isWhole ? 'table.whole' : 'table.inSight'),
    ...(search === undefined ? [] : [t(isExact ? 'table.onlyName' : 'table.onlyFound', { text: search })]),
    ...(rows === undefined ? [] : [rowsText(rows)]),
    ...(among === undefined ? [] : [t('table.among', counted(among))]),
    ...(left > 0 ? [t('table.left', counted(left))] : []),
    ...(rows !== undefined && rows > mostListed ? [t('table.listed', { most: formatCount(mostListed) })] : []),
  ]
  return (
    <p className='trace-note' role='status'>
      {words.join(' · ')}
    </p>
  )
}
