// What Ctrl+C copies in this view: the details of the selected slice, the slices of a selected range as a table, or the selected allocation.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { SliceRow } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import { selectedDetails } from '../../focus/selection-actions.ts'
import { formatCount } from '../../i18n/format.ts'
import { failureSentence } from '../../i18n/texts.ts'
import { detailsText } from '../../panels/details-text.ts'
import { copyText } from '../../state/copy-text.ts'
import { showMessage } from '../../state/shell.ts'
import { viewOf } from '../../state/view-state.ts'
import { announce } from '../../widgets/announce.ts'
import { tabsOf, tabToShow } from './drawer-tabs.ts'
import { type DrawerTab, panelData } from './panel-data.ts'
import { sliceText } from './slice-text.ts'
import { traceText as t } from './texts.ts'
import { traceData } from './trace-data.ts'
import { questionsNow } from './use-area.ts'

const mostCopied = 1000

/** What the drawer would tell about. */
function tabNow({ captureId }: CaptureSummary): DrawerTab | undefined {
  const view = viewOf(captureId)
  const { instant, tab } = panelData(captureId).getState()
  return view && tabToShow(tabsOf(view, instant !== undefined), tab)
}

/** True while there is something to copy. */
export function canCopy(capture: CaptureSummary): boolean {
  const tab = tabNow(capture)
  if (tab === 'slice') return traceData(capture.captureId).getState().selected !== undefined
  return tab === 'area' || (tab === 'allocation' && selectedDetails(capture) !== undefined)
}

/** Copies what is selected, and says so. */
export async function copySelected(capture: CaptureSummary): Promise<void> {
  const tab = tabNow(capture)
  const { selected } = traceData(capture.captureId).getState()
  const allocation = selectedDetails(capture)
  if (tab === 'area') await copyArea(capture)
  else if (tab === 'slice' && selected && (await copyText(sliceText(selected)))) announce(t('drawer.copied'))
  else if (tab === 'allocation' && allocation && (await copyText(detailsText(allocation)))) announce(t('drawer.copied'))
}

/** The slices of the selected range as they stand in the table, one line each, and says how many there are. */
async function copyArea(capture: CaptureSummary): Promise<void> {
  const { captureId } = capture
  const questions = questionsNow(capture)
  const sort = panelData(captureId).getState().sliceSort
  if (!questions) return
  const answer = await engine.call('trace.slices', { ...questions.slices, sort, offset: 0, limit: mostCopied })
  if (!answer.ok) return showMessage(failureSentence(answer.error), 'error')
  const { rows, total } = answer.value
  const tracks = traceData(captureId).getState().tracks?.tracks ?? []
  const isCopied = await copyText(slicesText(rows, (trackId) => tracks[trackId]?.name ?? ''))
  const [copied, all] = [formatCount(rows.length), formatCount(total)]
  if (isCopied) showMessage(t(rows.length < total ? 'copy.some' : 'copy.all', { count: rows.length, copied, all }))
}

const cellText = (text: string): string => text.replaceAll(/[\t\r\n]+/g, ' ')

/** Slices as lines of cells between tabs, the way a sheet takes them; times in nanoseconds. */
export function slicesText(rows: readonly SliceRow[], trackName: (trackId: number) => string): string {
  const head = ['name', 'category', 'track', 'start_ns', 'dur_ns', 'is_unfinished']
  const lines = rows.map(({ name, category, trackId, startNs, durNs, isUnfinished }) =>
    [cellText(name), cellText(category), cellText(trackName(trackId)), startNs, durNs, isUnfinished ? 1 : 0].join('\t'),
  )
  return [head.join('\t'), ...lines, ''].join('\n')
}
