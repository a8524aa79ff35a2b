import { type RefObject, useEffect, useRef } from 'react'

function walk(page: HTMLElement, event: KeyboardEvent): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const from = event.target instanceof HTMLElement ? event.target : undefined
  if (step === 0 || !from || !page.contains(from)) return
  const links = [...page.querySelectorAll<HTMLElement>('a[data-student]')]
  const at = links.indexOf(from)
  const search = page.querySelector<HTMLElement>('[data-search]')
  if (at < 0 && !(step > 0 && from === search)) return
  event.preventDefault()
  if (at === 0 && step < 0) search?.focus()
  else links[at + step]?.focus()
}

/** Arrows go from the search to the first child and from one to the next; Enter opens it as any link. */
export function useArrows(): RefObject<HTMLDivElement | null> {
  const page = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (page.current) walk(page.current, event)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
  return page
}
