import { officeSignOut } from '@podium/contract/staff/calls'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { call, onCall, onSignedOut, onUnconfirmed } from '#shell/call.ts'
import { callKeyed } from '#shell/call-once.ts'
import { askToConfirm } from '#shell/confirm/asking.ts'
import { handleFailedDownloads } from '#shell/failed-downloads.ts'
import { saveOwnDrafts } from '#shell/own-draft.ts'
import { officePaths } from '#shell/paths.ts'
import { queryClient } from '#shell/query.ts'
import { firstPage, portalRouter } from '#shell/router.ts'
import { followOtherTabs } from '#shell/session.ts'
import { setServerSignOut } from '#shell/sign-out.ts'
import { start } from '#shell/start.tsx'
import { Toaster } from '#ui/toast.tsx'
import { tree } from './tree.tsx'

followOtherTabs()
handleFailedDownloads()
// Text typed just before leaving or reloading is not lost.
addEventListener('pagehide', saveOwnDrafts)
const router = portalRouter(tree)

// Several calls may find out at once that the session is over; the first one still knows the current page.
onCall(callKeyed)
onSignedOut(() => {
  const { href, pathname } = router.state.location
  if (pathname.toLowerCase() === officePaths.login) return
  saveOwnDrafts()
  void router
    .navigate({ to: officePaths.login, search: { returnurl: href, ended: true }, ignoreBlocker: true })
    .then(() => queryClient.clear())
})

onUnconfirmed(askToConfirm)

// The browser clears the session whatever the server answers.
setServerSignOut(() => call(officeSignOut, { leaving: true }).catch(() => undefined))

void start(
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
    <Toaster />
  </QueryClientProvider>,
  () => firstPage(router),
)
