import { makeListeners } from '#ui/listeners.ts'

export type Theme = 'system' | 'light' | 'dark'

const key = 'theme'
const [useCurrent, notify] = makeListeners()

function read(): Theme {
  try {
    const stored = localStorage.getItem(key)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

let chosen = read()

function show() {
  const root = document.documentElement
  if (chosen === 'system') delete root.dataset.theme
  else root.dataset.theme = chosen
}

/** Applies the stored theme; each entry calls it first. Without a choice the device decides. */
export function startTheme(): void {
  show()
}

export function chooseTheme(theme: Theme): void {
  chosen = theme
  try {
    if (theme === 'system') localStorage.removeItem(key)
    else localStorage.setItem(key, theme)
  } catch {
    // Without storage the choice is lost with the page.
  }
  show()
  notify()
}

export function useTheme(): Theme {
  return useCurrent(() => chosen)
}
