// The view's part of the side bar: relations and their columns.
import { useEffect } from 'react'
import type { SqlRelation } from '../../../preload/contract/queries.ts'
import type { ViewProps } from '../view.ts'
import { readRelations } from './actions.ts'
import { insertText } from './editor-focus.ts'
import { columnNote, relationNote } from './notes.ts'
import { useSqlState } from './sql-state.ts'
import { useSqlTexts } from './texts.ts'

/** The tree of names; a click puts one into the statement. */
export function SqlSideBar({ capture }: ViewProps) {
  const t = useSqlTexts()
  const relations = useSqlState(capture.captureId, (state) => state.relations)
  useEffect(() => void readRelations(capture), [capture])
  return (
    <section className='panel-section' aria-labelledby='sql-schema'>
      <div className='panel-head'>
        <h2 id='sql-schema'>{t('schema.title')}</h2>
      </div>
      <p className='panel-note'>{t(relations ? 'schema.hint' : 'schema.loading')}</p>
      {relations?.map((relation) => (
        <Relation key={relation.name} relation={relation} />
      ))}
    </section>
  )
}

function Relation({ relation }: { readonly relation: SqlRelation }) {
  const t = useSqlTexts()
  const { name, arguments: needs, columns } = relation
  const call = needs.length > 0 ? `${name}(${needs.join(', ')})` : name
  return (
    <details className='sql-relation'>
      <summary>
        <span className='mono t1'>{call}</span> <span className='weak'>{relationNote(name, t)}</span>
      </summary>
      <ul>
        <li>
          <Name text={call} note='' />
        </li>
        {columns.map((column) => (
          <li key={column.name}>
            <Name
              text={column.name}
              note={[column.type.toLowerCase(), columnNote(column.name, t)].filter((part) => part !== '').join(' · ')}
            />
          </li>
        ))}
      </ul>
    </details>
  )
}

function Name({ text, note }: { readonly text: string; readonly note: string }) {
  const t = useSqlTexts()
  return (
    <button
      type='button'
      className='sql-name'
      title={note === '' ? t('schema.insert', { name: text }) : `${text}: ${note}`}
      onClick={() => insertText(text)}
    >
      <span className='mono t1'>{text}</span> <span className='weak'>{note}</span>
    </button>
  )
}
