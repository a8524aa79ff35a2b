import { Confirming } from '#shell/confirm/confirming.tsx'
import { OfficeLayout } from '#shell/layout-office.tsx'
import { useOfficeMenu, useRoleName } from './menu.ts'

export function Layout() {
  return (
    <>
      <OfficeLayout useMenu={useOfficeMenu} useRole={useRoleName} />
      <Confirming />
    </>
  )
}
