/** Long work that seals and hashes anew what hangs on the SECRET before. */
export const rotationJob = 'secret.rotation'
