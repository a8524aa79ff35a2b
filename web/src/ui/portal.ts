/** What the server says of the foundation in the page's HTML: its name, and its logo where it has one. */
const said = (): DOMStringMap => document.documentElement.dataset

/** The foundation's short name, as titles end with it. */
export const portalName = (): string => said().portal ?? 'Podium'

/** Where the logo is, with its size in pixels; undefined for the built-in mark. */
export function portalLogo(): { src: string; width: number; height: number } | undefined {
  const { logo, logoSize = '' } = said()
  const [width = 0, height = 0] = logoSize.split(' ').map(Number)
  return logo ? { src: logo, width, height } : undefined
}

/** The title of a page, for the browser's tab. */
export const pageTitle = (title: string): string => `${title} · ${portalName()}`
