import { makeListeners } from '#ui/listeners.ts'

/** The foundation's branding, if it was changed in this tab; other tabs show it after a reload. */
interface Branding {
  name: string
  /** Its address, and its size in pixels; an empty address is the built-in mark */
  logo: { address: string; width: number; height: number }
}

let shown = 0
const [useCurrent, notify] = makeListeners()

/** Applies the saved branding, including the colour's style sheet. */
export function applyBranding({ name, logo }: Branding): void {
  const { dataset } = document.documentElement
  dataset.portal = name
  if (logo.address === '') delete dataset.logo
  else {
    dataset.logo = logo.address
    dataset.logoSize = `${logo.width} ${logo.height}`
  }
  reloadBrandSheet()
  shown++
  notify()
}

/** The server answers an unknown version with the current style sheet, which is empty if no colour is set. */
function reloadBrandSheet(): void {
  const before = document.getElementById('brand')
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.id = 'brand'
  link.href = `/brand/${String(Date.now()).padStart(22, '-')}.css`
  // The old sheet is removed once the new one is loaded, so that no colour flashes.
  link.onload = () => before?.remove()
  document.head.append(link)
}

/** Re-renders the component when the branding was changed in this tab. */
export function useBranding(): void {
  useCurrent(() => shown)
}
