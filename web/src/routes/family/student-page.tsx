import { FamilyPage } from '#features/families/family-page.tsx'

/** `/student?id=<group id>`. */
export default function StudentPage() {
  return <FamilyPage />
}
