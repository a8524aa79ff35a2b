import type { View } from './students-filters.tsx'

const key = 'students.view'

/** The view chosen last on this device; the table until one is. */
export function readView(): View {
  try {
    return localStorage.getItem(key) === 'list' ? 'list' : 'table'
  } catch {
    return 'table'
  }
}

export function writeView(view: View): void {
  try {
    localStorage.setItem(key, view)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
