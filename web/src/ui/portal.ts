/** What the page's HTML says about the foundation: its name, and its logo if it has one. */
const pageData = (): DOMStringMap => document.documentElement.dataset

/** The foundation's short name, which ends each title. */
export const portalName = (): string => pageData().portal ?? 'Podium'

/** Address and size of the logo in pixels; undefined for the built-in mark. */
export function portalLogo(): { src: string; width: number; height: number } | undefined {
  const { logo, logoSize = '' } = pageData()
  const [width = 0, height = 0] = logoSize.split(' ').map(Number)
  return logo ? { src: logo, width, height } : undefined
}

/** Formats a page's title for the browser tab. */
export const pageTitle = (title: string): string => `${title} · ${portalName()}`
