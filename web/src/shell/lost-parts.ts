/** How often a server that was away is asked whether it is back. */
export const askEvery = 2000

const lostPart = 'Part not downloaded: '

/** Whether this is a script or a style sheet of the portal that could not be downloaded. */
export const isLostPart = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith(lostPart)

/**
 * Sees to the parts of the portal that do not arrive, once for a whole entry. The fault gets words of ours: the router
 * takes those of the browsers for a new version and loads the page anew at once, which without a connection is the
 * browser's error page. And a style sheet is asked for until it is there: the bundler asks only once, and would show
 * the page without it afterwards.
 */
export function watchLostParts(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    if (!isLostPart(payload)) payload.message = `${lostPart}${payload.message}`
  })
  document.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLLinkElement && target.rel === 'stylesheet')
        setTimeout(askAgain, askEvery, target)
    },
    true,
  )
}

const askAgain = (sheet: HTMLLinkElement) => sheet.replaceWith(sheet.cloneNode())
