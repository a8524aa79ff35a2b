import { FamilyLayout } from '#shell/layout-family.tsx'
import { start } from '#shell/start.tsx'
import { loadPage, Page } from './page.tsx'

void start(
  <FamilyLayout>
    <Page />
  </FamilyLayout>,
  loadPage,
)
