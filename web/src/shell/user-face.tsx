import { Icon } from '#ui/icon.tsx'

export interface UserButtonProps {
  name: string
  /** The role, beside the name in the office. */
  role?: string
  /** The user's account page, if there is one. */
  own?: { to: string; label: string }
  onSignOut: (everywhere: boolean) => void
  onShortcuts: () => void
}

function initials(name: string): string {
  const parts = name.trim().split(/\s+/)
  return [parts[0], parts.length > 1 ? parts.at(-1) : ''].map((part) => [...(part ?? '')][0] ?? '').join('')
}

/** The user's initials and name, as on the menu's button. */
export function UserFace({ name, role }: { name: string; role?: string }) {
  return (
    <>
      <i className="ava" aria-hidden="true">
        {initials(name)}
      </i>
      <span>{role ? `${name} · ${role}` : name}</span>
      <Icon name="down" small />
    </>
  )
}
