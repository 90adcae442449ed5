// A row of statistics: what it is of, and its numbers.
import { exactTime, formatCount, formatTime } from '../../i18n/format.ts'
import type { ViewProps } from '../view.ts'
import { type GroupRow, groupColumns, groupNumbers } from './rows.ts'
import { searchName } from './search.ts'
import { titleParts } from './title-parts.ts'
import { useTexts } from './use-trace.ts'

interface GroupNameProps extends ViewProps {
  readonly row: GroupRow
  readonly isName: boolean // of slices, which can be searched for
  readonly isNarrow?: boolean // a Python frame is its function, with the place below
}

/** The name; that of slices searches for them. */
export function GroupName({ capture, row: { key, text }, isName, isNarrow = false }: GroupNameProps) {
  const t = useTexts()
  const shown = text.trim() === '' ? t(isName ? 'side.noName' : 'side.noCategory') : text
  const { name, place } = isNarrow ? titleParts(shown) : { name: shown, place: '' }
  if (!isName) return <span title={shown}>{shown}</span>
  const button = (
    <button
      type='button'
      className='jump plain'
      title={`${text}\n${t('area.showName')}`}
      onClick={() => void searchName(capture, text, key)}
    >
      {name}
    </button>
  )
  return place === '' ? (
    button
  ) : (
    <>
      {button}
      <div className='second truncate'>{place}</div>
    </>
  )
}

/** The numbers in the order of the columns. */
export function GroupCells({ row }: { readonly row: GroupRow }) {
  return groupColumns.map((column) => {
    if (column === 'text') return null
    const value = groupNumbers[column](row)
    return column === 'count' ? (
      <td key={column}>{formatCount(value)}</td>
    ) : (
      <td key={column} title={exactTime(value)}>
        {formatTime(value)}
      </td>
    )
  })
}
