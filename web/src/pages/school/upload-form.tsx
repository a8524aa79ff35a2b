import { createRoute } from '@tanstack/react-router'
import { page } from '#shell/page.ts'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const uploadForm = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.uploadForm,
  component: page(() => import('#features/students/lists/upload-form-page.tsx'), 'UploadFormPage'),
})
