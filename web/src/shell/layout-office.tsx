import './layout-office.css'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Frame } from './frame.tsx'
import { useSession } from './session.ts'
import type { MenuGroup } from './side-menu.tsx'
import { signOut } from './sign-out.ts'
import { words } from './words.ts'

interface OfficeLayoutProps {
  useMenu: () => MenuGroup[]
  /** All pages, for the palette. */
  usePages: () => MenuGroup[]
  useSeasons: () => readonly string[] | undefined
  /** The officer's own account, in the user menu. */
  account: { to: string; label: string }
  /** Returns the name of a role in the page's language. */
  useRole: (role: string) => string
  /** Shown instead of the page. */
  instead?: ReactNode
}

/** The office's layout; its menu is in pages/office/layout.tsx. */
export function OfficeLayout({
  useMenu,
  usePages,
  useSeasons,
  useRole,
  account,
  instead,
}: OfficeLayoutProps) {
  const t = words.use()
  const groups = useMenu()
  const pages = usePages()
  const seasons = useSeasons()
  const user = useSession()
  const router = useRouter()
  const leave = async (everywhere: boolean) => {
    await signOut(everywhere, () => router.navigate({ to: '/office/login' }))
  }
  return (
    <Frame
      groups={groups}
      pages={pages}
      account={account}
      instead={instead}
      folds
      records
      seasons={seasons}
      start="/office"
      tag={t('office')}
      userName={user?.userName ?? ''}
      role={useRole(user?.role ?? '')}
      onSignOut={(everywhere) => void leave(everywhere)}
    />
  )
}
