import { FamilyLayout } from '#shell/layout-family.tsx'
import { start } from '#shell/start.tsx'
import { Page } from './page.tsx'

start(
  <FamilyLayout>
    <Page />
  </FamilyLayout>,
)
