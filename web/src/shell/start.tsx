import '#ui/tokens.css'
import '#ui/base.css'
import { grouped } from '@podium/contract/figures'
import type { ReactNode } from 'react'
import { StrictMode, Suspense, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { type KitWords, KitWordsProvider } from '#ui/kit-words.ts'
import { downloads } from '#ui/part.ts'
import {
  catalogueIn,
  type Language,
  languageLoaded,
  onLanguageLoad,
  startLanguage,
  useLanguage,
} from './language/language.ts'
import { startTheme } from './theme.ts'

const sources = import.meta.glob('#words/*/kit.json')
const kit = downloads(
  async (language: Language) => ({ ...(await catalogueIn(sources, language)), number: grouped }) as KitWords,
)
onLanguageLoad(kit.load)

/** Gives the kit its words in the language of the page. */
function LanguageProvider({ children }: { children: ReactNode }) {
  return <KitWordsProvider value={kit.take(useLanguage())}>{children}</KitWordsProvider>
}

/** A page with all that stands around it in each entry; its first picture is drawn of the same (scripts/preload.ts). */
export const whole = (page: ReactNode) => (
  <StrictMode>
    <Suspense>
      <LanguageProvider>{page}</LanguageProvider>
    </Suspense>
  </StrictMode>
)

/**
 * The second press of a double one is for the button of the first. Where that has gone by then, another may have come to
 * be beneath the finger, such as the next child's consent: nobody meant to press it.
 */
function ignoreStrayPresses(): void {
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
 * Puts an entry on its page: theme and language first, then what the first picture is made of (`first` downloads the page
 * that was asked for), since React holds back by 300 ms whatever follows an empty place. What can't be downloaded is
 * told by the page itself. A picture that came with the HTML is taken over as it is, with what was typed in it, where
 * `drawn` says that the page begins with it.
 */
export async function start(
  page: ReactNode,
  first: () => Promise<unknown>,
  drawn = () => false,
): Promise<void> {
  startTheme()
  ignoreStrayPresses()
  startLanguage()
  await first().catch(() => undefined)
  // Only now are the words known that the page's parts ask for.
  await languageLoaded().catch(() => undefined)
  const root = document.getElementById('root')
  if (!root) throw new Error('the page has no #root')
  // A transition is drawn in slices: a phone's first picture does not hold its thread in one piece.
  startTransition(() => {
    if (root.firstChild && drawn()) hydrateRoot(root, whole(page))
    else createRoot(root).render(whole(page))
  })
}
