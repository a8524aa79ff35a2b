import { portalLogo, portalName } from '#ui/portal.ts'

/** The mark is a podium: second, first, third. */
export function LogoMark() {
  return (
    <svg viewBox="0 0 26 24" aria-hidden="true">
      <rect className="l2" x="0" y="10" width="8" height="14" rx="1" />
      <rect className="l1" x="9" y="2" width="8" height="22" rx="1" />
      <rect className="l3" x="18" y="14" width="8" height="10" rx="1" />
    </svg>
  )
}

/** The foundation's logo, or the mark, and its name. */
export function Brand() {
  const logo = portalLogo()
  return (
    <>
      {logo ? <img alt="" {...logo} /> : <LogoMark />}
      <span>{portalName()}</span>
    </>
  )
}
