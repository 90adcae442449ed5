// The rows above the picture: where it is zoomed to, what nodes weigh, and what is done with the stacks.
import { X } from 'lucide-react'
import type { ProfileValueType } from '../../../preload/contract/capture.ts'
import { flameOrderSchema, flameUnitSchema } from '../../../preload/contract/queries.ts'
import { useKeyLabel } from '../../commands/use-commands.ts'
import { counted } from '../../i18n/format.ts'
import { Approximate } from '../../panels/approximate.tsx'
import { Chooser, Switch } from '../../panels/chooser.tsx'
import { useDevice } from '../../state/use-view.ts'
import type { ViewProps } from '../view.ts'
import { setColorBy, setDirection, setOptions, setOrder, setShape, unfilter, zoomOutTo } from './actions.ts'
import { bareTitle } from './bare.ts'
import { useFlameData } from './flame-data.ts'
import { flameColors, flameShapes, hideTextOf, isOfRange, isSigned, patchFlame, useFlameState, weights } from './flame-state.ts'
import { shownValueType } from './questions.ts'
import { SearchBox } from './search-box.tsx'
import { useFlameTexts } from './texts.ts'
import { momentText, valueTypeTitle, weightTitle } from './words.ts'

const directions = ['callees', 'callers', 'about'] as const

/** Trail, search and weight, and below them the options. */
export function ToolRow({ capture }: ViewProps) {
  return (
    <>
      <div className='tool-row flame-tools'>
        <Trail capture={capture} />
        <Approximate capture={capture} />
        <SearchBox capture={capture} />
        {capture.profile ? <ValueTypes capture={capture} /> : <Weights capture={capture} />}
      </div>
      <Options capture={capture} />
    </>
  )
}

/** What a profile's nodes weigh: one of the values that the file gives for its stacks. */
function ValueTypes({ capture }: ViewProps) {
  const t = useFlameTexts()
  const { captureId, profile } = capture
  const shown = useFlameState(captureId, (state) => shownValueType(capture, state))
  const labelOf = (type: ProfileValueType) => {
    const title = valueTypeTitle(type, t)
    return type.unit === '' || type.name === '' ? title : t('values.withUnit', { name: title, unit: type.unit })
  }
  return (
    <Chooser
      label={t('values.label')}
      title={t('values.hint')}
      value={String(shown?.valueType ?? 0)}
      options={(profile?.valueTypes ?? []).map((type) => ({ value: String(type.valueType), label: labelOf(type) }))}
      onChoose={(value) => patchFlame(captureId, { valueType: Number(value) })}
    />
  )
}

/** What nodes weigh of a capture with moments. */
function Weights({ capture }: ViewProps) {
  const t = useFlameTexts()
  const { captureId } = capture
  const device = useDevice(capture)
  const weight = useFlameState(captureId, (state) => state.weight)
  const unit = useFlameState(captureId, (state) => state.unit)
  const offered = weights.filter((each) => each === 'cursor' || (device?.eventCount ?? 0) > 0)
  return (
    <>
      <Chooser
        label={t('weight.label')}
        title={t(isOfRange(weight) ? 'weight.rangeHint' : 'weight.hint')}
        value={weight}
        options={offered.map((value) => ({ value, label: t(`weight.${value}`) }))}
        onChoose={(value) => patchFlame(captureId, { weight: value })}
      />
      <Switch
        label={t('unit.label')}
        value={unit}
        options={flameUnitSchema.options.map((value) => ({ value, label: t(`unit.${value}`) }))}
        onChoose={(value) => patchFlame(captureId, { unit: value })}
      />
    </>
  )
}

/** All, then what was zoomed to, step by step. */
function Trail({ capture }: ViewProps) {
  const t = useFlameTexts()
  const { captureId } = capture
  const trail = useFlameState(captureId, (state) => state.trail)
  const weighed = useFlameData(captureId, (data) => data.answer?.weighed)
  const pivot = useFlameState(captureId, (state) => state.pivot)
  const about = pivot ? [t('about', { name: pivot.title })] : []
  const nodes = useFlameData(captureId, (data) => data.answer?.nodes)
  const bareOf = (node: number) => nodes?.tree.bare[nodes.placeOf.get(node) ?? -1] ?? 0
  const steps = trail.map(({ node, path }) => path.at(-1)?.title ?? bareTitle(bareOf(node), capture.kind, t))
  const names = [t('allShort'), ...about, ...steps]
  return (
    <nav className='trail' aria-label={t('trail')}>
      {names.slice(0, -1).map((name, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step has no other identity than its place
        <span key={place} className='flame-step'>
          <button type='button' className='trail-button' onClick={() => zoomOutTo(capture, place)}>
            {name}
          </button>
          <span aria-hidden='true'>›</span>
        </span>
      ))}
      <span className='t1 truncate'>{names.at(-1)}</span>
      {weighed && (
        <span className='truncate' data-testid='flame-title'>
          {weightTitle(weighed, t)} · {momentText(weighed, t)}
        </span>
      )}
    </nav>
  )
}

function Options({ capture }: ViewProps) {
  const t = useFlameTexts()
  const { captureId } = capture
  const direction = useFlameState(captureId, (state) => (state.pivot ? 'about' : state.direction))
  const merge = useFlameState(captureId, (state) => state.merge)
  const folds = useFlameState(captureId, (state) => state.foldRecursion)
  const invertKey = useKeyLabel('view.invert')
  return (
    <div className='flame-options'>
      <Chooser
        label={t('direction.label')}
        title={`${t('direction.hint')} (${invertKey})`}
        value={direction}
        options={directions.flatMap((value) =>
          value === 'about' && direction !== 'about' ? [] : [{ value, label: t(`direction.${value}`) }],
        )}
        onChoose={(value) => value !== 'about' && setDirection(capture, value)}
      />
      <ShapeAndOrder capture={capture} />
      <Chooser
        label={t('merge.label')}
        title={t('merge.hint')}
        value={merge}
        options={(['function', 'line'] as const).map((value) => ({ value, label: t(`merge.${value}`) }))}
        onChoose={(value) => setOptions(capture, { merge: value })}
      />
      <button
        type='button'
        className='tool-button'
        aria-pressed={folds}
        title={t('recursion.hint')}
        onClick={() => setOptions(capture, { foldRecursion: !folds })}
      >
        {t('recursion.fold')}
      </button>
      <ColorSwitch capture={capture} />
      <Hiding capture={capture} />
      <Chips capture={capture} />
    </div>
  )
}

/** Which way the rows go, but about a pivot, which always has its callers above; and in which order siblings stand. */
function ShapeAndOrder({ capture }: ViewProps) {
  const t = useFlameTexts()
  const { captureId, profile } = capture
  const shape = useFlameState(captureId, (state) => state.shape)
  const order = useFlameState(captureId, (state) => state.order)
  const isAbout = useFlameState(captureId, (state) => state.pivot !== undefined)
  const flipKey = useKeyLabel('view.flip')
  const orderKey = useKeyLabel('view.order')
  return (
    <>
      {!isAbout && (
        <Chooser
          label={t('shape.label')}
          title={`${t('shape.hint')} (${flipKey})`}
          value={shape}
          options={flameShapes.map((value) => ({ value, label: t(`shape.${value}`) }))}
          onChoose={(value) => setShape(capture, value)}
        />
      )}
      <Chooser
        label={t('order.label')}
        title={`${t(profile ? 'order.hintOfProfile' : 'order.hint')} (${orderKey})`}
        value={order}
        options={flameOrderSchema.options.map((value) => ({ value, label: t(`order.${value}`) }))}
        onChoose={(value) => setOrder(capture, value)}
      />
    </>
  )
}

/** What the colours say; there is nothing to choose while they say how much functions changed. */
function ColorSwitch({ capture }: ViewProps) {
  const t = useFlameTexts()
  const colorBy = useFlameState(capture.captureId, (state) => state.colorBy)
  const isShown = useFlameState(capture.captureId, ({ weight }) => capture.profile === null && !isSigned(weight))
  const key = useKeyLabel('view.colorBy')
  if (!isShown) return null
  return (
    <Chooser
      label={t('color.label')}
      title={`${t('color.hint')} (${key})`}
      value={colorBy}
      options={flameColors.map((value) => ({ value, label: t(`color.${value}`) }))}
      onChoose={(value) => setColorBy(capture, value)}
    />
  )
}

/** The switch that leaves library frames out, and what counts as one. */
function Hiding({ capture }: ViewProps) {
  const t = useFlameTexts()
  const { captureId } = capture
  const hides = useFlameState(captureId, (state) => state.hidesLibrary)
  const text = useFlameState(captureId, (state) => hideTextOf(state, capture.kind))
  const hidden = useFlameData(captureId, (data) => data.answer?.nodes.tree.hiddenFrames ?? 0)
  return (
    <>
      <button
        type='button'
        className='tool-button'
        aria-pressed={hides}
        title={t('hide.hint')}
        onClick={() => setOptions(capture, { hidesLibrary: !hides })}
      >
        {t('hide.library')}
      </button>
      {hides && (
        <>
          <input
            type='text'
            className='tool-input flame-hide'
            aria-label={t('hide.texts')}
            title={t('hide.textsHint')}
            maxLength={2000}
            spellCheck={false}
            value={text}
            onChange={({ target }) => setOptions(capture, { hideText: target.value })}
          />
          <span className='weak flame-hidden' data-testid='flame-hidden'>
            {t('hide.count', counted(hidden))}
          </span>
        </>
      )}
    </>
  )
}

/** Functions that stacks must have, or must not; each can be taken away. */
function Chips({ capture }: ViewProps) {
  const t = useFlameTexts()
  const { captureId } = capture
  const wanted = useFlameState(captureId, (state) => state.with)
  const unwanted = useFlameState(captureId, (state) => state.without)
  const chips = [
    ...wanted.map((frame) => ({ ...frame, how: 'with' as const })),
    ...unwanted.map((frame) => ({ ...frame, how: 'without' as const })),
  ]
  return (
    <>
      {chips.map(({ frameId, title, how }) => {
        const name = t(`chip.${how}`, { name: title })
        return (
          <button
            key={`${how}${frameId}`}
            type='button'
            className='chip flame-chip'
            title={t('chip.remove', { chip: name })}
            aria-label={t('chip.remove', { chip: name })}
            onClick={() => unfilter(capture, frameId, how)}
          >
            <span className='truncate'>{name}</span>
            <X aria-hidden='true' size={12} />
          </button>
        )
      })}
    </>
  )
}
