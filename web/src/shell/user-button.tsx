import { lazy, Suspense, useState } from 'react'
import { type UserButtonProps, UserFace } from './user-face.tsx'
import { words } from './words.ts'

const load = () => import('./user-menu.tsx').then((m) => ({ default: m.UserMenu }))
const UserMenu = lazy(load)

/** The button of the user's menu; the menu itself is downloaded when somebody comes near it. */
export function UserButton(props: UserButtonProps) {
  const t = words.use()
  const [wanted, setWanted] = useState(false)
  const warm = () => void load()
  const closed = (
    <button
      type="button"
      className="user"
      title={t('account', { name: props.name })}
      aria-haspopup="menu"
      aria-expanded={false}
      aria-busy={wanted || undefined}
      onPointerEnter={warm}
      onFocus={warm}
      onClick={() => setWanted(true)}
    >
      <UserFace name={props.name} role={props.role} />
    </button>
  )
  if (!wanted) return closed
  return (
    <Suspense fallback={closed}>
      <UserMenu {...props} />
    </Suspense>
  )
}
