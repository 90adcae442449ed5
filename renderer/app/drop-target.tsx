// Files may be dropped anywhere. While they hover, the window says what will happen.
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failuresText } from '../failures/texts.ts'
import { diagnosedInFront } from './decide-files.ts'

/** How many files a drag carries; 0 when it carries something else. */
function filesIn(data: DataTransfer | null): number {
  if (!data) return 0
  const items = [...data.items].filter((item) => item.kind === 'file').length
  return items > 0 ? items : data.types.includes('Files') ? 1 : 0
}

function useFileDrag(): number | undefined {
  const [count, setCount] = useState<number>()
  useEffect(() => {
    const over = (event: DragEvent) => {
      event.preventDefault() // without it the window would navigate to the file
      const files = filesIn(event.dataTransfer)
      if (event.dataTransfer) event.dataTransfer.dropEffect = files > 0 ? 'copy' : 'none'
      setCount(files)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setCount(undefined)
    }
    const drop = (event: DragEvent) => {
      event.preventDefault()
      setCount(undefined)
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length > 0) window.tidemark?.openDropped(files)
    }
    window.addEventListener('dragenter', over)
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragenter', over)
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [])
  return count
}

/** The cover over the window while something is dragged in. */
export function DropTarget() {
  const { t } = useTranslation()
  const count = useFileDrag()
  if (count === undefined) return null
  const front = diagnosedInFront()?.capture.sourceName
  return (
    <div className='drop-cover' role='status'>
      <div className='drop-cover-inner'>
        <p className='big'>{count > 0 ? t('drop.open', { count }) : t('drop.nothing')}</p>
        {count > 0 && front !== undefined && <p>{failuresText('drop.attach', { name: front })}</p>}
        {count > 1 && front === undefined && <p>{failuresText('drop.several')}</p>}
      </div>
    </div>
  )
}
