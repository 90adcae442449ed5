// A link from a number to the view that shows it. Without a capture there are none.
import { createContext, type ReactNode, useContext } from 'react'
import type { EvidencePlace } from '../../preload/contract/diagnosis.ts'
import { useDiagnosisTexts } from './words.ts'

export type OnPlace = (place: EvidencePlace) => void

const PlaceContext = createContext<OnPlace | undefined>(undefined)

/** Gives the links below it a capture to lead into; undefined: they are left out. */
export const PlaceProvider = PlaceContext.Provider

interface PlaceProps {
  readonly place: EvidencePlace | null
  readonly what: string // what is shown there, for assistive technology
}

/** "Show in Blocks →"; nothing where no view shows it. */
export function PlaceLink({ place, what }: PlaceProps) {
  const t = useDiagnosisTexts()
  const onPlace = useContext(PlaceContext)
  if (!place || !onPlace) return null
  const show = t(`place.${place.view}`)
  return (
    <button type='button' className='link-button' aria-label={t('place.about', { show, what })} onClick={() => onPlace(place)}>
      {show} <span aria-hidden='true'>→</span>
    </button>
  )
}

/** A name that leads to its view; plain where there is none. */
export function PlaceName({ place, what, children }: PlaceProps & { readonly children: ReactNode }) {
  const t = useDiagnosisTexts()
  const onPlace = useContext(PlaceContext)
  if (!place || !onPlace) return <span className='truncate'>{children}</span>
  return (
    <button type='button' className='diag-name' title={`${what}\n${t(`place.${place.view}`)}`} onClick={() => onPlace(place)}>
      {children}
    </button>
  )
}
