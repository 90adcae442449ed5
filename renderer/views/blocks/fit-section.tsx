// "What would fit?": a size, and what the allocator would do with it now.
import { runCommand } from '../../commands/registry.ts'
import { counted, exactBytes, formatAddress, formatBytes, formatCount } from '../../i18n/format.ts'
import { poolTitle, streamTitle } from '../../plot/legend.ts'
import { hasFailed } from '../../state/initial-view.ts'
import type { ViewProps } from '../view.ts'
import { goToAddress } from './actions.ts'
import { type BlocksState, patchBlocks, useBlocksState } from './blocks-state.ts'
import { isBareNumber, parseSize } from './sizes.ts'
import { useBlocksTexts } from './texts.ts'
import { useCaptureRequest } from './use-request.ts'
import { factsOf, fragmentationOf, largestRequest } from './verdict.ts'

/** The field, the numbers of the answer, and what lies where the request may not look. */
export function FitSection({ capture }: ViewProps) {
  const t = useBlocksTexts()
  const { captureId } = capture
  const typed = useBlocksState(captureId, (state) => state.request)
  const { request } = useCaptureRequest(capture)
  const isWrong = typed !== undefined && typed.trim() !== '' && parseSize(typed) === undefined
  const shown = typed ?? (request ? formatBytes(request.bytes) : '')
  const change = (text: string) =>
    patchBlocks(captureId, text === '' ? { request: undefined, stream: undefined, pool: undefined } : { request: text })
  return (
    <section className='panel-section' aria-labelledby='blocks-fit'>
      <h2 id='blocks-fit'>{t('fit.title')}</h2>
      <div className='blocks-fit-field'>
        <input
          type='text'
          maxLength={40}
          value={shown}
          placeholder={t('fit.placeholder')}
          aria-label={t('fit.size')}
          aria-invalid={isWrong}
          title={t('fit.hint')}
          data-testid='blocks-fit'
          onChange={(event) => change(event.target.value)}
        />
        {typed !== undefined && (
          <button type='button' className='tool-button' aria-label={t('fit.clear')} title={t('fit.clear')} onClick={() => change('')}>
            ×
          </button>
        )}
      </div>
      {isWrong ? (
        <p className='panel-note bad' role='alert'>
          {t('fit.wrong', { text: typed.trim() })}
        </p>
      ) : (
        <>
          {typed !== undefined && request && isBareNumber(typed) && (
            <p className='panel-note'>{t('fit.bare', { bytes: exactBytes(request.bytes) })}</p>
          )}
          <Places capture={capture} />
          <Answer capture={capture} />
        </>
      )}
    </section>
  )
}

/** Stream and pool of the request, where there are several. */
function Places({ capture }: ViewProps) {
  const t = useBlocksTexts()
  const { captureId, streams, pools } = capture
  const typed = useBlocksState(captureId, (state) => state.request)
  const { request } = useCaptureRequest(capture)
  if (!request?.fit) return null
  const choose = (patch: Partial<BlocksState>) => patchBlocks(captureId, { request: typed ?? exactBytes(request.bytes), ...patch })
  return (
    <>
      {streams.length > 1 && (
        <label className='blocks-fit-place'>
          <span>{t('fit.stream')}</span>
          <select value={request.fit.stream} onChange={(event) => choose({ stream: event.target.value })}>
            {streams.map((stream) => (
              <option key={stream} value={stream}>
                {streamTitle(stream)}
              </option>
            ))}
          </select>
        </label>
      )}
      {pools.length > 1 && (
        <label className='blocks-fit-place'>
          <span>{t('fit.pool')}</span>
          <select value={request.fit.pool} onChange={(event) => choose({ pool: event.target.value })}>
            {pools.map((pool) => (
              <option key={pool} value={pool}>
                {poolTitle(pool)}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  )
}

function Answer({ capture }: ViewProps) {
  const t = useBlocksTexts()
  const { request } = useCaptureRequest(capture)
  const fit = request?.fit
  if (!fit) return request ? null : <p className='panel-note'>{t('fit.none')}</p>
  const address = fit.block?.address ?? fit.free.largestAddress
  const fragmentation = fragmentationOf(fit, t)
  return (
    <>
      {fragmentation !== undefined && <p className='panel-note'>{fragmentation}</p>}
      {fragmentation !== undefined && hasFailed(capture) && (
        <button type='button' className='link-button' onClick={() => runCommand('view.diagnosis')}>
          {t('fit.diagnosis')}
        </button>
      )}
      <dl data-testid='blocks-fit-answer'>
        <div className='row'>
          {fit.free.count === 0 ? (
            <>
              <dt>{t(fit.segmentType === 'small' ? 'other.smallPool' : 'other.largePool')}</dt>
              <dd>{t('fit.noneThere')}</dd>
            </>
          ) : (
            <>
              <dt>{t('fit.fitting')}</dt>
              <dd>
                <b>{formatCount(fit.fittingCount)}</b> {t('fit.of', counted(fit.free.count))}
              </dd>
            </>
          )}
        </div>
        <div className='row' title={t('fit.largestMeaning')}>
          <dt>{t('fit.largest')}</dt>
          <dd>{formatBytes(largestRequest(fit))}</dd>
        </div>
        {address !== null && (
          <div className='row'>
            <dt>{fit.block ? t('fit.taken') : t('fit.nearest')}</dt>
            <dd>
              <button type='button' className='jump mono' title={t('goToBlock')} onClick={() => void goToAddress(capture, address)}>
                {formatAddress(address)}
              </button>
            </dd>
          </div>
        )}
        {factsOf(fit).map(({ place, name, totals }) => (
          <div className='row' key={place} title={t(`other.${name}Meaning`)}>
            <dt>{t(`other.${name}`)}</dt>
            <dd>
              <b>{formatCount(totals.fittingCount)}</b> {t('fit.of', counted(totals.count))}
            </dd>
          </div>
        ))}
        <div className='row' title={t('fit.newSegmentMeaning')}>
          <dt>{t('fit.newSegment')}</dt>
          <dd>{formatBytes(fit.segmentBytes)}</dd>
        </div>
        {fit.deviceFreeBytes !== null && (
          <div className='row'>
            <dt>{t('fit.deviceFree')}</dt>
            <dd>{formatBytes(fit.deviceFreeBytes)}</dd>
          </div>
        )}
      </dl>
    </>
  )
}
