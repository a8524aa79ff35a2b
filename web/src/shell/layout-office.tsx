import './layout-office.css'
import { useRouter } from '@tanstack/react-router'
import { Frame } from './frame.tsx'
import type { MenuGroup } from './frame-types.ts'
import { useSession } from './session.ts'
import { signOut } from './sign-out.ts'
import { words } from './words.ts'

interface OfficeLayoutProps {
  useMenu: () => MenuGroup[]
  /** The role in the language of the page. */
  useRole: (role: string) => string
}

/** The office's frame; its menu comes from pages/office/menu.ts. */
export function OfficeLayout({ useMenu, useRole }: OfficeLayoutProps) {
  const t = words.use()
  const groups = useMenu()
  const user = useSession()
  const router = useRouter()
  const leave = async (everywhere: boolean) => {
    await signOut(everywhere, () => router.navigate({ to: '/office/login' }))
  }
  return (
    <Frame
      groups={groups}
      start="/office"
      tag={t('office')}
      userName={user?.userName ?? ''}
      role={useRole(user?.role ?? '')}
      onSignOut={(everywhere) => void leave(everywhere)}
    />
  )
}
