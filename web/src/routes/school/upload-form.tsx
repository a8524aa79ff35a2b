import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

export const uploadForm = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.uploadForm,
  component: lazyRouteComponent(
    () => import('#features/participation/upload-form-page.tsx'),
    'UploadFormPage',
  ),
})
