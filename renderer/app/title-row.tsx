// The top row: captures as tabs, and the box that finds everything.
import { ListTree, Plus, Search, TriangleAlert, X } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { runCommand } from '../commands/registry.ts'
import { useKeyLabel } from '../commands/use-commands.ts'
import { countsOf } from '../failures/rows.ts'
import { failuresText } from '../failures/texts.ts'
import { counted } from '../i18n/format.ts'
import { translate } from '../i18n/language.ts'
import { type CaptureTab, tabName, useCaptures } from '../state/captures.ts'
import { useShell } from '../state/shell.ts'
import { Logo } from './logo.tsx'
import { closeTab, showTab } from './open-captures.ts'

/** The row itself. */
export function TitleRow() {
  const { t } = useTranslation()
  return (
    <section className='title-row' data-region='captures' aria-label={t('region.captures')}>
      <button
        type='button'
        className='logo-button'
        aria-label={t('appName')}
        title={t('appName')}
        onClick={() => runCommand('help.welcome')}
      >
        <Logo size={18} />
      </button>
      <Tabs />
      <SearchBox />
    </section>
  )
}

function Tabs() {
  const { t } = useTranslation()
  const tabs = useCaptures((state) => state.tabs)
  const activeTabId = useCaptures((state) => state.activeTabId)
  const showWelcome = useShell((state) => state.showWelcome)
  const openKey = useKeyLabel('file.open')
  return (
    <div className='tabs'>
      {tabs.length > 0 && (
        <div className='tab-list' role='tablist' aria-label={t('region.captures')} onKeyDown={moveFocus}>
          {tabs.map((tab) => (
            <Tab key={tab.tabId} tab={tab} selected={tab.tabId === activeTabId && !showWelcome} reachable={tab.tabId === activeTabId} />
          ))}
        </div>
      )}
      <button
        type='button'
        className='icon-button'
        aria-label={t('tabs.open')}
        title={`${t('tabs.open')} (${openKey})`}
        onClick={() => runCommand('file.open')}
      >
        <Plus aria-hidden='true' size={16} />
      </button>
    </div>
  )
}

/** Arrow keys move along the tabs and show each at once. */
function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')]
  const index = tabs.findIndex((tab) => tab.matches(':focus'))
  const last = tabs.length - 1
  const next = { ArrowRight: index === last ? 0 : index + 1, ArrowLeft: index === 0 ? last : index - 1, Home: 0, End: last }[event.key]
  if (next === undefined || index < 0) return
  event.preventDefault()
  const tab = tabs[next]
  tab?.focus()
  tab?.click()
}

function Tab({ tab, selected, reachable }: { readonly tab: CaptureTab; readonly selected: boolean; readonly reachable: boolean }) {
  const { t } = useTranslation()
  const { tabId } = tab
  const name = useCaptures((state) => tabName(tab, state.tabs))
  const element = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (selected) element.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [selected])
  const oom = tab.status === 'ready' && tab.capture.devices.some((device) => device.ooms.length > 0)
  const label = oom ? t('tabs.oom', { name }) : stateLabel(tab, name)
  const closeByMouse = (event: MouseEvent) => {
    event.stopPropagation()
    closeTab(tabId)
  }
  return (
    <button
      ref={element}
      type='button'
      role='tab'
      className='tab'
      id={`tab-${tabId}`}
      aria-selected={selected}
      aria-controls='main'
      aria-label={label}
      aria-description={t('tabs.closeHint')}
      title={name}
      tabIndex={reachable ? 0 : -1}
      onClick={() => showTab(tabId)}
      onAuxClick={(event) => event.button === 1 && closeTab(tabId)}
      onKeyDown={(event) => event.key === 'Delete' && closeTab(tabId)}
    >
      {tab.status === 'loading' && <span className='spinner' aria-hidden='true' />}
      {(oom || tab.status === 'failed') && <TriangleAlert className='bad' aria-hidden='true' size={13} />}
      {tab.status === 'failures' && <ListTree className='weak' aria-hidden='true' size={13} />}
      <span className='truncate'>{name}</span>
      {/* For the mouse only: the keyboard closes with Delete or by command, and a tab must not hold a second control. */}
      <span className='tab-close' aria-hidden='true' title={t('tabs.close', { name })} onClick={closeByMouse}>
        <X size={13} />
      </span>
    </button>
  )
}

/** The name of a tab with what it shows, for assistive technology. */
function stateLabel(tab: CaptureTab, name: string): string {
  if (tab.status === 'loading') return translate('tabs.loading', { name })
  if (tab.status === 'failed') return translate('tabs.failed', { name })
  if (tab.status === 'ready') return name
  const { failures: count } = countsOf(tab.failures)
  return failuresText('tab.failures', { name, ...counted(count) })
}

function SearchBox() {
  const { t } = useTranslation()
  const keys = useKeyLabel('go.quickOpen')
  return (
    <button type='button' className='search-box' aria-haspopup='dialog' onClick={() => runCommand('go.quickOpen')}>
      <Search aria-hidden='true' size={14} />
      <span className='truncate'>{t('search.box')}</span>
      <kbd>{keys}</kbd>
    </button>
  )
}
