import { Icon } from '#ui/icon.tsx'

export interface UserButtonProps {
  name: string
  /** Beside the name: the role in the office. */
  role?: string
  /** The page of one's own account, where there is one. */
  own?: { to: string; label: string }
  onSignOut: (everywhere: boolean) => void
  onShortcuts: () => void
}

function initials(name: string): string {
  const parts = name.trim().split(/\s+/)
  return [parts[0], parts.length > 1 ? parts.at(-1) : ''].map((part) => [...(part ?? '')][0] ?? '').join('')
}

/** The person's initials and name, as the button of the menu shows them. */
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
