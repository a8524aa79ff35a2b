import '#ui/tokens.css'
import '#ui/base.css'
import type { ReactNode } from 'react'
import { StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { startLanguage } from './language/language.ts'
import { LanguageProvider } from './language/provider.tsx'
import { startTheme } from './theme.ts'

/** Puts an entry on its page: theme and language first, messages above everything. */
export function start(page: ReactNode): void {
  startTheme()
  startLanguage()
  const root = document.getElementById('root')
  if (!root) throw new Error('the page has no #root')
  createRoot(root).render(
    <StrictMode>
      <Suspense>
        <LanguageProvider>{page}</LanguageProvider>
      </Suspense>
    </StrictMode>,
  )
}
