// The chart above the table, which is its twin.
import { useEffect, useRef, useState } from 'react'
import { formatCount } from '../../i18n/format.ts'
import { inkOf } from '../../plot/ink.ts'
import { measureWith, paintAll } from '../../scene/canvas-painter.ts'
import { cssColor } from '../../theme/palette.ts'
import { useTokens } from '../../theme/theme.ts'
import type { ViewProps } from '../view.ts'
import { chartOf, drawChart } from './chart-model.ts'
import { type SqlResult, useSqlState } from './sql-state.ts'
import { useSqlTexts } from './texts.ts'

interface ChartProps extends ViewProps {
  readonly result: SqlResult
}

const [heightPx, marginPx] = [240, 12]

/** Bars or a line; words where no column has numbers. */
export function ChartPanel({ capture, result }: ChartProps) {
  const t = useSqlTexts()
  const tokens = useTokens()
  const kind = useSqlState(capture.captureId, (state) => state.chart)
  const chosen = useSqlState(capture.captureId, (state) => state.chartColumn)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [widthPx, setWidth] = useState(0)
  useEffect(() => {
    const host = canvas.current?.parentElement
    if (!host) return
    const observer = new ResizeObserver(() => setWidth(host.clientWidth))
    observer.observe(host)
    return () => observer.disconnect()
  }, [])
  const chart = kind === 'none' ? undefined : chartOf(result, kind, chosen, t)
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context || !chart || widthPx === 0) return
    const scale = window.devicePixelRatio
    context.canvas.width = Math.round(widthPx * scale)
    context.canvas.height = Math.round(heightPx * scale)
    context.setTransform(scale, 0, 0, scale, 0, 0)
    context.fillStyle = cssColor(inkOf(tokens).canvas)
    context.fillRect(0, 0, widthPx, heightPx)
    const frame = { xPx: marginPx, yPx: 0, widthPx: widthPx - 2 * marginPx, heightPx }
    const items = drawChart(chart, frame, { tokens, measure: measureWith(context), t })
    paintAll(context, [{ clip: { xPx: 0, yPx: 0, widthPx, heightPx }, items }], new Map())
  })
  const words = chart && {
    kind: t(`chart.${chart.kind}`),
    value: chart.value,
    label: chart.label === '' ? t('chart.row') : chart.label,
    formatted: formatCount(chart.points.length),
  }
  return (
    <div className='sql-chart'>
      <canvas
        ref={canvas}
        role='img'
        aria-label={words ? t('chart.describe', words) : t('chart.impossible')}
        style={{ width: widthPx, height: heightPx }}
        hidden={!chart}
      />
      {!chart && <p className='weak'>{t('chart.impossible')}</p>}
    </div>
  )
}
