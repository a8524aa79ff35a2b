/** Which of the three bundles runs: written into its HTML file. Keys in the browser's storage carry it. */
export type Area = 'school' | 'office' | 'family'

const given = document.documentElement.dataset.area
export const area: Area = given === 'office' || given === 'family' ? given : 'school'

/** Where this bundle's addresses begin: the empty path of the school portal, `/office` of the office. */
export const home: string = area === 'office' ? '/office' : '/'

/** A key in the browser's storage. The school's carry the specification's own names (`token`). */
export function storageKey(name: string): string {
  return area === 'school' ? name : `${area}.${name}`
}
