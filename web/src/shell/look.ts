import { useSyncExternalStore } from 'react'

/** How the foundation presents itself, when it was changed in this tab; other tabs show it when they load anew. */
interface Look {
  name: string
  /** Its address, and its size in pixels; an empty address is the built-in mark */
  logo: { address: string; width: number; height: number }
}

let shown = 0
const listeners = new Set<() => void>()

/** Takes over what was saved, the colour's style sheet included. */
export function showLook({ name, logo }: Look): void {
  const { dataset } = document.documentElement
  dataset.portal = name
  if (logo.address === '') delete dataset.logo
  else {
    dataset.logo = logo.address
    dataset.logoSize = `${logo.width} ${logo.height}`
  }
  renewSheet()
  shown++
  for (const listener of listeners) listener()
}

/** The server answers a name that it does not know with the sheet of now; without a colour it is an empty one. */
function renewSheet(): void {
  const before = document.getElementById('brand')
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.id = 'brand'
  link.href = `/brand/${String(Date.now()).padStart(22, '-')}.css`
  // The one before goes when the new one holds, so that no colour flashes between.
  link.onload = () => before?.remove()
  document.head.append(link)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Draws its component anew when the look was changed in this tab. */
export function useLook(): void {
  useSyncExternalStore(subscribe, () => shown)
}
