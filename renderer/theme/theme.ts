// Which theme is shown. React and canvas read the same tokens; CSS gets them as custom properties on the root element.
import { useShell } from '../state/shell.ts'
import { monoFont, uiFont } from './fonts.ts'
import { dark, light, type Tokens } from './tokens.ts'

function tokensOf(state: ReturnType<typeof useShell.getState>): Tokens {
  const { theme } = state.settings
  return theme === 'dark' || (theme === 'system' && state.systemDark) ? dark : light
}

/** The tokens shown now, for drawing outside React. */
export const currentTokens = (): Tokens => tokensOf(useShell.getState())

/** The tokens shown now; the component is drawn again when they change. */
export const useTokens = (): Tokens => useShell(tokensOf)

/** Calls back with the new tokens when the theme changes; returns the removal. */
export function onTokensChanged(listener: (tokens: Tokens) => void): () => void {
  return useShell.subscribe((state, old) => {
    const tokens = tokensOf(state)
    if (tokens !== tokensOf(old)) listener(tokens)
  })
}

const kebab = (name: string) => name.replace(/[A-Z]+/g, (part) => `-${part.toLowerCase()}`)

function applyTokens(tokens: Tokens): void {
  const root = document.documentElement
  for (const [name, value] of Object.entries(tokens)) {
    if (name !== 'name' && !Array.isArray(value)) root.style.setProperty(`--${kebab(name)}`, String(value))
  }
  root.setAttribute('data-theme', tokens.name)
  root.style.colorScheme = tokens.name
}

/** Writes the tokens to the page and keeps them up to date. */
export function startTheme(): void {
  const system = window.matchMedia('(prefers-color-scheme: dark)')
  useShell.setState({ systemDark: system.matches })
  system.addEventListener('change', () => useShell.setState({ systemDark: system.matches }))
  document.documentElement.style.setProperty('--ui', uiFont)
  document.documentElement.style.setProperty('--mono', monoFont)
  applyTokens(currentTokens())
  onTokensChanged(applyTokens)
}
