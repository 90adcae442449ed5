import { expect, it } from 'vitest'
import { densityText } from './status-part.tsx'

it.each([
  [0.0123, '0.012 events a pixel'],
  [0.996, '1 event a pixel'],
  [1.04, '1 event a pixel'],
  [1.06, '1.1 events a pixel'],
  [12_345.6, '12,346 events a pixel'],
])('%d events a pixel are said in the form of the number shown', (density, text) => {
  expect(densityText(density)).toBe(text)
})
