/** How often to ask whether the server is back, in ms. */
export const retryInterval = 2000

const failedDownload = 'Part not downloaded: '

/** Whether the error is a failed download of a script or style sheet of the portal. */
export const isFailedDownload = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith(failedDownload)

/**
 * Handles parts of the portal that fail to download, once for a whole entry. Replaces the error's message: the router
 * takes the browsers' own messages for a new version and reloads the page at once, which without a connection shows the
 * browser's error page. Also retries style sheets until they load: the bundler tries only once and would show the page
 * without them.
 */
export function handleFailedDownloads(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    if (!isFailedDownload(payload)) payload.message = `${failedDownload}${payload.message}`
  })
  document.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLLinkElement && target.rel === 'stylesheet')
        setTimeout(askAgain, retryInterval, target)
    },
    true,
  )
}

const askAgain = (sheet: HTMLLinkElement) => sheet.replaceWith(sheet.cloneNode())
