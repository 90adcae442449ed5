import './app/zod-setup.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { start } from './app/start.ts'
import './theme/styles.ts'
import './panels/styles.ts'

const root = document.getElementById('root')
if (root) {
  // Settings first: the window shows its language and theme from the first picture on.
  void start().then(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )
}
