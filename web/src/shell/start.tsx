import '#ui/tokens.css'
import '#ui/base.css'
import { formatNumber } from '@podium/contract/figures'
import type { ReactNode } from 'react'
import { StrictMode, Suspense, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { type KitWords, KitWordsProvider } from '#ui/kit-words.ts'
import { downloads } from '#ui/lazy-part.ts'
import {
  type Language,
  languageLoaded,
  loadCatalogue,
  onLanguageLoad,
  startLanguage,
  useLanguage,
} from './language/language.ts'
import { startTheme } from './theme.ts'

const sources = import.meta.glob('#words/*/kit.json')
const kit = downloads(
  async (language: Language) =>
    ({ ...(await loadCatalogue(sources, language)), number: formatNumber }) as KitWords,
)
onLanguageLoad(kit.load)

/** Provides the kit's words in the page's language. */
function LanguageProvider({ children }: { children: ReactNode }) {
  return <KitWordsProvider value={kit.take(useLanguage())}>{children}</KitWordsProvider>
}

/** A page with its wrappers, the same in each entry and in its prerendered first view (scripts/preload.ts). */
export const withProviders = (page: ReactNode) => (
  <StrictMode>
    <Suspense>
      <LanguageProvider>{page}</LanguageProvider>
    </Suspense>
  </StrictMode>
)

/**
 * Ignores the second click of a double click unless it hits the same button. If that one has gone, another may be under
 * the finger, such as the next child's consent, which no one meant to press.
 */
function ignoreStrayClicks(): void {
  let pressed: Element | null = null
  const heed = (event: MouseEvent) => {
    const button = event.target instanceof Element ? event.target.closest('button, a') : null
    if (event.detail < 2) pressed = button
    else if (button !== null && button !== pressed) {
      event.preventDefault()
      event.stopPropagation()
    }
  }
  addEventListener('click', heed, true)
}

/**
 * Starts an entry: theme and language first, then what the first view needs (`first` downloads the page), because React
 * delays by 300 ms whatever follows an empty place. The page itself reports failed downloads. If `drawn` says that the
 * HTML contains the first view, it is hydrated, with what was typed in it.
 */
export async function start(
  page: ReactNode,
  first: () => Promise<unknown>,
  drawn = () => false,
): Promise<void> {
  startTheme()
  ignoreStrayClicks()
  startLanguage()
  await first().catch(() => undefined)
  // Only now are the words known that the page's parts need.
  await languageLoaded().catch(() => undefined)
  const root = document.getElementById('root')
  if (!root) throw new Error('the page has no #root')
  // A transition renders in slices, so a phone's main thread is not blocked in one piece.
  startTransition(() => {
    if (root.firstChild && drawn()) hydrateRoot(root, withProviders(page))
    else createRoot(root).render(withProviders(page))
  })
}
