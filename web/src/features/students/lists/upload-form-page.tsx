import './upload-form.css'
import { Link } from '@tanstack/react-router'
import { paths } from '#shell/paths.ts'
import { buttonClass } from '#ui/button.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { words } from './words.ts'

/** student/UploadForm: how forms filled on paper come into the portal (specification, 2.10). */
export function UploadFormPage() {
  const t = words.use()
  return (
    <>
      <PageHeader title={t('uploadTitle')} fact={t('uploadFact')} />
      <div className="two">
        <Panel title={t('paperTitle')}>
          <ol className="paper-steps stack gap-6">
            <li>
              <div>
                <h3>{t('step1')}</h3>
                <p>{t('step1Text')}</p>
                <Link to={paths.dashboard} className="lk">
                  {t('step1Link')}
                </Link>
              </div>
            </li>
            <li>
              <div>
                <h3>{t('step2')}</h3>
                <p>{t('step2Text')}</p>
              </div>
            </li>
            <li>
              <div>
                <h3>{t('step3')}</h3>
                <p>{t('step3Text')}</p>
                <Link to={paths.studentEntry} className="lk">
                  {t('step3Link')}
                </Link>
              </div>
            </li>
          </ol>
        </Panel>
        <Panel title={t('sheetTitle')}>
          <div className="paper-sheet">
            <p>{t('sheetText')}</p>
            <Link to={paths.importDesk} className={buttonClass('primary')}>
              {t('sheetLink')}
            </Link>
          </div>
        </Panel>
      </div>
    </>
  )
}
